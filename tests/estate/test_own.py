"""What repositories bring along themselves: policies, waivers and baselines, wherever they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.plan import plan_of
from mqlint.estate.scanning import scan
from mqlint.estate.spark.cluster import SparkEngine
from tests.estate.estates import DEEP, KINDS, TWICE, Files, Kind, as_folder, run, scanned
from tests.files import git, write
from tests.policy.making import policy

pytestmark = pytest.mark.spark

SITES = 'sites: {leeds: {role: production, paths: ["**"]}}\nqueue_managers: "{queue_manager}/*"\n'
QUEUE = "DEFINE QLOCAL({0}) MAXDEPTH(50)\n"
WAIVED = """\
waivers:
  - {rule: too-deep, object: ONE, owner: us, reason: it is ours}
"""


def checked(folder: Path, place: Path, *words: str) -> dict[str, list[dict[str, object]]]:
    """What `mqlint check` reports inside a repository."""
    report = place / "check.json"
    options = ("--no-cache", "--fail-on=never", f"--format=json={report}")
    done = run("check", ".", *options, *words, cwd=folder)
    assert done.exit_code == 0, done.output
    found: dict[str, list[dict[str, object]]] = json.loads(report.read_text())
    return found


REPOSITORY = {
    "mqlint.yaml": SITES
    + "repository: acme\nextends: shared/base.yaml\npolicies: [more/twice.yml]\n"
    + "waivers: kept/w.yaml\nbaseline: kept/known.json\n",
    "shared/base.yaml": "policies: [../rules]\nparameters: {ACME003: {most: 5}}\n",
    "rules/deep/a.yaml": DEEP,
    "rules/tuned.yml": policy(
        id="ACME003",
        name="tuned",
        parameters={"most": {"default": 100, "type": "integer", "says": "how many"}},
        check={"attributes": {"MAXDEPTH": {"le": {"param": "most"}}}},
        message="{name} holds more than {param.most}",
    ),
    "more/twice.yml": TWICE,
    "kept/w.yaml": WAIVED,
    "QM1/a.mqsc": QUEUE.format("ONE") + QUEUE.format("TWO"),
    "QM2/a.mqsc": QUEUE.format("TWO") + QUEUE.format("KNOWN"),
    "QM2/b.mqsc": "* mqlint: ignore[ACME001] as agreed\n" + QUEUE.format("QUIET"),
}


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A repository with all of it, and a baseline that knows one finding."""
    folder = write(tmp_path_factory.mktemp("acme"), REPOSITORY)
    settings = REPOSITORY["mqlint.yaml"].replace("baseline:", "# baseline:")
    (folder / "mqlint.yaml").write_text(settings)
    done = run("baseline", "create", "--no-cache", cwd=folder)
    assert done.exit_code == 0, done.output
    known = json.loads((folder / "mqlint-baseline.json").read_text())
    known["findings"] = [load for load in known["findings"] if load["rule"] == "ACME003"]
    assert known["findings"]
    return {**REPOSITORY, "kept/known.json": json.dumps(known)}


SAME = ("rule", "message", "severity", "summary", "why", "fingerprint", "group")


def same(found: list[dict[str, object]], prefix: str = "") -> list[tuple[object, ...]]:
    """What is alike in a report of one repository and one of an estate."""
    return sorted(
        (str(one["path"]).removeprefix(prefix), *(one.get(key) for key in SAME)) for one in found
    )


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_repository_is_judged_as_check_judges_it(kind: Kind, acme: Files, tmp_path: Path) -> None:
    place = kind(tmp_path / "acme", acme)
    found = scanned(tmp_path, f"{{path: {place}, name: acme}}").report
    alone = checked(write(tmp_path / "alone", acme), tmp_path)
    for part in ("findings", "suppressed", "known"):
        assert same(found[part], "acme/") == same(alone[part])
    rules = {finding["rule"] for finding in found["findings"]}
    assert {"ACME001", "ACME002"} <= rules
    assert len(found["suppressed"]) == 2
    assert {finding["rule"] for finding in found["known"]} == {"ACME003"}


