"""`mqlint check`, from files to exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

CLEAN = "DEFINE QLOCAL(ORDERS.IN) REPLACE MAXDEPTH(20000)\n"
MISSPELT = "DEFINE QLOCAL(ORDERS.IN) REPLACE +\n       MAXDEPHT(20000)\n"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_mqsc", ".mqsc").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_clean_file_is_one_line(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    done = mqlint("check", "a.mqsc")
    assert done.exit_code == 0
    assert done.output == (
        "No findings: 1 file checked; 1 command, all understood.\n"
        "7 rules need `sites` in mqlint.yaml (see --verbose).\n"
        "next: mqlint config init\n"
    )
    (project / "mqlint.yaml").write_text("fail_on: error\n")
    assert "next:" not in mqlint("check", "a.mqsc").output


def test_a_site_of_dr_has_rules_for_its_test(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    advice = "next: mqlint check --profile dr-test\n"
    (project / "mqlint.yaml").write_text("sites: {leeds: {role: production}, derby: {role: dr}}\n")
    assert mqlint("check", "a.mqsc").output.endswith(advice)
    assert advice not in mqlint("check", "a.mqsc", "--profile", "dr-test").output
    own = "profiles: {drill: {extends: dr-test}}\n"
    (project / "mqlint.yaml").write_text(f"sites: {{derby: {{role: dr}}}}\n{own}")
    assert advice not in mqlint("check", "a.mqsc").output
    (project / "mqlint.yaml").write_text("sites: {leeds: {role: production}}\n")
    assert advice not in mqlint("check", "a.mqsc").output


def test_mistake_is_shown_at_its_tokens(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=MISSPELT)
    done = mqlint("check", "a.mqsc")
    assert done.exit_code == 1
    assert "a.mqsc:2:8 error " in done.output
    assert "  2 |        MAXDEPHT(20000)\n    |        ^^^^^^^^\n" in done.output


def test_default_is_this_folder(mqlint: Mqlint, project: Path) -> None:
    written(project, deep__a_mqsc=MISSPELT)
    assert "deep/a.mqsc:2:8" in mqlint("check").output


@pytest.mark.slow
def test_processes_make_no_difference(mqlint: Mqlint, project: Path) -> None:
    written(project, **{f"q{n}__a_mqsc": MISSPELT for n in range(40)})
    alone, together = (mqlint("check", "--jobs", n, "--format", "json") for n in "12")
    assert alone.output == together.output
    assert len(json.loads(alone.output)["findings"]) == 40


def test_all_prints_each_finding(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc="".join(MISSPELT.replace(".IN", f".IN{n}") for n in range(9)))
    assert mqlint("check", "a.mqsc").output.count("unknown-attribute") == 1
    assert mqlint("check", "--all", "a.mqsc").output.count("unknown-attribute") == 9


def test_pattern_is_expanded(mqlint: Mqlint, project: Path) -> None:
    written(project, one__a_mqsc=MISSPELT, two__b_mqsc=MISSPELT)
    output = mqlint("check", "*/a.mqsc").output
    assert "one/a.mqsc:2:8" in output
    assert "two/b.mqsc" not in output


@pytest.mark.parametrize(
    ("threshold", "status"), [("note", 1), ("warning", 1), ("error", 1), ("never", 0)]
)
def test_threshold(mqlint: Mqlint, project: Path, threshold: str, status: int) -> None:
    written(project, a_mqsc=MISSPELT)
    assert mqlint("check", "--fail-on", threshold, "a.mqsc").exit_code == status


def test_several_formats_in_one_run(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=MISSPELT)
    done = mqlint("check", "a.mqsc", "--format", "text", "--format", "json=out.json")
    found = json.loads((project / "out.json").read_text())["findings"][0]
    assert (found["path"], found["start"]) == ("a.mqsc", {"line": 2, "column": 8})
    assert found["message"] in done.output.replace("\n  ", " ")


def test_two_formats_on_standard_output_are_a_usage_error(mqlint: Mqlint, project: Path) -> None:
    done = mqlint("check", "--format", "text", "--format", "json")
    assert done.exit_code == 2
    assert "only one format can go to standard output" in done.stderr


def test_file_that_cannot_be_written_is_named(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    done = mqlint("check", "a.mqsc", "--format", "json=no/such/out.json")
    assert done.exit_code == 2
    assert "cannot write no/such/out.json: no such file or directory" in done.stderr


def test_paths_that_are_not_there_are_all_named(mqlint: Mqlint, project: Path) -> None:
    done = mqlint("check", "gone.mqsc", "lost\x1b[31m")
    assert done.exit_code == 2
    assert "no such file or folder: gone.mqsc, lost\\x1b[31m" in done.stderr


def test_folders_with_nothing_to_check(mqlint: Mqlint, project: Path) -> None:
    written(project, docs__a_txt="Dear reader,\n")
    done = mqlint("check", "docs")
    assert done.exit_code == 3
    assert "no file was recognised" in done.stderr
    (project / "docs/a.txt").unlink()
    done = mqlint("check", "docs")
    assert done.exit_code == 3
    assert "the searched folders have no files" in done.stderr


def test_a_configuration_with_another_ending(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc="DEFINE QLOCAL(A)\n")
    (project / "mqlint.yaml").unlink(missing_ok=True)
    (project / "mqlint.yml").write_text("sites: {}\n")
    assert "next: mv mqlint.yml mqlint.yaml\n" in mqlint("check").stdout


def test_empty_folder(mqlint: Mqlint, project: Path) -> None:
    assert mqlint("check").exit_code == 3


def test_standard_input(mqlint: Mqlint, project: Path) -> None:
    done = mqlint("check", "-", "--stdin-filename", "prod/a.mqsc", stdin=MISSPELT)
    assert done.exit_code == 1
    assert "prod/a.mqsc:2:8 error" in done.output


def test_standard_input_without_a_name(mqlint: Mqlint, project: Path) -> None:
    assert "-:2:8 error" in mqlint("check", "-", stdin=MISSPELT).output


def test_name_without_standard_input_is_a_usage_error(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    assert mqlint("check", "a.mqsc", "--stdin-filename", "b.mqsc").exit_code == 2


def test_standard_input_takes_the_place_of_the_file(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=MISSPELT)
    (project / "mqlint.yaml").write_text("")
    done = mqlint("check", "-", "--stdin-filename", "a.mqsc", stdin=CLEAN)
    assert (done.exit_code, done.output.split(":")[0]) == (0, "No findings")


def test_configuration_is_found_upward_and_is_the_root(mqlint: Mqlint, project: Path) -> None:
    written(project, prod__a_mqsc=MISSPELT)
    (project / "mqlint.yaml").write_text("fail_on: note\n")
    assert "relative" not in mqlint("check", "prod/a.mqsc").output
    os.chdir(project / "prod")
    output = mqlint("check", "a.mqsc").output
    assert "prod/a.mqsc:2:8" in output
    assert f"paths are relative to {project}" in output


def test_configuration_that_is_named(mqlint: Mqlint, project: Path) -> None:
    written(project, prod__a_mqsc=MISSPELT)
    (project / "other.yaml").write_text("exclude: [prod/**]\n")
    assert mqlint("check", "--config", "other.yaml").exit_code == 3


def dump(queue_manager: str) -> str:
    header = (
        f"* Script generated on 2026-05-04   at 02.00.00\n* Queue manager name: {queue_manager}\n"
    )
    return header + "DEFINE CHANNEL(ORDERS.HUB) CHLTYPE(CLUSRCVR) CLUSTER(ORDERS) CONNAME(A)\n"


@pytest.mark.parametrize(("place", "compared"), [("home/dr", True), ("elsewhere/dr", False)])
def test_named_files_are_judged_with_the_project_they_are_in(
    mqlint: Mqlint,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    compared: bool,
) -> None:
    (project / "home/.git").mkdir(parents=True)
    written(project, home__prod__a_mqsc=dump("PRDHUB1"))
    written(project / place, b_mqsc=dump("DRSHUB1"))
    monkeypatch.chdir(project / "home")
    done = mqlint("check", str(project / place / "b.mqsc"), "--select", "DR001")
    assert ("DR001 shared-" in done.output) is compared
    assert "a.mqsc:2" not in done.output.split("see:")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sitez: {}\n", "mqlint.yaml:1:1: unknown key 'sitez': did you mean 'sites'?"),
        ("fail_on: eror\n", "mqlint.yaml:1:10: found 'eror': did you mean 'error'?"),
        ("sites: [\n", "mqlint.yaml:"),
        ("profiles: [prodction]\n", "mqlint.yaml:1:12: found 'prodction': did you mean"),
        ("severity: {XYZ999: off}\n", "rule 'XYZ999'"),
        ("policies: [nowhere]\n", "policies that do not exist"),
    ],
)
def test_wrong_configuration_is_said_with_its_place(
    mqlint: Mqlint, project: Path, text: str, said: str
) -> None:
    written(project, a_mqsc=CLEAN)
    (project / "mqlint.yaml").write_text(text)
    done = mqlint("check", "a.mqsc")
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_profile_is_refused(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    done = mqlint("check", "a.mqsc", "--profile", "prodction")
    assert done.exit_code == 2
    assert "did you mean 'production'?" in done.stderr


def test_wrong_policy_is_said_with_its_place(mqlint: Mqlint, project: Path) -> None:
    written(project, a_mqsc=CLEAN)
    (project / "own.yaml").write_text("id: OWN001\nsumary: x\n")
    done = mqlint("check", "a.mqsc", "--policies", "own.yaml")
    assert done.exit_code == 2
    assert "own.yaml:2:1: unknown key 'sumary': did you mean 'summary'?" in done.stderr


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, bytes(range(256)) * 9, b"\xff\xfeD\0E\0", b"DEF QL('" * 999]
)
def test_any_bytes_end_without_a_traceback(mqlint: Mqlint, project: Path, data: bytes) -> None:
    (project / "a.mqsc").write_bytes(data)
    done = mqlint("check", "a.mqsc", "--format", "json")
    assert done.exit_code in (0, 1)
    assert json.loads(done.stdout)["version"] == 1


@pytest.mark.parametrize(
    "command",
    [
        "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASWORD('swordfish') XMITQ(B) CONNAME('b.example')",
        "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASSWORD('swordfish XMITQ(B) CONNAME('b.example')",
        "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) PASSWORD('swordfish')",
        "ALTER AUTHINFO(A) AUTHTYPE(IDPWLDAP) LDAPPWD(swordfishswordfishswordfishswordfish)",
        "ALTER QMGR SSLCRYP('swordfish') SSLCRYP('swordfish')",
    ],
)
def test_no_report_holds_a_secret(mqlint: Mqlint, project: Path, command: str) -> None:
    written(project, a_mqsc=f"{command}\n")
    for form in ("text", "json"):
        assert "swordfish" not in mqlint("check", "a.mqsc", "--format", form).output.casefold()


@pytest.mark.slow
def test_warm_check_loads_neither_yaml_nor_rich(project: Path, cache: Path) -> None:
    written(project, a_mqsc=MISSPELT)
    code = (
        "import sys\nfrom mqlint.cli import main\n"
        "try: main(['check', 'a.mqsc'])\nexcept SystemExit as end: assert end.code == 1\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    environment = {**os.environ, "MQLINT_CACHE_DIR": str(cache)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
    heavy = {"yaml", "rich", "pyspark", "difflib", "shutil"}
    heavy |= {f"mqlint.report.{one}" for one in ("sarif", "github", "json", "markdown")}
    heavy |= {"mqlint.report.html", "mqlint.report.topology", "mqlint.cli.check.topology"}
    heavy |= {
        "mqlint.cli.show",
        "mqlint.cli.config.command",
        "mqlint.engine.document.comments",
        "mqlint.engine.document.outline",
        "mqlint.engine.judgement.suppressions",
        "mqlint.language.cl.parser",
        "mqlint.vocabulary.cl",
        "mqlint.vocabulary.control",
        "mqlint.chlauth.address",
        "mqlint.language.notes.reader",
        "mqlint.language.script.command",
        "mqlint.language.script.step",
        "mqlint.language.script.unread.unfollowed",
        "mqlint.engine.assembly.called",
        "mqlint.model.facts.application.cipher",
        *(f"mqlint.model.facts.queue_manager.{one}" for one in ("availability", "folder", "log")),
        "mqlint.model.facts.queue_manager.channel_limit",
        *(f"mqlint.model.facts.routing.{one}" for one in ("local_ports", "pair", "trigger")),
        "mqlint.model.facts.routing.topic_tree",
        "mqlint.model.facts.security.security_policy",
        "mqlint.model.procedure.held",
        "mqlint.source.secrets.functions",
        "mqlint.validity.distinguished_name",
    }
    assert heavy & set(done.stderr.split()) == set()
