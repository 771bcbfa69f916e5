"""A finding is one and the same in its repository, in a change to it, and in a scan of an estate.

Repositories are made in folders of other names than the estate gives them. What is accepted there
is recorded by the commands that a person would use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.dataclass import names_of
from tests.estate.estates import KINDS, Files, Kind, scanned
from tests.files import git, write

pytestmark = pytest.mark.slow

BASELINE = "mqlint-baseline.json"
WRONG = "DEFINE QLOCAL({0}) MAXDEPHT(5)\n"
OPEN = "ALTER QMGR CHLAUTH(DISABLED)\n"
CONFIG = f"baseline: {BASELINE}\n"

# Queue managers of a named site and none, sites that are guessed, scripts, and twins of all.
PAYMENTS: Files = {
    "mqlint.yaml": CONFIG
    + 'sites: {leeds: {role: production, paths: ["live/**"]}}\n'
    + 'queue_managers: "{site}/{queue_manager}/*"\n',
    "live/LEEDSQM1/a.mqsc": WRONG.format("PAY.IN") + OPEN + WRONG.format("PAY.IN"),
    "common/a.mqsc": OPEN + WRONG.format("ALL.IN"),
    "common/b.mqsc": WRONG.format("ALL.IN") + OPEN + "DEFINE QLOCAL(X)\n" + WRONG.format("ALL.IN"),
    "start.sh": "#!/bin/sh\ncrtmqm -lc PAYQM1\nstrmqm -c PAYQM1\nrm -rf /var/mqm/qmgrs/PAYQM1\n",
}
ORDERS: Files = {
    "mqlint.yaml": CONFIG,
    "prod/ORDQM1.mqsc": OPEN + WRONG.format("ORD.IN"),
    "test/ORDQM1.mqsc": OPEN + WRONG.format("ORD.IN"),
    "mqlint-waivers.yaml": "waivers:\n"
    "  - {rule: VOC002, object: ORD.*, paths: test, owner: orders team, reason: agreed}\n",
    "qm.ini": "Log:\n   LogType=CIRCULAR\nChannels:\n   MaxChanels=10\n",
}
STOCK: Files = {
    "mqlint.yaml": CONFIG + "repository: stock\n",
    "a.mqsc": OPEN + "* mqlint: ignore[VOC002] as agreed\n" + WRONG.format("STK.IN"),
    "b.mqsc": OPEN + WRONG.format("STK.OUT") + WRONG.format("STK.OUT"),
}
COPY: Files = {**PAYMENTS, "mqlint.yaml": CONFIG}

REPOSITORIES = {
    "payments": (PAYMENTS, "folder"),
    "orders": (ORDERS, "mirror"),
    "stock": (STOCK, "zip"),
    "copy": (COPY, "tape"),
}

Report = dict[str, Any]
Run = Callable[..., Report]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in a folder; of `check` it returns the report."""

    def done(folder: Path, *words: str) -> Report:
        monkeypatch.chdir(folder)
        more = ("--format=json",) if words[0] == "check" else ()
        runner = CliRunner(env={"MQLINT_CACHE_DIR": str(tmp_path / "cache"), "COLUMNS": "1000"})
        found = runner.invoke(main, [*words, *more])
        assert found.exit_code in (0, 1), found.output
        return {"said": found.output, **(json.loads(found.stdout) if more else {})}

    return done


def recorded(run: Run, folder: Path, files: Files) -> Files:
    """The files of a repository with a baseline, all of which git has."""
    write(folder, files)
    run(folder, "baseline", "create")
    git("init", "-q", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "x", cwd=folder)
    return {**files, BASELINE: (folder / BASELINE).read_text()}


@dataclass(frozen=True)
class Estate:
    """Where repositories were made, by their names, and what names them in `estate.yaml`."""

    place: Path
    made: dict[str, Path]
    entries: list[str]

    def scanned(self, *words: str) -> Report:
        return scanned(self.place, *self.entries, words=words).report


@pytest.fixture
def estate(run: Run, tmp_path: Path) -> Estate:
    made, entries = {}, []
    for name, (files, kind) in REPOSITORIES.items():
        made[name] = tmp_path / "made" / f"checkout of {name}"
        whole = recorded(run, made[name], files)
        place = KINDS[kind](tmp_path / f"x-{name}", whole)
        entries.append(f"{{path: {place}, name: teams/{name}}}")
    return Estate(tmp_path, made, entries)


def identities(findings: list[Report], name: str = "") -> list[tuple[str, ...]]:
    """What is told of findings, and where; in a repository as it sees itself."""
    own = [finding for finding in findings if (finding["repository"] or "") == name]
    prefix = f"{name}/" if name else ""
    return sorted(
        (
            finding["path"].removeprefix(prefix),
            str(finding["start"]["line"]),
            finding["rule"],
            finding["fingerprint"],
        )
        for finding in own
    )


