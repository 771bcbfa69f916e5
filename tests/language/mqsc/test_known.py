"""What a run learned of shapes is there for the next, and says what the grammar would."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mqlint.language.mqsc import Parser, Script
from mqlint.language.mqsc.shape_cache import KnownShapes
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
TEXT = """\
DEFINE QLOCAL(APP.IN) DESCR('one') REPLACE
DEF QL(APP.OUT) NOREPLACE +
    MAXDEPTH(5)
SET AUTHREC PROFILE(A.**) GROUP('app') AUTHADD(GET,PUT)
ALTER QMGR DEADQ(APP.DEAD
DEFINE CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD hunter2
"""


def parsed(folder: Path | None, text: str = TEXT) -> Script:
    """Parse with a parser of its own, which keeps what it learns in `folder`."""
    parser = Parser(VOCABULARY)
    parser.forms.known = shapes = KnownShapes(folder)
    script = parser.parse(text)
    shapes.keep()
    return script


def told(script: Script) -> list[tuple[object, ...]]:
    """What a script says, and where."""
    commands = [
        (
            command.verb,
            command.noun,
            command.name,
            command.shape.words,
            command.shape.slots,
            command.values,
            command.span(),
        )
        for command in script.commands
    ]
    return [
        *commands,
        *((diagnostic.code, diagnostic.start, diagnostic.end) for diagnostic in script.diagnostics),
    ]


def test_a_later_run_reads_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    first, second = told(parsed(folder)), told(parsed(folder))
    assert first == second == told(parsed(None))


def test_known_shapes_need_no_grammar(tmp_path: Path) -> None:
    text = "DEFINE QLOCAL(APP.IN) DESCR('one') REPLACE\n"
    parsed(tmp_path, text)
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.language.mqsc.test_known import parsed\n"
        "script = parsed(Path(sys.argv[1]), sys.argv[2])\n"
        "print(len(script.commands), 'lark' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), text], capture_output=True, text=True
    )
    assert done.stdout == "1 False\n", done.stderr


def test_words_that_are_not_of_mq_are_not_kept(tmp_path: Path) -> None:
    parsed(tmp_path, TEXT + "ALTER QMGR S3CRETWORD\nDEFINE QLOCAL(A) TOPSECRET(B)\n")
    kept = (tmp_path / "shapes.json").read_text("utf-8")
    assert "DEFINE QLOCAL" in kept
    for word in ("HUNTER2", "S3CRETWORD", "TOPSECRET", "APP.IN"):
        assert word not in kept.upper()


@pytest.mark.parametrize(
    "value", [None, [], "x", {"DEFINE QLOCAL(\0) DESCR(\0) REPLACE": 1}, {"END": []}]
)
def test_a_file_that_is_not_as_written_is_not_believed(tmp_path: Path, value: object) -> None:
    parsed(tmp_path)
    path = tmp_path / "shapes.json"
    key = json.loads(path.read_text("utf-8"))["key"]
    path.write_text(f'{{"key": "{key}", "value": {json.dumps(value)}}}\n', "utf-8")
    assert told(parsed(tmp_path)) == told(parsed(None))
    path.write_text('{"key": "of another grammar", "value": {}}', "utf-8")
    assert told(parsed(tmp_path)) == told(parsed(None))
