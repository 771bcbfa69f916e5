"""A scan after changes finds what a scan from nothing finds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow.parquet as parquet
import pytest

from benchmarks.estate import generate_estate
from mqlint.estate.io.sources import Source
from mqlint.estate.scanning import scan
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.frame import Engine
from mqlint.estate.stages.local import LocalEngine
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.estate.conftest import InProcess, settings_in
from tests.estate.stages import setup_of
from tests.files import write

pytestmark = pytest.mark.slow

SAME_IN_EACH = ("findings", "judgements", "objects", "channel_pairs")


def lengthen(file: Path, random: Random) -> None:
    file.write_bytes(b"* one line more\n" * random.randint(1, 3) + file.read_bytes())


def rename_objects(file: Path, random: Random) -> None:
    before, after = random.choice([(b"DRS", b"PRD"), (b"PRD", b"DRS"), (b".IN", b".OUT")])
    file.write_bytes(file.read_bytes().replace(before, after))


def change_values(file: Path, random: Random) -> None:
    depth = str(random.randint(1, 9)).encode()
    file.write_bytes(file.read_bytes().replace(b"MAXDEPTH(50000)", b"MAXDEPTH(%s)" % depth))


def remove(file: Path, random: Random) -> None:
    file.unlink()


def copy_to_another(file: Path, random: Random) -> None:
    folders = sorted(folder for folder in file.parents[2].glob("*/*QM*") if folder.is_dir())
    shutil.copyfile(file, random.choice(folders) / f"more{random.randint(1, 9)}.mqsc")


def rename_queue_manager(file: Path, random: Random) -> None:
    file.parent.rename(file.parents[1] / f"{file.parent.name[:3]}QM{random.randint(90, 99)}")


EDITS = (*(lengthen, rename_objects, change_values, remove, copy_to_another, rename_queue_manager),)


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Engine]:
    """Makes the engine of each rescan."""
    if request.param == "process":
        return lambda: LocalEngine(tmp_path / "scratch")
    session = request.getfixturevalue("spark")
    from mqlint.estate.spark.cluster import SparkEngine

    return lambda: SparkEngine(session, 2)


@pytest.mark.parametrize(
    ("engine", "seed", "edits"),
    [
        ("process", 1, 4),
        pytest.param("spark", 1, 2, marks=pytest.mark.spark),
        pytest.param("process", 2, 4, marks=pytest.mark.long),
        pytest.param("spark", 2, 4, marks=[pytest.mark.spark, pytest.mark.long]),
    ],
    indirect=["engine"],
)
def test_rescan_finds_what_a_scan_from_nothing_finds(
    seed: int,
    edits: int,
    engine: Callable[[], Engine],
    vocabulary: Vocabulary,
    rulebook: Rulebook,
    tmp_path: Path,
) -> None:
    random = Random(seed)  # noqa: S311 edits of a test
    folder = generate_estate(tmp_path / "estate", 10, seed)
    shutil.copytree(folder, tmp_path / "before")
    setup = setup_of(vocabulary.compiled, rulebook, settings_in(folder))
    source = Source("", "project", str(folder), str(folder))

    def found(engine: Callable[[], Engine], cache: str, out: str) -> tuple[list[object], int]:
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        configured = Configuration(setup)
        done = scan(
            engine(),
            [source],
            lambda texts: configured,
            tmp_path / out,
            tmp_path / cache,
        )
        shutil.rmtree(scratch)
        tables = [rows(tmp_path / out / done.manifest.folder / name) for name in SAME_IN_EACH]
        return [[*done.findings], done.manifest.tables, *tables], done.counts.judged

    def process() -> Engine:
        return LocalEngine(tmp_path / "scratch")

    found(engine, "kept", "out")
    for number in range(edits):
        made = []
        for _ in range(random.randint(1, 2)):
            files = sorted(folder.glob("*/*QM*/*.*"))
            made.append(random.choice(EDITS))
            made[-1](random.choice(files), random)
        if number == edits - 1:  # what was forgotten in between comes back
            shutil.rmtree(folder)
            shutil.copytree(tmp_path / "before", folder)
        rescanned, judged = found(engine, "kept", "out")
        assert rescanned == found(process, f"new{number}", f"out{number}")[0]
        # What another queue manager connects to may be the new name: all of them are judged.
        assert judged < 10 or rename_queue_manager in made


@pytest.mark.parametrize(
    "engine",
    ["process", pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.long])],
    indirect=True,
)
def test_file_that_comes_or_goes_changes_what_is_not_followed(
    engine: Callable[[], Engine],
    vocabulary: Vocabulary,
    rulebook: Rulebook,
    in_process: InProcess,
    tmp_path: Path,
) -> None:
    folder = write(
        tmp_path / "estate",
        {
            "mqlint.yaml": "{}\n",
            "a.sh": "strmqm QM1\n. /srv/Lib.sh\n$A; $B\n. /srv/b.sh; . /srv/c.sh; . /srv/d.sh\n",
            "b.sh": "x && $RUN\n",
        },
    )
    configured = Configuration(setup_of(vocabulary.compiled, rulebook, settings_in(folder)))
    source = Source("", "project", str(folder), str(folder))
    lines = []
    for library in (False, True, False):
        if library:
            write(folder, {"lib/lib.sh.j2": "export A=1\n"})
        else:
            shutil.rmtree(folder / "lib", ignore_errors=True)
        (tmp_path / "scratch").mkdir()
        done = scan(engine(), [source], lambda texts: configured, tmp_path / "out")
        shutil.rmtree(tmp_path / "scratch")
        found = {row.path: (dict(row.counts), row.unjudged) for row in done.files()}
        checked = in_process(folder).coverage.files
        assert found == {row.path: (dict(row.counts), row.unjudged) for row in checked}
        counts, statements = found["a.sh"]
        assert counts["not-followed"] == len(statements)
        lines.append([statement.line for statement in statements])
    assert lines == [[2, 3, 4], [3, 4], [2, 3, 4]]


def rows(table: Path) -> list[str]:
    """The rows of a table without what differs between two scans."""
    names = parquet.read_schema(next(table.glob("*.parquet"))).names
    columns = [name for name in names if name not in {"scan", "scanned", "first_seen", "last_seen"}]
    return sorted(map(repr, parquet.read_table(table, columns=columns).to_pylist()))
