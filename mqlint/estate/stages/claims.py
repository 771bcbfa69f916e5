"""Claims of all policies, settled in one shuffle.

The claims of a queue manager are packed in one piece, each once for all groups that it is in: a
group is a policy and a key, and a queue makes equal offers for a dozen policies. To be settled they
are sorted by group, those that count first. A group is read once: what counts is summarised, then
each claim that can be at fault is judged as it passes. Neither kind is ever held together, and of
a group without a fault no claim is unpacked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b, sha256
from itertools import groupby, starmap
from operator import attrgetter
from typing import Final
from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.dataclass import NamedTuple
from mqlint.estate.stages.judgements import open_message
from mqlint.estate.stages.messages import Message, finding_message
from mqlint.estate.stages.sorting import stream_reader, stream_writer
from mqlint.estate.tables.batches import Batches, batches, schema_of
from mqlint.estate.tables.schema import Row, flag, number, text, texts
from mqlint.finding import Finding, Location, Position, Severity, Subject
from mqlint.policy.policy import Policy
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import Aggregate, Claim, aggregate, totals
from mqlint.policy.run.judge import Judgement, judge_claim

COUNTS, ASKS = 0, 1
"""The order within a group: claims that are summarised, and those that are judged."""

_APART = "\x1e"
_TOGETHER = 256


class ClaimRow(NamedTuple):
    """A claim in one group, packed in `payload`; one that counts and asks has two rows.

    The repository is the one whose rules judge the claim.
    """

    policy: str
    key: str
    order: int
    repository: str
    group: str
    value: str
    payload: str


CLAIMS: Final = schema_of(ClaimRow)
PACKED: Final = pa.schema(
    {
        "counts": flag,
        "asks": flag,
        **dict.fromkeys(("repository", "group", "value", "payload"), text),
        "policies": texts,
        "keys": texts,
        "groups": pa.list_(number),
        "content": pa.int64(),
    }
)
"""A claim, with the digest of each of its groups and that of the rest."""

_encoded = json.JSONEncoder(check_circular=False).encode
_fields = attrgetter(
    *("role", "group", "value", "member", "severity.value", "data"),
    *("place.path", "place.start.line", "place.start.column", "place.end.line"),
    *("place.end.column", "place.around", "place.spelling"),
    *("subject.site", "subject.queue_manager", "subject.object_type", "subject.object_name"),
    *("subject.attribute", "subject.subtype"),
)


def claim_of(row: ClaimRow) -> Claim:
    """Return the claim that was packed; of several policies or keys, that of this group."""
    role, group, value, member, severity, data, *others = json.loads(row.payload)
    path, line, column, end_line, end_column, around, spelling, *subject = others
    place = Location(path, Position(line, column), Position(end_line, end_column), around, spelling)
    key = row.key.removeprefix(_prefix(row.repository))
    words = tuple((word, written) for word, written in data)
    about = place, Subject(*subject), Severity(severity)
    return Claim(row.policy, key, role, group, value, member, *about, words)


def _prefix(repository: str) -> str:
    """The beginning of a key of a policy that only one repository has.

    Policies of others may have the same id.
    """
    return f"{_APART}{repository}{_APART}"


def pack_claims(rows: Iterable[Row]) -> bytes:
    """Return the claims of one queue manager, rows of PACKED, in one piece."""
    sink = pa.BufferOutputStream()
    with stream_writer(sink, PACKED) as writer:
        for batch in batches(rows, PACKED):
            writer.write_batch(batch)
    return bytes(sink.getvalue())


def claim_rows(judgement: Judgement, repository: str, rulebook: Rulebook) -> Iterator[Row]:
    """Yield the claims of a queue manager as rows of PACKED, by the rules of a repository.

    One at a time: a queue manager may have a million, most of them in vain.
    """
    for claim in judgement.questions():
        yield question_row(claim, repository, rulebook)
    for alike in judgement.offers():
        under = [(pending.draft.policy, pending.keys) for pending in alike]
        yield offer_row(alike[0].claim(), under, repository, rulebook)


def question_row(claim: Claim, repository: str, rulebook: Rulebook) -> Row:
    """Return the row of a claim that can be at fault."""
    counts = claim.role == rulebook.policies_by_id[claim.policy].kind.looks_for
    groups = _groups(claim.policy, [claim.key], repository, rulebook)
    return _row(claim, repository, groups, counts=counts, asks=True)


def offer_row(
    claim: Claim, under: Iterable[tuple[str, Sequence[str]]], repository: str, rulebook: Rulebook
) -> Row:
    """Return the row of an offer that policies share, each with its keys."""
    groups = [
        group for policy, keys in under for group in _groups(policy, keys, repository, rulebook)
    ]
    return _row(claim, repository, groups, counts=True, asks=False)


def _groups(
    policy: str, keys: Sequence[str], repository: str, rulebook: Rulebook
) -> list[tuple[str, str]]:
    prefix = _prefix(repository) if policy in rulebook.own else ""
    return [(policy, prefix + key) for key in keys]


def _row(
    claim: Claim, repository: str, groups: Sequence[tuple[str, str]], *, counts: bool, asks: bool
) -> Row:
    payload = _encoded(_fields(claim))
    policies, keys = zip(*groups, strict=True)
    digests = [*starmap(group_digest, groups)]
    content = _digest(f"{repository}\0{payload}")
    packed = repository, claim.group, claim.value, payload
    return counts, asks, *packed, policies, keys, digests, content


def unpack_claims(packed: bytes, groups: pa.Array | None = None) -> Batches:
    """Yield packed claims as CLAIMS; only those of some groups if given."""
    for batch in stream_reader(packed):
        columns = {name: batch[name].flatten() for name in ("policies", "keys", "groups")}
        found = pa.RecordBatch.from_pydict(
            {**columns, "row": pc.list_parent_indices(batch["keys"])}
        )
        if groups is not None:
            found = found.filter(pc.is_in(found["groups"], groups))
        for order, name in ((COUNTS, "counts"), (ASKS, "asks")):
            some = found.filter(batch[name].take(found["row"]))
            if len(some):
                shared = [batch[name].take(some["row"]) for name in CLAIMS.names[3:]]
                orders = pa.repeat(pa.scalar(order, number), len(some))
                arrays = [some["policies"], some["keys"], orders, *shared]
                yield pa.RecordBatch.from_arrays(arrays, schema=CLAIMS)


def columns_of(packed: bytes, *names: str) -> pa.Table:
    """Return some columns of PACKED."""
    return stream_reader(packed, *map(PACKED.get_field_index, names)).read_all()


Rules = Callable[[str], Mapping[str, Policy]]
"""Gives the policies, by their ids, that a repository is judged by."""


def settle(
    given: Iterable[ClaimRow], rules: Rules, *, with_open: bool = False
) -> Iterator[Message]:
    """Judge claims, sorted by policy, key and order; yield findings.

    The repository of a finding is the one whose rules judge the claim, and `order` the digest of
    its group. `with_open` asks for the claims too that the comparison leaves open.
    """
    for (policy_id, _), members in groupby(given, key=attrgetter("policy", "key")):
        summary, waiting = Aggregate(), list[ClaimRow]()
        sizes: Aggregate | None = None
        for row in members:
            if row.order == COUNTS:
                waiting.append(row)
                if len(waiting) >= _TOGETHER:
                    summary, waiting = summary.merge(aggregate(map(claim_of, waiting))), []
                continue
            sizes = sizes or summary.merge(totals(waiting))
            policy = rules(row.repository)[policy_id]
            if not policy.kind.finds_fault(sizes):
                if with_open and policy.kind.may_be_open(sizes):
                    claim = claim_of(row)
                    if policy.kind.is_open(claim, sizes):
                        yield _of_group(open_message(claim, row.repository), row)
                continue
            if waiting:
                summary, waiting = summary.merge(aggregate(map(claim_of, waiting))), []
            finding = judge_claim(policy, claim_of(row), summary)
            if finding is not None:
                yield _of_group(finding_message(_apart(finding, row), row.repository), row)


def _digest(content: str) -> int:
    """Return a number of 8 bytes, with a sign.

    Half a surrogate pair counts as the `?` that it becomes in a batch (`batches`), so that a row
    has the same digest before and after.
    """
    found = blake2b(content.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(found, "big", signed=True)


def group_digest(policy: str, key: str) -> int:
    """Return 4 bytes, with a sign, for the group of a claim, which depend on both as in `_digest`.

    Groups that share a number are settled together, so that a sum that is quickly made will do.
    """
    return crc32(f"{policy}\0{key}".encode("utf-8", "replace")) - (1 << 31)


def _of_group(result: Message, claim: ClaimRow) -> Message:
    return result._replace(order=group_digest(claim.policy, claim.key))


def _apart(finding: Finding, row: ClaimRow) -> Finding:
    """The finding; one of a repository's own policy shares no incident with another repository."""
    if finding.incident is None or not row.key.startswith(_APART):
        return finding
    joined = f"{row.repository}{_APART}{finding.incident}"
    incident = sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return replace(finding, incident=incident)
