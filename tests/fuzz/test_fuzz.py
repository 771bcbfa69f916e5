"""Texts made by a seed for every target, and every input that ever failed.

MQLINT_FUZZ_SEED names another seed, MQLINT_FUZZ_TIMES multiplies the texts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from tests.fuzz import kept, probes
from tests.fuzz.budget import OverBudgetError, check_growth, check_memory, counted
from tests.fuzz.campaign import campaign
from tests.fuzz.finds import FOUND, attempt, attempt_at_length
from tests.fuzz.ledger import Account, Ledger
from tests.fuzz.minimise import minimised
from tests.fuzz.mutate import Mutator
from tests.fuzz.pool import Pool, fewest
from tests.fuzz.program import ANALYSER
from tests.fuzz.sitting import in_child, replay, sit
from tests.fuzz.targets import TARGETS, FuzzTarget

ROOT = Path(__file__).parents[2]
SEED = os.environ.get("MQLINT_FUZZ_SEED", "1")
TIMES = int(os.environ.get("MQLINT_FUZZ_TIMES", "1"))
EXECUTIONS = {"mqsc": 250, "archive": 25, "git-tree": 10, "report": 25}
EACH = 100
"""Texts a target has by default. `make test-long` tries 4,000 times as many, `make fuzz` more."""


@pytest.mark.fuzz
@pytest.mark.parametrize("name", TARGETS)
def test_texts_made_by_a_seed(name: str, record_property: Callable[[str, object], None]) -> None:
    tally = campaign(TARGETS[name], SEED, EXECUTIONS.get(name, EACH) * TIMES)
    record_property("fuzz", [name, tally.executions, tally.seconds, SEED])
    assert not tally.failures, str(tally.failures[0])


ODD_NUMBERS = (b"9" * 4_500, "1\N{SUPERSCRIPT TWO}".encode())
"""What `int` refuses: thousands of digits, and a digit that is no decimal one."""
WITH_NUMBERS = 3 if TIMES == 1 else 8
"""Texts of each language that are tried with them; more in `make test-long`."""


@pytest.mark.fuzz
@pytest.mark.parametrize("name", [name for name in TARGETS if TARGETS[name].language])
def test_a_number_may_be_anything(name: str) -> None:
    target, random = TARGETS[name], Random(SEED)  # noqa: S311
    texts = [data for data in target.seeds() if len(data) < 3_000 and re.search(rb"\d", data)]
    for data in random.sample(texts, min(WITH_NUMBERS, len(texts))):
        number = random.choice(list(re.finditer(rb"\d+", data)))
        for odd in ODD_NUMBERS:
            target.check(data[: number.start()] + odd + data[number.end() :], deep=True)


def found() -> list[Path]:
    return sorted(path for path in FOUND.rglob("*") if path.is_file())


@pytest.mark.fuzz
@pytest.mark.parametrize("path", found(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_once_failed(path: Path) -> None:
    target = TARGETS[path.parent.name]
    attempt(target, b"", deep=True, count=False)  # what is built once is built now
    attempt(target, path.read_bytes(), deep=True)
    attempt_at_length(target, path.read_bytes())


def test_every_language_is_a_target() -> None:
    languages = [target.language for target in TARGETS.values() if target.language]
    assert sorted(languages) == sorted(ANALYSER.languages)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", TARGETS)
def test_inputs_that_meet_the_most(name: str) -> None:
    inputs = kept.load(name)
    for data in Random(SEED).sample(inputs, min(len(inputs), 20 * TIMES)):  # noqa: S311
        attempt(TARGETS[name], data, deep=False)


def test_packs_and_ledger_are_about_targets() -> None:
    packs = {path.stem for path in kept.FOLDER.glob("*.xz")}
    assert packs <= set(TARGETS)
    assert sum(path.stat().st_size for path in kept.FOLDER.iterdir()) < 1_500_000
    assert list(json.loads(kept.LEDGER.read_text("utf-8"))) == [*TARGETS]


def test_the_page_shows_the_ledger() -> None:
    assert Ledger().as_markdown() in (ROOT / "docs/quality.md").read_text("utf-8")


SEEDS_OPEN = """\
import json, sys
opened = set()
sys.addaudithook(lambda name, rest: opened.add(str(rest[0])) if name == "open" else None)
from tests.fuzz.targets import TARGETS
for target in TARGETS.values():
    target.seeds()
