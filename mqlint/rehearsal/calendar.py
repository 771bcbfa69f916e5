"""The calendar that a simulation writes: what happens where, on which day, and by which source."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.dataclass import NamedTuple, frozen
from mqlint.grouping import grouped
from mqlint.rehearsal.texts import PHRASES, State
from mqlint.source.display import enumerated

_NAMES = 6


@frozen
class CalendarEntry:
    """One line of the calendar.

    `who` are the titles of those it happens to, `about` of the queue managers whose records it is
    about, `names` of queues and topics, `sources` keys of `SOURCES`. `is_assumed` is true if it
    follows from an answer to a question that no source decides.
    """

    day: int
    kind: str
    cluster: str
    state: State
    who: tuple[str, ...]
    about: tuple[str, ...]
    text: str
    messages: tuple[str, ...]
    sources: tuple[str, ...]
    is_assumed: bool = False
    names: tuple[str, ...] = ()


Words = tuple[tuple[str, str], ...]


class _Key(NamedTuple):
    """What makes entries alike, but for those they happen to and whose records they are about."""

    day: int
    kind: str
    cluster: str
    words: Words
    platforms: frozenset[bool]
    is_assumed: bool
    names: tuple[str, ...]


class Calendar:
    """Collects what happens, and puts together what is alike; `additions` counts calls of `add`."""

    def __init__(self) -> None:
        self.day = 0
        self.additions = 0
        self._noted: dict[tuple[_Key, str], dict[str, None]] = {}

    def add(
        self,
        kind: str,
        who: Iterable[str],
        cluster: str = "",
        about: str = "",
        *,
        on_zos: Iterable[bool] = (False,),
        is_assumed: bool = False,
        names: tuple[str, ...] = (),
        **words: str,
    ) -> None:
        """Note that something happens on the present day.

        `on_zos` tells for the queue managers concerned whether they are on z/OS.
        """
        self.additions += 1
        varying = tuple(sorted(words.items()))
        key = _Key(self.day, kind, cluster, varying, frozenset(on_zos), is_assumed, names)
        self._noted.setdefault((key, about), {}).update(dict.fromkeys(who))

    def entries(self) -> list[CalendarEntry]:
        """Return the calendar in the order of days, alike entries as one."""
        by_who: dict[tuple[_Key, tuple[str, ...]], dict[str, None]] = {}
        for (key, about), titles in self._noted.items():
            names = by_who.setdefault((key, tuple(titles)), {})
            if about:
                names[about] = None
        merged: dict[tuple[_Key, tuple[str, ...]], dict[str, None]] = {}
        for (key, who), names in by_who.items():
            merged.setdefault((key, tuple(names)), {}).update(dict.fromkeys(who))
        found = [_entry(key, about, tuple(who)) for (key, about), who in merged.items()]
        return sorted(found, key=lambda entry: entry.day)


def _entry(key: _Key, about: tuple[str, ...], who: tuple[str, ...]) -> CalendarEntry:
    phrase = PHRASES[key.kind]
    words = {**dict(key.words), "about": enumerated(about), "names": enumerated(key.names)}
    messages = phrase.messages if False in key.platforms else ()
    zos = phrase.zos if True in key.platforms else ()
    return CalendarEntry(
        key.day,
        key.kind,
        key.cluster,
        phrase.state,
        who,
        about,
        phrase.text.format(cluster=key.cluster, **words),
        tuple(dict.fromkeys((*messages, *zos))),
        phrase.sources,
        key.is_assumed,
        key.names,
    )


def folded(entries: Iterable[CalendarEntry]) -> list[tuple[CalendarEntry, int]]:
    """Return the entries that people are shown, each with the number of like ones left out."""
    groups = grouped(
        ((entry.day, entry.kind, entry.cluster, entry.who), entry) for entry in entries
    )
    found = []
    for alike in groups.values():
        shown = alike if len(alike) <= _NAMES else alike[:1]
        found += [(entry, 0) for entry in shown[:-1]]
        found.append((shown[-1], len(alike) - len(shown)))
    return found
