"""What a scan tells an auditor: what was not read, the register, teams, rules and exceptions."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("duckdb")

from mqlint.cli import main
from mqlint.estate.history.store import latest
from mqlint.estate.query.answering import answer
from mqlint.estate.query.limits import Limits
from tests.estate.estates import as_mirror
from tests.files import git, write
from tests.shipped import shipped_rulebook

pytestmark = pytest.mark.slow

QUEUE = "DEFINE QLOCAL({0})\n"
SITES = 'sites: {leeds: {role: production, paths: ["**"]}}\nqueue_managers: "{queue_manager}/*"\n'
WAIVERS = """\
waivers:
  - {rule: VOC002, object: WAIVED, owner: payments, reason: an exit reads it, ticket: MQ-1}
"""


def scan(place: Path, estate: str, *words: str) -> Result:
    """A scan of an estate in a file, into `out` beside it."""
    (place / "estate.yaml").write_text(estate)
    command = ["estate", "scan", str(place / "estate.yaml"), "--out", str(place / "out")]
    runner = CliRunner(env={"COLUMNS": "1000"})
    return runner.invoke(main, [*command, "--engine=process", "--quiet", *words])


def asked(place: Path, question: str) -> list[dict[str, Any]]:
    out = place / "out"
    with answer(out, latest(out), question, Limits()) as result:
        return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    files = {"mqlint.yaml": SITES, "PRDPAY1/a.mqsc": QUEUE.format("A")}
    write(tmp_path / "pay", files)
    write(tmp_path / "web", {"mqlint.yaml": SITES, "PRDWEB1/a.mqsc": QUEUE.format("A")})
    return tmp_path


def test_repositories_that_were_not_read_whole_come_first(place: Path) -> None:
    with (place / "pay" / "PRDPAY1" / "b.mqsc").open("w") as large:
        large.truncate(65 << 20)
    done = scan(place, "repositories: [pay, web, gone]\n", "--fail-on=never")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:2] == [
        "not read whole: gone: no such file or folder",
        next(line for line in done.stdout.splitlines() if "read whole: pay" in line),
    ]
    assert "pay: 1 of 3 files: pay/PRDPAY1/b.mqsc: " in done.stdout.splitlines()[1]
    rows = asked(place, "SELECT repository, read_status, fault FROM repositories ORDER BY 1")
    assert [(row["repository"], row["read_status"]) for row in rows] == [
        ("gone", "unread"),
        ("pay", "partial"),
        ("web", "whole"),
    ]
    assert rows[0]["fault"] == "no such file or folder"


def test_a_fault_is_in_the_summary_once(place: Path) -> None:
    (place / "web" / "mqlint.yaml").write_text("sites: 5\n")
    printed = scan(place, "repositories: [pay, web, gone]\n", "--fail-on=never").stdout
    assert printed.count("gone: ") == 1
    assert printed.count("web/mqlint.yaml:1:") == 1
    assert "unreadable: web/PRDWEB1/a.mqsc: " in printed


def test_settings_without_effect_are_said(place: Path) -> None:
    files = {"mqlint.yaml": "fail_on: error\n", "lib/mqlint.yaml": "fail_on: error\n"}
    as_mirror(place / "web.git", files)
    estate = "repositories: [pay, {path: web.git, name: web}]\n"
    printed = scan(place, estate, "--fail-on=never").stdout
    assumed = [line for line in printed.splitlines() if line.startswith("assumed: ")]
    note = "a scan does not apply lib/mqlint.yaml: it applies the settings of folders on a disk"
    assert assumed == [f"assumed: web: {note}"]
    rows = asked(place, "SELECT repository, fault FROM repositories ORDER BY 1")
    assert [row["fault"] for row in rows] == [None, note]


@pytest.mark.parametrize("inner", ["web/lib", "web/lib/../lib", "./web/lib/"])
def test_what_is_named_on_its_own_is_judged_by_its_own_settings(place: Path, inner: str) -> None:
    wrong = {"QM1/b.mqsc": "DEFINE QLOCAL(B) MAXDEPHT(5)\n"}
    write(place / "web" / "lib", {"mqlint.yaml": SITES + "ignore: [VOC002]\n", **wrong})
    write(place / "web", wrong)
    estate = f"repositories: [pay, web, {{path: {inner}, name: web-lib}}]\n"
    assert "assumed: " not in scan(place, estate, "--fail-on=never").stdout
    found = asked(place, "SELECT repository, path FROM findings WHERE rule = 'VOC002'")
    assert found == [{"repository": "web", "path": "web/QM1/b.mqsc"}]
    files = asked(place, "SELECT path FROM files WHERE path LIKE '%/QM1/b.mqsc' ORDER BY 1")
    assert [row["path"] for row in files] == ["web-lib/QM1/b.mqsc", "web/QM1/b.mqsc"]


@pytest.mark.parametrize("estate", ["../estate", "../estate/estate.yaml"])
def test_paths_with_dots_mean_the_same(
    estate: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"mqlint.yaml": SITES, "PRDWEB2/a.mqsc": QUEUE.format("A")}
    top = write(place / "estate", {"pay/mqlint.yaml": SITES, "estate.yaml": "", "out/x": ""})
    write(top / "pay", files)
    write(top / "web", files)
    (top / "estate.yaml").write_text("repositories: [../estate/pay, '../estate/w*']\n")
    monkeypatch.chdir(top)
    for _ in range(2):
        words = ["--engine=process", "--quiet", "--fail-on=never", "--out", "../estate/out"]
        done = CliRunner().invoke(main, ["estate", "scan", estate, *words])
        assert done.exit_code == 0, done.output
    assert [row["path"] for row in asked(top, "SELECT path FROM files ORDER BY 1")] == [
        *(["estate.yaml/estate.yaml"] if estate == "../estate" else []),
        *("pay/PRDWEB2/a.mqsc", "pay/mqlint.yaml", "web/PRDWEB2/a.mqsc", "web/mqlint.yaml"),
    ]
    assert asked(top, "SELECT queue_manager FROM objects") == [{"queue_manager": "PRDWEB2"}]


def test_equal_settings_of_repositories_are_listed_once(place: Path) -> None:
    for name in ("pay", "web"):
        (place / name / "mqlint.yaml").write_text(SITES + "profiles: [audit]\n")
    printed = scan(place, "repositories: [pay, web]\n", "--fail-on=never").stdout
    assert "in force:\n  profile: audit (pay, web)\n" in printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("password: hunter2\n", "estate.yaml:1:1: no known key"),
        ("password: [hunter2\n", "estate.yaml:2:1: not valid YAML"),
        ("repositoris: [hunter2]\n", "unknown key 'repositoris': did you mean 'repositories'?"),
    ],
)
def test_a_file_of_another_kind_is_not_quoted(place: Path, text: str, message: str) -> None:
    printed = scan(place, text).output
    assert message in printed
    assert "hunter2" not in printed


def test_what_git_does_not_tell_is_said(place: Path) -> None:
    git("init", "--quiet", cwd=place / "pay")
    git("add", "--all", cwd=place / "pay")
    git("commit", "--quiet", "--message=x", cwd=place / "pay")
    web = place / "web"
    git("init", "--quiet", cwd=web)
    git("submodule", "--quiet", "add", place / "pay", "lib", cwd=web)
    git("commit", "--quiet", "--message=x", cwd=web)
    git("submodule", "--quiet", "deinit", "--force", "lib", cwd=web)
    git("clone", "--quiet", "--bare", web, "mirror.git", cwd=place)
    (place / "pay" / ".git" / "HEAD").unlink()
    printed = scan(place, "repositories: [pay, web, mirror.git]\n", "--fail-on=never").stdout
    assumed = [line for line in printed.splitlines() if line.startswith("assumed: ")]
    unread = "files of these submodules are not read: lib"
    assert f"assumed: mirror: {unread}" in assumed
    assert f"assumed: web: {unread}" in assumed
    assert any("assumed: pay: Git cannot list the files, so those" in line for line in assumed)
    rows = asked(place, "SELECT repository, read_status, fault FROM repositories ORDER BY 1")
    assert [row["read_status"] for row in rows] == ["whole"] * 3
    assert [row["fault"] for row in rows[::2]] == [unread] * 2
    assert "Git cannot list the files" in str(rows[1]["fault"])


def test_an_estate_whose_paths_do_not_exist_is_read_by_any_engine(place: Path) -> None:
    """Without `--engine`, sizes of files decide; `scan` of these tests names an engine."""
    (place / "estate.yaml").write_text("repositories: [pay, gone]\n")
    words = ("estate", "scan", str(place / "estate.yaml"), "--out", str(place / "out"), "--quiet")
    done = CliRunner().invoke(main, [*words, "--no-cache", "--fail-on=never"])
    assert (done.exit_code, "not read whole: gone: no such file" in done.stdout) == (1, True)


def test_gate_is_not_passed_unread(place: Path) -> None:
    assert scan(place, "repositories: [pay, gone]\n", "--exit-zero").exit_code == 0
    words = ("--exit-zero", "--fail-on-unreadable")
    assert scan(place, "repositories: [pay, gone]\n", *words).exit_code == 1
    assert scan(place, "repositories: [pay]\n", *words).exit_code == 0


def test_coverage_below_the_least_share_fails(place: Path) -> None:
    (place / "pay" / "PRDPAY1" / "c.mqsc").write_text("DEFIN QLOKAL(X)\n")
    words = ("--fail-on=never", "--min-coverage")
    done = scan(place, "repositories: [pay]\n", *words, "90")
    assert done.exit_code == 1
    assert "1 of 2 commands understood (50.0 %), --min-coverage requires 90 %" in done.stderr
    assert scan(place, "repositories: [pay]\n", *words, "50").exit_code == 0


REGISTER = "queue_manager,site,owner\nPRDPAY1,leeds,us\nPRDGONE,leeds,us\n"


def test_register_and_repositories_are_compared(place: Path) -> None:
    (place / "qmgrs.csv").write_text(REGISTER)
    estate = "inventory: qmgrs.csv\nrepositories: [pay, web]\n"
    done = scan(place, estate, "--fail-on=warning", "--no-tables")
    assert done.exit_code == 1
    found = asked(place, "SELECT rule, repository, path, line, queue_manager FROM findings")
    assert [tuple(row.values()) for row in found if row["rule"].startswith("FIL")] == [
        ("FIL002", "", "qmgrs.csv", 3, "PRDGONE"),
        ("FIL003", "web", "web/PRDWEB1/a.mqsc", 1, "PRDWEB1"),
    ]
    rows = asked(
        place,
        "SELECT queue_manager, is_registered, is_described FROM inventory ORDER BY queue_manager",
    )
    assert [tuple(row.values()) for row in rows] == [
        ("PRDGONE", True, False),
        ("PRDPAY1", True, True),
        ("PRDWEB1", False, True),
    ]
    (scanned,) = asked(place, "SELECT inventory_digest FROM scans")
    assert len(scanned["inventory_digest"]) == 64


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\nA\n", "qmgrs.csv:1:1: the column 'queue_manager' is missing"),
        ("Name;Site\nA;x\n", "is missing: the header has 'Name' or 'Site'"),
        ("root:hush:1\n", "1:1: the column 'queue_manager' is missing\n"),
        (
            "queue_manager,Queue Manager\nA,B\n",
            "qmgrs.csv:1:1: the column 'queue_manager' is there",
        ),
        ("PK\x03\x04", "qmgrs.csv: it is a workbook, save it as CSV"),
        ("", "qmgrs.csv:1:1: the column 'queue_manager' is missing"),
        (f"queue_manager\n\nA\n{'B' * 140_000}\n", "qmgrs.csv:4:1: a value is too long"),
        ('queue_manager\nA\n"B\nC\n', "qmgrs.csv:3:1: a quotation mark is not closed"),
        ('queue_manager\n"A"B\n', "qmgrs.csv:2:1: a quotation mark is in the middle"),
    ],
)
def test_register_that_is_wrong_is_refused(place: Path, text: str, said: str) -> None:
    (place / "qmgrs.csv").write_text(text)
    done = scan(place, "inventory: qmgrs.csv\nrepositories: [pay]\n")
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


AS_EXCEL = 'Site;QUEUE MANAGER;Owner\r\nKöln;PRDPAY1;us\r\n;;\r\nleeds;PRDGONE;"a\r\nb"\r\n'


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (AS_EXCEL.encode("utf-8-sig"), ""),
        (AS_EXCEL.encode("cp1252"), "cp1252"),
        (AS_EXCEL.encode("latin-1") + b"\x81;C1;\r\n", "latin-1"),
        (AS_EXCEL.replace(";", "\t").encode("utf-16"), ""),
        (("\r\n" + AS_EXCEL).encode(), ""),
        (("sep=;\r\n" + AS_EXCEL).encode(), ""),
    ],
)
def test_register_is_read_as_spreadsheets_write_it(place: Path, data: bytes, encoding: str) -> None:
    (place / "qmgrs.csv").write_bytes(data)
    done = scan(place, "inventory: qmgrs.csv\nrepositories: [pay]\n", "--exit-zero", "--no-tables")
    note = f"qmgrs.csv is not UTF-8, it was read as {encoding}"
    assert (note in done.stdout) == bool(encoding), done.output
    first = data.decode(encoding or "utf-16" if b"\0" in data else "latin-1").count("\n")
    rows = asked(place, "SELECT * FROM inventory WHERE is_registered ORDER BY queue_manager DESC")
    assert [row["queue_manager"] for row in rows][:2] == ["PRDPAY1", "PRDGONE"]
    assert rows[0]["registered_site"] == "Köln"
    last = first - (b"C1" in data)
    assert [row["register_line"] for row in rows][:2] == [last - 3, last - 1]
    (scanned,) = asked(place, "SELECT inventory_digest FROM scans")
    assert scanned["inventory_digest"] == sha256(data).hexdigest()


def test_line_that_repeats_another_one_is_a_finding(place: Path) -> None:
    (place / "qmgrs.csv").write_text("queue_manager,site\nPRDPAY1,leeds\n\nPRDPAY1,leeds\n")
    done = scan(place, "inventory: qmgrs.csv\nrepositories: [pay]\n", "--exit-zero")
    assert done.exit_code == 0
    found = asked(place, "SELECT rule, path, line, message FROM findings WHERE theme = 'files'")
    said = "queue manager PRDPAY1 is in the register twice: line 2 lists it already"
    assert [tuple(row.values()) for row in found] == [("FIL004", "qmgrs.csv", 4, said)]
    rows = asked(place, "SELECT queue_manager, register_line FROM inventory")
    assert [tuple(row.values()) for row in rows] == [("PRDPAY1", 2)]


def test_long_value_in_a_list_of_teams_is_refused(place: Path) -> None:
    (place / "a.csv").write_text(f"pattern,team\n{'B' * 140_000},all\n")
    done = scan(place, "teams: a.csv\nrepositories: [pay]\n")
    assert (done.exit_code, "a.csv:2:1: a value is too long" in done.stderr) == (2, True)


OWNERS = "# who\n* @mq/all\n\n[Section]\n/pay/ @mq/pay @mq/second\n*.ini\nPRDWEB1/ @mq/web # end\n"


@pytest.mark.parametrize(
    ("name", "text", "teams"),
    [
        ("CODEOWNERS", OWNERS, {"pay": "@mq/pay @mq/second", "web": "@mq/web"}),
        ("a.csv", "pattern,team\n**,all\nweb/**,web\n", {"pay": "all", "web": "web"}),
        ("a.csv", "pattern,team\nweb/**,web\n**,all\npay,\n", {"pay": None, "web": "all"}),
    ],
)
def test_last_pattern_gives_the_team(
    place: Path, name: str, text: str, teams: dict[str, str]
) -> None:
    (place / name).write_text(text)
    scan(place, f"teams: {name}\nrepositories: [{{path: pay, team: own}}, web]\n", "--exit-zero")
    rows = asked(place, "SELECT DISTINCT repository, team FROM objects ORDER BY 1")
    assert {row["repository"]: row["team"] for row in rows} == teams


def test_patterns_of_the_estate_override_its_files_and_the_team_of_an_entry(place: Path) -> None:
    (place / "CODEOWNERS").write_text("* @mq/all\n")
    patterns = "teams: [CODEOWNERS, {paths: [web/**, other/**], team: web}]\n"
    scan(place, f"{patterns}repositories: [{{path: pay, team: own}}, web]\n", "--exit-zero")
    rows = asked(place, "SELECT repository, team FROM repositories ORDER BY 1")
    assert [tuple(row.values()) for row in rows] == [("pay", "@mq/all"), ("web", "web")]


def test_scan_repositories_and_rules_are_told(place: Path, tmp_path: Path) -> None:
    files = {
        "mqlint.yaml": f"{SITES}severity: {{VOC002: 'off'}}\n",
        "PRDA/a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n",
    }
    as_mirror(tmp_path / "mirror.git", files)
    scan(place, "repositories: [pay, mirror.git]\n", "--exit-zero")
    (row,) = asked(place, "SELECT * FROM scans")
    assert row["scan_id"] == row["scan"]
    assert (row["files_total"], row["engine_name"]) == (4, "process")
    assert len(row["policies_digest"]) == len(row["configuration_digest"]) == 64
    rows = asked(place, "SELECT repository, commit_id, branch_name FROM repositories ORDER BY 1")
    assert (rows[0]["branch_name"], len(rows[0]["commit_id"])) == ("main", 40)
    assert rows[1]["commit_id"] is None
    rules = asked(
        place,
        "SELECT repository, production_severity FROM rules WHERE rule = 'VOC002' ORDER BY 1",
    )
    assert [tuple(row.values()) for row in rules] == [("", "error"), ("mirror", None)]
    (count,) = asked(place, "SELECT count(*) n FROM rules WHERE repository <> ''")
    assert count["n"] == 1


def test_a_rule_with_another_value_of_a_parameter_has_another_digest(place: Path) -> None:
    """The digest is that of the compiled rule, whatever the order of its keys."""
    tuned = "parameters:\n  QUE012: {transactional_queues: [ORDER.*]}\n"
    (place / "web" / "mqlint.yaml").write_text(SITES + tuned)
    scan(place, "repositories: [pay, web]\n", "--exit-zero")
    question = "SELECT rule, repository, digest FROM rules WHERE rule IN ({0}) ORDER BY 1, 2"
    rows = asked(place, question.format("'QUE011', 'QUE012'"))
    assert [(row["rule"], row["repository"]) for row in rows] == [
        *(("QUE011", ""), ("QUE012", "")),
        ("QUE012", "web"),
    ]
    compiled = {policy["id"]: policy for policy in shipped_rulebook().compiled}
    for row in rows[:2]:
        text = json.dumps(compiled[row["rule"]], sort_keys=True)
        assert row["digest"] == sha256(text.encode()).hexdigest()
    assert rows[2]["digest"] != rows[1]["digest"]


def test_exceptions_are_rows_with_their_reasons(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {
        "mqlint-waivers.yaml": WAIVERS,
        "PRDPAY1/b.mqsc": "DEFINE QLOCAL(WAIVED) MAXDEPHT(5)\n"
        "* mqlint: ignore[VOC002] an old name\nDEFINE QLOCAL(B) MAXDEPHT(5)\n"
        "DEFINE QLOCAL(C) MAXDEPHT(5)\n",
    }
    write(place / "pay", more)
    monkeypatch.chdir(place / "pay")
    done = CliRunner().invoke(main, ["baseline", "create"])
    assert done.exit_code == 0, done.output
    with (place / "pay" / "mqlint.yaml").open("a") as config:
        config.write("baseline: mqlint-baseline.json\n")
    scan(place, "repositories: [pay]\n", "--exit-zero")
    rows = asked(
        place,
        "SELECT kind_name, rule, owner_name, reason, ticket, first_line FROM exceptions"
        " WHERE rule = 'VOC002' ORDER BY first_line",
    )
    assert [tuple(row.values()) for row in rows] == [
        ("waiver", "VOC002", "payments", "an exit reads it", "MQ-1", 1),
        ("comment", "VOC002", None, "an old name", None, 3),
        ("baseline", "VOC002", None, None, None, 4),
    ]
    found = asked(place, "SELECT known, line FROM findings WHERE rule = 'VOC002'")
    assert [tuple(row.values()) for row in found] == [(True, 4)]


def test_finding_keeps_the_time_when_it_was_first_seen(place: Path) -> None:
    (place / "pay" / "PRDPAY1" / "b.mqsc").write_text("DEFINE QLOCAL(C) MAXDEPHT(5)\n")
    scan(place, "repositories: [pay]\n", "--exit-zero")
    (first,) = asked(place, "SELECT first_seen FROM findings WHERE rule = 'VOC002'")
    (place / "pay" / "PRDPAY1" / "c.mqsc").write_text("DEFINE QLOCAL(D) MAXDEPHT(5)\n")
    scan(place, "repositories: [pay]\n", "--exit-zero")
    rows = asked(place, "SELECT path, first_seen, scanned FROM findings WHERE rule = 'VOC002'")
    seen = {row["path"][-6:]: row["first_seen"] for row in rows}
    assert seen["b.mqsc"] == first["first_seen"]
    assert seen["c.mqsc"] == rows[0]["scanned"]


CONTROLS = """\
framework: House rules 2026
controls:
  "A.1": {title: Attributes are spelt correctly, rules: [VOC002, missing-continuation]}
  "A.2": {rules: [voc002]}
