"""The registry: one record a language, in the order of its signs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from mqlint.language.base import Sample
from mqlint.language.registry import LANGUAGES, SIGNS, reader_of, recognise
from tests.languages import ONE_OF_EACH

ROOT = Path(__file__).parents[2]
EDGES = yaml.safe_load(Path(__file__).with_name("edges.yaml").read_text("utf-8"))
EXPLAINED = {(edge["is"], edge["not"]) for edge in EDGES}


def fitting(path: str, text: str) -> list[str]:
    """The languages whose signs fit, in their order."""
    sample = Sample(path, text)
    return list(dict.fromkeys(language.name for sign, language in SIGNS if sign.fits(sample)))


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: f"{edge['is']}-not-{edge['not']}")
def test_a_text_that_fits_two_is_one_of_them_for_a_reason(edge: dict[str, str]) -> None:
    found = fitting(edge["name"], edge["text"])
    if edge["is"] == "nothing":
        assert recognise(edge["name"], edge["text"]) is None
    else:
        assert {edge["is"], edge["not"]} <= set(found)
        assert recognise(edge["name"], edge["text"]) == edge["is"]
    assert edge["because"]


def test_no_known_file_fits_two_without_a_reason() -> None:
    examples = [path for path in sorted((ROOT / "examples").rglob("*")) if path.is_file()]
    texts = {path.as_posix(): path.read_text("utf-8", "replace") for path in examples}
    for path, text in {**ONE_OF_EACH, **texts}.items():
        assert set(combinations(fitting(path, text), 2)) <= EXPLAINED, path


def test_a_rank_is_shared_only_by_languages_with_other_names() -> None:
    for (one, first), (two, second) in combinations(SIGNS, 2):
        if one.rank == two.rank and first is not second:
            assert not one.endings & two.endings


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_reader_of_a_language_is_there(name: str) -> None:
    assert callable(reader_of(name))


def test_the_documentation_has_a_row_for_each_language() -> None:
    page = (ROOT / "docs" / "files.md").read_text("utf-8")
    tables = re.findall(r"(?m)^\| kind \| recognised by \|.*\n((?:\|.*\n)+)", page)
    rows = re.findall(r"(?m)^\| `([\w-]+)`", "".join(tables))
    assert sorted(rows) == sorted(LANGUAGES)


@pytest.fixture(scope="module")
def taken() -> re.Pattern[str]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    return re.compile(hooks[0]["files"])


ENDINGS = sorted({end for sign, _ in SIGNS if not sign.when_named for end in sign.endings})


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_hook_takes_each_ending(taken: re.Pattern[str], ending: str) -> None:
    name = f"prod/a.{ending}" if ending else "prod/a"
    assert taken.search(name)
    assert taken.search(name.upper())
    assert not ending or taken.search(f"{name}.j2")


def test_the_hook_takes_each_file_that_is_read(taken: re.Pattern[str]) -> None:
    examples = (path for path in (ROOT / "examples" / "estate").rglob("*") if path.is_file())
    names = [*ONE_OF_EACH, *(path.relative_to(ROOT).as_posix() for path in examples)]
    missed = [name for name in names if not taken.search(name)]
    assert all(recognise(name, ONE_OF_EACH.get(name, "")) is None for name in missed), missed


@pytest.mark.parametrize("name", ["a.md", "src/a.c", "A.cob", "logo.png", "a.tar.gz"])
def test_the_hook_leaves_out_what_no_language_reads(taken: re.Pattern[str], name: str) -> None:
    assert not taken.search(name)


TOY = """
from mqlint.language.base import Language, Parsed, Sign
from mqlint.language.declaration import Declared
from mqlint.language.script.step import Embedded


def read(text, context):
    start = text.index(":") + 1
    inner = Embedded("mqsc", text[start:], ((0, start),), len(text), "QMTOY")
    return Parsed(embedded=[inner])


LANGUAGES = (
    Language(
        name="toy",
        signs=(Sign(1, {"toy"}, looks_like=lambda sample: ":" in sample.text),),
        reader="mqlint.language.toy:read",
    ),
)
"""
RUN = """
import sys
import mqlint.language
mqlint.language.__path__.append(sys.argv.pop(1))
from mqlint.cli import main
main()
"""


@pytest.mark.slow
def test_a_language_is_added_by_one_folder(tmp_path: Path) -> None:
    package = tmp_path / "languages" / "toy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(TOY)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.toy").write_text("my queues: DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    command = [sys.executable, "-c", RUN, str(package.parent)]
    done = subprocess.run(
        [*command, "check", ".", "--format", "json", "--no-cache"],
        cwd=tmp_path / "project",
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    (finding,) = [found for found in report["findings"] if found["rule"] == "VOC002"]
    assert finding["path"] == "a.toy"
    assert finding["start"] == {"line": 1, "column": 29}
    assert finding["queue_manager"] == "QMTOY"