TWO = {"QM1/a.mqsc": QUEUE.format("ONE"), "QM2/a.mqsc": QUEUE.format("ONE")}
OTHER = policy(
    id="ACME001",
    name="not-shared",
    summary="A queue that is not shared",
    why="Another reason",
    severity={"default": "error"},
    check={"attributes": {"SHARE": "SHARE"}},
    message="{name} is for one",
)


def test_two_repositories_may_use_one_id(tmp_path: Path) -> None:
    own = SITES + "policies: [p.yaml, t.yaml]\n"
    first = {"mqlint.yaml": own, "p.yaml": DEEP, "t.yaml": TWICE, **TWO}
    second = {**first, "p.yaml": OTHER, "QM3/a.mqsc": "DEFINE QLOCAL(TWO) NOSHARE\n"}
    second["mqlint.yaml"] = own.replace("leeds", "derby")
    third = {"mqlint.yaml": SITES.replace("leeds", "york"), **TWO}
    places = [
        str(as_folder(tmp_path / name, files))
        for name, files in (("first", first), ("second", second), ("third", third))
    ]
    found = scanned(tmp_path, *places)
    assert found.of("ACME001") == [
        "first/QM1/a.mqsc",
        "first/QM2/a.mqsc",
        "second/QM3/a.mqsc",
    ]
    told = {
        (finding["path"].split("/")[0], finding["rule"]): finding["name"]  # type: ignore[attr-defined]
        for finding in found.report["findings"]
    }
    assert told["first", "ACME001"] == "too-deep"
    assert told["second", "ACME001"] == "not-shared"
    others = [finding for finding in found.report["findings"] if finding["rule"] == "ACME002"]
    assert {other["path"] for other in others} == {
        f"{name}/{manager}/a.mqsc" for name in ("first", "second") for manager in ("QM1", "QM2")
    }
    assert len({other["incident"] for other in others}) == 2


OPEN = {"QM1/a.mqsc": "ALTER QMGR CHLAUTH(DISABLED)\n"}


def test_two_repositories_may_use_one_name_of_a_profile(tmp_path: Path) -> None:
    profile = "profiles: {{bank: {{extends: default, severity: {{SEC001: {}}}}}}}\n"
    places = [
        str(as_folder(tmp_path / name, {"mqlint.yaml": profile.format(word), **OPEN}))
        for name, word in (("first", '"off"'), ("second", "error"), ("third", '"off"'))
    ]
    assert scanned(tmp_path, *places).of("SEC001") == ["second/QM1/a.mqsc"]


@pytest.mark.parametrize("lenient", ["first", "second"])
def test_a_repository_does_not_lower_what_another_one_demands(lenient: str, tmp_path: Path) -> None:
    """Both describe one queue manager, whichever comes first."""
    lower = 'severity: {SEC001: "off"}\n'
    files = {"PAY1/a.mqsc": OPEN["QM1/a.mqsc"]}
    places = [
        str(as_folder(tmp_path / name, {**files, "mqlint.yaml": SITES + lower * (name == lenient)}))
        for name in ("first", "second")
    ]
    strict = tmp_path / ({"first", "second"} - {lenient}).pop()
    found = scanned(tmp_path, *places)
    alone = scanned(tmp_path, str(strict))
    assert len(found.of("SEC001")) == len(alone.of("SEC001")) == 1
    assert {f["severity"] for f in found.report["findings"] if f["rule"] == "SEC001"} == {"error"}


def test_policies_for_all_compare_repositories(tmp_path: Path) -> None:
    """A copy of such a policy in a repository is that policy."""
    shared = tmp_path / "shared.yaml"
    shared.write_text(TWICE)
    files = {"mqlint.yaml": SITES + "policies: [p]\n", "p/t.yaml": TWICE}
    first = as_folder(tmp_path / "first", {**files, "QM1/a.mqsc": QUEUE.format("ONE")})
    files["mqlint.yaml"] = files["mqlint.yaml"].replace("leeds", "derby")
    second = as_folder(tmp_path / "second", {**files, "QM2/a.mqsc": QUEUE.format("ONE")})
    alone = scanned(tmp_path, str(first), str(second))
    assert alone.of("ACME002") == []
    found = scanned(tmp_path, str(first), str(second), words=("--policies", str(shared)))
    assert found.of("ACME002") == ["first/QM1/a.mqsc", "second/QM2/a.mqsc"]
    assert found.unread == {}


