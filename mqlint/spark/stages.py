"""What runs on executors: the engine's stages as functions from Arrow batches to Arrow batches.

Each stage is given one `Setup`, from which a process builds what it needs once and keeps it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from pyspark.sql.types import ArrayType, BinaryType, StructType

from mqlint.engine.assemble import Contribution
from mqlint.engine.load import Input, load
from mqlint.engine.pack import from_bytes, pack_finding, pack_suppressions, to_bytes
from mqlint.engine.reading import Reading
from mqlint.engine.run import report
from mqlint.model.fact import Facts
from mqlint.model.key import QueueManagerKey
from mqlint.policy.judge import judge_queue_manager
from mqlint.spark.batches import Batches, Given, Values, batches, rows
from mqlint.spark.claims import CLAIMS, Combiner, settle
from mqlint.spark.tables import FILES, OBJECTS, QUEUE_MANAGERS, Row, struct, text
from mqlint.spark.toolbox import Setup, Toolbox, toolbox

Stage = Callable[[Given], Batches]

INPUTS: Final = struct(path=text, file=BinaryType())
"""Files to read: the path as shown, and the name in the bytes of the file system."""

FACTS: Final = StructType(
    [
        *FILES.fields,
        *struct(reading=BinaryType(), keys=ArrayType(text), reported=ArrayType(text)).fields,
        *struct(ignores=text).fields,
    ]
)
"""Files and what they say, packed; no reading where a file was not checked.

