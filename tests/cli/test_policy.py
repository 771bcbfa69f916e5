"""`mqlint policy`: what an author of policies is told, and asked."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from mqlint.config.reader import read_yaml
from tests.cli.conftest import Mqlint

FOLDER = "mine"
DEPTHS = "DEFINE QLOCAL(APP.A) MAXDEPTH(999)\nDEFINE QLOCAL(APP.B) MAXDEPTH(2000)\n"


@pytest.fixture
def begun(mqlint: Mqlint, project: Path) -> Path:
    """The file of a policy that was just begun, in a project with a configuration."""
    (project / FOLDER).mkdir()
    (project / "mqlint.yaml").write_text(f"policies: [{FOLDER}]\n")
    (project / "q.mqsc").write_text(DEPTHS)
    assert mqlint("policy", "new", "OWN002").exit_code == 0
    return project / FOLDER / "OWN002.yaml"


def test_what_is_begun_passes_its_cases_and_judges(mqlint: Mqlint, begun: Path) -> None:
    tested = mqlint("policy", "test", str(begun))
    assert tested.exit_code == 0
    assert "1 rule, 4 cases: all passed" in tested.stdout
    assert "queue APP.A has MAXDEPTH(999), less than 1000" in mqlint("check", "q.mqsc").stdout


@pytest.mark.parametrize("config", ["", "policies: [mine]\n"])
def test_what_is_printed_next_runs_the_policy(mqlint: Mqlint, project: Path, config: str) -> None:
    (project / FOLDER).mkdir()
    (project / "mqlint.yaml").write_text(config)
    (project / "q.mqsc").write_text(DEPTHS)
    printed = mqlint("policy", "new", "OWN003").stdout
    test, check = printed.partition("next: ")[2].strip().split(", then ")
    assert mqlint(*test.split()[1:]).exit_code == 0
    assert "queue APP.A has MAXDEPTH(999)" in mqlint(*check.split()[1:]).stdout


def test_nothing_is_written_over(mqlint: Mqlint, begun: Path) -> None:
    (begun.parents[1] / "mqlint.yaml").unlink()
    begun.write_text("# a draft\n")
    again = mqlint("policy", "new", "OWN002", "--folder", FOLDER)
    assert (again.exit_code, begun.read_text()) == (2, "# a draft\n")
    assert "already exists; nothing was written" in again.stderr


@pytest.mark.parametrize(
    ("word", "said"), [("own2", "is not an id"), ("CHN001", "is taken by another")]
)
def test_an_id_that_cannot_be(mqlint: Mqlint, word: str, said: str) -> None:
    done = mqlint("policy", "new", word)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.slow
def test_the_schema_beside_a_policy_is_named_in_it(mqlint: Mqlint, begun: Path) -> None:
    text = mqlint("policy", "schema").stdout
    begun.with_name("policy.schema.json").write_text(text)
    assert mqlint("policy", "new", "OWN005").exit_code == 0
    written = begun.with_name("OWN005.yaml").read_text()
    assert written.startswith("# yaml-language-server: $schema=policy.schema.json\nid: OWN005\n")
    jsonschema.validate(read_yaml(written, "x").plain(), json.loads(text))


def test_show_tells_what_is_understood(mqlint: Mqlint, begun: Path) -> None:
    shown = mqlint("policy", "show", "name-of-the-rule").stdout
    assert 'match       {name: {like: "APP.*"}}' in shown
    assert "{MAXDEPTH: {ge: 1000}}" in shown
    assert "4 cases, 3 without findings" in shown
    compiled = json.loads(mqlint("policy", "show", "OWN002", "--format", "json").stdout)
    assert compiled["match"] == {"name": {"like": "APP.*"}}
    assert compiled["cases"] == 4
    assert "did you mean 'OWN002'?" in mqlint("policy", "show", "OWN02").stderr


def test_parameters_are_set_by_the_configuration(mqlint: Mqlint, begun: Path) -> None:
    config = begun.parents[1] / "mqlint.yaml"
    config.write_text(f"policies: [{FOLDER}]\nparameters: {{OWN002: {{least: 3000}}}}\n")
    assert "less than 3000" in mqlint("check", "q.mqsc").stdout
    for command in (("policy", "show"), ("explain",)):
        told = mqlint(*command, "OWN002").stdout
        assert "least: 3000 (integer, default 1000): the smallest MAXDEPTH" in told


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (
            "{OWN02: {least: 1}}",
            "2:29: parameters: rule 'OWN02' does not exist: did you mean 'OWN002'",
        ),
        ("{OWN002: {leats: 1}}", "2:30: parameters: OWN002 has no parameter 'leats': did you mean"),
        ("{OWN002: {least: '1'}}", "2:30: parameters: OWN002 least: expected a whole number"),
        ("{CHN001: {least: 1}}", "2:30: parameters: CHN001 has no parameters"),
        ("{OWN002: 5}", "2:22: expected 'key: value' pairs"),
    ],
)
def test_a_parameter_that_is_wrong(mqlint: Mqlint, begun: Path, parameters: str, said: str) -> None:
    config = begun.parents[1] / "mqlint.yaml"
    config.write_text(f"policies: [{FOLDER}]\nparameters: {parameters}\n")
    for command in (("check", "q.mqsc"), ("policy", "list")):
        done = mqlint(*command)
        assert done.exit_code == 2
        assert f"mqlint.yaml:{said}" in done.stderr


def test_check_counts_what_policies_are_about(mqlint: Mqlint, begun: Path) -> None:
    assert ", 1 of your own" in mqlint("policy", "check").stdout
    text = mqlint("policy", "check", "q.mqsc").stdout
    assert "       2  OWN002  name-of-the-rule" in text
    idle = text.partition("about nothing here")[2]
    assert "CHN001" in idle
    assert "OWN002" not in idle
    told = json.loads(mqlint("policy", "check", "q.mqsc", "--format", "json").stdout)
    assert (told["own"], told["matched"]["OWN002"], told["matched"]["CHN001"]) == (1, 2, 0)


def test_a_thing_that_two_files_describe_counts_once(mqlint: Mqlint, begun: Path) -> None:
    (begun.parents[1] / "mqlint.yaml").write_text(
        f"policies: [{FOLDER}]\nqueue_managers: '{{queue_manager}}/*'\n"
    )
    for name in ("QMA/a.mqsc", "QMA/b.mqsc", "QMB/a.mqsc"):
        path = begun.parents[1] / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("DEFINE QLOCAL(APP.A) REPLACE\n")
    told = json.loads(mqlint("policy", "check", "QMA", "QMB", "--format", "json").stdout)
    assert told["matched"]["OWN002"] == 2


def test_a_policy_that_does_not_load_is_said_with_its_place(mqlint: Mqlint, begun: Path) -> None:
    begun.write_text(begun.read_text().replace("MAXDEPTH: {ge", "MAXDEPHT: {ge"))
    done = mqlint("policy", "check")
    assert done.exit_code == 2
    assert "OWN002.yaml:18:16: qlocal has no attribute 'MAXDEPHT': did you mean" in done.stderr


def test_the_examples_pass_their_cases(mqlint: Mqlint) -> None:
    folder = Path(__file__).parents[2] / "examples" / "policies"
    assert mqlint("policy", "test", str(folder)).exit_code == 0


def test_evidence_is_claimed_only_where_the_policy_states_it(mqlint: Mqlint, begun: Path) -> None:
    assert "evidence" not in mqlint("explain", "OWN002").stdout
    text = begun.read_text()
    begun.write_text(text.replace("confidence:", "evidence: document\nconfidence:", 1))
    assert "IBM's documentation" in mqlint("explain", "OWN002").stdout
