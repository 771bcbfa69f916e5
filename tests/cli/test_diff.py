"""`--diff`: what a change brought, wherever it broke something, asked of a real git."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.files import git as run_git
from tests.files import write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
Git = Callable[..., str]

ESTATE = Path(__file__).parents[2] / "examples" / "estate"
WRONG = "DEFINE QLOCAL(APP.{}) MAXDEPHT(10)\n"
ALIAS = "DEFINE QALIAS(APP.AL) TARGET(APP.IN)\n"
CONFIG = 'queue_managers: "{queue_manager}/*"\ninventory: {objects: complete}\n'


@pytest.fixture
def git(project: Path) -> Git:
    """Runs git as one person, in the project, and returns what it says."""
    run_git("init", "--quiet", cwd=project)
    return partial(run_git, cwd=project)


@pytest.fixture
def committed(project: Path, git: Git) -> Path:
    """A project with a commit: two queue managers, a loose file, and findings in each."""
    files = {
        "mqlint.yaml": CONFIG,
        "QM1/queues.mqsc": "DEFINE QLOCAL(APP.IN)\n" + WRONG.format("OLD"),
        "QM1/aliases.mqsc": ALIAS,
        "loose.mqsc": WRONG.format("LOOSE"),
    }
    write(project, files)
    commit(git)
    return project


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def commit(git: Git) -> None:
    git("add", "--all")
    git("commit", "--quiet", "-m", "more")


def new(mqlint: Mqlint, *words: str) -> list[str]:
    """The places of new findings."""
    done = mqlint("check", "--diff", *(words or ("HEAD",)), "--format", "json")
    assert done.exit_code in (0, 1), done.output
    findings = json.loads(done.stdout)["findings"]
    return [
        f"{finding['path']}:{finding['start']['line']} {finding['rule']}" for finding in findings
    ]


def test_a_clean_checkout_brings_nothing(committed: Path, mqlint: Mqlint) -> None:
    done = mqlint("check", "--diff", "HEAD", "--fail-on", "note")
    assert done.exit_code == 0
    assert done.output.startswith("No new findings: 3 files checked")
    assert "2 existing findings (already in HEAD) hidden." in done.output


@pytest.mark.slow
def test_the_example_estate_brings_nothing(project: Path, git: Git, mqlint: Mqlint) -> None:
    shutil.copytree(ESTATE, project, dirs_exist_ok=True)
    commit(git)
    assert new(mqlint) == []
    assert new(mqlint, "HEAD", "--jobs", "2") == []
    shutil.move(project / "prod", project / "production-site")
    shutil.move(project / "production-site", project / "prod")
    assert new(mqlint) == []


def test_only_what_the_change_brought_is_reported(committed: Path, mqlint: Mqlint) -> None:
    path = committed / "QM1/queues.mqsc"
    path.write_text(WRONG.format("NEW") + "\n\n" + path.read_text())
    assert new(mqlint) == ["QM1/queues.mqsc:1 VOC002"]
    assert mqlint("check", "--diff", "HEAD").exit_code == 1


def test_what_it_broke_elsewhere_is_reported(committed: Path, mqlint: Mqlint) -> None:
    (committed / "QM1/queues.mqsc").write_text(WRONG.format("OLD"))
    (found,) = new(mqlint)
    assert found.startswith("QM1/aliases.mqsc:1 ")
    assert new(mqlint, "HEAD", "QM1/queues.mqsc") == []
    assert new(mqlint, "HEAD", "QM1/aliases.mqsc") == [found]


def test_a_file_that_is_deleted_counts_too(committed: Path, mqlint: Mqlint) -> None:
    (committed / "QM1/queues.mqsc").unlink()
    (found,) = new(mqlint)
    assert found.startswith("QM1/aliases.mqsc:1 ")


def test_a_file_that_a_script_names_is_asked_of_each_commit(
    committed: Path, git: Git, mqlint: Mqlint, tmp_path_factory: pytest.TempPathFactory
) -> None:
    put(committed / "bin/load.sh", "#!/bin/sh\nset -e\nrunmqsc QM1 < ../conf/order.mqsc\n")
    put(committed / "conf/order.mqsc", "DEFINE QLOCAL(A.B) REPLACE\n")
    commit(git)
    assert new(mqlint, "HEAD", "--select", "FIL005") == []
    (committed / "conf/order.mqsc").rename(committed / "conf/orders.mqsc")
    assert new(mqlint, "HEAD", "--select", "FIL005") == ["bin/load.sh:3 FIL005"]
    commit(git)
    assert new(mqlint, "HEAD", "--select", "FIL005") == []
    assert new(mqlint, "HEAD~1", "--select", "FIL005") == ["bin/load.sh:3 FIL005"]
    outside = tmp_path_factory.mktemp("outside")
    (committed / "conf").rename(outside / "conf")
    (committed / "conf").symlink_to(outside / "conf")
    assert new(mqlint, "HEAD~1", "--select", "FIL005") == []  # nothing outside is listed


def test_moves_and_renames_bring_nothing(committed: Path, mqlint: Mqlint) -> None:
    (committed / "loose.mqsc").rename(committed / "a renamed\nfile.mqsc")
    queues = committed / "QM1/queues.mqsc"
    put(committed / "QM1/deep.mqsc", "\n* moved\n" + queues.read_text())
    queues.unlink()
    assert new(mqlint) == []
    assert new(mqlint, "HEAD", "QM1/deep.mqsc") == []


def test_of_equal_findings_the_new_one_is_shown(committed: Path, mqlint: Mqlint) -> None:
    put(committed / "another.mqsc", WRONG.format("LOOSE"))
    assert new(mqlint) == ["another.mqsc:1 VOC002"]


def test_without_a_queue_manager_a_finding_stays_in_its_file(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    """The same text in another file may be for another queue manager."""
    put(committed / "other.mqsc", "DISPLAY QMGR\n")
    commit(git)
    loose = committed / "loose.mqsc"
    loose.write_text("DISPLAY QMGR\n")
    put(committed / "other.mqsc", WRONG.format("LOOSE"))
    assert new(mqlint) == ["other.mqsc:1 VOC002"]
    put(committed / "other.mqsc", "DISPLAY QMGR\n")
    put(committed / "deep/er/other.mqsc", WRONG.format("LOOSE"))
    assert new(mqlint) == ["deep/er/other.mqsc:1 VOC002"]
    (committed / "deep/er/other.mqsc").rename(committed / "part.mqsc")
    assert new(mqlint) == []
    loose.unlink()
    (committed / "part.mqsc").rename(committed / "deep/er/other.mqsc")
    assert new(mqlint) == []


def test_one_application_does_not_make_up_for_another(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    """Connections over one channel to one queue manager differ only by their files."""
    calls = "ibm.mq.queueManager=QMA\nibm.mq.channel=APP.SVRCONN\nibm.mq.connName=localhost({})\n"
    put(
        committed / "compose.yaml",
        "services:\n  mq:\n    image: icr.io/ibm-messaging/mq:9.4.0.0-r1\n"
        '    environment: [LICENSE=accept, MQ_QMGR_NAME=QMA]\n    ports: ["1414:1414"]\n',
    )
    put(committed / "m/application.properties", calls.format(1499))
    put(committed / "n/application.properties", calls.format(1414))
    commit(git)
    assert new(mqlint, "HEAD", "--select", "APP011") == []
    put(committed / "a/application.properties", calls.format(1499))
    assert new(mqlint, "HEAD", "--select", "APP011") == ["a/application.properties:3 APP011"]
    put(committed / "a/application.properties", calls.format(1414))
    put(committed / "m/application.properties", calls.format(1414))
    put(committed / "n/application.properties", calls.format(1499))
    assert new(mqlint, "HEAD", "--select", "APP011") == ["n/application.properties:3 APP011"]


def test_a_file_that_is_renamed_for_another_site_is_new(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    put(committed / "test/a/loose.mqsc", WRONG.format("T"))
    put(committed / "dr/a/loose.mqsc", WRONG.format("D"))
    commit(git)
    (committed / "prod/a").mkdir(parents=True)
    (committed / "dr/a/loose.mqsc").rename(committed / "prod/a/loose.mqsc")
    assert new(mqlint) == ["prod/a/loose.mqsc:1 VOC002"]


def test_a_comment_does_not_move_to_another_file(committed: Path, git: Git, mqlint: Mqlint) -> None:
    comment = "* mqlint: ignore[VOC002] agreed\n"
    put(committed / "first.mqsc", comment + WRONG.format("X"))
    put(committed / "other.mqsc", "DISPLAY QMGR\n")
    commit(git)
    put(committed / "first.mqsc", "DISPLAY QMGR\n")
    put(committed / "other.mqsc", comment + WRONG.format("X"))
    assert "other.mqsc:2 VOC002" in new(mqlint)


def test_one_mended_does_not_make_up_for_another(committed: Path, mqlint: Mqlint) -> None:
    (committed / "loose.mqsc").write_text(WRONG.format("OTHER"))
    assert new(mqlint) == ["loose.mqsc:1 VOC002"]


def test_rules_and_settings_are_those_of_the_base(committed: Path, mqlint: Mqlint) -> None:
    put(committed / "mqlint.yaml", CONFIG + "profiles: [audit]\n")
    assert new(mqlint) == []
    put(committed / "mqlint.yaml", CONFIG + "exclude: [third.mqsc]\n")
    put(committed / "third.mqsc", WRONG.format("LOOSE"))
    assert new(mqlint) == ["mqlint.yaml:3 IGN010", "third.mqsc:1 VOC002"]


def test_comments_that_go_bring_their_findings_back(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    path = committed / "loose.mqsc"
    path.write_text("* mqlint: ignore[VOC002] agreed\n" + path.read_text())
    commit(git)
    assert new(mqlint) == []
    path.write_text(WRONG.format("LOOSE"))
    assert new(mqlint) == ["loose.mqsc:1 VOC002"]


def test_a_waiver_that_the_change_left_idle_is_reported(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    entry = "{rule: VOC002, object: APP.LOOSE, owner: Ada, reason: agreed}"
    put(committed / "mqlint-waivers.yaml", f"waivers: [{entry}]\n")
    commit(git)
    put(committed / "loose.mqsc", "DEFINE QLOCAL(APP.LOOSE)\n")
    assert new(mqlint, "HEAD", "QM1") == ["mqlint-waivers.yaml:1 IGN005"]


def test_formats_and_a_baseline_beside(committed: Path, mqlint: Mqlint) -> None:
    mqlint("baseline", "create")
    put(committed / "QM1/new.mqsc", WRONG.format("NEW"))
    put(committed / "again.mqsc", WRONG.format("LOOSE"))
    words = ("check", "--diff", "HEAD", "--baseline", "mqlint-baseline.json")
    found = json.loads(mqlint(*words, "--format", "json").stdout)
    assert [load["path"] for load in found["findings"]] == ["QM1/new.mqsc", "again.mqsc"]
    assert [(load["with"], load["known"]) for load in found["compared"]] == [
        ("base", 2),
        ("baseline", 0),
    ]
    assert found["compared"][1]["stale"] == []
    log = json.loads(mqlint(*words, "--format", "sarif").stdout)
    states = [load["baselineState"] for load in log["runs"][0]["results"]]
    assert states == ["new", "new", "unchanged", "unchanged"]
    said = mqlint(*words, "--format", "github").output
    assert said.count("::error") == 2
    mqlint("baseline", "update", "--add")
    assert new(mqlint, "HEAD", "--baseline", "mqlint-baseline.json") == []


def test_a_project_below_the_top(committed: Path, git: Git, mqlint: Mqlint) -> None:
    put(committed / "mq/mqlint.yaml", CONFIG)
    put(committed / "mq/QM2/a.mqsc", WRONG.format("TWO"))
    (committed / "mq/QM2/link.mqsc").symlink_to("a.mqsc")
    (committed / "mq/QM2/out.mqsc").symlink_to("../../../gone.mqsc")
    commit(git)
    assert new(mqlint, "HEAD", "mq") == []
    put(committed / "mq/QM2/b.mqsc", WRONG.format("MORE"))
    assert new(mqlint, "HEAD", "mq") == ["QM2/b.mqsc:1 VOC002"]


def test_three_dots_mean_where_the_branches_parted(
    committed: Path, git: Git, mqlint: Mqlint
) -> None:
    git("branch", "mine")
    put(committed / "loose.mqsc", "DEFINE QLOCAL(APP.LOOSE)\n")
    commit(git)
    git("checkout", "--quiet", "mine")
    assert new(mqlint, "main") == ["loose.mqsc:1 VOC002"]
    assert new(mqlint, "main...") == []


def test_standard_input_stands_for_its_file(committed: Path, mqlint: Mqlint) -> None:
    words = ("check", "-", "--stdin-filename", "loose.mqsc", "--diff", "HEAD", "-q")
    assert mqlint(*words, stdin=WRONG.format("LOOSE")).output == ""
    assert "APP.X" in mqlint(*words, stdin=WRONG.format("X")).output


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("gone", "git does not find this commit"),
        ("gone...", "git does not find this commit"),
        ("--help", "that is not the name of a commit"),
        ("-", "that is not the name of a commit"),
        ("", "that is not the name of a commit"),
        ("...", "that is not the name of a commit"),
        ("HEAD\n", "that is not the name of a commit"),
        ("HEAD --all", "that is not the name of a commit"),
        ("HEAD:loose.mqsc", "git does not find this commit"),
        ("0" * 40, "git does not find this commit"),
        ("\x1b[31m", "that is not the name of a commit"),
    ],
)
def test_what_is_no_commit_is_refused(
    committed: Path, mqlint: Mqlint, base: str, message: str
) -> None:
    done = mqlint("check", f"--diff={base}")
    assert done.exit_code == 2
    assert message in done.stderr
    assert "\x1b" not in done.output


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tag", "branch"])
@pytest.mark.parametrize("suffix", ["", "~0", "..."])
def test_a_name_of_two_commits_is_refused(
    committed: Path, git: Git, mqlint: Mqlint, kind: str, suffix: str
) -> None:
    """A tag goes before a branch: the author of a change could push one on the change itself."""
    git("branch", "base")
    (committed / "b.mqsc").write_text("DEFINE QLOCAL(APP.B) MAXDEPHT(1)\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "change")
    name = "base" if kind == "tag" else git("rev-parse", "--short", "base").strip()
    git(kind, name, "HEAD")
    git("config", "core.warnAmbiguousRefs", "false")
    done = mqlint("check", "--diff", f"{name}{suffix}")
    assert done.exit_code == 2, done.output
    assert "several branches, tags or commits have this name" in done.stderr
    assert mqlint("check", "--diff", "refs/heads/base").exit_code == 1
    whole = git("rev-parse", "refs/heads/base").strip()
    git("update-ref", f"refs/heads/{whole}", "HEAD")
    assert mqlint("check", "--diff", whole).exit_code == 1


def test_without_a_checkout_it_says_so(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(WRONG.format("A"))
    done = mqlint("check", "--diff", "HEAD")
    assert done.exit_code == 2
    assert "--diff needs git" in done.stderr


def test_before_the_first_commit_everything_is_new(project: Path, git: Git, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    assert mqlint("check", "--diff", "HEAD").exit_code == 0
    (project / "a.mqsc").write_text(WRONG.format("A"))
    done = mqlint("check", "--diff", "HEAD")
    assert (done.exit_code, "a.mqsc:1:" in done.stdout) == (1, True)
    assert "git does not find this commit" in mqlint("check", "--diff", "main").stderr


def test_without_git_it_says_so(
    committed: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(committed))
    done = mqlint("check", "--diff", "HEAD")
    assert done.exit_code == 2
    assert "git is not installed" in done.stderr


def test_a_shallow_clone_says_what_to_do(
    committed: Path, git: Git, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = git("rev-parse", "HEAD")
    put(committed / "QM1/new.mqsc", WRONG.format("NEW"))
    commit(git)
    git("clone", "--quiet", "--depth=1", f"file://{committed}", "clone")
    monkeypatch.chdir(committed / "clone")
    done = mqlint("check", "--diff", first)
    assert done.exit_code == 2
    assert "this clone is shallow, so fetch it first" in done.stderr
    git("fetch", "--quiet", "--depth=1", "origin", first, cwd=committed / "clone")
    assert new(mqlint, first) == ["QM1/new.mqsc:1 VOC002"]


def test_a_clone_without_contents_fetches_none(
    committed: Path, git: Git, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("config", "uploadpack.allowFilter", "true")
    put(committed / "loose.mqsc", WRONG.format("OTHER"))
    commit(git)
    git("clone", "--quiet", "--filter=blob:none", f"file://{committed}", "clone")
    monkeypatch.chdir(committed / "clone")
    done = mqlint("check", "--diff", "HEAD~1")
    assert done.exit_code == 2
    assert "git" in done.stderr
    assert new(mqlint, "HEAD") == []


def test_a_configuration_that_git_does_not_have_is_named(committed: Path, mqlint: Mqlint) -> None:
    oid = run_git("rev-parse", "HEAD:mqlint.yaml", cwd=committed).strip()
    (committed / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    done = mqlint("check", "--diff", "HEAD")
    assert done.exit_code == 2
    assert "mqlint.yaml at HEAD: this clone does not have all contents" in done.stderr


@pytest.mark.slow
def test_git_writes_no_trace(
    committed: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, trace = committed / "home", committed / "trace"
    put(home / ".gitconfig", f"[trace2]\n eventTarget = {trace}\n normalTarget = {trace}\n")
    monkeypatch.setenv("HOME", str(home))
    assert new(mqlint) == []
    assert not trace.exists()


def test_nothing_of_the_checkout_is_run(committed: Path, git: Git, mqlint: Mqlint) -> None:
    proof = committed / "proof"
    script = committed / "run.sh"
    put(script, f"#!/bin/sh\ntouch {proof}\ncat\n")
    script.chmod(0o755)
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        shutil.copy(script, committed / ".git/hooks" / name)
    put(committed / ".gitattributes", "*.mqsc filter=evil diff=evil\n")
    git("add", "--all")
    git("commit", "--quiet", "--no-verify", "-m", "attributes")
    proof.unlink(missing_ok=True)
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "core.pager"):
        git("config", key, str(script))
    git("config", "core.fsmonitor", str(script))
    proof.unlink(missing_ok=True)
    put(committed / "loose.mqsc", WRONG.format("X"))
    assert new(mqlint) == ["loose.mqsc:1 VOC002"]
    assert not proof.exists()
