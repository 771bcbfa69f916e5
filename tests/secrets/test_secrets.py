"""A secret is in nothing that mqlint writes, whatever it runs on and however it ends."""

from __future__ import annotations

import base64
import gc
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.engine import Analyser
from mqlint.report import FORMATS
from mqlint.source.memo import Memo
from mqlint.vocabulary import Target
from tests.secrets.places import WORD, Place, places
from tests.shipped import shipped_vocabulary

pytestmark = pytest.mark.slow

PLACES = places()
"""Each with a secret of its own, so that what leaks tells where from."""

MQLINT = Path(sys.executable).with_name("mqlint")
MARKS = re.compile("\xee[\x80-\xa3][\x80-\xbf]|\\\\u[ef][0-8][0-9a-f]{2}")
"""Signs of private use, in UTF-8 or as JSON writes them: what is put in place of a secret."""
EVERY_FORMAT = tuple(
    word
    for form in FORMATS
    for word in ("--format", "text" if form == "text" else f"{form}=report.{form}")
)

Run = Callable[..., bytes]


def canary(number: int) -> str:
    """An upper-case word: unquoted text is folded."""
    return f"KESTREL{number:04d}ZQX"


def written(place: Place, number: int) -> str:
    word = canary(number)
    return place.text.replace("CAN-\nARY", f"{word[:6]}-\n{word[6:]}").replace(WORD, word)


@pytest.fixture(scope="module", params=[7, pytest.param(1, marks=pytest.mark.long)])
def chosen(request: pytest.FixtureRequest) -> Mapping[int, Place]:
    """Each text written by hand and one in so many of the others, by number.

    The share has no divisor in common with the numbers of forms and of hosts in places.py, so that
    each form is tried in each host.
    """
    return {
        number: place
        for number, place in enumerate(PLACES)
        if place.by_hand or number % request.param == 0
    }


