"""A project's configuration reads inside the project alone, and quotes nothing of other files."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.files import git

CANARY = "canary-7f3a"
"""Stands in every line of the files that must not be quoted."""

SHADOW = f"root:$6${CANARY}:19000:0:99999:7:::\ndaemon:{CANARY}:*:19000:0:99999:7:::\n"
NETRC = f"machine example.org login {CANARY} password {CANARY}\n"
FOREIGN = {
    "shadow": SHADOW,
    "netrc": NETRC,
    "compose.yaml": f"version: 3\n{CANARY}: {{password: {CANARY}}}\n",
    "list.yaml": f"- {CANARY}\n- {CANARY}\n",
    "alias.yaml": f"a: &{CANARY} 1\nb: *{CANARY}\n",
    "tag.yaml": f"a: !{CANARY} 1\n",
    "twice.yaml": f"{CANARY}: 1\n{CANARY}: 2\n",
    "broken.yaml": f"{CANARY}: [{CANARY}\n{CANARY}: '{CANARY}\n",
    "key.json": f'{{"type": "service_account", "private_key": "{CANARY}"}}\n',
    "array.json": f'["{CANARY}"]\n',
    "key.pem": f"-----BEGIN PRIVATE KEY-----\n{CANARY}\n-----END PRIVATE KEY-----\n",
    "latin.txt": f"{CANARY}\n",
    "credentials": f"https://user:{CANARY}@example.org\n",
}
SETTINGS = ("waivers: '{}'\n", "baseline: '{}'\n", "policies: ['{}']\n")
REFUSED = "it is outside the project, and only the command line can name such a file"
LINK = "a link leads out of the checkout"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the project, with files that are none of its business."""
    folder = tmp_path_factory.mktemp("outside")
    for name, text in FOREIGN.items():
        (folder / name).write_text(text)
    (folder / "waivers.yaml").write_text(
        "waivers: [{rule: VOC002, object: APP.*, owner: Ada, reason: agreed}]\n"
    )
    return folder


@pytest.fixture
def script(project: Path) -> Path:
    """A project with one finding."""
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n")
    return project


def refused(mqlint: Mqlint, *words: str) -> str:
    """What a run that must fail says; nothing of a foreign file."""
    done = mqlint("check", *words)
    assert done.exit_code == 2, done.output
    assert CANARY not in done.output
    assert "fault of mqlint" not in done.output
    return done.stderr


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", [*FOREIGN, "waivers.yaml", "."])
def test_nothing_outside_is_read(
    script: Path, outside: Path, mqlint: Mqlint, setting: str, name: str
) -> None:
    (script / "link").symlink_to(outside / name)
    (script / "folder").symlink_to(outside)
    for path in (
        str(outside / name),
        os.path.relpath(outside / name, script),
        f"folder/../folder/{name}",
        "link",
    ):
        (script / "mqlint.yaml").write_text(setting.format(path))
        assert REFUSED in refused(mqlint)


