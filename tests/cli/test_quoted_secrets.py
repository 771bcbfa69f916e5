"""No secret of a configuration or a waiver is in a message, a report or the settings shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

SECRET = "Kestrel77x"
WRONG = (
    f"target: 'MQ_PASSWORD={SECRET}'\n",
    f"severity: {{'PASSWORD={SECRET}': off}}\n",
    f"policies: ['PASSWORD={SECRET}']\n",
    f"severity: {{SEC001: 'https://app:{SECRET}@mq.example'}}\n",
)


@pytest.mark.parametrize("text", WRONG)
def test_an_error_of_the_configuration_quotes_no_secret(
    project: Path, mqlint: Mqlint, text: str
) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(PAY.IN)\n")
    (project / "mqlint.yaml").write_text(text)
    done = mqlint("check", ".")
    assert done.exit_code == 2
    assert SECRET not in done.stderr
    assert "****" in done.stderr


def test_an_error_still_names_a_key(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text("target: {password: expected}\n")
    assert "unknown key 'password'" in mqlint("check", ".").stderr


def test_a_word_of_the_command_line_shows_no_secret(project: Path, mqlint: Mqlint) -> None:
    done = mqlint("check", "--profile", f"PASSWORD={SECRET}")
    assert done.exit_code == 2
    assert SECRET not in done.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_settings_are_shown_without_secrets(project: Path, mqlint: Mqlint, form: str) -> None:
    text = f'queue_managers: ["{{queue_manager}}/PASSWORD={SECRET}/**"]\n'
    (project / "mqlint.yaml").write_text(text)
    done = mqlint("config", "show", "--format", form)
    assert "{queue_manager}/PASSWORD=****" in done.stdout


@pytest.mark.parametrize("form", ["text", "json", "html", "sarif"])
def test_a_waiver_shows_no_secret(project: Path, mqlint: Mqlint, form: str) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(PAY.IN) MAXDEPHT(5)\n")
    (project / "mqlint-waivers.yaml").write_text(
        "waivers:\n- rule: VOC002\n  paths: ['**']\n"
        f"  owner: 'password={SECRET}'\n  reason: 'see https://app:{SECRET}@mq.example'\n"
        f"  ticket: 'https://app:{SECRET}@mq.example'\n  expires: 2027-03-31\n"
    )
    done = mqlint("check", ".", "--verbose", "--format", form)
    assert done.exit_code == 0
    assert SECRET not in done.output
    assert form == "text" or "****" in done.output
