"""The calendar that a simulation writes: what happens where, on which day, and by which source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from mqlint.dataclass import NamedTuple, frozen

State = Literal["info", "change", "warning", "outage", "good"]
"""How much an entry matters to production: nothing, a record changed, a message is logged,
applications are hit, something is put right."""

_NAMES = 6


@frozen
class Phrase:
    """What entries of one kind say.

    `{about}` in the text are queue managers, `{names}` queues, the other words are of the entry.
    """

    state: State
    text: str
    sources: tuple[str, ...]
    messages: tuple[str, ...] = ()
    zos: tuple[str, ...] = ()


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


PHRASES: dict[str, Phrase] = {
    "started-new": Phrase(
        "info", "started; created from definitions, so with a QMID of its own", ("DR",)
    ),
    "started-copy": Phrase("info", "started; a copy of {about}, with the same QMID", ("DR",)),
    "started": Phrase("info", "started", ()),
    "started-alone": Phrase(
        "info",
        "started with strmqm -ns: no channel initiator, no listener, so no cluster record is sent",
        ("STRMQM", "DR"),
    ),
    "channels": Phrase("info", "channel initiator and listeners started", ("STRMQM",)),
    "ended": Phrase("info", "ended", ()),
    "deleted": Phrase("info", "deleted", ()),
    "network-open": Phrase("info", "the network between the sites is open", ()),
    "network-closed": Phrase(
        "info", "the network between the sites is closed: no record can pass", ("DR",)
    ),
    "restored": Phrase(
        "change",
        "restored from the backup of day {backup}: the sequence numbers are those of that day",
        ("DR", "RECOVER"),
    ),
    "new-numbers": Phrase("info", "the restart sets new sequence numbers", ("PH58212",)),
    "kept-apart": Phrase("good", "no record reaches production: the network is closed", ("DR",)),
    "no-sender": Phrase(
        "good",
        "no record reaches production: the cluster-senders lead to no full repository there",
        ("CHANNELS",),
    ),
    "blocked": Phrase(
        "good",
        "CHLAUTH refuses the cluster-sender channels of {about}: no record arrives",
        ("DR", "CHLAUTH"),
        ("AMQ9777",),
        ("CSQX777E",),
    ),
    "replaced": Phrase(
        "change",
        "the DR copy's record replaces that of {about}: the same QMID, a higher sequence number",
        ("DR",),
    ),
    "equal": Phrase(
        "change",
        "the DR copy's record replaces that of {about}: the same QMID and sequence number",
        (),
    ),
    "taken-over": Phrase(
        "change",
        "the channel {channel} of DR is now in use; that of {about} is marked not in use",
        ("DR", "IV46533"),
    ),
    "taken-back": Phrase("good", "the channel {channel} of {about} is in use again", ("DR",)),
    "joined": Phrase(
        "change",
        "new member of the production cluster: {about}; its queues are further instances",
        ("DR", "INSTANCES"),
    ),
    "ignored": Phrase(
        "change",
        "records published; full repositories ignore them, as the sequence numbers are lower",
        ("DR", "RETAIN"),
    ),
    "ignored-equal": Phrase(
        "change",
        "records published; full repositories already have records with these sequence numbers",
        (),
    ),
    "ignored-removed": Phrase(
        "change",
        "records published; full repositories ignore them after RESET CLUSTER",
        ("RESET",),
    ),
    "refreshed": Phrase(
        "info",
        "REFRESH CLUSTER({cluster}) REPOS({repos}): the sequence numbers are set to the present "
        "time, and the records are published at once",
        ("DR", "REFRESH"),
    ),
    "invisible": Phrase(
        "info",
        "cluster objects may be invisible until REFRESH CLUSTER on {about} completes",
        ("REFRESH", "CODES"),
        ("2189", "2085", "2041", "2082", "2270"),
        ("2189", "2085", "2041", "2082", "2270"),
    ),
    "refresh-refused": Phrase(
        "info",
        "REFRESH CLUSTER({cluster}) REPOS(YES) is refused: the queue manager is a full repository",
        ("REFRESH",),
        ("AMQ9406",),
        ("CSQX406E",),
    ),
    "reset-refused": Phrase(
        "info",
        "RESET CLUSTER is not possible: only a full repository can remove a queue manager",
        ("RESET",),
    ),
    "reset-ambiguous": Phrase(
        "info",
        "RESET CLUSTER by QMNAME is not done: the cluster has two queue managers of that name",
        ("RESET",),
    ),
    "reset": Phrase(
        "change", "RESET CLUSTER({cluster}) removes the records of {about}", ("RESET",)
    ),
    "altered": Phrase(
        "info",
        "objects shared with {cluster} altered: each gets the next sequence number",
        ("DR",),
    ),
    "accepted": Phrase(
        "good", "the records that production publishes for {about} are accepted again", ("DR",)
    ),
    "expired-full": Phrase(
        "warning",
        "the record of the channel of {about} has expired; it is kept for 60 days",
        ("RETAIN", "IT28022", "PH34265"),
        ("AMQ9469",),
        ("CSQX469E",),
    ),
    "expired-used": Phrase(
        "warning",
        "no update for the queues of {about}; the message repeats every hour where applications "
        "used the queues in the last 30 days",
        ("DR", "RETAIN"),
        ("AMQ9456",),
        ("CSQX456I",),
    ),
    "expired-new": Phrase(
        "warning",
        "full repositories no longer give the queues of {about} to a queue manager that asks for "
        "the first time: its applications can get 2085",
        ("RETAIN", "DR"),
        ("2085",),
        ("2085",),
    ),
    "removed": Phrase("change", "the records of {about} are removed", ("RETAIN", "DR")),
    "goes-to-dr": Phrase(
        "outage",
        "messages for {names} go to {where} only",
        ("DR",),
    ),
    "goes-partly": Phrase("outage", "messages for {names} can go to {where}", ("DR", "INSTANCES")),
    "waits": Phrase(
        "outage",
        "messages for {names} that are meant for {where} wait on the transmission queue: it has "
        "ended",
        ("DR",),
    ),
    "lost": Phrase(
        "outage",
        "no record of {names} is left: MQOPEN, MQPUT and MQPUT1 fail, for example with 2085",
        ("DR", "RETAIN"),
        ("2085",),
        ("2085",),
    ),
    "not-in-use": Phrase(
        "outage",
        "no queue manager in use has {names}: messages go to the dead-letter queue, or MQOPEN, "
        "MQPUT and MQPUT1 fail",
        ("DR",),
    ),
    "fewer": Phrase(
        "outage",
        "{names} have lost the instance of {about}; messages go to {where}",
        ("DR",),
    ),
    "usual": Phrase("good", "messages for {names} go to {where} again", ("DR",)),
}

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
    """Collects what happens, and puts together what is alike."""

    def __init__(self) -> None:
        """Begin with an empty calendar."""
        self.day = 0
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
    words = {**dict(key.words), "about": listed(about), "names": listed(key.names)}
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


def listed(names: Iterable[str]) -> str:
    """Return names as a person lists them; many are counted."""
    found = list(names)
    if len(found) > _NAMES:
        return f"{', '.join(found[:_NAMES])} and {len(found) - _NAMES} more"
    return " and ".join(filter(None, [", ".join(found[:-1]), *found[-1:]]))


def folded(entries: Iterable[CalendarEntry]) -> list[tuple[CalendarEntry, int]]:
    """Return the entries that people are shown, each with the number of like ones left out."""
    groups: dict[tuple[object, ...], list[CalendarEntry]] = {}
    for entry in entries:
        key = (entry.day, entry.kind, entry.cluster, entry.who)
        groups.setdefault(key, []).append(entry)
    found = []
    for alike in groups.values():
        shown = alike if len(alike) <= _NAMES else alike[:1]
        found += [(entry, 0) for entry in shown[:-1]]
        found.append((shown[-1], len(alike) - len(shown)))
    return found
