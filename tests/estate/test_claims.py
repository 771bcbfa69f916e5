"""Claims of one key are settled the same in one batch and in many, early and late."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from operator import itemgetter

import pytest

from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import OFFERS, Claim
from mqlint.policy.run.judge import judge_claims

pytest.importorskip("pyspark")

import pyarrow as pa

from mqlint.engine.document.pack import unpack_finding
from mqlint.estate.stages.claims import (
    ASKS,
    CLAIMS,
    COUNTS,
    ClaimRow,
    claim_of,
    columns_of,
    group_digest,
    offer_row,
    pack_claims,
    question_row,
    settle,
    unpack_claims,
)
from mqlint.estate.stages.messages import MESSAGES, Message
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
    place = Location(f"{site}/q{number}.mqsc", Position(1, 2), Position(3, 4), "near", "setmqaut")
    subject = Subject(site, f"QM{number}", "qlocal", key, "DESCR", "LOCAL")
    return Claim(
        *(policy, key, "member", site, "", f"member{number}", place, subject),
        *(Severity.ERROR, (("name", key),)),
    )


def settled(claims: list[Claim], rulebook: Rulebook, *, processes: int, size: int) -> list[Finding]:
    """Claims made by some processes, sorted as Spark sorts them, in batches of `size`."""
    sent: list[ClaimRow] = []
    for process in range(processes):
        sent += made(claims[process::processes], rulebook)
    sent.sort(key=itemgetter(0, 1, 2))
    given: Iterator[ClaimRow] = records(batches(sent, CLAIMS, size), ClaimRow)
    return [
        unpack_finding(message.payload or "", rulebook.rules)
        for message in settle(given, lambda name: rulebook.policies_by_id)
    ]


def made(claims: list[Claim], rulebook: Rulebook) -> Iterator[ClaimRow]:
    packed = pack_claims(question_row(claim, "", rulebook) for claim in claims)
    return records(unpack_claims(packed), ClaimRow)


def texts(findings: list[Finding]) -> list[str]:
    return sorted(map(repr, findings))


def test_claims_come_back_as_they_were(claims: list[Claim], rulebook: Rulebook) -> None:
    read = [row for row in made(claims, rulebook) if row.order == ASKS]
    assert sorted(map(repr, map(claim_of, read))) == sorted(map(repr, claims))
    assert {(claim.place.around, claim.place.spelling) for claim in map(claim_of, read)} == {
        ("near", "setmqaut")
    }


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("size", [1, 64, 10_000])
def test_batches_and_parts_make_no_difference(
    claims: list[Claim], rulebook: Rulebook, processes: int, size: int
) -> None:
    found = settled(claims, rulebook, processes=processes, size=size)
    assert texts(found) == texts(judge_claims(rulebook.policies_by_id, claims))
    assert {finding.subject.object_name for finding in found} == {"hot"}


def test_a_key_is_judged_while_it_is_read(claims: list[Claim], rulebook: Rulebook) -> None:
    hot = [one for one in claims if one.key == "hot"]
    sent = sorted(made(hot, rulebook), key=itemgetter(0, 1, 2))
    asked = 0

    def counted() -> Iterator[ClaimRow]:
        nonlocal asked
        for row in records(batches(sent, CLAIMS, 1), ClaimRow):
            asked += row.order == ASKS
            yield row

    next(settle(counted(), lambda name: rulebook.policies_by_id))
    assert asked < 3


def test_text_that_is_no_text_is_sent_all_the_same() -> None:
    sent = next(batches([Message("fault", "A\ud800B", "\0", 1, "", "ключ")], MESSAGES))
    assert list(records([sent], Message)) == [Message("fault", "A?B", "\0", 1, "", "ключ")]


def test_a_claim_has_the_digest_of_its_group_that_its_results_have(
    claims: list[Claim], rulebook: Rulebook
) -> None:
    """Else a rescan keeps old results of a group that has changed."""
    keys = ["A\ud800B", "A?B", 'A"B', "A\\B", "ключ"]
    packed = pack_claims([offer_row(claims[0], [("XXX001", keys)], "", rulebook)])
    digests = columns_of(packed, "groups").to_pylist()[0]["groups"]
    read = [*records(unpack_claims(packed), ClaimRow)]
    assert digests == [group_digest(row.policy, row.key) for row in read]
    assert len({*digests}) == len({row.key for row in read}) == len(keys) - 1


def test_an_offer_to_many_policies_and_under_many_keys_is_kept_once(
    claims: list[Claim], rulebook: Rulebook
) -> None:
    policies = [key for key, one in rulebook.policies_by_id.items() if one.kind.looks_for == OFFERS]
    keys = [f"key{number}" for number in range(9)]
    under = [(policy, keys) for policy in policies]
    packed = pack_claims([offer_row(claims[-1], under, "", rulebook)])
    assert len(columns_of(packed, "payload")) == 1
    read = [*records(unpack_claims(packed), ClaimRow)]
    assert {(row.policy, row.key) for row in read} == set(product(policies, keys))
    assert {row.order for row in read} == {COUNTS}
    wanted = group_digest(policies[-1], keys[-1])
    some = [*records(unpack_claims(packed, pa.array([wanted], pa.int32())), ClaimRow)]
    assert some == [row for row in read if (row.policy, row.key) == (policies[-1], keys[-1])]