@pytest.mark.parametrize("is_checkout", [False, True])
def test_links_that_lead_outside_are_listed_and_not_read(
    project: Path, outside: Path, mqlint: Mqlint, *, is_checkout: bool
) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (outside / "b.mqsc").write_text("DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n")
    (project / "b.mqsc").symlink_to(outside / "b.mqsc")
    (project / "folder").symlink_to(outside)
    (project / "inside.mqsc").symlink_to("a.mqsc")
    (project / "nowhere.mqsc").symlink_to(outside / "nothing")
    if is_checkout:
        git("init", "--quiet", cwd=project)
        git("add", ".", cwd=project)
    done = mqlint("check", "--format", "json")
    assert done.exit_code == 0
    rows = json.loads(done.stdout)["coverage"]["not_checked"]
    reason = "it is a link to a place outside the project"
    assert [(row["path"], row["reason"]) for row in rows] == [
        ("b.mqsc", reason),
        ("folder", reason),
        ("nowhere.mqsc", reason),
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    "estate",
    [
        "files",
        "repositories: [{name: r, path: files}]",
        "repositories: [{name: r, path: files, ref: HEAD}]",
    ],
)
def test_scans_list_links_that_lead_outside_too(
    project: Path, outside: Path, mqlint: Mqlint, estate: str
) -> None:
    checkout = project / "files"
    checkout.mkdir()
    (checkout / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (checkout / "b.mqsc").symlink_to(outside / "shadow")
    (checkout / "inside.mqsc").symlink_to("a.mqsc")
    git("init", "--quiet", cwd=checkout)
    git("add", "--all", cwd=checkout)
    git("commit", "--quiet", "--message", "links", cwd=checkout)
    if ":" in estate:
        (project / "estate.yaml").write_text(f"{estate}\n")
        estate = "estate.yaml"
    words = ("estate", "scan", estate, "--out", "tables", "--engine", "process", "--format", "json")
    for _ in range(2):
        done = mqlint(*words)
        assert done.exit_code == 0, done.output
        rows = json.loads(done.stdout)["coverage"]["not_checked"]
        assert [(row["path"].rpartition("/")[2], row["status"], row["reason"]) for row in rows] == [
            ("b.mqsc", "not-recognised", "it is a link to a place outside the project")
        ]


def test_a_link_in_a_folder_of_repositories_is_not_followed(
    project: Path, outside: Path, mqlint: Mqlint
) -> None:
    for name in ("pay", "group/stock"):
        (project / "all" / name).mkdir(parents=True)
        (project / "all" / name / "mqlint.yaml").write_text("{}\n")
        (project / "all" / name / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (outside / "b.mqsc").write_text("DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n")
    (project / "all" / "folder").symlink_to(outside)
    (project / "all" / "b.mqsc").symlink_to(outside / "b.mqsc")
    (project / "all" / "group" / "deep").symlink_to(outside)
    (project / "all" / "twin").symlink_to("pay")
    words = ("estate", "scan", "all", "--out", "tables", "--engine", "process", "--format", "json")
    done = mqlint(*words)
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["findings"] == []
    rows = report["coverage"]["not_checked"]
    reason = "it is a link to a place outside ESTATE, which only a file of repositories can name"
    assert {row["path"]: row["reason"] for row in rows if row["status"] == "unreadable"} == (
        dict.fromkeys(("folder", "b.mqsc", "group/deep"), reason)
    )


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("path", ["~/.netrc", "$HOME/.netrc", "${HOME}/.netrc", "%USERPROFILE%"])
def test_neither_a_home_nor_a_variable_is_expanded(
    script: Path, outside: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch,
    setting: str, path: str,
) -> None:  # fmt: skip
    (outside / ".netrc").write_text(NETRC)
    monkeypatch.setenv("HOME", str(outside))
    (script / "mqlint.yaml").write_text(setting.format(path))
    refused(mqlint)


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("config", ["mqlint.yaml", ".mqlint.yaml"])
def test_a_configuration_that_links_outside_is_refused(
    script: Path, outside: Path, mqlint: Mqlint, config: str, name: str
) -> None:
    (script / config).symlink_to(outside / name)
    assert REFUSED in refused(mqlint)


def test_the_usual_waivers_may_not_link_outside(
    script: Path, outside: Path, mqlint: Mqlint
) -> None:
    (script / "mqlint-waivers.yaml").symlink_to(outside / "waivers.yaml")
    assert REFUSED in refused(mqlint)


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_file_of_another_kind_inside_is_not_quoted(
    script: Path, mqlint: Mqlint, name: str, setting: str
) -> None:
    (script / name).write_text(FOREIGN[name])
    (script / "mqlint.yaml").write_text(setting.format(name))
    refused(mqlint)
    (script / "mqlint.yaml").unlink()
    (script / "mqlint.yaml").symlink_to(name)
    refused(mqlint)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("setting", SETTINGS)
def test_in_a_checkout_its_top_is_the_limit_and_git_keeps_its_own(
    script: Path, mqlint: Mqlint, setting: str
) -> None:
    git("init", "--quiet", cwd=script)
    (script / ".git/credentials").write_text(FOREIGN["credentials"])
    (script / "mq").mkdir()
    (script / "mq/a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (script / "mq/.GIT").symlink_to("../.git")
    for path in ("../.git/credentials", "../.git", ".GIT/credentials"):
        (script / "mq/mqlint.yaml").write_text(setting.format(path))
        assert "it is in Git's own folder" in refused(mqlint, "mq")
    (script / "mq/mqlint.yaml").write_text("waivers: ../shared.yaml\n")
    (script / "shared.yaml").write_text(
        "waivers: [{rule: VOC002, object: APP.*, owner: Ada, reason: agreed}]\n"
    )
    assert mqlint("check", "mq").exit_code == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_submodule_does_not_read_what_is_around_it(script: Path, mqlint: Mqlint) -> None:
    git("init", "--quiet", cwd=script)
    sub = script / "sub"
    sub.mkdir()
    (sub / ".git").write_text("gitdir: ../.git/modules/sub\n")
    (sub / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (sub / "mqlint.yaml").write_text("waivers: ../shadow\n")
    (script / "shadow").write_text(SHADOW)
    assert REFUSED in refused(mqlint, "sub")


@pytest.mark.slow
def test_the_command_line_may_name_any_file(script: Path, outside: Path, mqlint: Mqlint) -> None:
    assert mqlint("check", "--waivers", str(outside / "waivers.yaml")).exit_code == 0
    config = outside / "ci.yaml"
    config.write_text("severity: {VOC002: note}\n")
    assert mqlint("check", "--config", str(config), "a.mqsc").exit_code == 0
    mqlint("baseline", "create", "--baseline", str(outside / "known.json"))
    assert mqlint("check", "--baseline", str(outside / "known.json")).exit_code == 0
    for name in FOREIGN:
        for option in ("--waivers", "--baseline", "--policies", "--config"):
            refused(mqlint, option, str(outside / name))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("option", ["--waivers", "--baseline", "--policies", "--config"])
def test_a_name_on_the_command_line_may_not_lead_out_by_a_link(
    script: Path, outside: Path, mqlint: Mqlint, option: str
) -> None:
    git("init", "--quiet", cwd=script)
    (script / "mqlint.yaml").write_text("")
    for target in (outside / "waivers.yaml", outside):
        (script / "link").symlink_to(target)
        path = "link" if target.is_file() or option == "--policies" else "link/waivers.yaml"
        assert LINK in refused(mqlint, option, path, "a.mqsc")
        (script / "link").unlink()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_nor_into_another_checkout(script: Path, outside: Path, mqlint: Mqlint) -> None:
    git("init", "--quiet", cwd=script)
    git("init", "--quiet", cwd=outside)
    (script / "link").symlink_to(outside)
    assert LINK in refused(mqlint, "--waivers", "link/waivers.yaml", "a.mqsc")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_link_into_another_checkout_is_not_followed(
    script: Path, outside: Path, mqlint: Mqlint
) -> None:
    git("init", "--quiet", cwd=script)
    git("init", "--quiet", cwd=outside)
    (outside / "b.mqsc").write_text(f"DEFINE QLOCAL({CANARY}) MAXDEPHT(1)\n")
    (script / "link").symlink_to(outside)
    for name in ("link", "link/b.mqsc", "."):
        done = mqlint("check", name)
        assert done.exit_code == 1
        assert CANARY not in done.output
        assert "it is a link to a place outside the project" in " ".join(done.output.split())
    for command in ("show", "questions", "chlauth audit", "format"):
        done = mqlint(*command.split(), "link/b.mqsc")
        assert CANARY not in done.output
        assert "link/b.mqsc" in done.output
        assert "it is a link to a place outside the project" in done.output
    scan = ("estate", "scan", ".", "--engine", "process", "--out", "tables")
    for words in (
        *((*scan, option, "link/shadow") for option in ("--inventory", "--teams", "--controls")),
        ("estate", "scan", "link/shadow", "--out", "tables"),
        ("estate", "scan", "link", "--engine", "process", "--out", "tables"),
        ("estate", "verify", "link/shadow"),
    ):
        done = mqlint(*words)
        assert done.exit_code == 2
        assert LINK in done.output
        assert CANARY not in done.output


WRITING = [
    ("check", "--format", "sarif={}", "a.mqsc"),
    ("check", "--output-file", "{}", "a.mqsc"),
    ("baseline", "create", "--force", "--baseline", "{}"),
    ("policy", "new", "OWN001", "--folder", "{}"),
    ("policy", "learn", "--out", "{}"),
    ("estate", "report", "tables", "--out", "{}"),
    ("estate", "package", "--out", "{}"),
    ("estate", "scan", ".", "--engine", "process", "--out", "{}"),
    ("estate", "scan", ".", "--engine", "process", "--out", "tables", "--sarif", "{}"),
]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("words", WRITING)
def test_nothing_is_written_through_a_link(
    script: Path, outside: Path, mqlint: Mqlint, words: tuple[str, ...]
) -> None:
    git("init", "--quiet", cwd=script)
    alike = (f"DEFINE QALIAS(APP.Q{number})\n" for number in range(12))
    (script / "alike.mqsc").write_text("".join(alike))
    if words[1] == "report":
        mqlint("estate", "scan", ".", "--engine", "process", "--out", "tables")
    before = {path: path.read_bytes() for path in outside.iterdir()}
    is_file = {"sarif={}", "--output-file", "--baseline"} & {*words}
    (script / "link").symlink_to(outside / "shadow" if is_file else outside)
    (script / "folder").symlink_to(outside)
    for name in ("link", "folder/new"):
        done = mqlint(*(word.format(name) for word in words))
        assert done.exit_code == 2
        if words[0] != "policy":  # those want a folder that exists, or that is empty
            assert LINK in done.output, done.output
    assert {path: path.read_bytes() for path in outside.iterdir()} == before


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a link away"
)
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(
    script: Path, outside: Path, mqlint: Mqlint
) -> None:
    """Linux does the same if `fs.protected_symlinks` is 1, but not for a path that is resolved."""
    shared = outside / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    kept = outside / "kept"
    kept.write_text("kept\n")
    link = shared / "report.json"
    link.symlink_to(kept)
    done = mqlint("check", ".", "--format", f"json={link}")
    assert kept.read_text() != "kept\n"  # one of our own
    kept.write_text("kept\n")
    os.lchown(link, 1, -1)
    done = mqlint("check", ".", "--format", f"json={link}")
    assert done.exit_code == 2
    assert "a link in a folder of all users is another user's" in done.stderr
    assert kept.read_text() == "kept\n"
    shared.chmod(0o755)
    assert mqlint("check", ".", "--format", f"json={link}").exit_code != 2


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_cache_that_git_tracks_is_refused(script: Path, mqlint: Mqlint) -> None:
    git("init", "--quiet", cwd=script)
    (script / "cache").mkdir(mode=0o700)
    (script / "cache/policies.jsonl").write_text("")
    assert mqlint("check", "--cache-dir", "cache", "a.mqsc").exit_code == 1
    git("add", "--all", cwd=script)
    (script / "link").symlink_to("cache")
    for name in ("cache", "link"):
        assert "git tracks" in refused(mqlint, "--cache-dir", name, "a.mqsc")
    done = mqlint(
        "estate", "scan", ".", "--engine", "process", "--out", "tables", "--cache", "link"
    )
    assert "git tracks" in done.output


def test_a_configuration_that_leads_nowhere_is_refused(script: Path, mqlint: Mqlint) -> None:
    (script / "mqlint.yaml").symlink_to("gone.yaml")
    assert "no such file" in refused(mqlint)


def test_nothing_outside_is_written(script: Path, outside: Path, mqlint: Mqlint) -> None:
    (script / "mqlint.yaml").write_text(f"baseline: {outside / 'new.json'}\n")
    assert mqlint("baseline", "create", "--force").exit_code == 2
    (script / "mqlint.yaml").write_text(f"policies: ['{outside}']\n")
    assert mqlint("policy", "new", "OWN001").exit_code == 2
    assert not (outside / "new.json").exists()
    assert not (outside / "OWN001.yaml").exists()


@pytest.mark.parametrize("words", [("explain", "VOC002"), ("rules",), ("config", "show")])
def test_other_commands_read_no_more(
    script: Path, outside: Path, mqlint: Mqlint, words: tuple[str, ...]
) -> None:
    (script / "mqlint.yaml").symlink_to(outside / "shadow")
    done = mqlint(*words)
    assert done.exit_code == 2
    assert CANARY not in done.output


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("where", ["git", "config"])
def test_a_script_that_links_outside_is_not_read(
    script: Path, outside: Path, mqlint: Mqlint, where: str
) -> None:
    if where == "git":
        git("init", "--quiet", cwd=script)
    else:
        (script / "mqlint.yaml").write_text("")
    (script / "link.mqsc").symlink_to(outside / "shadow")
    (script / "folder").symlink_to(outside)
    (script / "inside.mqsc").symlink_to("a.mqsc")
    (outside / "b.mqsc").write_text(f"DEFINE QLOCAL({CANARY})\n")
    for name in ("link.mqsc", "folder/shadow", "folder/../link.mqsc", "folder", "folder/"):
        done = mqlint("check", name)
        assert done.exit_code == 1
        assert CANARY not in done.output
        assert "it is a link to a place outside the project" in " ".join(done.output.split())
    assert "inside.mqsc:1" in mqlint("check", "inside.mqsc").output
    assert CANARY not in mqlint("check", ".").output


def test_a_policy_in_a_folder_may_not_link_outside(
    script: Path, outside: Path, mqlint: Mqlint
) -> None:
    (script / "own").mkdir()
    (script / "own/a.yaml").symlink_to(outside / "shadow")
    (script / "mqlint.yaml").write_text("policies: [own]\n")
    assert REFUSED in refused(mqlint)


def test_a_file_outside_may_name_one_that_is_missing(
    project: Path, outside: Path, mqlint: Mqlint
) -> None:
    git("init", "-q", cwd=project)
    (outside / "Dockerfile").write_text(
        "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\nENV MQ_QMGR_NAME=QM1\nCOPY a.mqsc /etc/mqm/\n"
    )
    done = mqlint("check", str(outside / "Dockerfile"))
    assert done.exit_code == 0, done.output
