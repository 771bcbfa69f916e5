"""Exceptions that a change adds: new ignores, waivers and baseline entries, looser settings.

The base of a change judges the change, so none of this counts before it is merged. Each is a
finding at its own line, so that a reviewer sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace

from mqlint.config.node import Node, Positions
from mqlint.config.profiles import reached
from mqlint.config.settings import (
    SEVERITIES,
    External,
    Inventory,
    OwnProfile,
    Settings,
    SeverityWord,
)
from mqlint.dataclass import frozen
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.document_findings import project_finding
from mqlint.finding import Finding, Location, Rule, Severity, Suppression, with_ordinals
from mqlint.finding.baseline import BaselineEntry, surplus
from mqlint.finding.waiver import Waiver, Waivers
from mqlint.grouping import grouped
from mqlint.policy.compile.build import Compiled
from mqlint.policy.rulebook import DESCRIPTIVE
from mqlint.source.lines import Position

_COMPARED = frozenset(
    (
        "exclude profiles own_profiles fail_on inventory external severity parameters "
        "policies waivers baseline"
    ).split()
)
"""Settings of which one value is looser than another, and files that are compared themselves."""

_DESCRIBING = tuple(item.name for item in fields(Settings) if item.name not in _COMPARED)
"""Settings that describe the estate, of which neither value is looser: all others."""

Comments = Mapping[str, Sequence[Suppression]]
"""The comments that suppress, by path."""


@frozen
class Baseline:
    """A baseline: its path as reports show it, its text and its entries."""

    path: str = ""
    text: str = ""
    entries: tuple[BaselineEntry, ...] = ()


@frozen
class Terms:
    """The settings, policies and exceptions of a project, in the base of a change or after it.

    `config` is the path of the configuration as reports show it, blank without one; `written` is
    its YAML value with its lines. `policies` are the project's own by id, each with its path.
    `names` maps the paths in messages to those in reports, for the configurations that it extends.
    `nested` are configurations in folders of the project, and `texts` the texts of its files by
    path.
    """

    settings: Settings = field(default_factory=Settings)
    config: str = ""
    written: Node | None = None
    waivers: Waivers | None = None
    known: Baseline = field(default_factory=Baseline)
    policies: Mapping[str, tuple[str, Compiled]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    nested: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


@frozen
class Loosening:
    """One exception that a change adds: the code of its rule, its place, and its words.

    `detail` distinguishes it from others of its rule. With `applies` it has its effect at once.
    """

    code: str
    location: Location
    what: str
    detail: str
    applies: bool = False


def loosenings(base: Terms, now: Terms, rules: Mapping[str, Rule]) -> Iterator[Loosening]:
    """Yield the exceptions of `now` that `base` lacks; `rules` are those of the base by id."""
    yield from _of_files(base, now)
    if base.written is not None or now.written is not None:
        yield from _of_settings(base, now, rules)
    yield from _of_waivers(base, now)
    yield from _of_known(base.known, now.known)
    yield from _of_policies(base, now)


def findings_of(
    found: Iterable[Loosening], context: JudgingContext, *, accepted: bool
) -> list[Finding]:
    """Return the findings about exceptions, as notes if they are accepted."""
    end = "it applies because of --accept-exceptions" if accepted else "it does not apply yet"
    severity = Severity.NOTE if accepted else None
    findings = (
        project_finding(
            context,
            loosening.code,
            loosening.what if loosening.applies else f"{loosening.what}; {end}",
            loosening.location,
            loosening.detail,
            severity,
        )
        for loosening in found
    )
    return with_ordinals([finding for finding in findings if finding is not None])


def is_looser(old: Settings, new: Settings, rules: Mapping[str, Rule]) -> bool:
    """Whether files are judged less strictly by `new`, whatever either excludes."""
    new = replace(new, exclude=old.exclude)
    changes = (_lists(old, new), _severities(old, new, rules), _parameters(old, new))
    return any(True for found in changes for _ in found)


def added_comments(base: Comments, now: Comments) -> Iterator[Loosening]:
    """Yield the comments that are more than before, wherever they are in the project."""
    left = Counter((path, _words(comment)) for path, found in base.items() for comment in found)
    pending = []
    for path in sorted(now):
        for comment in now[path]:
            key = path, _words(comment)
            left[key] -= 1
            if left[key] < 0:
                pending.append((path, comment))
    moved: Counter[frozenset[str]] = Counter()
    for (_, words), number in left.items():
        moved[words] += max(number, 0)
    for path, comment in pending:
        moved[_words(comment)] -= 1
        if moved[_words(comment)] < 0:
            shown = ", ".join(comment.rules)
            location = Location(path, comment.start, comment.end)
            yield Loosening("ignore-added", location, f"the change adds ignore[{shown}]", shown)


def _words(comment: Suppression) -> frozenset[str]:
    return frozenset(word.casefold() for word in comment.rules)


def _of_waivers(base: Terms, now: Terms) -> Iterator[Loosening]:
    grants = _Grants(base.waivers)
    for entry in now.waivers.entries if now.waivers is not None else ():
        if not grants.covers(entry):
            rules = ", ".join(entry.rules)
            what = f"the change adds or widens a waiver of {rules} (owner: {entry.owner})"
            yield Loosening("waiver-added", entry.location, what, repr((entry.rules, entry.scopes)))


class _Grants:
    """What waivers grant, found by a rule and by one member of the first scope that each has."""

    def __init__(self, waivers: Waivers | None) -> None:
        self._found: dict[tuple[str, int, str], list[Waiver]] = {}
        for entry in waivers.entries if waivers is not None else ():
            kind = next(at for at, scope in enumerate(entry.scopes) if scope)
            for rule in entry.rules:
                for member in entry.scopes[kind]:
                    self._found.setdefault((rule, kind, member), []).append(entry)

    def covers(self, waiver: Waiver) -> bool:
        keys = (
            (waiver.rules[0], kind, scope[0]) for kind, scope in enumerate(waiver.scopes) if scope
        )
        return any(row.grants(waiver) for key in keys for row in self._found.get(key, ()))


def _of_known(base: Baseline, now: Baseline) -> Iterator[Loosening]:
    """Yield each rule of which the baseline has more findings; a first baseline counts once."""
    added = grouped((entry.rule, entry) for entry in surplus(now.entries, base.entries))
    if len(added) > 1 and not base.entries:
        number = f"{sum(map(len, added.values())):,} findings of {len(added):,} rules"
        what = f"the change adds the first baseline, with {number}"
        yield Loosening("baseline-grown", _line_of(now.entries[0], now), what, "first")
        return
    for rule, entries in sorted(added.items()):
        number = f"{len(entries):,} findings" if len(entries) > 1 else "1 finding"
        what = f"the change adds {number} of {rule} to the baseline"
        yield Loosening("baseline-grown", _line_of(entries[0], now), what, rule)


def _line_of(entry: BaselineEntry, known: Baseline) -> Location:
    at = max(known.text.find(entry.fingerprint), 0)
    return _at(known.path, known.text.count("\n", 0, at) + 1)


def _of_policies(base: Terms, now: Terms) -> Iterator[Loosening]:
    for key, (path, compiled) in base.policies.items():
        if key not in now.policies:
            what = f"the change removes the policy {key}"
            yield Loosening("policy-changed", _at(path), what, key)
        elif _judging(now.policies[key][1]) != _judging(compiled):
            place = _at(now.policies[key][0])
            yield Loosening("policy-changed", place, f"the change alters the checks of {key}", key)


def _judging(compiled: Compiled) -> Compiled:
    """What decides of a compiled policy: not its words for people."""
    return {key: value for key, value in compiled.items() if key not in {*DESCRIPTIVE, "message"}}


def _of_files(base: Terms, now: Terms) -> Iterator[Loosening]:
    """Configurations that the change adds or removes."""
    if base.written is not None and now.written is None:
        what = "the change removes the configuration"
        yield Loosening("setting-loosened", _at(base.config), what, "removed")
    if base.written is None and now.written is not None:
        what = "the change adds the first configuration"
        yield Loosening("setting-loosened", _at(now.config), what, "added")
    for path in now.nested:
        what = "the change adds a configuration for this folder"
        yield Loosening("setting-loosened", _at(path), what, path)


def _of_settings(base: Terms, now: Terms, rules: Mapping[str, Rule]) -> Iterator[Loosening]:
    old, new = base.settings, now.settings
    places = None if now.written is None else Positions(now.written, now.names)
    for keys, what in (
        *_lists(old, new),
        *_severities(old, new, rules),
        *_parameters(old, new),
        *(_descriptions(old, new) if base.written is not None and now.written is not None else ()),
    ):
        place = _at(base.config) if places is None else _place(places, keys, now.config)
        yield Loosening("setting-loosened", place, what, "/".join(keys))


Change = tuple[tuple[str, ...], str]
"""The keys that lead to a setting, and the effect of its change."""


def _lists(old: Settings, new: Settings) -> Iterator[Change]:
    for pattern in _added(old.exclude, new.exclude):
        yield ("exclude", pattern), f"exclude has {pattern!r} more"
    for profile in _added(_judging_profiles(new), old.profiles):
        yield ("profiles", profile), f"the profile {profile} is dropped"
    if SEVERITIES.index(new.fail_on) > SEVERITIES.index(old.fail_on):
        yield ("fail_on",), f"fail_on is {new.fail_on} instead of {old.fail_on}"
    for item in fields(Inventory):
        if getattr(old.inventory, item.name) and not getattr(new.inventory, item.name):
            yield ("inventory", item.name), f"the inventory of {item.name} is no longer complete"
    for item in fields(External):
        for name in _added(getattr(old.external, item.name), getattr(new.external, item.name)):
            yield ("external", item.name, name), f"external {item.name} has {name!r} more"


def _judging_profiles(settings: Settings) -> list[str]:
    """The profiles of a run, and those that the project's own ones extend."""
    own = reached(settings.profiles, settings.own_profiles) if settings.own_profiles else []
    return [*settings.profiles, *(name for profile in own for name in profile.extends)]


