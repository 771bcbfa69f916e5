"""The file of a scenario: read, and checked against the members that the files describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mqlint.config.errors import ConfigError, nearest, not_among
from mqlint.config.forms import Readers, items, names, number, read_keys
from mqlint.config.node import Node
from mqlint.config.settings import Reinstatement
from mqlint.rehearsal.member import Member
from mqlint.rehearsal.scenario import (
    ACTIONS,
    DAY,
    KEYS,
    LONGEST,
    MOST_EVENTS,
    NETWORK,
    OF_COPY,
    OPTIONS,
    SIMPLE,
    Action,
    Copy,
    Event,
    Scenario,
    id_of,
)

_MANY = 20
_MEANT = {
    **dict.fromkeys(("stop", "shutdown", "quiesce", "kill", "down"), "end"),
    **dict.fromkeys(("remove", "destroy", "drop"), "delete"),
    **dict.fromkeys(("run", "boot", "up", "bring-up", "create"), "start"),
    **dict.fromkeys(("change", "update", "modify"), "alter"),
    **dict.fromkeys(("open", "close", "isolate", "firewall"), "network"),
    "reboot": "restart",
}
"""Words that users may write for an action, although the letters differ."""
_STARTED: frozenset[Action] = frozenset({"end", "delete", "restart", "start-channels", "refresh"})
"""Actions that need a queue manager that was started."""
_OPTIONS_ALL = tuple(dict.fromkeys(name for keys in OPTIONS.values() for name in names(keys)))


def scenario_of(node: Node, members: Sequence[Member], sites: Iterable[str]) -> Scenario:
    """Return the scenario of a YAML text; ConfigError if it is not valid or names unknown objects.

    `sites` are those of the configuration, of which there may be no files.
    """
    node.keys_allowed(KEYS)
    return _ScenarioReader(node, members, sites).read()


class _ScenarioReader:
    """Reads one scenario against the members that the files describe."""

    def __init__(self, node: Node, members: Sequence[Member], sites: Iterable[str]) -> None:
        self.node = node
        self.members = members
        self.sites = list(dict.fromkeys(member.site for member in members))
        self.configured = list(dict.fromkeys((*self.sites, *sites)))
        self.clusters = {part.cluster for member in members for part in member.memberships}
        self.ids: dict[str, list[str]] = {}
        self.production: tuple[str, ...] = ()
        self.dr = ""
        self.last_day = 0

    def read(self) -> Scenario:
        node = self.node
        self.production = tuple(map(self._site, items(node.require("production"))))
        self.dr = self._dr(node.require("dr"))
        simple = read_keys(node, SIMPLE)
        copies = self._copies(node.get("queue_managers"), simple.pop("made_by", "definitions"))
        scenario = Scenario(self.production, self.dr, copies=copies, **simple)
        self.last_day = scenario.days
        for member in self.members:
            if member.site in self.production:
                self._know(member.name, member.site)
        for name in copies:
            self._know(name, self.dr)
        uses = self._uses(node.get("uses"))
        return replace(scenario, uses=uses, events=self._events(node.get("events")))

    def _know(self, name: str, site: str) -> None:
        self.ids.setdefault(name, []).append(id_of(name, site))

    def _site(self, node: Node) -> str:
        return self._known(node, self.sites, "no queue manager of a cluster is at the site")

    def _dr(self, node: Node) -> str:
        site = node.string()
        if site in self.production:
            raise node.error(f"{site!r} is the site of production")
        near = None if site in self.configured else nearest(site, self.configured)
        if near is not None and near not in self.production:
            raise node.error(f"no site {site!r}: {_choice(site, self.configured)}")
        return site

    def _known(self, node: Node, allowed: Iterable[str], what: str) -> str:
        word = node.string()
        names = list(allowed)
        if word not in names:
            raise node.error(f"{what} {word!r}: {_choice(word, names)}")
        return word

    def _copies(self, node: Node | None, usual: Reinstatement) -> dict[str, Copy]:
        described = {member.name for member in self.members if member.site == self.dr}
        originals = {member.name for member in self.members if member.site in self.production}
        copies = {}
        if node is not None and node.kind != "mapping":
            raise node.error("expected the name of each queue manager with its keys: QM1: {}")
        for name, written in ({} if node is None else node.mapping()).items():
            copy = Copy(**{"made_by": usual, **({} if written.is_empty else OF_COPY.read(written))})
            if copy.made_by == "definitions" and name not in described:
                raise written.key_error(
                    f"no file describes {name!r} at {self.dr}: {_choice(name, described)}"
                    if described
                    else f"no file describes a queue manager of a cluster at {self.dr}"
                )
            if copy.made_by != "definitions" and (copy.copy_of or name) not in originals:
                raise written.key_error(
                    f"no file describes {copy.copy_of or name!r} at production: "
                    f"{_choice(copy.copy_of or name, originals)}"
                )
            copies[name] = copy
        return copies

    def _uses(self, node: Node | None) -> dict[str, tuple[str, ...]]:
        if node is None:
            return {}
        return {
            who: queues.strings()
            for name, queues in node.mapping().items()
            for who in self._ids_of(name, queues.key_error)
        }

    def _events(self, node: Node | None) -> tuple[Event, ...]:
        if node is None or (node.kind == "sequence" and not node.sequence()):
            where = self.node if node is None else node
            raise where.error(
                "a scenario needs events, for example: events: [{day: 0, start: QM1}]"
            )
        if node.kind != "sequence":
            raise node.error("expected a list of events: - {day: 0, start: QM1}")
        items = node.sequence()
        if len(items) > MOST_EVENTS:
            raise node.error(f"{len(items)} events: at most {MOST_EVENTS} are supported")
        found = [(self._event(item), item) for item in items]
        found.sort(key=lambda pair: pair[0].day)
        started: set[str] = set()
        for event, item in found:
            early = [who for who in event.who if self._is_copy(who) and who not in started]
            if early and event.action in _STARTED:
                raise item.error(f"{event.action}: no event starts {early[0]} before")
            if event.action == "start":
                started.update(event.who)
        return tuple(event for event, _ in found)

    def _event(self, node: Node) -> Event:
        action = _action(node)
        options = OPTIONS.get(action, ())
        node.keys_allowed(("day", action, *names(options)))
        day = self._day(node.require("day"))
        if action == "network":
            return Event(day, action, network=NETWORK.read(node.require(action)))
        who = self._who(node.require(action))
        if action == "reset" and node.get("remove") is None:
            raise node.error("the key 'remove' is missing: the queue manager to remove")
        if action == "reset" and any(map(self._is_copy, who)):
            raise node.error("reset is supported on queue managers of production only")
        special: Readers = {
            "cluster": lambda value: self._known(value, self.clusters, "no cluster"),
            "remove": lambda value: self._ids_of(value.string(), value.error)[0],
            "backup_day": number(-LONGEST, day).read,
        }
        values = {"backup_day": day, **read_keys(node, options, special)}
        return Event(day, action, who, **values)

    def _is_copy(self, who: str) -> bool:
        return who.endswith(f"@{self.dr}")

    def _day(self, node: Node) -> int:
        """A day of the calendar: no date, and none after its last day."""
        try:
            day: int = DAY.read(node)
        except ConfigError as error:
            raise node.error(
                f"{error.message}: days count from the start of the test, as in 0, 27 or -7"
            ) from None
        if day > self.last_day:
            raise node.error(f"day {day} is after the last day of the calendar: set days: {day}")
        return day

    def _who(self, node: Node) -> tuple[str, ...]:
        """Queue managers: a list of them, one, or all of a site."""
        if node.kind == "sequence":
            found = [who for item in node.items for who in self._ids_of(item.string(), item.error)]
            return tuple(dict.fromkeys(found))
        word = node.string()
        if word in (*self.production, self.dr) and word not in self.ids:
            every = (who for ids in self.ids.values() for who in ids)
            here = tuple(who for who in every if who.endswith(f"@{word}"))
            if not here:
                raise node.error(f"no queue manager of {word!r} takes part: see queue_managers:")
            return here
        return self._ids_of(word, node.error)

    def _ids_of(self, word: str, error: Callable[[str], ConfigError]) -> tuple[str, ...]:
        name, at, _ = word.rpartition("@")
        if at and word in self.ids.get(name, ()):
            return (word,)
        found = self.ids.get(word, [])
        if len(found) == 1:
            return (found[0],)
        if found:
            raise error(f"several queue managers are named {word!r}: {_choice(word, found)}")
        raise error(f"no queue manager {word!r} in this rehearsal: {_choice(word, self.ids)}")


def _action(node: Node) -> Action:
    """The action of an event; ConfigError if it has none, or several."""
    actions = [action for action in ACTIONS if node.get(action) is not None]
    if len(actions) == 1:
        return actions[0]
    if actions:
        raise node.error(f"an event has one action, and this one has {' and '.join(actions)}")
    for word, value in node.mapping().items():
        meant = _MEANT.get(word.casefold()) or nearest(word, ACTIONS)
        if word not in ("day", *_OPTIONS_ALL) and meant is not None:
            raise value.key_error(f"no action {word!r}: did you mean {meant!r}?")
    node.keys_allowed(("day", *ACTIONS, *_OPTIONS_ALL))
    raise node.error(f"an event has one action: {not_among('', ACTIONS)}")


def _choice(word: str, names: Iterable[str]) -> str:
    """The end of a message on a name that is not among those of the files, which may be many."""
    shown = [name if name.isprintable() else ascii(name) for name in names]
    near = nearest(word, shown)
    if len(shown) <= _MANY:
        return not_among(word, shown)
    return f"did you mean {near!r}?" if near is not None else f"the files have {len(shown)} others"