@pytest.fixture(scope="module")
def estate(chosen: Mapping[int, Place], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one repository, each text in a folder of its own."""
    return repository_of(chosen, tmp_path_factory.mktemp("estate"))


@pytest.fixture(scope="module")
def fewer_texts(
    chosen: Mapping[int, Place], estate: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """As `estate`, with the first text of each name of a file and one in four of the others.

    All if `estate` has all. Other commands and scans read as `check` does, which reads `estate`.
    """
    if len(chosen) == len(PLACES):
        return estate
    first = {place.name: number for number, place in reversed([*chosen.items()])}
    chosen_numbers = {*first.values(), *list(chosen)[::4]}
    few = {number: place for number, place in chosen.items() if number in chosen_numbers}
    return repository_of(few, tmp_path_factory.mktemp("fewer"))


def repository_of(texts: Mapping[int, Place], folder: Path) -> Path:
    root = folder / "repository"
    for number, place in texts.items():
        path = root / f"{number:04d}" / place.name
        path.parent.mkdir(parents=True)
        path.write_text(written(place, number), "utf-8", newline="")
    for name, old, new in (("fresh", "", ""), ("other", "ZQX", "ZQXB")):
        # Without a configuration, and with other secrets and objects
        for path in list(root.glob("*/*.mqsc")):
            copy = root.parent / name / path.relative_to(root)
            copy.parent.mkdir(parents=True)
            copy.write_text(path.read_text().replace(old, new).replace("(A)", "(B)"))
    (root / "mqlint.yaml").write_text("profiles: [production]\nwaivers: waivers.yaml\n")
    (root / "waivers.yaml").write_text(
        "waivers:\n  - rule: SYN010\n    reason: password=KESTREL9999ZQX\n    owner: team\n"
    )
    return root


@pytest.fixture(scope="module")
def place_to_write(estate: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def environment(place_to_write: Path) -> Mapping[str, str]:
    """Variables by which what a command writes by itself goes to one folder."""
    return {
        "MQLINT_CACHE_DIR": str(place_to_write / "cache"),
        "TMPDIR": str(place_to_write),
        "COLUMNS": "160",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture(scope="module")
def run(estate: Path, environment: Mapping[str, str]) -> Run:
    """Runs a command in the estate, in a process."""

    def start(
        *words: str, command: tuple[str, ...] = (str(MQLINT),), folder: Path = estate
    ) -> bytes:
        done = subprocess.run(
            [*command, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **environment},
            check=False,
        )
        assert b"fault of mqlint" not in done.stderr or "-c" in command, done.stderr[-2000:]
        return done.stdout + done.stderr

    return start


def leaks(haystack: Mapping[str, bytes]) -> list[str]:
    """What is found where: each place by its title."""
    found = set()
    for source, data in haystack.items():
        for text in _readable(data):
            found |= {
                f"{source}: {PLACES[int(number)].title if int(number) < len(PLACES) else number}"
                for number in re.findall(rb"KESTREL(\d{4})ZQX", text.upper())
            }
            for stretch in re.findall(rb"[A-Za-z0-9+/_-]{16,}={0,2}", text):
                decoded = _decoded(stretch)
                if re.search(rb"ESTREL\d{3}", decoded):
                    found.add(f"{source}: {decoded[:40]!r} as base64")
    return sorted(found)


def _decoded(stretch: bytes) -> bytes:
    pieces = []
    for skip in range(4):
        part = stretch[skip:].rstrip(b"=")
        part = part[: len(part) // 4 * 4]
        pieces.append(
            base64.b64decode(part, altchars=b"-_" if b"-" in part or b"_" in part else None)
        )
    return b" ".join(pieces)


def _readable(data: bytes) -> Iterator[bytes]:
    """The bytes, and what they are compressed from."""
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    elif data[:1] == b"\x78":
        yield zlib.decompress(data)
    elif data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    elif data[:4] == b"PAR1":
        parquet = pytest.importorskip("pyarrow.parquet")
        rows = parquet.read_table(io.BytesIO(data)).to_pylist()
        yield json.dumps(rows, default=str).encode()
        for row in rows:
            for value in row.values():
                if isinstance(value, bytes) and value[:1] == b"\x78":
                    yield zlib.decompress(value)


def files_below(*folders: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_there_are_places_enough() -> None:
    vocabularies = [place for place in PLACES if not place.title.partition(":")[0].isalpha()]
    assert len(PLACES) - len(vocabularies) >= 150
    assert len({place.title for place in PLACES}) == len(PLACES)


@pytest.fixture
def invoke(environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process: a start takes longer than the work of most."""

    def run_here(*words: str, folder: Path) -> bytes:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(tempfile, "tempdir", environment["TMPDIR"])
        done = CliRunner(env=environment).invoke(main, words)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.output.encode()

    return run_here


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--all", "--no-ignores", *EVERY_FORMAT, "."),
        ("check", "--jobs", "2", "--all", "--no-cache", "."),
        ("questions", "--format", "json", "."),
        ("chlauth", "audit", "."),
        ("config", "init"),
        ("runcheck", "--channel", "A", "--address", "192.0.2.1", "--queue-manager", "QM1", "."),
        ("baseline", "create"),
        ("policy", "check", "."),
        ("fix", "--unsafe", "."),
        ("format", "--diff", "."),
        ("format", "--check", "."),
        ("policy", "learn", "."),
        ("rehearse", "--init", "."),
        ("doctor", "."),
        ("config", "show"),
        ("config", "init", "../fresh"),
        *(("plan", "--format", form, ".", "../other") for form in ("text", "json", "html")),
        *(("diff", "--format", form, ".", "../other") for form in ("text", "json")),
        ("why", "SEC010", "."),
        ("why", "SEC009", ".", "--format", "json"),
    ],
    ids=" ".join,
)
def test_no_command_writes_a_secret(
    run: Run,
    invoke: Run,
    estate: Path,
    fewer_texts: Path,
    place_to_write: Path,
    words: tuple[str, ...],
) -> None:
    is_check = words[0] == "check"
    folder = estate if is_check else fewer_texts
    before = set(files_below(folder))
    output = (run if is_check else invoke)(*words, folder=folder)
    new = {path: data for path, data in files_below(folder).items() if path not in before}
    haystack = {"output": output, **new, **files_below(place_to_write)}
    assert b"Traceback" not in output
    assert leaks(haystack) == []
    assert not [path for path, data in haystack.items() if MARKS.search(data.decode("latin-1"))]
    for path in new:
        Path(path).unlink()


