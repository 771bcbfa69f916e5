"""One queue manager as rows of the tables of a scan; docs/estate.md says what columns mean."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import groupby, islice, product
from operator import attrgetter
from typing import Final

from mqlint.config.data import data_of
from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.building import describe
from mqlint.engine.assembly.called import PLACED_AT
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.project import Project
from mqlint.finding import Location
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import Value, known_text, listed
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.model.facts.routing.cluster import clusters_of
from mqlint.model.facts.routing.pair import pair_of
from mqlint.model.procedure.step_facts import StepFact
from mqlint.source.masking import shown

Row = tuple[object, ...]
"""One row of a table, in the order of its columns."""

CHANNEL_PAIRS: Final = "channel_pairs"
"""The table whose rows need the ends of all queue managers."""

MOST: Final = 10_000
"""Limit of the rows of `channel_pairs` for one pair, which copies of copies can have."""

_NO_END = (None,) * 7
_SENDING = frozenset({"SDR", "SVR", "CLUSSDR"})
_RECORDS = frozenset({"authrec", "chlauth"})
_WORDS = (
    *("ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI"),
    *("USERSRC", "MCAUSER", "CHCKCLNT", "WARN"),
)
_QUEUES = ("qlocal", "qalias", "qremote")


class JudgedQueueManager(NamedTuple):
    """A queue manager that was judged: its repository, its documents, and its facts."""

    repository: str
    key: QueueManagerKey
    given: list[Contribution]
    facts: Facts

    @property
    def head(self) -> tuple[str, str | None, str | None]:
        """The first cells of most rows: repository, site, queue manager."""
        return self.repository, self.key.site or None, self.named

    @property
    def named(self) -> str | None:
        """The name of the queue manager, if a file says it."""
        return None if self.key.anonymous else self.key.name


def judged_queue_managers(project: Project) -> Iterator[JudgedQueueManager]:
    """Yield each queue manager of a project with its first description, in order of keys.

    One whose description fails is omitted, as `mqlint.engine.run.judge` omits it.
    """
    for key, contributions in sorted(project.contributions.items()):
        with suppress(Exception):
            facts = describe(project.assembly, key, contributions)[0]
            yield JudgedQueueManager("", key, contributions, facts)


def _queue_managers(judged: JudgedQueueManager) -> Iterator[Row]:
    if judged.named is None:
        return
    manager, (repository, site, name) = judged.facts.manager, judged.head
    role = manager.site.role if manager.site is not None else None
    level = manager.target.level
    log = _text(qmgr_of(manager).value("log.type"))
    dumps = [given.generated for given in judged.given if given.is_dump]
    files = sorted({given.path for given in judged.given})
    objects = sum(found.type not in _RECORDS for found in manager.all_objects())
    yield (
        *(repository, site, role, name, manager.target.platform),
        *(None if level is None else ".".join(map(str, level)), log, files, bool(dumps)),
        *(max(dumps, default="") or None, manager.complete, objects),
    )


def _commands(judged: JudgedQueueManager) -> Iterator[Row]:
    for given in sorted(judged.given, key=lambda given: given.path):
        if given.part is None:
            continue
        shapes = Counter(command.form.shape for command in given.part.commands)
        words: Counter[str] = Counter()
        for shape, count in shapes.items():
            known = " ".join(word for word in (shape.verb, shape.noun) if word)
            words[known or "?"] += count
        for word, count in sorted(words.items()):
            yield *judged.head, given.path, word, count


def _objects(judged: JudgedQueueManager) -> Iterator[Row]:
    for found in judged.facts.manager.all_objects():
        if found.type not in _RECORDS:
            attributes = list(found.written_values().items())
            name = shown(found.name)
            yield *judged.head, found.type, found.subtype, name, attributes, *_place(found)


def _chlauth(judged: JudgedQueueManager) -> Iterator[Row]:
    for found in judged.facts.manager.objects("chlauth"):
        values = (_text(found.value(word)) for word in _WORDS)
        lists = (_texts(found.value(word)) for word in ("USERLIST", "ADDRLIST"))
        yield *judged.head, shown(found.name), found.subtype, *values, *lists, *_place(found)


def _authorities(judged: JudgedQueueManager) -> Iterator[Row]:
    places = {found.key: found for found in judged.facts.manager.objects("authrec")}
    for fact in judged.facts.of("authority"):
        kind, entity = _text(fact.value("object.type")), _text(fact.value("entity"))
        is_group, given = fact.value("group") == "true", _texts(fact.value("authorities"))
        yield (
            *judged.head,
            shown(fact.name),
            kind,
            entity,
            is_group,
            given,
            *_place(places[fact.key]),
        )


def _clients(judged: JudgedQueueManager) -> Iterator[Row]:
    for fact in judged.facts.of("connection"):
        presence = _text(fact.value("password"))
        targets = (
            known_text(fact.value(word)) for word in ("QMNAME", "channel", "CONNAME", "ccdt")
        )
        texts = (_shown(fact.value(word)) for word in ("SSLCIPH", "user"))
        site = _text(fact.value(PLACED_AT)) or (judged.key.anonymous and judged.key.site) or None
        yield (
            *judged.head,
            *(_text(fact.value("source")), _shown(fact.value("application")), site),
            *(None if target is None else shown(target) for target in targets),
            *texts,
            None if presence is None else presence == "given",
            *(_text(fact.value("DEFRECON")), _shown(fact.value("instances"))),
            *_line_of(fact.where(None)),
        )


def _connections(judged: JudgedQueueManager) -> Iterator[Row]:
    for fact in judged.facts.of("connection"):
        name = _shown(fact.value("channel"))
        if name:
            state, place = _text(fact.value("channel.state")), _line_of(fact.where("channel"))
            called = (_shown(fact.value("application")), name, "channel", name, "connect")
            yield (*judged.head, *called, state, *place)
    for fact in judged.facts.of("use"):
        names = (_shown(fact.value("application")), _shown(fact.value("channel")))
        does, state = _text(fact.value("action")), _text(fact.value("queue.state"))
        place = _line_of(fact.where(None))
        yield (*judged.head, *names, "queue", shown(fact.name), does, state, *place)


def _procedures(judged: JudgedQueueManager) -> Iterator[Row]:
    numbers: Counter[int] = Counter()
    for fact in judged.facts.of("step"):
        if isinstance(fact, StepFact):
            numbers[id(fact.procedure)] += 1
            place = fact.where()
            does, scheduled = _text(fact.value("class")), fact.procedure.is_scheduled
            step = (place.path, place.start.line, numbers[id(fact.procedure)], shown(fact.name))
            yield *judged.head, *step, does, fact.certain, scheduled


def _clusters(judged: JudgedQueueManager) -> Iterator[Row]:
    facts = list(judged.facts.of("cluster")) if judged.named is not None else []
    if not facts:
        return
    members = _members(judged)
    for fact in facts:
        full, place = fact.value("full_repository"), fact.where()
        inside = members.get(str(fact.name), {})
        names = (sorted(inside.get(kind, ())) for kind in ("CLUSRCVR", "CLUSSDR"))
        counts = (len(inside.get(kind, ())) for kind in ("queue", "topic"))
        repository, site, name = judged.head
        known = full == "true" if full in ("true", "false") else None
        member = (known, *names, *counts, place.path, place.start.line)
        yield repository, str(fact.name), site, name, *member


def _members(judged: JudgedQueueManager) -> Mapping[str, Mapping[str, list[str]]]:
    """The names of the objects in each cluster, by kind."""
    found: dict[str, dict[str, list[str]]] = {}
    for kind, of in (("channel", ("channel",)), ("queue", _QUEUES), ("topic", ("topic",))):
        for type_ in of:
            for each in judged.facts.manager.objects(type_):
                inside = clusters_of(each)
                for name in inside if isinstance(inside, tuple) else ():
                    called = each.subtype or "" if kind == "channel" else kind
                    found.setdefault(name, {}).setdefault(called, []).append(str(each.name))
    return found


class End(NamedTuple):
    """An end of a message channel: those of equal `pair` belong together.

    `cells` are those of `channel_pairs`, as JSON.
    """

    pair: str
    sends: bool
    cells: str


def ends_of(judged: JudgedQueueManager) -> Iterator[End]:
    repository, site, name = judged.head
    for found in judged.facts.manager.objects("channel"):
        pair = pair_of(found)
        if isinstance(pair, str):
            cells = (repository, shown(found.name), site, name, found.subtype, *_place(found))
            yield End(pair, found.subtype in _SENDING, json.dumps(cells))


def ends_by_pair(found: Iterable[JudgedQueueManager]) -> Iterator[list[End]]:
    ends = sorted(end for judged in found for end in ends_of(judged))
    for _, members in groupby(ends, key=attrgetter("pair")):
        yield list(members)


def pair_rows(ends: Iterable[End]) -> Iterator[Row]:
    """Yield rows of `channel_pairs` for ends of one pair: each sender with each receiver.

    Ends without a partner have a row each.
    """
    sending: list[tuple[object, ...]] = []
    receiving: list[tuple[object, ...]] = []
    for end in ends:
        (sending if end.sends else receiving).append(tuple(json.loads(end.cells)))
    every = product(sending or [_NO_END], receiving or [_NO_END])
    for here, there in islice(every, MOST):
        home = here if sending else there
        yield *home[:2], *here[2:], there[0], *there[2:]


def _place(found: MQObject) -> tuple[str, int]:
    place = found.where()
    return place.path, place.start.line


def _line_of(place: Location) -> tuple[str, int]:
    return place.path, place.start.line


def _shown(value: Value) -> str | None:
    return shown(value) if isinstance(value, str) else None


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Value) -> list[str] | None:
    found = listed(value)
    return list(found) if isinstance(found, tuple) else None


Projection = Callable[[JudgedQueueManager], Iterable[Row]]

PROJECTIONS: Final[Mapping[str, Projection]] = {
    "queue_managers": _queue_managers,
    "commands": _commands,
    "objects": _objects,
    "chlauth": _chlauth,
    "authorities": _authorities,
    "clients": _clients,
    "connections": _connections,
    "procedures": _procedures,
    "clusters": _clusters,
}
"""The tables with rows of one queue manager, without labels, and the functions for them."""


@cache
def table_columns() -> Mapping[str, Mapping[str, str]]:
    """Return the columns of all tables of a scan, in order, each with its type and meaning.

    They do not have `repository`, which comes first in each, nor what is added as a table is
    written.
    """
    from mqlint.config.reader import read_yaml  # here, as most runs have no tables

    file = data_of("mqlint.engine") / "tables.yaml"
    tables = read_yaml(file.read_text("utf-8"), file.name).mapping()
    return {
        table: {name: column.text() for name, column in columns.mapping().items()}
        for table, columns in tables.items()
    }
