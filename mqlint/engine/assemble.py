"""From readings to queue managers: which document speaks of which, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from mqlint.config.placement import Placement
from mqlint.config.settings import Settings
from mqlint.engine.hint import hinted, hinted_by_manifests
from mqlint.engine.reading import Part, Reading
from mqlint.finding import Rule, Severity
from mqlint.model.document import Document
from mqlint.model.fact import Facts
from mqlint.model.key import QueueManagerKey
from mqlint.model.origin import Origin
from mqlint.model.queue_manager import QueueManager
from mqlint.model.script import Script, Text
from mqlint.policy.judge import Grading
from mqlint.source.lines import LineMap
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.syntax.declared import Declared
    from mqlint.syntax.ini import Stanza
    from mqlint.syntax.step import Step

_DECLARING = frozenset(
    {
        *("jcl", "zparm", "captured", "drbd", "manifest", "ccdt"),
        *("client-properties", "client-yaml"),
    }
)
"""Languages whose declarations and steps belong to whom they name, else to whom the path does."""


_TIMED = frozenset({"crontab", "systemd"})
"""Languages whose lines run by themselves, each at its time."""

Rank = tuple[int, str, int]
"""A place in an order that is known: of the configuration, or of a script that feeds files."""

_LAST: Rank = (2, "", 0)


@dataclass(frozen=True, slots=True)
class Feed:
    """How a file comes to a queue manager: the script that feeds it to runmqsc, and at which place.

    `at` counts the files that the script feeds.
    """

    script: str
    at: int
    queue_manager: str


@dataclass(slots=True)
class Contribution:
    """What one document gives to one queue manager.

    `unbound` and `calls` are steps of a script that may be about any queue manager; `loose` are
    those that name none, or mean every one, for what can be said of them as commands; `unbound`
    are then those that do name one.
    """

    path: str
    lines: LineMap
    rank: Rank | None
    language: str
    digest: str
    part: Part | None = None
    stanzas: tuple[Stanza, ...] = ()
    host: tuple[Stanza, ...] = ()
    steps: list[Step] = field(default_factory=list)
    unbound: tuple[Step, ...] = ()
    loose: tuple[Step, ...] = ()
    calls: tuple[int, ...] = ()
    declared: tuple[Declared, ...] = ()

    @property
    def generated(self) -> str:
        """When the dump was made, blank when it does not say."""
        header = self.part.header if self.part is not None else None
        return (header.generated or "") if header is not None else ""

    @property
    def is_dump(self) -> bool:
        """Whether this is a dump of what a queue manager is, rather than what it shall be."""
        return self.part is not None and self.part.header is not None

    @property
    def is_shown(self) -> bool:
        """Whether this is what DISPLAY showed of a queue manager."""
        return self.part is not None and self.part.role == "shown"

    @property
    def is_script(self) -> bool:
        """Whether this is MQSC that was run, or is to be."""
        return self.part is not None and not (self.is_dump or self.is_shown)


class Assembly:
    """Decides for each document which queue manager it speaks of, and builds queue managers."""

    def __init__(
        self,
        settings: Settings,
        vocabulary: Vocabulary,
        fed: Iterable[tuple[str, str, str]] = (),
        repository: str = "",
    ) -> None:
        """`fed` are (script, file, queue manager) of files that scripts feed to runmqsc.

        In an estate of several, `repository` is the name that the paths of this one begin with.
        Where the settings name a repository, that is its identity.
        """
        self.settings = settings
        self.vocabulary = vocabulary
        self.repository = settings.repository or repository
        self.placement = Placement(settings, f"{repository}/" if repository else "")
        self._fed: dict[str, Feed] = {}
        for at, (script, name, queue_manager) in enumerate(fed):
            path = fed_path(script, name)
            self._fed.setdefault(path, Feed(script, at, queue_manager))

    def knowing(self, path: str, feed: Feed | None) -> Assembly:
        """Return an assembly that knows how this one file is fed, and of no other file."""
        assembly = copy(self)
        assembly._fed = {} if feed is None else {path: feed}
        return assembly

    def contributions(
        self, path: str, reading: Reading
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what a document gives to each queue manager it speaks of."""
        give = partial(
            Contribution,
            path,
            reading.lines,
            self._rank(path),
            reading.language,
            reading.digest,
            unbound=tuple(
                step for step in reading.steps if step.queue_manager is None and not step.every
            ),
            calls=reading.calls,
        )
        by_path = self.placement.queue_manager_of(path)
        for part in reading.parts:
            if part.role == "refused":
                continue
            name = self.owner(path, part.queue_manager)
            yield self.key(path, name), give(part=part)
        if reading.stanzas and reading.language != "captured":
            for said, stanzas in _by_owner(reading.stanzas).items():
                yield self.key(path, said or by_path), give(stanzas=tuple(stanzas))
        for name, host in _registered(reading.stanzas).items():
            yield self.key(path, name), give(host=host)
        if reading.language in _DECLARING:
            yield from self._of_zos(path, reading, give)
            return
        if reading.language == "cl":
            yield from self._of_program(path, reading.steps, give)
            return
        for queue_manager, steps in _by_name(reading.steps, by_path).items():
            yield self.key(path, queue_manager), give(steps=steps)
        loose = tuple(one for one in reading.steps if one.queue_manager is None)
        if loose:
            named = tuple(one for one in reading.steps if one.queue_manager is not None)
            yield self.key(path, None), give(loose=loose, unbound=named)

    def _of_zos(
        self, path: str, reading: Reading, give: Callable[..., Contribution]
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what a job or macros give: to whom they name, else to whom the path names.

        What names nobody is judged by itself, as MQSC is.
        """
        found: list[Step | Declared] = [*reading.steps, *reading.declared]
        names = dict.fromkeys(self.owner(path, one.queue_manager) for one in found)
        for name in names:
            yield (
                self.key(path, name),
                give(
                    unbound=(),
                    steps=[s for s in reading.steps if self.owner(path, s.queue_manager) == name],
                    declared=tuple(
                        d for d in reading.declared if self.owner(path, d.queue_manager) == name
                    ),
                ),
            )

    def _of_program(
        self, path: str, steps: Iterable[Step], give: Callable[..., Contribution]
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what a program of CL gives: to whom its commands name, else to whom the path does.

        Commands that name nobody are judged by themselves; to others they may belong.
        """
        by_path = self.placement.queue_manager_of(path)
        owned = [(one.queue_manager or by_path, one) for one in steps]
        names = dict.fromkeys(name for name, one in owned if not one.every) or {by_path: None}
        for name in names:
            mine = [one for owner, one in owned if one.every or owner == name]
            others = [one for owner, one in owned if (owner is None) != (name is None)]
            unbound = tuple(one for one in others if not one.every)
            yield self.key(path, name), give(steps=mine, unbound=unbound)

    def key(self, path: str, queue_manager: str | None) -> QueueManagerKey:
        """Return the identity of the queue manager a document speaks of."""
        place = self.placement.site_of(path)
        name = place.site.name if place is not None else ""
        if queue_manager is None:
            return QueueManagerKey(self.repository, name, path, anonymous=True)
        known = place is not None and not place.guessed
        return QueueManagerKey("" if known else self.repository, name, queue_manager)

    def owner(self, path: str, said: str | None) -> str | None:
        """Return the queue manager of MQSC: as said in it, by its path, or by who feeds it."""
        feed = self._fed.get(path)
        fed = feed.queue_manager if feed is not None else None
        return said or self.placement.queue_manager_of(path) or fed

    def _rank(self, path: str) -> Rank | None:
        """The place of a document in a known order: the configuration's, or a script's."""
        place = self.placement.order_of(path)
        if place is not None:
            return (0, "", place)
        feed = self._fed.get(path)
        return (1, feed.script, feed.at) if feed is not None else None

    def target(self, path: str) -> Target:
        """Return the target that the configuration sets for a document."""
        target = self.placement.target_of(path)
        parts = target.level.parts if target.level is not None else ()
        level = (parts[0], parts[1], parts[2]) if len(parts) >= 3 else None
        return Target(level, target.platform)

    def severity(self, grading: Grading, rule: Rule, path: str) -> Severity | None:
        """Return the severity of `rule` for what one document says; None when it does not run."""
        place = self.placement.site_of(path)
        role = place.site.role if place is not None and not place.guessed else None
        return grading.severity(rule, role, self.placement.profiles_of(path))

    def describe(self, key: QueueManagerKey, given: list[Contribution]) -> list[Facts]:
        """Build the queue manager `key`: as its scripts leave it, and as its dump shows it.

        With a dump and scripts there are two descriptions, the scripts' first; else there is one.
        What DISPLAY showed is one more: its time is not known, and neither is what it left out.
        """
        given = in_order(given)
        dumps = sorted((one for one in given if one.is_dump), key=lambda one: one.generated)
        scripts = [one for one in given if one.is_script]
        shown = [one for one in given if one.is_shown]
        newest = dumps[-1:]
        descriptions = []
        if scripts or not (newest or shown):
            descriptions.append(self._build(key, newest, scripts, given))
        if newest:
            descriptions.append(self._build(key, newest, [], given))
        if shown:
            descriptions.append(self._build(key, [], shown, given))
        return descriptions

    def _build(
        self,
        key: QueueManagerKey,
        dumps: list[Contribution],
        scripts: list[Contribution],
        given: list[Contribution],
    ) -> Facts:
        target = self.target(given[0].path)
        shown = any(one.is_shown for one in scripts)
        if any(one.language in ("jcl", "zparm") for one in given):
            target = replace(target, platform="zos")
        elif any(one.language == "cl" for one in given):
            target = replace(target, platform="ibmi")
        for one in dumps:
            if one.part is not None:
                target = hinted(target, one.part.header, one.part.commands)
        for one in given:
            target = hinted_by_manifests(target, one.declared, key.name)
        manager = QueueManager(
            key,
            self.vocabulary,
            target,
            self.settings,
            self.placement.site_of(given[0].path),
            profiles=self.placement.profiles_of(given[0].path),
            complete=self.settings.inventory.objects and not key.anonymous and not shown,
        )
        chains: dict[str, Origin] = {}
        for one in (*dumps, *scripts):
            part = one.part
            if part is None:
                continue
            origin = Origin(
                one.path, one.lines, part.segments, one.is_dump, part.maybe, one.is_shown
            )
            manager.origins.append(origin)
            chain = chains.setdefault("" if one.rank is not None else one.path, origin)
            manager.apply(part.commands, origin, chain, part.header)
            if part.segments is None:
                document = Document(one.language, one.digest, origin, part.commands)
                manager.documents.append(document)
        for one in given:
            plain = Origin(one.path, one.lines)
            manager.origins.append(plain)
            manager.stanzas.extend((stanza, plain) for stanza in one.stanzas)
            manager.host.extend((stanza, plain) for stanza in one.host)
            manager.steps.extend((step, plain) for step in one.steps)
            manager.declared.extend((declared, plain) for declared in one.declared)
            if one.loose:
                named, calls = list(one.unbound), list(one.calls)
                timed = one.language in _TIMED
                manager.loose.append(Script(plain, list(one.loose), named, calls, [], timed))
        manager.scripts.extend(_scripts(given))
        return Facts(manager)


def in_order(given: Iterable[Contribution]) -> list[Contribution]:
    """Return contributions in the order in which they are known to apply, others behind them."""
    return sorted(given, key=lambda one: (one.rank or _LAST, one.path))


def fed_path(script: str, name: str) -> str:
    """Return the path of the file `name` as the script at the path `script` means it."""
    return normpath(join(dirname(script), name))


def _registered(stanzas: Iterable[Stanza]) -> dict[str, tuple[Stanza, ...]]:
    """What an mqs.ini says of each queue manager it names, with what it says of all."""
    found: dict[str, Stanza] = {}
    general: list[Stanza] = []
    for stanza in stanzas:
        name = stanza.get("Name") if stanza.name.lower() == "queuemanager" else None
        if stanza.name.lower() != "queuemanager":
            general.append(stanza)
        elif name is not None and not name.templated and name.value:
            found.setdefault(name.value, stanza)
    return {name: (stanza, *general) for name, stanza in found.items()}


def _by_owner(stanzas: Iterable[Stanza]) -> dict[str | None, list[Stanza]]:
    """The stanzas of each queue manager that the file they stand in names, None where none."""
    found: dict[str | None, list[Stanza]] = {}
    for one in stanzas:
        found.setdefault(one.queue_manager, []).append(one)
    return found


def _by_name(steps: Iterable[Step], by_path: str | None) -> dict[str, list[Step]]:
    """The steps of each queue manager; those about every one of a host are with each.

    Where a script names none, they are those of the queue manager whose folder it stands in.
    """
    named = {one.queue_manager: one for one in steps if one.queue_manager is not None}
    names = list(named) or ([by_path] if by_path is not None else [])
    found: dict[str, list[Step]] = {name: [] for name in names}
    for step in steps:
        for name in names if step.every else (step.queue_manager,):
            if name is not None:
                found[name].append(step)
    return {name: of_name for name, of_name in found.items() if of_name}


def _scripts(given: Iterable[Contribution]) -> Iterable[Script]:
    """What the documents have their steps in; a dump has none.

    Steps that a program leaves to the clock are lines of a schedule, not of the program.
    """
    scripts: dict[tuple[str, bool], Script] = {}
    for one in given:
        part = one.part if one.is_script else None
        if part is None and not one.steps:
            continue
        timed = one.language in _TIMED
        own = _script(scripts, one, timed)
        for step in one.steps:
            late = step.schedule is not None and not timed
            (_script(scripts, one, True) if late else own).steps.append(step)
        if one.steps:
            own.unbound[:] = one.unbound
        if part is not None:
            origin = Origin(one.path, one.lines, part.segments, maybe=part.maybe)
            own.texts.append(Text(origin, part.commands))
    return scripts.values()


def _script(scripts: dict[tuple[str, bool], Script], one: Contribution, timed: bool) -> Script:
    """The script of a document, or the lines of it that a clock runs."""
    found = scripts.get((one.path, timed))
    if found is None:
        unbound, calls = list(one.unbound), list(one.calls)
        found = Script(Origin(one.path, one.lines), [], unbound, calls, [], timed)
        scripts[one.path, timed] = found
    return found