def _added(old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    known = set(old)
    return (item for item in dict.fromkeys(new) if item not in known)


def _severities(old: Settings, new: Settings, rules: Mapping[str, Rule]) -> Iterator[Change]:
    yield from _lower(old.severity, new.severity, rules, ("severity",))
    then = {profile.name: profile for profile in old.own_profiles}
    for profile in new.own_profiles:
        before = then.get(profile.name, OwnProfile(profile.name, ()))
        keys = ("profiles", profile.name)
        where = f" in the profile {profile.name}"
        for name in _added(profile.extends, before.extends):
            yield (*keys, "extends"), f"the profile {profile.name} no longer extends {name}"
        yield from _lower(before.severity, profile.severity, rules, (*keys, "severity"), where)


def _lower(
    old: Mapping[str, SeverityWord],
    new: Mapping[str, SeverityWord],
    rules: Mapping[str, Rule],
    keys: tuple[str, ...],
    where: str = "",
) -> Iterator[Change]:
    for key in sorted({*old, *new} & rules.keys()):
        before, after = old.get(key), new.get(key)
        if before != after and _least(after, rules[key]) < _most(before, rules[key]):
            own = "that of its policy"
            words = f"{after or own} instead of {before or own}"
            yield (*keys, key), f"the severity of {key}{where} is {words}"


def _least(word: str | None, rule: Rule) -> int:
    """The least severity that a rule has anywhere, 0 if it does not run in each profile."""
    if word is not None:
        return SEVERITIES.index(word)
    return min(rule.severity.values(), default=0) if "default" in rule.severity else 0


def _most(word: str | None, rule: Rule) -> int:
    return max(rule.severity.values(), default=0) if word is None else SEVERITIES.index(word)


def _parameters(old: Settings, new: Settings) -> Iterator[Change]:
    before = {(parameter.rule, parameter.name): parameter.value for parameter in old.parameters}
    after = {(parameter.rule, parameter.name): parameter.value for parameter in new.parameters}
    for key in sorted({*before, *after}):
        if key not in before or key not in after or before[key] != after[key]:
            yield ("parameters", *key), f"the parameter {key[1]} of {key[0]} is changed"


def _descriptions(old: Settings, new: Settings) -> Iterator[Change]:
    for key in _DESCRIBING:
        if getattr(old, key) != getattr(new, key):
            yield (key,), f"{key} is changed"


def _place(places: Positions, keys: Sequence[str], path: str) -> Location:
    """The place of a setting, or of the last of its keys that exists."""
    line, column, length = places.of(keys)
    path = places.file_of(keys) or path
    return Location(path, Position(line, column), Position(line, column + length))


def _at(path: str, line: int = 1) -> Location:
    return Location(path, Position(line, 1), Position(line, 2))