def test_nothing_known_is_new_in_an_estate(estate: Estate, run: Run) -> None:
    report = estate.scanned()
    assert report["findings"] == []
    for name, folder in estate.made.items():
        alone = run(folder, "check")
        assert alone["findings"] == []
        assert alone["known"]
        for state in ("known", "suppressed"):
            there = identities(report[state], f"teams/{name}")
            assert there == identities(alone[state]), (name, state)


def test_nothing_known_is_new_in_a_change(estate: Estate, run: Run) -> None:
    for folder in estate.made.values():
        assert run(folder, "check", "--diff", "HEAD")["findings"] == []
        (folder / "sub").mkdir()
        (folder / "sub" / "new.mqsc").write_text(WRONG.format("NEW.IN"))
        (new,) = run(folder, "check", "--diff", "HEAD")["findings"]
        assert new["path"] == "sub/new.mqsc"


def test_sarif_tells_the_same_of_a_repository(estate: Estate, run: Run) -> None:
    def results(file: Path) -> list[Any]:
        (log,) = json.loads(file.read_text())["runs"]
        return [
            (
                result["partialFingerprints"]["mqlint/v2"],
                result["ruleId"],
                result.get("baselineState"),
            )
            for result in log["results"]
        ]

    estate.scanned("--sarif", str(estate.place / "sarif"))
    for name, folder in estate.made.items():
        run(folder, "check", f"--format=sarif={estate.place / 'own.sarif'}")
        (file,) = (estate.place / "sarif").glob(f"*{name}*")
        assert sorted(map(str, results(file))) == sorted(
            map(str, results(estate.place / "own.sarif"))
        )


LINES = ("live/LEEDSQM1/a.mqsc", "common/b.mqsc")


@pytest.mark.parametrize("path", LINES)
@pytest.mark.parametrize("at", range(4))
def test_a_twin_is_one_new_finding(path: str, at: int, run: Run, tmp_path: Path) -> None:
    """Before the first, between both, and after the last; the others keep their fingerprints."""
    folder = tmp_path / "work"
    recorded(run, folder, PAYMENTS)
    lines = PAYMENTS[path].splitlines(keepends=True)
    twin = lines[-1]
    before = identities(run(folder, "check")["known"])
    lines.insert(min(at, len(lines)), twin)
    (folder / path).write_text("".join(lines))
    alone = run(folder, "check")
    changed = run(folder, "check", "--diff", "HEAD")
    for report in (alone, changed):
        (new,) = (finding for finding in report["findings"] if finding["rule"] == "VOC002")
        assert lines[new["start"]["line"] - 1] == twin
        others = {finding["rule"] for finding in report["findings"]} - {"VOC002"}
        assert not others & {rule for *_, rule, _ in before}
    after = identities([*alone["known"], *alone["findings"]])
    marks = [{row[-1] for row in rows if row[2] == "VOC002"} for rows in (before, after)]
    assert marks[0] < marks[1]
    assert len(marks[1]) == len(marks[0]) + 1


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_baseline_holds_in_its_own_repository_only(kind: Kind, run: Run, tmp_path: Path) -> None:
    """Two repositories with the same findings, of which one has recorded them."""
    whole = recorded(run, tmp_path / "work", COPY)
    known = kind(tmp_path / "known", whole)
    fresh = kind(tmp_path / "fresh", {**COPY, "mqlint.yaml": ""})
    entries = (f"{{path: {known}, name: known}}", f"{{path: {fresh}, name: fresh}}")
    report = scanned(tmp_path, *entries).report
    assert {finding["repository"] for finding in report["findings"]} == {"fresh"}
    assert {finding["repository"] for finding in report["known"]} == {"known"}
    alike = identities(report["known"], "known")
    assert identities(report["findings"], "fresh") == alike


def as_of_version_1(folder: Path, name: str) -> None:
    """Make a baseline one of an mqlint that had the repository's name in fingerprints."""
    from dataclasses import replace

    from mqlint.finding import Subject, fingerprint
    from mqlint.finding.baseline import parsed

    old = []
    for entry in parsed((folder / BASELINE).read_bytes()):
        kind, _, called = entry.object.partition(" ")
        words = (entry.site or None, entry.queue_manager or None, kind or None, called or None)
        subject = Subject(*words, entry.attribute or None)
        for detail in ("", "MAXDEPHT", "MaxChanels"):
            if fingerprint(entry.rule, subject, detail) == entry.fingerprint:
                named = fingerprint(entry.rule, subject, detail, name)
                old.append(replace(entry, fingerprint=named, context=""))
    cells = [
        {
            key: getattr(entry, key)
            for key in names_of(type(entry))
            if getattr(entry, key) and key != "context"
        }
        for entry in old
    ]
    (folder / BASELINE).write_text(json.dumps({"version": 1, "findings": cells}))


