"""A minute of texts made by a seed, and every text that ever failed.

MQLINT_FUZZ_SEED names another seed, MQLINT_FUZZ_TIMES multiplies the texts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.campaign import FOUND, attempt, campaign
from tests.fuzz.minimise import minimised
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import TARGETS

SEED = os.environ.get("MQLINT_FUZZ_SEED", "1")
TIMES = int(os.environ.get("MQLINT_FUZZ_TIMES", "1"))
EXECUTIONS = {"mqsc": 30_000, "yaml": 8_000}
EACH = 15_000
"""Texts a language has, unless said otherwise: more than 100,000 in all."""


@pytest.mark.fuzz
@pytest.mark.parametrize("language", TARGETS)
def test_texts_made_by_a_seed(
    language: str, record_property: Callable[[str, object], None]
) -> None:
    wanted = EXECUTIONS.get(language, EACH) * TIMES
    tally = campaign(TARGETS[language], SEED, lambda tally: tally.executions < wanted)
    record_property("fuzz", [language, tally.executions, tally.deep, tally.seconds, SEED])
    assert not tally.failures, str(tally.failures[0])


def found() -> list[Path]:
    return sorted(path for path in FOUND.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", found(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_once_failed(path: Path) -> None:
    attempt(TARGETS[path.parent.name], path.read_bytes(), deep=True)


@pytest.mark.parametrize("language", TARGETS)
def test_every_target_has_texts_to_start_from(language: str) -> None:
    target = TARGETS[language]
    assert len(target.corpus()) >= 4
    assert all(target.corpus())


def test_a_seed_makes_the_same_texts_again() -> None:
    def first(seed: str) -> list[bytes]:
        texts = Mutator(seed, [b"DEFINE QLOCAL(A)\nEND\n", b"x"], [b"("]).texts()
        return [next(texts) for _ in range(500)]

    assert first("a") == first("a")
    assert first("a") != first("b")
    assert len(set(first("a"))) > 300


def test_a_failing_text_is_made_as_short_as_it_can_be() -> None:
    random = Random(7)  # noqa: S311
    data = random.randbytes(300) + b"(" + random.randbytes(300) + b")" + random.randbytes(99)
    small = minimised(data, lambda one: b"(" in one and b")" in one[one.index(b"(") :])
    assert small == b"()"
