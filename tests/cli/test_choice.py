"""Options that choose rules, severities and target; thresholds of the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

TEXT = "DEFINE QLOCAL(ORDERS.IN) REPLACE +\n       MAXDEPHT(20000)\nDEFINE QLOCL(ORDERS.OUT)\n"
ATTRIBUTE, COMMAND = "unknown-attribute", "unknown-command"


@pytest.fixture
def found(mqlint: Mqlint, project: Path) -> Callable[..., dict[str, str]]:
    """The rules, by name, that find something in TEXT under some options, with their severity."""
    (project / "a.mqsc").write_text(TEXT)

    def check(*options: str) -> dict[str, str]:
        done = mqlint("check", "a.mqsc", "--format", "json", *options)
        assert done.exit_code in (0, 1), done.output
        return {load["name"]: load["severity"] for load in json.loads(done.stdout)["findings"]}

    return check


Found = Callable[..., dict[str, str]]

BOTH = {ATTRIBUTE: "error", COMMAND: "error"}
CHOICES = [
    ((), BOTH),
    (("--select", ATTRIBUTE), {ATTRIBUTE: "error"}),
    (("--select", "voc001"), {COMMAND: "error"}),
    (("--select", "vocabulary"), BOTH),
    (("--select", "VOC"), BOTH),
    (("--select", "VOC00,INI"), BOTH),
    (("--select", "INI"), {}),
    (("--select", "INI", "--select", ATTRIBUTE), {ATTRIBUTE: "error"}),
    (("--ignore", ATTRIBUTE), {COMMAND: "error"}),
    (("--ignore", "VOC,INI"), {}),
    (("--select", "VOC", "--ignore", "VOC001"), {ATTRIBUTE: "error"}),
    (("--severity", f"{ATTRIBUTE}=note"), {ATTRIBUTE: "note", COMMAND: "error"}),
    (("--severity", "VOC=off"), {}),
    (
        ("--severity", "VOC=warning", "--severity", "VOC001=note"),
        {ATTRIBUTE: "warning", COMMAND: "note"},
    ),
    (("--severity", f"{ATTRIBUTE}=note", "--ignore", ATTRIBUTE), {COMMAND: "error"}),
]


@pytest.mark.parametrize(("options", "rules"), CHOICES)
def test_rules_are_chosen(found: Found, options: tuple[str, ...], rules: dict[str, str]) -> None:
    assert found(*options) == rules


def test_command_line_goes_over_the_file(found: Found, project: Path) -> None:
    (project / "mqlint.yaml").write_text("severity: {VOC001: off}\n")
    assert found() == {ATTRIBUTE: "error"}
    assert found("--severity", "VOC001=note") == {ATTRIBUTE: "error", COMMAND: "note"}
    assert found("--select", "VOC001") == {}


WRONG = [
    (
        ("--select", "unknown-atribute"),
        "rule or group 'unknown-atribute' does not exist; did you mean",
    ),
    (("--ignore", "VOX"), "rule or group 'VOX' does not exist"),
    (("--severity", "DRR001=off"), "did you mean 'DR001'?"),
    (("--severity", "SEC9=off"), "did you mean 'SEC009'?"),
    (("--select", "SEC01"), "did you mean 'SEC001'?"),
    (("--select", "SEC0O1"), "did you mean 'SEC001'?"),
    (("--ignore", "ctlOl2"), "did you mean 'CTL012'?"),
    (("--severity", "VOC001"), "is not RULE=SEVERITY"),
    (("--severity", "VOC001=warn"), "did you mean 'warning'? allowed: error, note, off or warning"),
    (("--select", "VOC001,"), "missing before or after a comma"),
    (("--target", "94x"), "'94x' is not a release of IBM MQ: use 9.4.0"),
    (("--target", "9.4.0/linxu"), "unknown platform 'linxu': did you mean 'linux'?"),
    (("--min-coverage", "101"), "101.0 is not in the range"),
    (("--select", "x\x1b[31m"), "x\\x1b[31m"),
]


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_unknown_word_is_an_error_of_usage(
    mqlint: Mqlint, project: Path, options: tuple[str, ...], said: str
) -> None:
    (project / "a.mqsc").write_text(TEXT)
    done = mqlint("check", "a.mqsc", *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_target(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text("DEFINE STGCLASS(ORDERS) PSID(04)\n")
    (project / "mqlint.yaml").write_text(
        "target: {platform: zos}\noverrides: [{paths: [a.mqsc], target: {platform: zos}}]\n"
    )
    assert "wrong-platform" not in mqlint("check", "a.mqsc").output
    assert "wrong-platform" not in mqlint("check", "a.mqsc", "--target", "9.4").output
    for target in ("9.4.0/linux", "/linux", "940/LINUX"):
        done = mqlint("check", "a.mqsc", "--target", target)
        assert "platform" in done.output
        assert done.exit_code == 1


def test_exit_zero(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text(TEXT)
    done = mqlint("check", "a.mqsc", "--exit-zero", "--min-coverage", "100")
    assert done.exit_code == 0
    assert "2 errors" in done.output
    assert mqlint("check", "--exit-zero", "gone.mqsc").exit_code == 2


def test_too_little_understood(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text(TEXT + "DEFINE QLOCAL(ORDERS.DONE)\n")
    least = ("--fail-on", "never", "--min-coverage")
    assert mqlint("check", "a.mqsc", *least, "33").exit_code == 0
    done = mqlint("check", "a.mqsc", *least, "33.5")
    assert done.exit_code == 1
    assert (
        done.stderr == "mqlint: 1 of 3 commands understood (33.3 %), --min-coverage requires 33.5 %"
        "\n"
    )


def test_no_commands_are_no_shortfall(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text("* nothing yet\n")
    assert mqlint("check", "a.mqsc", "--min-coverage", "100").exit_code == 0


def test_quiet(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text(TEXT)
    (project / "b.mqsc").write_text("DEFINE QLOCAL(ORDERS.DONE)\n")
    assert "2 errors in" not in mqlint("check", "a.mqsc", "--quiet").output
    assert "a.mqsc:2:8 error" in mqlint("check", "a.mqsc", "-q").output
    assert mqlint("check", "b.mqsc", "-q").output == ""


def test_sarif_and_annotations_from_a_folder_of_the_checkout(mqlint: Mqlint, project: Path) -> None:
    (project / ".git").mkdir()
    (project / "mq").mkdir()
    (project / "mq" / "mqlint.yaml").write_text("")
    (project / "mq" / "a.mqsc").write_text(TEXT)
    done = mqlint("check", "mq/a.mqsc", "--format", "github", "--format", "sarif=out.sarif")
    assert done.exit_code == 1
    assert done.stdout.startswith("::error file=mq/a.mqsc,line=2,endLine=2,col=8,endColumn=15,")
    (run,) = json.loads((project / "out.sarif").read_text())["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "mq/a.mqsc", "uriBaseId": "%SRCROOT%"}
    assert run["invocations"][0]["exitCode"] == 1


def test_comments_in_files_suppress_and_are_counted(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text(f"* mqlint: ignore[{ATTRIBUTE},VOC001] agreed\n" + TEXT)
    done = mqlint("check", "a.mqsc", "--ignore", COMMAND)
    assert done.exit_code == 0
    assert "1 finding ignored by comments in the files (--no-ignores shows them)." in done.output
    data = json.loads(mqlint("check", "a.mqsc", "--format", "json").stdout)
    assert data["coverage"]["ignored"] == 1
    assert [load["name"] for load in data["findings"]] == ["ignore-unused", COMMAND]
    done = mqlint("check", "a.mqsc", "--no-ignores", "--format", "json")
    names = [load["name"] for load in json.loads(done.stdout)["findings"]]
    assert names == [ATTRIBUTE, COMMAND]
    assert done.exit_code == 1


WRONG_PLACES = {
    "severity:\n  VOC001: off\n  VOC01: off\n": "mqlint.yaml:3:3: severity: rule 'VOC01'",
    "policies: [own, gone]\n": "mqlint.yaml:1:11: policies that do not exist: own, gone",
    "baseline: gone.json\n": "mqlint.yaml:1:11: cannot read gone.json: no such file",
}


@pytest.mark.parametrize("text", WRONG_PLACES)
def test_wrong_names_in_the_file_have_their_place(mqlint: Mqlint, project: Path, text: str) -> None:
    (project / "a.mqsc").write_text(TEXT)
    (project / "mqlint.yaml").write_text(text)
    done = mqlint("check", "a.mqsc")
    assert done.exit_code == 2
    assert WRONG_PLACES[text] in done.stderr
