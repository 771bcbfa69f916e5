"""Claims of one key are settled the same in one batch and in many, early and late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, product

import pytest

from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import OFFERS, Claim
from mqlint.policy.run.judge import judge_claims

pytest.importorskip("pyspark")

import pyarrow as pa

from mqlint.engine.loading.pack import unpack_finding
from mqlint.estate.stages.claims import CLAIM, Combiner, Shared, group_digest, settle
from mqlint.estate.stages.comparison import pack_claims, unpack_claims
from mqlint.estate.stages.messages import MESSAGES, Message
from mqlint.estate.stages.sorting import stream_reader
from mqlint.estate.tables.batches import batches, records
from mqlint.finding import Finding, Location, Position, Severity, Subject

SITES = ("leeds", "derby", "york")


@pytest.fixture(scope="module")
def policy(rulebook: Rulebook) -> str:
    """A policy that compares roles; which one does not matter."""
    grouped = [
        key
        for key, one in rulebook.policies_by_id.items()
        if getattr(one.kind, "most_groups", None) is not None
    ]
    return grouped[0]


@pytest.fixture(scope="module")
def claims(policy: str) -> list[Claim]:
    """Three keys: one with many claims of all groups, one with one group, one with one claim."""
    keys = ["hot"] * 900 + ["alike"] * 60 + ["lonely"]
    return [claim(policy, key, n) for n, key in enumerate(keys)]


def claim(policy: str, key: str, number: int) -> Claim:
    site = SITES[number % 3] if key == "hot" else SITES[0]
    place = Location(f"{site}/q{number}.mqsc", Position(1, 1), Position(1, 9))
    subject = Subject(site=site, queue_manager=f"QM{number}", object_name=key)
    return Claim(
        *(policy, key, "member", site, "", f"member{number}", place, subject),
        *(Severity.ERROR, (("name", key),)),
    )


def settled(
    claims: list[Claim], rulebook: Rulebook, *, processes: int, kept: int, size: int
) -> list[Finding]:
    """Claims made by some processes, sorted as Spark sorts them, in batches of `size`."""
    sent: list[Message] = []
    for process in range(processes):
        sent += made(claims[process::processes], Combiner(rulebook, size=kept))
    sent.sort(key=lambda row: json.dumps(row[:4]))
    given: Iterator[Message] = records(batches(sent, MESSAGES, size), Message)
    return [
        unpack_finding(message.payload or "", rulebook.rules)
        for message in settle(given, lambda name: rulebook.policies_by_id)
    ]


def made(claims: list[Claim], combiner: Combiner) -> Iterator[Message]:
    combined = chain(chain.from_iterable(map(combiner.add, claims)), combiner.flush())
    return records(unpack_claims(pack_claims(combined)), Message)


def texts(findings: list[Finding]) -> list[str]:
    return sorted(map(repr, findings))


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("kept", [1, 7, 10_000])
@pytest.mark.parametrize("size", [1, 64, 10_000])
def test_batches_and_parts_make_no_difference(
    claims: list[Claim], rulebook: Rulebook, processes: int, kept: int, size: int
) -> None:
    found = settled(claims, rulebook, processes=processes, kept=kept, size=size)
    assert texts(found) == texts(judge_claims(rulebook.policies_by_id, claims))
    assert {finding.subject.object_name for finding in found} == {"hot"}


def test_a_key_is_judged_while_it_is_read(claims: list[Claim], rulebook: Rulebook) -> None:
    hot = [one for one in claims if one.key == "hot"]
    sent = sorted(made(hot, Combiner(rulebook)), key=lambda row: json.dumps(row[:4]))
    read = 0

    def counted() -> Iterator[Message]:
        nonlocal read
        for row in records(batches(sent, MESSAGES, 1), Message):
            read += 1
            yield row

    next(settle(counted(), lambda name: rulebook.policies_by_id))
    assert read < 5


def test_text_that_is_no_text_is_sent_all_the_same() -> None:
    sent = next(batches([Message("claim", "A\ud800B", "\0", 1, "", "ключ")], MESSAGES))
    assert list(records([sent], Message)) == [Message("claim", "A?B", "\0", 1, "", "ключ")]


def test_a_claim_has_the_digest_of_its_group_that_its_results_have() -> None:
    """Else a rescan keeps old results of a group that has changed."""
    keys = ["A\ud800B", "A?B", 'A"B', "A\\B", "ключ"]
    packed = pack_claims([Shared(CLAIM, "", "", [("XXX001", key) for key in keys])])
    digests = stream_reader(packed).read_all()["groups"].to_pylist()[0]
    read = [*records(unpack_claims(packed), Message)]
    assert digests == [group_digest(row.policy, row.key) for row in read]
    assert len({*digests}) == len({row.key for row in read}) == len(keys) - 1


def test_an_offer_to_many_policies_and_under_many_keys_is_kept_once(
    claims: list[Claim], rulebook: Rulebook
) -> None:
    lonely = claims[-1]
    policies = [key for key, one in rulebook.policies_by_id.items() if one.kind.looks_for == OFFERS]
    keys = [f"key{number}" for number in range(9)]
    combiner = Combiner(rulebook)
    assert [*combiner.offer(lonely, ((policy, keys) for policy in policies))] == []
    combined = [*combiner.flush()]
    assert len(combined) == 1
    packed = pack_claims(combined)
    read = [*records(unpack_claims(packed), Message)]
    assert {(row.policy, row.key) for row in read} == set(product(policies, keys))
    assert len({row.payload for row in read}) == 1
    wanted = group_digest(policies[-1], keys[-1])
    some = [*records(unpack_claims(packed, pa.array([wanted], pa.int32())), Message)]
    assert some == [row for row in read if (row.policy, row.key) == (policies[-1], keys[-1])]
