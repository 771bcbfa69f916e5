"""The engine runs from one zip of its rooms, lark and yaml, with nothing else but Python.

yaml is there without libyaml: a zip holds no compiled code. Vocabulary and rules are compiled
before and go along as JSON.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
import yaml

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from mqlint.language.registry import SIGNS
from tests.languages import ONE_OF_EACH
from tests.packaging.conftest import ROOT, Run
from tests.shipped import shipped_rulebook, shipped_vocabulary

pytestmark = pytest.mark.slow

ROOMS = "config source finding vocabulary language validity model chlauth policy engine".split()

# A fault of a word, a fault of the pair, and a file of each language.
PAIR = {
    "prod/PRDPAY1/channels.mqsc": """\
DEFINE CHANNEL(PAY.HUB) CHLTYPE(CLUSRCVR) REPLACE TRPTYPE(TCP) +
       CONNAME('hub.leeds.example(1414)') CLUSTER(PAYMENTS)
""",
    "dr/DRSPAY1/channels.mqsc": """\
DEFINE CHANNEL(PAY.HUB) CHLTYPE(CLUSRCVR) REPLACE TRPTYPE(TCP) +
       CONNAME('hub.derby.example(1414)') CLUSTER(PAYMENTS)
DEFINE QLOCAL(ORDERS.IN) MAXDEPHT(7000)
""",
}
FILES = {**PAIR, **ONE_OF_EACH}

PROGRAM = """\
import json, sys

sys.path.insert(0, "engine.zip")
with open("given.json", encoding="utf-8") as given:
    vocabulary, rules, files = json.load(given)

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary

analyser = Analyser(Vocabulary.from_compiled(vocabulary))
inputs = [Input(path, data=text.encode()) for path, text in files.items()]
settings = Settings(queue_managers=("{site}/{queue_manager}/*",))
run = check(inputs, settings, analyser, Rulebook(rules))
loaded = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
print(json.dumps({
    "fingerprints": [finding.fingerprint for finding in run.findings],
    "languages": {row.path: row.language for row in run.coverage.files},
    "modules": sorted(loaded - {"__main__", "__mp_main__"}),
    "origins": [
        sys.modules[name].__file__ for name in ("mqlint", "mqlint.grammar", "lark", "yaml")
    ],
}))
"""


def sources() -> Iterator[tuple[Path, str]]:
    """The files of the zip, and their names in it."""
    folders = {ROOT / "mqlint" / room: f"mqlint/{room}" for room in ROOMS}
    folders[ROOT / "grammar"] = "mqlint/grammar"
    folders[Path(lark.__file__).parent] = "lark"
    folders[Path(yaml.__file__).parent] = "yaml"
    for name in (
        "__init__",
        "compact",
        "computed",
        "dataclass",
        "grouping",
        "late",
        "number",
        "patterns",
    ):
        yield ROOT / "mqlint" / f"{name}.py", f"mqlint/{name}.py"
    for folder, name in folders.items():
        for file in sorted(folder.rglob("*")):
            if file.suffix in {".py", ".lark", ".txt", ".yaml"}:
                yield file, f"{name}/{file.relative_to(folder).as_posix()}"


@pytest.fixture(scope="module")
def given() -> str:
    """What goes along as JSON: the vocabulary and the rules, compiled, and the files."""
    vocabulary = shipped_vocabulary()
    return json.dumps([vocabulary.compiled, shipped_rulebook().compiled, FILES])


@pytest.fixture(scope="module")
def answer(given: str, run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the engine in the zip says, in a Python that sees no other package."""
    folder = tmp_path_factory.mktemp("zip")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "given.json").write_text(given, encoding="utf-8")
    with zipfile.ZipFile(folder / "engine.zip", "w") as archive:
        for file, name in sources():
            archive.write(file, name)
    said = run(sys.executable, "-I", "-S", "program.py", cwd=folder).stdout
    return dict(json.loads(said))


def test_engine_in_the_zip_finds_what_the_engine_finds(answer: dict[str, Any]) -> None:
    vocabulary = shipped_vocabulary()
    rulebook = shipped_rulebook()
    inputs = [Input(path, data=text.encode()) for path, text in FILES.items()]
    here = check(
        inputs,
        Settings(queue_managers=("{site}/{queue_manager}/*",)),
        Analyser(vocabulary),
        rulebook,
    )
    assert answer["fingerprints"] == [finding.fingerprint for finding in here.findings]
    assert {finding.location.path for finding in here.findings} >= set(PAIR)
    assert {finding.rule.id for finding in here.findings} >= {"DR001", "VOC002"}


def test_engine_in_the_zip_reads_every_language(answer: dict[str, Any]) -> None:
    in_folders = {language.name for sign, language in SIGNS if not sign.when_named}
    assert set(answer["languages"].values()) == in_folders


def test_engine_in_the_zip_needs_lark_and_yaml_alone(answer: dict[str, Any]) -> None:
    assert answer["modules"] == ["lark", "mqlint", "yaml"]


def test_engine_in_the_zip_is_not_the_installed_one(answer: dict[str, Any]) -> None:
    assert all("engine.zip" in origin for origin in answer["origins"])


def test_what_a_cluster_is_sent_holds_all_that_the_wheel_does(
    wheel: Path, run: Run, tmp_path: Path
) -> None:
    packed = (sys.executable, "-m", "mqlint", "estate", "package", "--out", "ship")
    run(*packed, cwd=tmp_path, PYTHONPATH=str(wheel))
    with zipfile.ZipFile(wheel) as there, zipfile.ZipFile(tmp_path / "ship" / "mqlint.zip") as here:
        wanted = {name for name in there.namelist() if name.startswith("mqlint/")}
        sent = {name for name in here.namelist() if name.startswith("mqlint/")}
        assert sent == wanted - {"mqlint/py.typed"}
        assert all(here.read(name) == there.read(name) for name in sent)
