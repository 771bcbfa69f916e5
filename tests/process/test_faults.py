"""A fault in reading one document costs that document, whatever the fault is.

No document is known that has one, so Python itself is made to fail on some: `sha256`, which every
document goes through, is replaced by way of the user's own PYTHONPATH.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from tests.process.runs import BAD, SCRIPT, environment, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there"),
]

SECRET = "hunter2xq"
REPLACED = f"""
import hashlib, os, signal
real = hashlib.sha256
def sha256(data=b"", **more):
    for sign, fail in FAULTS.items():
        if sign in bytes(data):
            fail(bytes(data).decode())
    return real(data, **more)
def raising(kind):
    def fail(text):
        raise kind(text)
    return fail
def once(text):
    sign = text.partition("leaves ")[2].partition("\\n")[0]
    if not os.path.exists(sign):
        open(sign, "w").close()
        os._exit(3)
FAULTS = {{
    b"fails once": once,
    b"fails with KeyError {SECRET}": raising(KeyError),
    b"fails with RecursionError": raising(RecursionError),
    b"fails with MemoryError": raising(MemoryError),
    b"fails with a signal": lambda text: os.kill(os.getpid(), signal.SIGSEGV),
    b"\\x1fFAILS.JUDGED": raising(KeyError),
    b"fails with an end": lambda text: os._exit(3),
}}
hashlib.sha256 = sha256
"""
REASONS = {
    f"KeyError {SECRET}": "a fault in mqlint, not in the file: please report KeyError at mqlint.",
    "RecursionError": "it is nested too deeply",
    "MemoryError": "reading it needs more memory than allowed for its size",
    "a signal": f"the process that reads it was ended by signal {signal.SIGSEGV:d}",
    "an end": "the process that reads it ended before it was complete",
}
RAISED = [word for word in REASONS if "Error" in word]


@pytest.fixture
def failing(tmp_path: Path, home: Path) -> dict[str, str]:
    """The environment of a user whose Python fails."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(REPLACED)
    return environment(home, PYTHONPATH=str(folder))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Files of which each has a finding."""
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.mqsc").write_text(BAD)
    return folder


@pytest.mark.parametrize(
    ("word", "words"),
    [
        *((word, "check . --jobs 1") for word in RAISED),
        *((word, "check . --jobs 2") for word in REASONS),
        *((word, "estate scan . --engine process --quiet --out ../out") for word in RAISED),
    ],
)
def test_a_fault_costs_one_document(
    word: str, words: str, project: Path, failing: dict[str, str]
) -> None:
    (project / "07.mqsc").write_text(f"* fails with {word}\n{BAD}")
    done = run([str(SCRIPT), *words.split(), "--format", "json"], project, failing)
    assert done.returncode == 1, done.stderr
    assert SECRET not in done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert len(report["findings"]) == 39
    (row,) = report["coverage"]["not_checked"]
    assert (row["path"], row["status"]) == ("07.mqsc", "unreadable")
    assert row["reason"].startswith(REASONS[word])


def test_each_document_is_tried_twice(project: Path, failing: dict[str, str]) -> None:
    for name in ("06", "07", "20"):
        (project / f"{name}.mqsc").write_text(f"* fails with a signal\n{BAD}")
    # The first time that this one is read its process ends, and not the second time.
    (project / "08.mqsc").write_text(f"* fails once, then leaves {project / 'sign'}\n{BAD}")
    done = run([str(SCRIPT), "check", ".", "--jobs", "2", "--format", "json"], project, failing)
    report = json.loads(done.stdout)
    unread = [row["path"] for row in report["coverage"]["not_checked"]]
    assert [path for path in unread if path.endswith(".mqsc")] == ["06.mqsc", "07.mqsc", "20.mqsc"]
    assert len(report["findings"]) == 37
    assert (project / "sign").exists()


def test_a_file_with_a_fault_is_not_shown(project: Path, failing: dict[str, str]) -> None:
    (project / "07.mqsc").write_text(f"* fails with KeyError {SECRET}\n{BAD}")
    done = run([str(SCRIPT), "show", "07.mqsc"], project, failing)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: 07.mqsc cannot be read: a fault in mqlint")
    assert SECRET not in done.stderr


def test_a_fault_in_judging_costs_one_queue_manager(project: Path, failing: dict[str, str]) -> None:
    text = "DEFINE CHANNEL(FAILS.JUDGED) CHLTYPE(SVRCONN) TRPTYPE(TCP) MCAUSER('mqm')\n"
    (project / "07.mqsc").write_text(text)
    (project / "08.mqsc").write_text(text.replace("FAILS", "WORKS"))
    done = run([str(SCRIPT), "check", ".", "--format", "json"], project, failing)
    report = json.loads(done.stdout)
    assert [load["rule"] for load in report["findings"] if load["path"] == "08.mqsc"] == ["SEC004"]
    assert len(report["findings"]) == 39
    (row,) = report["coverage"]["not_checked"]
    assert (row["path"], row["status"]) == ("07.mqsc", "unreadable")
    assert row["reason"].startswith("07.mqsc is not checked because of a fault in mqlint")
    assert "FAILS.JUDGED" not in done.stdout + done.stderr