def test_a_baseline_of_an_earlier_mqlint_is_converted(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    recorded(run, folder, STOCK)
    today = (folder / BASELINE).read_text()
    as_of_version_1(folder, "stock")
    git("commit", "-q", "-a", "-m", "old", cwd=folder)
    assert run(folder, "check")["findings"] == []
    assert scanned(tmp_path, f"{{path: {folder}, name: other}}").report["findings"] == []
    said = run(folder, "baseline", "convert")["said"]
    number = len(json.loads(today)["findings"])
    assert said == (
        f"{BASELINE}: {number} findings recorded, {number} with another fingerprint than before\n"
    )
    assert (folder / BASELINE).read_text() == today
    assert run(folder, "check", "--diff", "HEAD")["findings"] == []
    again = run(folder, "baseline", "convert")["said"]
    assert re.search(r"\b0 with another fingerprint", again)
    (folder / "mqlint.yaml").write_text(CONFIG)
    as_of_version_1(folder, "stock")
    assert run(folder, "check")["findings"]
    run(folder, "baseline", "convert", "--repository", "stock")
    assert run(folder, "check")["findings"] == []


def test_folders_of_public_configuration(corpus: Path, run: Run, tmp_path: Path) -> None:
    """What is known in each of them is known in an estate of all."""
    made = {}
    for at, folder in enumerate(sorted(path for path in corpus.iterdir() if path.is_dir())):
        made[f"r{at}"] = tmp_path / "made" / f"r{at}"
        copytree(folder, made[f"r{at}"])
        (made[f"r{at}"] / "mqlint.yaml").write_text(CONFIG)
        run(made[f"r{at}"], "baseline", "create")
    report = scanned(tmp_path, *map(str, made.values())).report
    for name, folder in made.items():
        there = set(identities([*report["known"], *report["suppressed"]], name))
        alone = run(folder, "check")
        assert set(identities([*alone["known"], *alone["suppressed"]])) <= there
    assert report["findings"] == []


def test_estate_names_the_repository_in_which_a_thing_is_accepted(run: Run, tmp_path: Path) -> None:
    """Its baseline counts there too, and its waivers, which are no use where they lie."""
    waivers = (
        "waivers:\n  - {rule: VOC002, object: NIGHT.*, paths: deep, owner: us, reason: agreed}\n"
    )
    config = recorded(run, tmp_path / "work", {**COPY, "mqlint-waivers.yaml": ""})
    config = {**config, "mqlint-waivers.yaml": waivers}
    night = {**COPY, "mqlint.yaml": "", "deep/new.mqsc": WRONG.format("NIGHT.IN")}
    for name, files in (("config", config), ("night", night)):
        write(tmp_path / name, files)
    owner = f"{{path: {tmp_path / 'config'}, name: config}}"
    guest = f"path: {tmp_path / 'night'}, name: a/night"
    alone = scanned(tmp_path, owner, f"{{{guest}}}").report
    assert {finding["repository"] for finding in alone["findings"]} == {"a/night", "config"}
    assert [
        finding["name"] for finding in alone["findings"] if finding["repository"] == "config"
    ] == ["waiver-unmatched"]
    both = scanned(tmp_path, owner, f"{{{guest}, accepted_in: config}}").report
    assert both["findings"] == []
    (waived,) = both["suppressed"]
    assert waived["path"] == "a/night/deep/new.mqsc"
    assert identities(both["known"], "a/night") == identities(both["known"], "config")


WRONG_OWNERS = {
    "that repository does not exist": ("nobody", "config"),
    "that repository has an `accepted_in` too": ("config", "night"),
}


@pytest.mark.parametrize(("reason", "named"), WRONG_OWNERS.items())
def test_an_owner_that_cannot_be_one_is_refused(
    reason: str, named: tuple[str, str], tmp_path: Path
) -> None:
    entries = [
        f"{{path: {write(tmp_path / name, COPY)}, name: {name}, accepted_in: {owner}}}"
        for name, owner in zip(("night", "config"), named, strict=True)
    ]
    refused = scanned(tmp_path, *entries)
    assert refused.status == 2
    assert reason in refused.said


def test_a_baseline_for_several_repositories_is_refused(tmp_path: Path) -> None:
    place = write(tmp_path / "night", COPY)
    refused = scanned(tmp_path, str(place), words=("--baseline", str(place / "start.sh")))
    assert refused.status == 2
    assert "--baseline is for one project" in refused.said
