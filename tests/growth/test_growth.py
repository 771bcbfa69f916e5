"""More of anything takes a check as many more steps: twice as many for twice as much, not four.

Each language and each format of reports has a table of texts; one that has none is a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from benchmarks.memory_texts import NAMES, text_of
from mqlint.engine import Analyser
from mqlint.language.registry import recognise
from mqlint.report import FORMATS
from tests.growth.findings import FINDINGS, Files
from tests.growth.folders import FOLDERS, FOR_SITES
from tests.growth.texts import LANGUAGES, PLANS
from tests.linear import growth_in_time, steps
from tests.shipped import shipped_vocabulary

pytestmark = pytest.mark.growth

Check = Callable[..., None]

FEW = 40
FINDINGS_FEW = 150
"""As all formats are written in one run, one of them must do much to be noticed."""
MOST_GROWTH = {2: 2.25, 4: 5.5}
"""The growth in steps of twice and of four times as much, if an eighth of few pieces is quadratic.

Twice as much costs half, and decides for most texts. The others have a step of growth between.
"""
LEAST = 6_000
"""A number of steps below this says nothing about growth."""
NEXT_TO_NONE = 4
BOUND_OF_TIME = 7.5
"""That of four times as much."""
LONG = 1_000
HALF = 500_000
"""Half a megabyte."""
BOUND_OF_REAL_TEXTS = 5.0
"""Of four times as much, if most of the time is in line: a text of half a megabyte has as many
pieces as a search of the whole text for each of them needs to be seen."""
TEXTS = [(language, kind) for language, table in LANGUAGES.items() for kind in table.texts]
FIRST = {language: next(iter(table.texts)) for language, table in LANGUAGES.items()}
"""One kind of text for each language."""
OTHERS = [text for text in TEXTS if text not in FIRST.items()]


def files_of(language: str, kind: str, count: int) -> Files:
    table = LANGUAGES[language]
    return {table.path: table.texts[kind](count)}


def growth(
    run: Callable[[Files], object], files: Callable[[int], Files], size: int, factor: int
) -> float:
    """How many times the steps of a few pieces many take; those of next to none left out."""
    least, few, many = (files(count) for count in (NEXT_TO_NONE, size, factor * size))
    run(many)  # what is kept from one run to the next counts in none
    constant = steps(lambda: run(least))
    return (steps(lambda: run(many)) - constant) / max(steps(lambda: run(few)) - constant, LEAST)


def growths(
    run: Callable[[Files], object], files: Callable[[int], Files], size: int = FEW
) -> list[float]:
    """The growth by each factor as a part of the most there may be, up to the first in line."""
    found: list[float] = []
    for factor, most in MOST_GROWTH.items():
        found.append(growth(run, files, size, factor) / most)
        if found[-1] <= 1:
            break
    return found


def test_each_language_has_texts() -> None:
    assert set(LANGUAGES) == Analyser(shipped_vocabulary()).languages


def test_each_text_is_of_its_language() -> None:
    met = {
        (language, kind): recognise(path, text, named=True)
        for language, kind in TEXTS
        if language != "client-keys"  # settings alone tell its files
        for path, text in files_of(language, kind, FEW).items()
    }
    assert {key: found for key, found in met.items() if found != key[0]} == {}


@pytest.mark.parametrize(("language", "kind"), FIRST.items())
def test_a_text_takes_steps_in_line_with_its_length(judge: Check, language: str, kind: str) -> None:
    assert growths(judge, partial(files_of, language, kind))[-1] <= 1


@pytest.mark.long
@pytest.mark.parametrize(("language", "kind"), OTHERS)
def test_any_text_takes_steps_in_line_with_its_length(
    judge: Check, language: str, kind: str
) -> None:
    assert growths(judge, partial(files_of, language, kind))[-1] <= 1


@pytest.mark.sample(12)
@pytest.mark.parametrize(("language", "kind"), TEXTS)
def test_the_command_takes_steps_in_line_with_the_text(
    check: Check, language: str, kind: str
) -> None:
    assert growths(check, partial(files_of, language, kind))[-1] <= 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", FINDINGS)
def test_reports_take_steps_in_line_with_their_findings(check: Check, kind: str) -> None:
    run = partial(check, forms=tuple(FORMATS))
    assert growths(run, FINDINGS[kind], FINDINGS_FEW)[-1] <= 1


@pytest.mark.sample(4)  # the first and the last are FOR_SITES
@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_takes_steps_in_line_with_its_files(judge: Check, kind: str) -> None:
    size = 2 * FEW if kind in FOR_SITES else FEW
    assert growths(judge, FOLDERS[kind], size)[-1] <= 1


@pytest.mark.long
@pytest.mark.parametrize("kind", FOR_SITES)
def test_a_large_folder_takes_steps_in_line_with_its_files(judge: Check, kind: str) -> None:
    assert growths(judge, FOLDERS[kind], 5 * FEW)[-1] <= 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", PLANS)
def test_a_plan_takes_steps_in_line_with_both_texts(plan: Check, kind: str) -> None:
    before, after = PLANS[kind]
    run = partial(plan, forms=("json", "text"))
    assert growths(run, lambda count: {"a.mqsc": before(count), "b.mqsc": after(count)})[-1] <= 1


@pytest.mark.huge
@pytest.mark.parametrize(("language", "kind"), TEXTS)
def test_a_long_text_takes_time_in_line_with_its_length(
    check: Check, language: str, kind: str
) -> None:
    files = partial(files_of, language, kind)
    assert growth_in_time(lambda count: check(files(count)), LONG) <= BOUND_OF_TIME


@pytest.mark.huge
@pytest.mark.parametrize("name", NAMES)
def test_two_megabytes_take_time_in_line_with_half_of_one(check: Check, name: str) -> None:
    files = {size: {name: text_of(name, size)} for size in (HALF, 4 * HALF)}
    bound = BOUND_OF_REAL_TEXTS
    assert growth_in_time(lambda count: check(files[count]), HALF, bound) <= bound
