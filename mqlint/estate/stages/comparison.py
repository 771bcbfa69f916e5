"""The claims of all queue managers compared: all, or only those that differ from the last scan.

The cache has the claims of each queue manager, with digests. What a comparison finds in a group of
claims depends on these alone, so a group of which no claim is new or gone keeps its results.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Set
from itertools import starmap
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.index import Index
from mqlint.estate.stages.claims import CLAIM, Shared, digest, group_digest
from mqlint.estate.stages.context import Job
from mqlint.estate.stages.frame import Engine, Frame
from mqlint.estate.stages.messages import MESSAGES, Message, files_of
from mqlint.estate.stages.sorting import stream_reader, stream_writer
from mqlint.estate.stages.steps import decide
from mqlint.estate.tables.batches import Batches, InputBatches, batch_stage, batches, records
from mqlint.estate.tables.schema import Row, number, text, texts

_GROUPS, _GROUP, _CONTENT = "groups", "group", "content"
_CLAIMS: Final = pa.schema(
    {
        "order": number,
        "repository": text,
        "payload": text,
        "policies": texts,
        "keys": texts,
        _GROUPS: pa.list_(number),
        _CONTENT: pa.int64(),
    }
)
"""A claim or a summary, with the digest of each of its groups and that of the rest."""
_RESULTS: Final = ("finding", "open")


def pack_claims(claims: Iterable[Shared]) -> bytes:
    """Return the claims and summaries of one queue manager in one piece."""
    sink = pa.BufferOutputStream()
    with stream_writer(sink, _CLAIMS) as writer:
        for batch in batches(map(_row, claims), _CLAIMS):
            writer.write_batch(batch)
    return bytes(sink.getvalue())


def _row(claim: Shared) -> Row:
    policies, keys = zip(*claim.groups, strict=True)
    groups = [*starmap(group_digest, claim.groups)]
    content = digest(str(claim.order), claim.repository, claim.payload)
    return claim.order, claim.repository, claim.payload, policies, keys, groups, content


def unpack_claims(packed: bytes, groups: pa.Array | None = None) -> Batches:
    """Yield packed claims as MESSAGES, one for each group; only those of some groups if given."""
    for batch in stream_reader(packed):
        columns = {name: batch[name].flatten() for name in ("policies", "keys", _GROUPS)}
        found = pa.RecordBatch.from_pydict(
            {**columns, "row": pc.list_parent_indices(batch["keys"])}
        )
        if groups is not None:
            found = found.filter(pc.is_in(found[_GROUPS], groups))
        if len(found):
            shared = [batch[name].take(found["row"]) for name in ("order", "repository", "payload")]
            arrays = [pa.repeat("claim", len(found)), found["policies"], found["keys"], *shared]
            yield pa.RecordBatch.from_arrays(arrays, schema=MESSAGES)


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
    columns = _columns(claims, "order", _GROUPS)
    asking = columns.filter(pc.equal(columns["order"], CLAIM))
    groups = pc.unique(pc.list_flatten(asking[_GROUPS]))
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
            claims = _columns(packed, _GROUPS, _CONTENT).combine_chunks()
            rows = pc.list_parent_indices(claims[_GROUPS])
            columns = [pc.list_flatten(claims[_GROUPS]), claims[_CONTENT].take(rows)]
            columns.append(pa.repeat(pa.scalar(sign, pa.int64()), len(rows)))
            found.append(pa.table(columns, [_GROUP, _CONTENT, "sign"]))
    if not found:
        return pa.array([], number)
    counted = pa.concat_tables(found).group_by([_GROUP, _CONTENT]).aggregate([("sign", "sum")])
    return pc.unique(counted.filter(pc.field("sign_sum") != 0).column(_GROUP).combine_chunks())


def _columns(packed: bytes, *names: str) -> pa.Table:
    return stream_reader(packed, *map(_CLAIMS.get_field_index, names)).read_all()


@batch_stage(MESSAGES)
def _claims(given: InputBatches, job: Job, groups: pa.Array) -> Batches:
    """MESSAGES that name claims to those of some groups."""
    cache = ScanCache(job.cache)
    for message in records(given, Message):
        packed = cache.get("claims", message.key)
        if packed is None:
            raise OSError(f"{job.cache}: the claims of a queue manager are gone during the scan")
        present = pc.list_flatten(_columns(packed, _GROUPS)[_GROUPS])
        if pc.any(pc.is_in(present, groups)).as_py():  # else the rest is not unpacked
            yield from unpack_claims(packed, groups)


@batch_stage(MESSAGES)
def _unchanged(given: InputBatches, groups: pa.Array) -> Batches:
    """The results of groups that are not among those given."""
    for batch in given:
        found = batch.filter(pc.invert(pc.is_in(batch["order"], groups)))
        if found.num_rows:
            yield found
