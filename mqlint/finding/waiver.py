"""Waivers: accepted findings with an owner, in a file beside the configuration.

waivers:
  - rule: shared-cluster-receiver-name
    queue_manager: DRSORD1
    object: TO.DRS*
    owner: network team
    reason: the network to Leeds is cut before every test
    ticket: CHG-4711
    expires: 2027-03-31
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from datetime import date

from mqlint.config.errors import nearest
from mqlint.config.forms import (
    Form,
    Key,
    Schema,
    any_of,
    check_glob,
    document,
    items,
    names,
    of_keys,
    or_nothing,
    read_by,
    read_keys,
    schema_of,
    with_some,
)
from mqlint.config.globs import Glob
from mqlint.config.node import Node
from mqlint.config.values import generic_name
from mqlint.dataclass import frozen
from mqlint.finding.finding import Excuse, Finding
from mqlint.finding.location import Location
from mqlint.finding.rule import Rule, names_of
from mqlint.patterns import later
from mqlint.source.lines import Position

FILE_NAME = "mqlint-waivers.yaml"
"""The default name of the file."""

_DATE = later(r"\d{4}-\d{2}-\d{2}\Z")


@frozen
class Waiver:
    """One entry of the file: findings of `rules`, by id, about what the scopes name.

    An empty scope narrows nothing. Names of queue managers and objects are generic as in MQ: a `*`
    at the end stands for any rest. `expires` is the last day on which it holds, None for no end.
    `location` is where the entry is.
    """

    rules: tuple[str, ...]
    owner: str
    reason: str
    location: Location
    ticket: str = ""
    expires: date | None = None
    sites: tuple[str, ...] = ()
    queue_managers: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    paths: tuple[Glob, ...] = ()

    def covers(self, finding: Finding) -> bool:
        """Whether the finding is one of those that the waiver is about, whatever the date."""
        subject = finding.subject
        return (
            finding.rule.id in self.rules
            and (not self.sites or subject.site in self.sites)
            and _is_among(subject.queue_manager, self.queue_managers)
            and _is_among(subject.object_name, self.objects)
            and (not self.paths or any(path.matches(finding.location.path) for path in self.paths))
        )

    @property
    def scopes(self) -> tuple[tuple[str, ...], ...]:
        """Its limits: sites, queue managers, objects and patterns of paths."""
        patterns = tuple(path.pattern for path in self.paths)
        return self.sites, self.queue_managers, self.objects, patterns

    def grants(self, other: Waiver) -> bool:
        """Whether all that another waiver covers is covered by this one, for as long."""
        return (
            set(other.rules) <= set(self.rules)
            and all(
                not mine or (theirs and set(theirs) <= set(mine))
                for mine, theirs in zip(self.scopes, other.scopes, strict=True)
            )
            and (
                self.expires is None
                or (other.expires is not None and other.expires <= self.expires)
            )
        )

    def holds_on(self, day: date) -> bool:
        return self.expires is None or day <= self.expires

    @property
    def excuse(self) -> Excuse:
        """What a finding that it suppresses is marked with."""
        expires = "" if self.expires is None else self.expires.isoformat()
        return Excuse(self.reason, "waiver", self.owner, self.ticket, expires)


def _is_among(name: str | None, generic: tuple[str, ...]) -> bool:
    if not generic:
        return True
    return name is not None and any(
        name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
        for pattern in generic
    )


@frozen
class Waivers:
    """The waivers of a run, in the order written, and the day on which it is made.

    `complete` says that all files of the project are judged, so that a waiver without a finding
    is known to be of no use. `path` and `text` are those of the file.
    """

    entries: tuple[Waiver, ...]
    today: date
    complete: bool = False
    path: str = FILE_NAME
    text: str = field(default="", repr=False)


def waivers_from(root: Node, rules: Mapping[str, Rule]) -> tuple[Waiver, ...]:
    """Return the waivers that a YAML value holds; ConfigError at the first fault.

    `rules` are all rules by id. A rule that does not exist is a fault, and so is one that cannot
    be ignored.
    """
    if root.is_empty:
        return ()
    root.keys_allowed(TOP)
    entries = root.require("waivers")
    if entries.is_empty:
        return ()
    by_name = names_of(rules.values())
    return tuple(_waiver(node, by_name) for node in entries.sequence())


def _waiver(node: Node, by_name: Mapping[str, Rule]) -> Waiver:
    node.keys_allowed(KEYS)
    if not any(scope in node.mapping() for scope in SCOPES):
        raise node.error(
            "a waiver is for a site, queue_manager, object or paths: name one of them "
            "(to turn a rule off everywhere write `severity: {RULE: off}` in mqlint.yaml)"
        )
    rules = _each(lambda item: _rule(item, by_name)).read
    values = read_keys(node, _WAIVER, {"rule": rules})
    return Waiver(
        rules=tuple(dict.fromkeys(values["rule"])),
        owner=values["owner"],
        reason=values["reason"],
        location=_location(node),
        ticket=values.get("ticket", ""),
        expires=values.get("expires"),
        sites=values.get("site", ()),
        queue_managers=values.get("queue_manager", ()),
        objects=values.get("object", ()),
        paths=values.get("paths", ()),
    )


def _rule(node: Node, by_name: Mapping[str, Rule]) -> str:
    word = node.string()
    rule = by_name.get(word.casefold())
    if rule is None:
        near = nearest(word, by_name)
        hint = f" did you mean {by_name[near].id} {by_name[near].name}?" if near else ""
        raise node.error(f"rule {word!r} does not exist;{hint} `mqlint rules` lists all rules")
    if not rule.ignorable:
        raise node.error(f"{rule.id} {rule.name} cannot be waived: its policy does not allow it")
    return rule.id


def _words(node: Node) -> str:
    text = node.text().strip()
    if not text:
        raise node.error("the text is blank")
    return text


def _prose(node: Node) -> str:
    """Return a text for readers of reports, without secrets."""
    return _without_secrets(_words(node))


def _ticket(node: Node) -> str:
    return _without_secrets(node.text())


def _without_secrets(text: str) -> str:
    from mqlint.source.masking import shown
    from mqlint.source.secrets import without_secrets  # here, as most projects waive nothing

    return shown(without_secrets(text))


def _generic(node: Node) -> str:
    return generic_name(node, _words(node))


def _glob(node: Node) -> Glob:
    return check_glob(node.string(), node.error)


def date_of(node: Node) -> date:
    """Return the day that a value names, written as 2027-03-31; ConfigError otherwise."""
    text = node.text()
    try:
        if _DATE.match(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise node.error(f"found {text!r}, expected a date such as 2027-03-31")


def _location(node: Node) -> Location:
    """Where an entry is shown to be wrong: its first key and value."""
    first = next(iter(node.mapping().values()))
    end = Position(first.line, first.column + max(len(first.raw), 1))
    start = Position(first.key_line, first.key_column)
    return Location(node.path, start, end if end > start else Position(start.line, start.column))


_WORD: Schema = {"type": "string", "pattern": r"\S"}


def _each(read: Callable[[Node], object]) -> Form:
    """The form of one text, or a list of texts that is not empty."""

    def read_each(node: Node) -> tuple[object, ...]:
        if node.kind == "sequence" and not node.items:
            raise node.error("the list is empty: set a value or omit the key")
        return tuple(map(read, items(node)))

    return read_by(read_each, any_of(_WORD, {"type": "array", "minItems": 1, "items": _WORD}))


SCOPES = ("site", "queue_manager", "object", "paths")
"""What narrows a waiver down; one of them at least is needed."""

_WAIVER = (
    Key("rule", _each(_words), "Ids or names of rules.", required=True),
    Key("site", _each(_words), "Sites, by name."),
    Key("queue_manager", _each(_generic), "Queue managers; a * at the end matches any text."),
    Key("object", _each(_generic), "Names of objects; a * at the end matches any text."),
    Key("paths", _each(_glob), "Path patterns, relative to the project."),
    Key("owner", read_by(_prose, _WORD), "The person or team responsible.", required=True),
    Key("reason", read_by(_prose, _WORD), "Why it is accepted.", required=True),
    Key(
        "ticket",
        read_by(_ticket, {"type": ["string", "integer"]}),
        "Where it was decided.",
        notes={"examples": ["CHG-4711"]},
    ),
    Key(
        "expires",
        read_by(date_of, schema_of(_DATE)),
        "The last day on which it is valid.",
        notes={"examples": ["2027-03-31"]},
    ),
)
KEYS = names(_WAIVER)
"""The keys of one waiver."""

_FILE = (
    Key(
        "waivers",
        Form("", {"type": ["array", "null"], "items": with_some(of_keys(_WAIVER), *SCOPES)}),
        "The first entry that covers a finding and has not expired applies.",
        required=True,
    ),
)
TOP = names(_FILE)
"""The keys of the file."""

SCHEMA = document(
    FILE_NAME, "Findings of mqlint that are accepted, each by an owner.", or_nothing(of_keys(_FILE))
)


class Finder:
    """Finds the waivers that cover a finding without looking at all of them.

    Waivers of plain names are kept by their rule and name, the others by their rule.
    """

    def __init__(self, entries: Iterable[Waiver]) -> None:
        self._entries = tuple(entries)
        self._by_name: dict[tuple[str, str | None], list[int]] = {}
        for at, entry in enumerate(self._entries):
            plain = entry.objects and not any(name.endswith("*") for name in entry.objects)
            for rule in entry.rules:
                for name in dict.fromkeys(entry.objects) if plain else (None,):
                    self._by_name.setdefault((rule, name), []).append(at)

    def covering(self, finding: Finding) -> Iterator[tuple[int, Waiver]]:
        """Yield the waivers that cover a finding with their index, in the order written."""
        rule, name = finding.rule.id, finding.subject.object_name
        found = self._by_name.get((rule, None), [])
        if name is not None:
            found = sorted([*found, *self._by_name.get((rule, name), ())])
        for at in found:
            if self._entries[at].covers(finding):
                yield at, self._entries[at]