def test_no_statement_shows_a_secret(
    chosen: Mapping[int, Place], estate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`show` for each text, in this process: a start takes longer than the work."""
    monkeypatch.chdir(estate)
    for number, place in chosen.items():
        path = f"{number:04d}/{place.name}"
        for form in ("text", "json"):
            shown = CliRunner().invoke(main, ["show", "--format", form, path])
            assert shown.exit_code == 0, (path, shown.output)
            assert leaks({"show": shown.output.encode()}) == []
            assert MARKS.search(shown.output.encode().decode("latin-1")) is None


def test_no_cache_of_the_process_holds_a_remark_with_a_secret() -> None:
    """A server runs for days: what it does not need must not stay in its memory."""
    remarks = "* Queue manager of the depot\n", f"* curl -u app:{canary(1)} https://a.example\n"
    for remark in remarks:
        Analyser(shipped_vocabulary()).analyse(f"{remark}DEFINE QLOCAL(A)\n", "mqsc", Target())
    memos = [found for found in gc.get_objects() if isinstance(found, Memo)]
    held = [repr(key) for memo in memos for key in memo]
    assert any("of the depot" in key for key in held)
    assert not any(canary(1) in key for key in held)


@pytest.mark.parametrize("language", ["mqsc", "powershell", "shell"])
def test_no_long_text_with_a_secret_stays_in_memory(language: str) -> None:
    text = f"* password={canary(2)}\n" + "".join(f"* line {at}\n" for at in range(1_000))
    Analyser(shipped_vocabulary()).analyse(text, language, Target())
    wrapped = [found for found in gc.get_objects() if isinstance(found, _lru_cache_wrapper)]
    texts = [each for found in wrapped for each in gc.get_referents(found) if each is not None]
    assert wrapped
    assert not any(canary(2) in repr(each) for each in texts if not callable(each))


@pytest.mark.parametrize(
    "place", ["analyse.Analyser._read_mqsc", "run.judge", "analyse.Analyser._add_shell"]
)
def test_an_internal_error_shows_no_secret(run: Run, place: str) -> None:
    module, _, name = place.partition(".")
    program = (
        "import sys, pathlib\n"
        f"import mqlint.engine.{module} as module\n"
        "def fail(*words, **more):\n"
        "    raise ValueError(''.join(p.read_text() for p in pathlib.Path('.').glob('0*/*.*')))\n"
        f"module.{name} = fail\n"
        "from mqlint.cli import main\nmain(['check', '.'])\n"
    )
    output = run(command=(sys.executable, "-c", program))
    assert output
    assert leaks({"output": output}) == []


@pytest.mark.parametrize(
    "engine", ["process", pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.long])]
)
def test_no_scan_writes_a_secret(
    run: Run, fewer_texts: Path, place_to_write: Path, tmp_path: Path, engine: str
) -> None:
    """A second scan reads what the first left in the cache.

    `make test` scans other secrets on Spark in tests/estate/test_estate.py.
    """
    pytest.importorskip("pyspark")
    out = tmp_path / "out"
    words = ("estate", "scan", str(fewer_texts.parent), "--out", str(out), "--engine", engine)
    reports = ("--sarif", str(tmp_path / "sarif"), "--format", f"json={tmp_path / 'scan.json'}")
    outputs = [
        *(run(*words, *reports) for _ in range(2)),
        run("estate", "diff", "--out", str(out), "--by", "rule"),
        run("estate", "report", str(out), "--out", str(tmp_path / "report")),
        run("estate", "package", str(tmp_path / "package")),
    ]
    if engine == "spark":
        outputs.append(run("estate", "query", "--out", str(out), "SELECT * FROM objects"))
    written_files = files_below(tmp_path, place_to_write)
    assert any(path.endswith(".parquet") for path in written_files)
    assert leaks({"output": b"".join(outputs), **written_files}) == []
