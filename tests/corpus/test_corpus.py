"""Configuration found in public: what is right is met with silence, what is said of it is true."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Run, check, inputs_of
from mqlint.finding import Coverage, Severity
from mqlint.policy.rulebook import Rulebook

ERRORS = Path(__file__).with_name("errors.yaml")
LANGUAGES = {
    "mqsc": "mqsc",
    "dmpmqcfg-dump": "mqsc",
    "ini": "ini",
    "yaml": "manifest",
    "ccdt-json": "ccdt",
}

# Sections in brackets, as other programs write them: not the form in which MQ reads stanzas.
OTHER_FORM = {
    # Of a queue manager, and nothing about it: its route.
    "TxMQ+ibm-mq-helm-chart/5a887095/yaml/mq-route-qmgr.yaml",
}

PRISTINE = [
    "borland6+gen-mq-cluster-topology-diagram/QM4.txt",
    "ibm-messaging+mq-ansible/c255ff05/ansible_collections/ibm/ibmmq/dev-config.mqsc",
    "ibm-messaging+mq-ansible/playbooks/files/dev-config.mqsc",
    "ibm-messaging+mq-container/104098c7/incubating/mqadvanced-server-dev/dev.mqsc",
    "ibm-messaging+mq-container/91346562/incubating/mqadvanced-server-dev/dev.mqsc.tpl",
    "ibm-messaging+mq-container/incubating/mqadvanced-server-dev/10-dev.mqsc.tpl",
]


@pytest.fixture(scope="module")
def run(corpus: Path, analyser: Analyser, rulebook: Rulebook) -> Run:
    """Each repository of the corpus as a project of its own, in the default profile."""
    runs = [
        check(inputs_of(_files(folder), corpus), Settings(), analyser, rulebook)
        for folder in sorted(corpus.iterdir())
        if folder.is_dir()
    ]
    return Run(
        findings=[finding for one in runs for finding in one.findings],
        coverage=Coverage(tuple(row for one in runs for row in one.coverage.files)),
        rules=rulebook.rules,
    )


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", PRISTINE)
def test_what_comes_from_the_product_is_met_with_silence(
    path: str, corpus: Path, analyser: Analyser, rulebook: Rulebook
) -> None:
    run = check(inputs_of([corpus / path], corpus), Settings(), analyser, rulebook)
    assert [row.status for row in run.coverage.files] == ["checked"]
    assert [finding.message for finding in run.findings if finding.severity > Severity.NOTE] == []
    assert len(run.findings) <= 3


def test_every_error_is_a_true_one(run: Run) -> None:
    found: dict[str, list[str]] = {}
    for finding in run.findings:
        if finding.severity is Severity.ERROR:
            where = finding.location
            found.setdefault(where.path, []).append(f"{where.start.line} {finding.rule.id}")
    assert found == _known_errors()


def _known_errors() -> Mapping[str, list[str]]:
    root = read_yaml(ERRORS.read_text("utf-8"), ERRORS.name)
    assert all(node.require("reason").string() for node in root.sequence())
    return {
        node.require("path").string(): list(node.require("errors").strings())
        for node in root.sequence()
    }


def test_every_language_is_recognised_for_what_it_is(run: Run, corpus: Path) -> None:
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    wanted = {
        f"{row['repo'].replace('/', '+')}/{row['path']}": LANGUAGES.get(row["kind"]) for row in rows
    }
    there = {row.path: row.language for row in run.coverage.files}
    wrong = {
        path: there.get(path) for path, language in wanted.items() if there.get(path) != language
    }
    assert wrong == dict.fromkeys(OTHER_FORM)


def test_nearly_all_commands_are_understood(run: Run) -> None:
    assert run.coverage.understood >= 0.99 * run.coverage.commands > 0
