"""Words that a shell completes, asked as the scripts of click ask for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MQLINT = (sys.executable, "-m", "mqlint")


def offered(words: str, folder: Path) -> list[str]:
    """What bash is offered for the last of some words."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    code = "from mqlint.cli import main; main(prog_name='mqlint')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **asked, "_MQLINT_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("mqlint che", "check"),
        ("mqlint check --sel", "--select"),
        ("mqlint check --select DR00", "DR001"),
        ("mqlint check --select dr001,chl", "dr001,chlauth"),
        ("mqlint check --ignore shared-cl", "shared-cluster-name"),
        ("mqlint check --format gi", "gitlab"),
        ("mqlint check --profile prod", "production"),
        ("mqlint explain CHA00", "CHA001"),
        ("mqlint why secur", "security"),
    ],
)
def test_a_word_is_completed(words: str, wanted: str, tmp_path: Path) -> None:
    assert wanted in offered(words, tmp_path)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_a_script(shell: str) -> None:
    command = [*MQLINT, "completion", shell]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if shell == "powershell" and done.returncode:
        assert "upgrade click" in done.stderr
        return
    assert "_MQLINT_COMPLETE" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_takes_its_script(tmp_path: Path) -> None:
    script = subprocess.run([*MQLINT, "completion", "bash"], capture_output=True, check=True)
    (tmp_path / "completion").write_bytes(script.stdout)
    words = ["bash", "--norc", "-c", ". ./completion && complete -p mqlint"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("mqlint")