print(json.dumps(sorted(opened)))
"""


@pytest.mark.slow
def test_no_seed_is_from_the_files_of_others(tmp_path: Path) -> None:
    corpus = os.environ.get("MQLINT_CORPUS") or str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", SEEDS_OPEN],
        cwd=ROOT,
        env={**os.environ, "MQLINT_CORPUS": corpus},
        capture_output=True,
        text=True,
        check=True,
    )
    opened = json.loads(done.stdout)
    assert any("examples" in path for path in opened)
    assert not [path for path in opened if path.startswith(corpus)]


def test_what_was_found_belongs_to_a_target() -> None:
    assert found(), "a commit removed what fuzzers found"
    assert {path.parent.name for path in found()} <= set(TARGETS)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", TARGETS)
def test_every_target_has_texts_to_start_from(name: str) -> None:
    seeds = TARGETS[name].seeds()
    assert seeds
    assert all(seeds)


def test_work_without_end_is_stopped() -> None:
    def forever() -> None:
        while True:
            len("")

    with pytest.raises(OverBudgetError, match="100 calls"), counted(100):
        forever()


def test_calls_out_of_proportion_are_seen() -> None:
    def linear(data: bytes) -> None:
        for _ in data:
            len(data)

    def square(data: bytes) -> None:
        for _ in data:
            linear(data[::100])

    check_growth(linear, b"x" * 10)
    with pytest.raises(OverBudgetError, match="4 times as many"):
        check_growth(square, b"x" * 10)


def test_memory_out_of_proportion_is_seen() -> None:
    def hoard(data: bytes) -> None:
        bytearray(len(data) * 2000)

    check_memory(hoard, b"x" * 100)
    with pytest.raises(OverBudgetError, match="100000 bytes"):
        check_memory(hoard, b"x" * 100_000)


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
    small = minimised(
        data, lambda randbyte: b"(" in randbyte and b")" in randbyte[randbyte.index(b"(") :]
    )
    assert small == b"()"


def fuzz(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.slow
def test_sittings_add_up(tmp_path: Path) -> None:
    (tmp_path / "ledger.json").write_text("{}")  # the target may be complete in that of the project
    # A sitting looks at the clock after as many executions, however slow the machine is.
    arguments = ("--target", "name", "--sitting", "64", "--minutes", "0.02", "--folder", tmp_path)
    counts = []
    for _ in range(2):
        table = fuzz(*arguments)
        counts.append(int(re.findall(r"^name +([\d,]+)", table, re.MULTILINE)[-1].replace(",", "")))
    assert 64 <= counts[0] < counts[1]
    assert any((tmp_path / "name" / "corpus").iterdir())


def raises(data: bytes) -> None:
    if b"!" in data:
        raise KeyError(data)


def never_ends(data: bytes) -> None:
    while b"!" in data:
        len(data)


def hoards(data: bytes) -> None:
    bytearray(data.count(b"!") * 50_000_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "signature"),
    [
        (raises, "KeyError-targets.check-test_fuzz.raises"),
        (never_ends, "OverBudgetError"),
        (hoards, "OverBudgetError"),
    ],
)
def test_a_sitting_finds_what_fails_and_what_costs(
    check: Callable[[bytes], None], signature: str, tmp_path: Path
) -> None:
    target = FuzzTarget("name", lambda: [b"abc\n"], lambda: ["!"], check, check)
    sitting = sit(target, tmp_path, 2_000, 3, monotonic() + 60)
    in_child(lambda: replay(target, tmp_path, 30), tmp_path / "replay.log", 60)
    assert sitting.executions
    assert [path.name for path in (tmp_path / "failed").iterdir()] == [signature]


EDGES = """\
def size(text, deep=False):
    \'\'\'In words.\'\'\'
    if not text or deep and text == "x":
        return [len(part) for part in text] if deep else None
    for part in text:
        while part:
            part = part[1:]
    try:
        return {part: int(part) for part in text}
    except ValueError:
        return max(text, key=lambda part: len(part))
"""


def test_probes_see_each_branch_once_and_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "probed.py").write_text(EDGES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(probes, "PROBES", [])
    probes.install("probed")
    size = import_module("probed").size
    monkeypatch.delitem(sys.modules, "probed")
    plain: dict[str, Callable[..., object]] = {}
    exec(EDGES, plain)  # noqa: S102
    seen: set[int] = set()
    for arguments in (([],), (["a", "bb"],), (["a"], True), ("x", True), (["1"],), (["1"],)):
        probes.MET.clear()
        assert size(*arguments) == plain["size"](*arguments)
        assert size.__doc__ == "In words."
        assert len(set(probes.MET)) == len(probes.MET)
        assert seen.isdisjoint(probes.MET)
        seen |= set(probes.MET)
    assert not probes.MET
    assert seen == set(range(len(probes.PROBES)))
    assert probes.met(lambda: size(["1"]), seen) < seen
    probes.MET.clear()
    size(["a", "bb"])
    assert not probes.MET


def test_the_pool_keeps_the_shortest_input_of_each_edge() -> None:
    rows = [(b"long", {1, 2, 3}), (b"b", {2}), (b"cc", {3}), (b"ddd", {1})]
    inputs = [(data, frozenset(edges)) for data, edges in rows]
    assert fewest(inputs) == [b"b", b"cc", b"ddd"]
    assert fewest([*inputs, (b"a", frozenset({1, 2}))]) == [b"a", b"cc"]
    pool = Pool(Random(1))  # noqa: S311
    for data, edges in inputs:
        pool.add(data, edges)
    assert {pool.choose() for _ in range(99)} == {data for data, _ in rows}


def test_a_pack_gives_its_inputs_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    random = Random(3)  # noqa: S311
    inputs = [random.randbytes(size) for size in (0, 1, 600)]
    kept.store("name", inputs)
    assert kept.load("name") == inputs
    assert kept.load("nothing") == []
    kept.store("name", [random.randbytes(600) for _ in range(100)])
    assert (tmp_path / "name.xz").stat().st_size <= kept.LARGEST
    assert kept.load("name")


def test_a_target_is_complete_when_the_last_fifth_met_no_new_edge() -> None:
    target = TARGETS["name"]
    assert Account(executions=99_000, last_new=10).left(target) == 1_000
    assert Account(executions=100_000, last_new=80_000).left(target) == 0
    assert Account(executions=100_000, last_new=90_000).left(target) == 12_500