"""


def test_findings_are_counted_by_control(place: Path) -> None:
    (place / "house.yaml").write_text(CONTROLS)
    (place / "pay" / "PRDPAY1" / "b.mqsc").write_text("DEFINE QLOCAL(C) MAXDEPHT(5)\n")
    scan(place, "controls: house.yaml\nrepositories: [pay]\n", "--exit-zero")
    rows = asked(
        place,
        "SELECT c.control_id, c.control_title, count(f.rule) AS findings FROM controls c"
        " LEFT JOIN findings f ON f.rule = c.rule GROUP BY ALL ORDER BY 1",
    )
    assert [tuple(row.values()) for row in rows] == [
        ("A.1", "Attributes are spelt correctly", 1),
        ("A.2", None, 1),
    ]
    words = ("--controls", str(place / "house.yaml"), "--sarif", str(place / "sarif"))
    scan(place, "repositories: [pay]\n", "--exit-zero", *words)
    (run,) = json.loads((place / "sarif" / "pay.sarif").read_text())["runs"]
    assert [len(taxonomy["taxa"]) for taxonomy in run["taxonomies"]] == [2]
    (row,) = asked(place, "SELECT DISTINCT framework_name FROM controls")
    assert row["framework_name"] == "House rules 2026"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("framework: x\n", "controls"),
        ("framework: x\ncontrols: {a: {rules: []}}\n", "the control 'a' has no rules"),
        ("framework: x\ncontrols: {a: {rules: [NO999]}}\n", "rule 'NO999' does not exist"),
        ("framework: x\ncontrols: {a: {rule: [VOC002]}}\n", "unknown key 'rule'"),
    ],
)
def test_mapping_of_controls_that_is_wrong_is_refused(place: Path, text: str, said: str) -> None:
    (place / "house.yaml").write_text(text)
    done = scan(place, "controls: [house.yaml]\nrepositories: [pay]\n")
    assert isinstance(done.exception, SystemExit)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert not (place / "out" / "scan.json").exists()


WAIVED = (
    "waivers:\n- {rule: %s, queue_manager: %s, owner: us, reason: moves, expires: 2999-01-01}\n"
)


@pytest.mark.parametrize("words", [("web",), ("pay", "web"), ()])
def test_waivers_cover_findings_of_the_register(place: Path, words: tuple[str, ...]) -> None:
    (place / "qmgrs.csv").write_text(REGISTER.replace(",", ";"))
    for name, waiver in (("web", ("FIL003", "PRDWEB1")), ("pay", ("FIL002", "PRDGONE"))):
        text = WAIVED % waiver if name in words else "waivers: []\n"
        (place / name / "mqlint-waivers.yaml").write_text(text)
    scan(place, "inventory: qmgrs.csv\nrepositories: [pay, web]\n", "--exit-zero", "--no-tables")
    found = {row["rule"] for row in asked(place, "SELECT rule FROM findings")}
    excused = {row["rule"] for row in asked(place, "SELECT rule FROM exceptions")}
    expected = {{"web": "FIL003", "pay": "FIL002"}[name] for name in words}
    assert excused == expected
    assert found & {"FIL002", "FIL003"} == {"FIL002", "FIL003"} - expected
    assert "IGN005" not in found