`keys` are the queue managers it speaks of and `reported` the findings of readers, as far as can be
told from the file alone; `ignores` its comments that suppress findings.
"""

PARTS: Final = struct(kind=text, key=text, path=text, payload=BinaryType())
"""`part`: a reading for the queue manager `key`; `finding`: what a reader reported; `ignores`: the
comments of a file that suppress findings."""

JUDGED: Final = StructType(
    [
        *struct(kind=text).fields,
        *CLAIMS.fields,
        *struct(queue_manager=QUEUE_MANAGERS, object=OBJECTS).fields,
    ]
)
"""`finding`, `ignores` (of the file `key`), `claim`, `queue_manager` or `object`, each with columns
of its own."""

OUTCOME: Final = struct(payload=text)
"""Packed findings."""

_SEPARATOR = "\x1f"
_READINGS = 32


def read_files(setup: Setup) -> Stage:
    """Paths to facts: each file read, recognised and parsed."""

    def stage(given: Given) -> Batches:
        tools = toolbox(setup)
        return batches((_facts(row, tools) for row in rows(given)), FACTS, _READINGS)

    return stage


def _facts(row: Values, tools: Toolbox) -> Row:
    file = Path(os.fsdecode(row["file"]))
    loaded = load(Input(row["path"], file), tools.assembly, tools.analyser)
    cover, reading = loaded.coverage, loaded.reading
    head = (row["path"], cover.status, cover.language, cover.encoding, cover.reason)
    if reading is None:
        return *head, None, cover.commands, cover.understood, [], None, None, None, None
    feeds = [{"file": file, "queue_manager": name} for file, name in reading.fed]
    counts = (cover.commands, cover.understood)
    told = _told(row["path"], reading, tools)
    ignores = pack_suppressions(reading.suppressions) if reading.suppressions else None
    return *head, reading.digest, *counts, feeds, to_bytes(reading), *told, ignores


def _told(path: str, reading: Reading, tools: Toolbox) -> tuple[list[str], list[str]]:
    """The queue managers a file speaks of, and what its readers reported."""
    keys = {key for key, _ in tools.assembly.contributions(path, reading)}
    found = report(path, reading, tools.assembly, tools.rulebook, tools.grading)
    return [_text_of(key) for key in sorted(keys)], [pack_finding(one) for one in found]


def assign(setup: Setup) -> Stage:
    """Facts to parts: a row for each queue manager a file speaks of, and what readers reported."""

    def stage(given: Given) -> Batches:
        tools = toolbox(setup)
        found = (part for row in rows(given) for part in _parts(row, tools))
        return batches(found, PARTS, _READINGS)

    return stage


def _parts(row: Values, tools: Toolbox) -> Iterator[Row]:
    path, keys, reported = row["path"], row["keys"], row["reported"]
    if tools.is_fed(path):
        keys, reported = _told(path, from_bytes(row["reading"], tools.analyser.parser), tools)
    for finding in reported:
        yield "finding", path, path, finding.encode()
    if row["ignores"] is not None:
        yield "ignores", path, path, row["ignores"].encode()
    for key in keys:
        yield "part", key, path, row["reading"]


def _text_of(key: QueueManagerKey) -> str:
    anonymous = "1" if key.anonymous else ""
    return _SEPARATOR.join((key.repository, key.site, key.name, anonymous))


def _key_of(shown: str) -> QueueManagerKey:
    repository, site, name, anonymous = shown.split(_SEPARATOR)
    return QueueManagerKey(repository, site, name, bool(anonymous))


def judge(setup: Setup) -> Stage:
    """Parts, sorted by kind and key, to findings, claims and the rows of tables."""

    def stage(given: Given) -> Batches:
        return batches(_judged(rows(given), toolbox(setup)), JUDGED)

    return stage


def _judged(given: Iterable[Values], tools: Toolbox) -> Iterator[Row]:
    combiner = Combiner(tools.rulebook)
    for (kind, key), members in groupby(given, key=itemgetter("kind", "key")):
        if kind != "part":
            for row in members:
                yield kind, None, key, None, row["payload"].decode(), None, None
        else:
            yield from _queue_manager(_key_of(key), members, tools, combiner)
    for claim in combiner.flush():
        yield _claim(claim)


def _queue_manager(
    key: QueueManagerKey, members: Iterable[Values], tools: Toolbox, combiner: Combiner
) -> Iterator[Row]:
    given: list[Contribution] = []
    for row in members:
        reading = from_bytes(row["payload"], tools.analyser.parser)
        contributions = tools.assembly.contributions(row["path"], reading)
        given.extend(contribution for other, contribution in contributions if other == key)
    descriptions = tools.assembly.describe(key, given)
    judgement = judge_queue_manager(tools.rulebook.index, descriptions, tools.grading)
    for finding in judgement.findings.values():
        yield _finding(pack_finding(finding))
    for claim in judgement.claims.values():
        for row_of_claim in combiner.add(claim):
            yield _claim(row_of_claim)
    yield from _table_rows(key, given, descriptions[0])


def _finding(payload: str) -> Row:
    return "finding", None, None, None, payload, None, None


def _claim(row: Row) -> Row:
    return "claim", *row, None, None


def _table_rows(key: QueueManagerKey, given: list[Contribution], facts: Facts) -> Iterator[Row]:
    """Yield the rows of the tables `queue_managers` and `objects` for one queue manager."""
    manager = facts.manager
    site, name = key.site or None, None if key.anonymous else key.name
    count = 0
    for found in manager.all_objects():
        count += 1
        place = found.where()
        head = (site, name, found.type, found.subtype, str(found.name))
        attributes = list(found.written().items())
        values = (*head, attributes, place.path, place.start.line)
        yield "object", *_NO_CLAIM, None, dict(zip(OBJECTS.names, values, strict=True))
    if name is not None:
        role = manager.site.role if manager.site is not None else None
        paths = sorted({one.path for one in given})
        has_dump = any(one.is_dump for one in given)
        manager_row = (site, role, name, paths, has_dump, manager.complete, count)
        cells = dict(zip(QUEUE_MANAGERS.names, manager_row, strict=True))
        yield "queue_manager", *_NO_CLAIM, cells, None


_NO_CLAIM = (None, None, None, None)


def decide(setup: Setup) -> Stage:
    """Claims and partial summaries, sorted by policy, key and order, to findings."""

    def stage(given: Given) -> Batches:
        found = settle(rows(given), toolbox(setup).rulebook)
        return batches(((payload,) for payload in found), OUTCOME)

    return stage