WRONG = {
    "broken": ("p/b.yaml", "id: [", "a policy is not run: acme/p/b.yaml:2:1:"),
    "no policy": ("p/b.yaml", "id: ACME009\n", "are missing"),
    "no text": ("p/b.yaml", b"\xff\xfe", "it is not UTF-8"),
    "large": ("p/b.yaml", "#" * (5 << 20), "larger than the limit of 4,194,304 bytes"),
    "taken": ("p/b.yaml", policy(id="DR001"), "the id DR001 is taken"),
    "twice": ("p/b.yaml", policy(id="ACME001"), "the id ACME001 is taken"),
    "reserved": (
        "p/b.yaml",
        policy(id="ACME009", check={"diagnostic": "x"}, match=None),
        "reserved to the rules that come with mqlint",
    ),
    "waivers": ("w.yaml", "waivers: 5\n", "waivers are not used: w.yaml:1:"),
    "baseline": ("known.json", "{", "the baseline is not used"),
}


@pytest.mark.parametrize(("path", "text", "reason"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_told_and_the_rest_holds(
    path: str, text: str | bytes, reason: str, tmp_path: Path
) -> None:
    config = SITES + "policies: [p]\nwaivers: w.yaml\nbaseline: known.json\n"
    files = {"mqlint.yaml": config, "p/a.yaml": DEEP, "w.yaml": "", **TWO}
    files["known.json"] = '{"version": 1, "findings": []}'
    place = as_folder(tmp_path / "acme", files)
    (place / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = scanned(tmp_path, str(place))
    assert found.of("ACME001") == ["acme/QM1/a.mqsc", "acme/QM2/a.mqsc"]
    assert [*found.unread] == [f"acme/{path}"]
    assert reason in found.unread[f"acme/{path}"]
    assert reason in " ".join(found.said.split())


MISSING = {
    "policies": ("policies: [gone, rules]\n", "gone", "no such file or folder"),
    "waivers": ("policies: [rules]\nwaivers: gone.yaml\n", "gone.yaml", "no such file or folder"),
    "baseline": ("policies: [rules]\nbaseline: gone.json\n", "gone.json", "no such file or folder"),
    "above": ("policies: [rules, ../shared]\n", "../shared", "is outside the repository"),
    "absolute": ("policies: [rules, /etc]\n", "/etc", "is outside the repository"),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
@pytest.mark.parametrize(("config", "path", "reason"), MISSING.values(), ids=MISSING.keys())
def test_what_is_not_there_is_told(
    kind: Kind, config: str, path: str, reason: str, tmp_path: Path
) -> None:
    write(tmp_path / "shared", {"p.yaml": TWICE})
    files = {"mqlint.yaml": SITES + config, "rules/a.yaml": DEEP, **TWO}
    found = scanned(tmp_path, f"{{path: {kind(tmp_path / 'acme', files)}, name: acme}}")
    assert {number[1] for number in found.found} == {"ACME001"}
    assert [*found.unread] == [f"acme/{path}"]
    assert all(reason in said for said in found.unread.values())
    assert reason in " ".join(found.said.split())


def test_settings_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    place = as_folder(tmp_path / "acme", {"mqlint.yaml": "#" * (5 << 20), **TWO})
    files = {"mqlint.yaml": SITES + "policies: [p.yaml]\n", "p.yaml": DEEP, **TWO}
    found = scanned(tmp_path, str(place), str(as_folder(tmp_path / "other", files)))
    assert found.of("ACME001") == ["other/QM1/a.mqsc", "other/QM2/a.mqsc"]
    assert found.unread.keys() == {f"acme/{path}" for path in ("mqlint.yaml", *TWO)}
    assert "larger than the limit of 4,194,304 bytes" in found.unread["acme/mqlint.yaml"]
    others = {found.unread[f"acme/{path}"] for path in TWO}
    assert others == {"the settings of its repository are not valid: see acme/mqlint.yaml"}


def test_sarif_of_each_repository_tells_its_own_rules(tmp_path: Path) -> None:
    own = SITES + "policies: [p.yaml]\n"
    first = {"mqlint.yaml": own, "p.yaml": DEEP, **TWO}
    second = {"mqlint.yaml": own.replace("leeds", "derby"), "p.yaml": OTHER}
    second["QM1/a.mqsc"] = "DEFINE QLOCAL(TWO) NOSHARE\n"
    places = [str(as_folder(tmp_path / name, one)) for name, one in (("a", first), ("b", second))]
    scanned(tmp_path, *places, words=("--sarif", str(tmp_path)))
    for name, summary in (("a", "A deep queue"), ("b", "A queue that is not shared")):
        (run,) = json.loads((tmp_path / f"{name}.sarif").read_text())["runs"]
        told = {
            one["id"]: one["shortDescription"]["text"] for one in run["tool"]["driver"]["rules"]
        }
        assert told["ACME001"] == summary


def test_links_do_not_lead_to_policies_elsewhere(tmp_path: Path) -> None:
    shared = write(tmp_path / "shared", {"t.yaml": TWICE})
    files = {"mqlint.yaml": SITES + "policies: [p, t.yaml]\n", "p/a.yaml": DEEP, **TWO}
    place = as_folder(tmp_path / "acme", files)
    (place / "p" / "t.yaml").symlink_to(shared / "t.yaml")
    (place / "t.yaml").symlink_to(shared / "t.yaml")
    (place / "p" / "loop").symlink_to(place)
    found = scanned(tmp_path, str(place))
    assert {number[1] for number in found.found} == {"ACME001"}
    assert [*found.unread] == ["acme/t.yaml"]


def test_what_git_ignores_is_heeded_as_check_heeds_it(tmp_path: Path) -> None:
    files = {"mqlint.yaml": SITES + "policies: [p]\n", "p/a.yaml": DEEP, ".gitignore": "p\n", **TWO}
    place = as_folder(tmp_path / "acme", files)
    git("init", "-q", cwd=place)
    found = scanned(tmp_path, str(place))
    assert found.of("ACME001") == ["acme/QM1/a.mqsc", "acme/QM2/a.mqsc"]


def test_words_of_the_command_line_mean_rules_of_repositories_too(tmp_path: Path) -> None:
    files = {"mqlint.yaml": SITES + "policies: [p.yaml]\n", "p.yaml": DEEP, **TWO}
    places = [str(as_folder(tmp_path / "first", files)), str(as_folder(tmp_path / "none", TWO))]
    found = scanned(tmp_path, *places, words=("--select", "too-deep"))
    assert {number[1] for number in found.found} == {"ACME001"}
    assert scanned(tmp_path, *places, words=("--ignore", "ACME")).of("ACME001") == []
    wrong = scanned(tmp_path, *places, words=("--select", "too-dep"))
    assert wrong.status == 2
    assert "did you mean 'too-deep'?" in wrong.said


def test_estate_names_waivers_of_many(tmp_path: Path) -> None:
    files = {"mqlint.yaml": SITES + "policies: [p.yaml]\n", "p.yaml": DEEP, **TWO}
    has = as_folder(tmp_path / "has", {**files, "w.yaml": WAIVED})
    without = as_folder(tmp_path / "without", files)
    (tmp_path / "estate.yaml").touch()
    entries = [f"{{path: {one}, defaults: {{waivers: w.yaml}}}}" for one in (has, without)]
    found = scanned(tmp_path, *entries)
    assert found.of("ACME001") == ["without/QM1/a.mqsc", "without/QM2/a.mqsc"]
    assert found.unread == {}


def test_another_policy_is_judged_anew_and_nothing_else(tmp_path: Path) -> None:
    files = {"mqlint.yaml": SITES + "policies: [p.yaml]\n", "p.yaml": DEEP, **TWO}
    place = as_folder(tmp_path / "acme", files)
    other = as_folder(tmp_path / "other", {"mqlint.yaml": SITES.replace("leeds", "york"), **TWO})
    first = scanned(tmp_path, str(place), str(other))
    assert "4 judged" in first.said
    assert "0 judged" in scanned(tmp_path, str(place), str(other)).said
    (place / "p.yaml").write_text(OTHER)
    again = scanned(tmp_path, str(place), str(other))
    assert "2 judged" in again.said
    assert again.of("ACME001") == []


def test_spark_heeds_the_same(spark: SparkSession, acme: Files, tmp_path: Path) -> None:
    """Of every kind, in a folder, and by an address that Spark lists; each at its own site."""

    def at(site: str) -> Files:
        return {**acme, "mqlint.yaml": acme["mqlint.yaml"].replace("leeds", site)}

    entries = [
        f"{{path: {one(tmp_path / name, at(name))}, name: {name}}}" for name, one in KINDS.items()
    ]
    write(tmp_path / "outer", {f"inner/{path}": text for path, text in at("inner").items()})
    entries.append("{path: outer}")
    lake = write(tmp_path / "the lake", at("lake"))
    (tmp_path / "estate.yaml").write_text(
        "repositories:\n"
        + "".join(f"  - {entry}\n" for entry in entries)
        + f"dumps: [{{path: 'file:{lake}', name: lake}}]\n"
    )
    estate, out = tmp_path / "estate.yaml", tmp_path / "out"
    plan = plan_of(
        estate, ProjectOptions(no_cache=True).session((str(tmp_path),)), PolicyChoice(), out, ()
    )
    found = scan(SparkEngine(spark, 2), plan.sources, plan.configure, out)
    told = {
        name: {
            (finding.location.path.removeprefix(f"{name}/"), finding.rule.id, finding.message)
            for finding in found.findings
            if finding.location.path.startswith(f"{name}/") and finding.rule.group != "dr"
        }
        for name in (*KINDS, "outer/inner", "lake")
    }
    alike = told["folder"]
    assert told == dict.fromkeys(told, alike)
    assert {rule for _, rule, _ in alike} >= {"ACME001", "ACME002", "ACME003"}
    assert not any(message.startswith("ONE") for _, rule, message in alike if rule == "ACME001")
    assert len(plan.known(found)) == len(told)


def test_policies_of_all_who_describe_a_queue_manager_judge_it(tmp_path: Path) -> None:
    """Scripts in one repository, more of it in another: each has a policy of its own."""
    own = SITES + "policies: [p.yaml, t.yaml]\n"
    first = {"mqlint.yaml": own, "p.yaml": DEEP, "t.yaml": TWICE, "QM1/a.mqsc": QUEUE.format("ONE")}
    second = {**first, "p.yaml": OTHER, "QM1/a.mqsc": "DEFINE QLOCAL(TWO) NOSHARE\n"}
    second |= {"QM2/a.mqsc": QUEUE.format("ONE")}
    places = [str(as_folder(tmp_path / name, one)) for name, one in (("a", first), ("b", second))]
    found = scanned(tmp_path, *places)
    assert found.of("ACME001") == ["a/QM1/a.mqsc", "b/QM1/a.mqsc"]
    told = {
        (finding["path"], finding["name"])
        for finding in found.report["findings"]
        if finding["rule"] == "ACME001"
    }
    assert told == {("a/QM1/a.mqsc", "too-deep"), ("b/QM1/a.mqsc", "not-shared")}
    assert found.of("ACME002") == ["a/QM1/a.mqsc", "b/QM2/a.mqsc"]


def test_copies_of_a_policy_find_a_thing_once(tmp_path: Path) -> None:
    own = SITES + "policies: [p.yaml, t.yaml]\n"
    files = {"mqlint.yaml": own, "p.yaml": DEEP, "t.yaml": TWICE}
    more = {**files, "QM1/a.mqsc": "DEFINE QLOCAL(TWO) MAXDEPTH(5)\n"}
    places = [
        str(as_folder(tmp_path / name, one)) for name, one in (("a", {**files, **TWO}), ("b", more))
    ]
    found = scanned(tmp_path, *places)
    alone = scanned(tmp_path, places[0])
    for rule in ("ACME001", "ACME002"):
        assert set(found.of(rule)) == {*alone.of(rule)}
        assert len(found.of(rule)) == len(alone.of(rule)) == 2


def nested(acme: Files) -> Files:
    """A repository with settings at its top, and in folders that are projects of their own."""
    deep = {"mqlint.yaml": SITES.replace("leeds", "derby"), "QM4/a.mqsc": QUEUE.format("DEEP")}
    return {
        "mqlint.yaml": SITES
        + "exclude: [drafts, '*.old', known.json, w.yaml, mqlint.yaml]\npolicies: [p.yaml]\n",
        ".gitignore": "deep/mqlint.yaml\n",
        "p.yaml": OTHER,
        "QM3/a.mqsc": "DEFINE QLOCAL(TOP) NOSHARE MAXDEPHT(1)\n",
        **{f"acme/{path}": text for path, text in acme.items()},
        "acme/QM1/b.old": "DEFINE QLOCAL(OLD) MAXDEPHT(1)\n",
        **{f"acme/deep/{path}": text for path, text in deep.items()},
        **{f"drafts/{path}": text for path, text in deep.items()},
    }


@pytest.mark.parametrize("as_project", [True, False], ids=["project", "repository"])
@pytest.mark.parametrize("is_checkout", [True, False], ids=["checkout", "folder"])
def test_folders_with_settings_of_their_own_are_judged_as_check_judges_them(
    as_project: bool, is_checkout: bool, acme: Files, tmp_path: Path
) -> None:
    top = write(tmp_path / "top", nested(acme))
    if is_checkout:
        git("init", "-q", cwd=top)
    alone = checked(top, tmp_path)
    report = tmp_path / "scan.json"
    if as_project:
        options = ("--engine=process", "--exit-zero", f"--format=json={report}")
        done = run("estate", "scan", ".", "--out", tmp_path / "out", *options, cwd=top)
        assert done.exit_code == 0, done.output
        found = json.loads(report.read_text())
    else:
        found = scanned(tmp_path, "top").report
    prefix = "" if as_project else "top/"
    for part in ("findings", "suppressed", "known"):
        assert same(found[part], prefix) == same(alone[part])
    rules = {(str(finding["path"]), finding["rule"]) for finding in alone["findings"]}
    assert {("QM3/a.mqsc", "ACME001"), ("acme/QM1/a.mqsc", "ACME001")} <= rules
    assert not {path for path, _ in rules if path.startswith("drafts") or path.endswith(".old")}


def test_folders_with_wrong_settings_are_not_judged(tmp_path: Path) -> None:
    files = {"mqlint.yaml": SITES, "QM1/a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(1)\n"}
    top = write(tmp_path / "top", files)
    write(top / "inner", {**files, "mqlint.yaml": "sites: 5\n"})
    found = scanned(tmp_path, "top")
    assert found.of("VOC002") == ["top/QM1/a.mqsc"]
    assert found.unread["top/inner/QM1/a.mqsc"].startswith("the settings of its repository")


def test_a_folder_that_is_given_settings_is_judged_again(tmp_path: Path) -> None:
    top = write(tmp_path / "top", {"mqlint.yaml": SITES})
    write(top / "inner", {"QM1/a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(1)\n"})
    assert scanned(tmp_path, "top").of("VOC002") == ["top/inner/QM1/a.mqsc"]
    write(top / "inner", {"mqlint.yaml": SITES + "severity: {VOC002: off}\n"})
    assert not scanned(tmp_path, "top").of("VOC002")
    (top / "inner" / "mqlint.yaml").unlink()
    assert scanned(tmp_path, "top").of("VOC002") == ["top/inner/QM1/a.mqsc"]
