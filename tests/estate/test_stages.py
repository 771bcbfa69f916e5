"""What a policy's own cases flag in one process, the stages of a scan flag too, word for word."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from mqlint.config.loader import load_settings
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from mqlint.engine.judgement.register import FILE_NAME as REGISTER
from mqlint.finding import Finding
from mqlint.finding.waiver import FILE_NAME
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import builtin_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary

pytest.importorskip("pyspark")

from tests.estate.stages import setup_of, staged
from tests.files import write
from tests.linear import is_linear_in_steps

SOURCES = {Path(source.path).stem.upper(): source for source in builtin_sources()}


@pytest.fixture(scope="module")
def analyser(vocabulary: Vocabulary) -> Analyser:
    return Analyser(vocabulary)


def both(
    files: Mapping[str, str],
    folder: Path,
    settings: Settings,
    analyser: Analyser,
    rulebook: Rulebook,
    profiles: tuple[str, ...] = (),
) -> list[Finding]:
    """Judge in one process and in stages; return what both found."""
    inputs = []
    for number, (path, text) in enumerate(files.items()):
        file = folder / f"{len(list(folder.iterdir()))}-{number}"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        inputs.append(Input(path, file))
    run = check(inputs, settings, analyser, rulebook, profiles=profiles)
    setup = setup_of(analyser.vocabulary.compiled, rulebook, settings, profiles)
    found = staged(inputs, setup, folder / "scratch")
    assert _ordered(finding for finding in found if finding.ignored is None) == _ordered(
        run.findings
    )
    assert _ordered(finding for finding in found if finding.ignored is not None) == _ordered(
        run.ignored
    )
    return run.findings


def _ordered(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(
        findings, key=lambda finding: (finding.location, finding.rule.id, finding.fingerprint)
    )


def telling(cases: list[Case]) -> Iterator[Case]:
    """Of the cases that flag something the first, and those that set parameters."""
    flagged = [
        case
        for case in cases
        if case.flagged
        and FILE_NAME not in dict(case.files)
        and REGISTER not in dict(case.files)  # tests/estate/test_audit.py scans one
        and case.base is None  # no scan has one
    ]
    yield from (case for case in flagged if case is flagged[0] or case.settings.parameters)


@pytest.mark.slow
@pytest.mark.sample(40)
# A scan names no files (FIL001), asks for none that a document names (FIL005), and reads no key
# databases (SEC058).
@pytest.mark.parametrize(
    "rule",
    [
        key
        for key, source in SOURCES.items()
        if "cases:" in source.text and key not in ("FIL001", "FIL005", "SEC058")
    ],
)
def test_cases_are_flagged_alike(
    rule: str, analyser: Analyser, rulebook: Rulebook, tmp_path: Path
) -> None:
    known = [
        compiled
        for compiled in rulebook.compiled
        if compiled["kind"] == "diagnostic" or compiled["id"] == rule
    ]
    alone = Rulebook(known)
    for case in telling(cases_of(SOURCES[rule])):
        profiles = case.profiles or tuple(sorted(alone.rules[rule].severity))
        found = both(dict(case.files), tmp_path, case.settings, analyser, alone, profiles)
        assert rule in {finding.rule.id for finding in found}, case.name


JOB = "0 1 * * * /opt/mqm/bin/rcdmqimg -m QMA -t all '*'\n"
"""A user's crontab may have it, and a system crontab may not."""


@pytest.mark.slow
@pytest.mark.parametrize("paths", [("a.crontab", "etc/crontab"), ("etc/crontab", "a.crontab")])
def test_equal_files_are_read_each_at_its_path(
    paths: tuple[str, str], analyser: Analyser, rulebook: Rulebook, tmp_path: Path
) -> None:
    found = both(dict.fromkeys(paths, JOB), tmp_path, Settings(), analyser, rulebook)
    assert {finding.location.path for finding in found} == {"etc/crontab"}


COMPLETE = '{queue_managers: "{queue_manager}/*", inventory: {objects: complete}}'
DUMP = "* Queue manager name: QMA\n* Command issued: dmpmqcfg -m QMA -a\n"
TARGET_IS_DELETED = {
    "QMA/a-dump.mqsc": f"{DUMP}DEFINE QLOCAL(APP.IN) CLUSTER(DEMO)\n",
    "QMA/b.mqsc": "DELETE QLOCAL(APP.IN)\nDEFINE QALIAS(APP.ALIAS) TARGET(APP.IN)\n",
}


@pytest.mark.parametrize("others", [{}, {"QMB/c.mqsc": "DEFINE QLOCAL(B)\n"}], ids=["alone", "two"])
def test_a_queue_manager_alone_is_judged_as_among_others(
    others: dict[str, str], analyser: Analyser, rulebook: Rulebook, tmp_path: Path
) -> None:
    settings = load_settings(COMPLETE, "mqlint.yaml")
    found = both({**TARGET_IS_DELETED, **others}, tmp_path, settings, analyser, rulebook)
    assert "REF005" not in {finding.rule.id for finding in found}


MANY = {
    "script": "crtmqm {0}\nrunmqsc {0} <<E\nDEFINE QLOCAL(A)\nE\n",
    "mqs.ini": "QueueManager:\n  Name={0}\n  Prefix=/var/mqm\n  Directory={0}\n",
}


@pytest.mark.growth
@pytest.mark.parametrize("kind", MANY)
def test_a_document_about_many_queue_managers_is_split_once(
    kind: str, analyser: Analyser, tmp_path: Path
) -> None:
    setup = setup_of(analyser.vocabulary.compiled, Rulebook([]), Settings(), ())
    name = "mqs.ini" if "." in kind else "make.sh"

    def work(number: int) -> None:
        text = "".join(MANY[kind].format(f"QM{at:04}") for at in range(number))
        write(tmp_path, {name: text})
        shutil.rmtree(tmp_path / "scratch", ignore_errors=True)
        staged([Input(name, tmp_path / name)], setup, tmp_path / "scratch")

    assert is_linear_in_steps(work, 25)
