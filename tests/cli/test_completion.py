"""Words that a shell completes, asked as the scripts of click ask for them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from tests.cli.conftest import Mqlint


def offered(words: str) -> list[str]:
    """What bash is offered for the last of some words."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    runner = CliRunner(env={**asked, "_MQLINT_COMPLETE": "bash_complete"})
    done = runner.invoke(main, prog_name="mqlint")
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
@pytest.mark.usefixtures("project")
def test_a_word_is_completed(words: str, wanted: str) -> None:
    assert wanted in offered(words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_a_script(shell: str, mqlint: Mqlint) -> None:
    done = mqlint("completion", shell)
    if shell == "powershell" and done.exit_code:
        assert "upgrade click" in done.stderr
        return
    assert "_MQLINT_COMPLETE" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_takes_its_script(tmp_path: Path, mqlint: Mqlint) -> None:
    (tmp_path / "completion").write_bytes(mqlint("completion", "bash").stdout_bytes)
    words = ["bash", "--norc", "-c", ". ./completion && complete -p mqlint"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("mqlint")
