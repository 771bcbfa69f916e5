"""The claims of all queue managers compared: all, or only those that differ from the last scan.

The cache has the claims of each queue manager, with digests. What a comparison finds in a group of
claims depends on these alone, so a group of which no claim is new or gone keeps its results.
"""

from __future__ import annotations

from array import array
from collections.abc import Set
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.index import Index
from mqlint.estate.stages.claims import CLAIMS, columns_of, unpack_claims
from mqlint.estate.stages.context import Job
from mqlint.estate.stages.frame import Engine, Frame
from mqlint.estate.stages.messages import MESSAGES, Message, files_of
from mqlint.estate.stages.steps import decide
from mqlint.estate.tables.batches import Batches, InputBatches, batch_stage, records
from mqlint.estate.tables.schema import number

_RESULTS: Final = ("finding", "open")


def compare(job: Job, engine: Engine, judged: Frame) -> Path:
    """Compare the claims of the queue managers that are judged; return a folder of MESSAGES."""
    claims = judged.where("kind", "claims")
    names, compared = _named(claims)
    index = Index(job.cache, "compared")
    folder = index.folder()
    before = None if folder is None else engine.stored(folder, MESSAGES)
    groups = None
    if before is not None:
        cache = ScanCache(job.cache)
        groups = _changed(cache, names, _named(before.where("kind", "claims"))[0])
    if groups is not None:
        compared = compared.filter(pc.is_in(compared, groups))
    results = claims
    if len(compared):  # most claims are offers in groups without a question
        results = results.union(
            claims.through(_claims(job, compared))
            .shuffled(["policy", "key"], ["policy", "key", "order"])
            .through(decide(job))
        )
    if before is not None and groups is not None:
        results = results.union(before.where("kind", *_RESULTS).through(_unchanged(groups)))
    draft = index.draft(job.sink.stamp.scan)
    index.replace(draft.name, files_of(results, draft))
    return draft


def claims_message(name: str, claims: bytes) -> Message:
    """Return the message that names packed claims, with the groups in which one of them asks."""
    columns = columns_of(claims, "asks", "groups")
    groups = pc.unique(pc.list_flatten(columns.filter(columns["asks"])["groups"]))
    return Message("claims", key=name, payload=" ".join(map(str, groups.to_pylist())))


def _named(claims: Frame) -> tuple[Set[str], pa.Array]:
    """The names of claims, and the groups in which one of them asks."""
    names: set[str] = set()
    asking = array("i")
    for message in records(claims.batches(), Message):
        names.add(message.key)
        asking.extend(map(int, (message.payload or "").split()))
    return names, pc.unique(pa.array(asking, number))


def _changed(cache: ScanCache, now: Set[str], before: Set[str]) -> pa.Array | None:
    """The groups with claims that are new or gone; None if most may be."""
    new, gone = now - before, before - now
    if len(new) + len(gone) > len(now & before):
        return None
    found = []
    for names, sign in ((new, 1), (gone, -1)):
        for name in names:
            packed = cache.get("claims", name)
            if packed is None:
                return None
            claims = columns_of(packed, "groups", "content").combine_chunks()
            rows = pc.list_parent_indices(claims["groups"])
            columns = [pc.list_flatten(claims["groups"]), claims["content"].take(rows)]
            columns.append(pa.repeat(pa.scalar(sign, pa.int64()), len(rows)))
            found.append(pa.table(columns, ["group", "content", "sign"]))
    if not found:
        return pa.array([], number)
    counted = pa.concat_tables(found).group_by(["group", "content"]).aggregate([("sign", "sum")])
    return pc.unique(counted.filter(pc.field("sign_sum") != 0).column("group").combine_chunks())


@batch_stage(CLAIMS)
def _claims(given: InputBatches, job: Job, groups: pa.Array) -> Batches:
    """MESSAGES that name claims to CLAIMS: those of some groups."""
    cache = ScanCache(job.cache)
    for message in records(given, Message):
        packed = cache.get("claims", message.key)
        if packed is None:
            raise OSError(f"{job.cache}: the claims of a queue manager are gone during the scan")
        present = pc.list_flatten(columns_of(packed, "groups")["groups"])
        if pc.any(pc.is_in(present, groups)).as_py():  # else the rest is not unpacked
            yield from unpack_claims(packed, groups)


@batch_stage(MESSAGES)
def _unchanged(given: InputBatches, groups: pa.Array) -> Batches:
    """The results of groups that are not among those given."""
    for batch in given:
        found = batch.filter(pc.invert(pc.is_in(batch["order"], groups)))
        if found.num_rows:
            yield found
