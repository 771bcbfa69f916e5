"""A file that is renamed brings no finding: fingerprints hold no path."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from mqlint.engine import Analyser, Run
from mqlint.engine.cases import run_case
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
PROFILES = {profile for rule in RULEBOOK.rules.values() for profile in rule.severity}

MEANT = frozenset(
    {
        "qm.ini",
        "mqs.ini",
        "crontab",
        "fstab",
        "queue-managers.csv",
        "Dockerfile",
        "Jenkinsfile",
        "mqlint-waivers.yaml",
        "mqlint.yaml",
        "mqlint-baseline.json",
        *("config.yml", "default.json", "application.yml", ".env"),
        *("appsettings.json", "appsettings.Production.json", "server.xml"),
        *("Chart.yaml", "values.yaml", "values-metadata.yaml"),
        *("rsnapshot.conf", "lsyncd.conf.lua", "config.yaml", "bacula-dir.conf", "dsm.sys"),
        "application.properties",
    }
)
"""Files that are known by their name."""


def renamed(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    is_meant = name in MEANT or "CSQINP" in name.upper()
    return path if is_meant else f"{folder}{slash}renamed-{name}"


def marks(run: Run) -> Counter[str]:
    return Counter(f"{finding.rule.id} {finding.shared_fingerprint}" for finding in run.findings)


def told_of_names(case: Case) -> bool:
    """Whether the case's configuration, or one of its texts, names a file or its queue manager."""
    names = {path.rpartition("/")[2].partition(".")[0].lower() for path, _ in case.files}
    texts = (repr(case.settings), *(text for _, text in case.files))
    return any(name in text.lower() for name in names for text in texts)


@pytest.mark.slow
@pytest.mark.sample(24)
@pytest.mark.parametrize("source", builtin_sources(), ids=lambda one: one.path.rpartition("/")[2])
def test_renamed_files_bring_nothing(source: PolicySource) -> None:
    for case in cases_of(source):
        by_file = any("}" in pattern[-7:] for pattern in case.settings.queue_managers)
        if case.flagged and not (told_of_names(case) or by_file):
            files = tuple((renamed(path), text) for path, text in case.files)
            moved = replace(case, files=files)
            runs = [run_case(one, ANALYSER, RULEBOOK, PROFILES) for one in (case, moved)]
            assert marks(runs[0]) == marks(runs[1]), case.name
