"""Findings compared with a baseline: which are known, and which of its entries are stale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from mqlint.cli.common.group import refusing
from mqlint.cli.common.project import Session, shown_path
from mqlint.config.settings import Settings
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.criteria import grading_of
from mqlint.engine.judgement.waivers import rules_run
from mqlint.finding import Finding
from mqlint.finding.baseline import (
    BaselineEntry,
    BaselineError,
    Split,
    converted,
    parsed,
    split,
    surplus,
)
from mqlint.report import Known


def read_baseline(session: Session, path: Path) -> tuple[BaselineEntry, ...]:
    """Return what a baseline holds; Refusal if it cannot be read or is not a baseline."""
    with refusing(BaselineError, f"cannot use {shown_path(path)}"):
        return parsed(session.bytes_of(path, named=session.baseline is not None))


def compared(
    session: Session,
    findings: Sequence[Finding],
    baseline: Path,
    unproven: Set[str] | None,
    known: Sequence[Known] = (),
) -> tuple[list[Finding], list[Known]]:
    """Return the findings that a baseline does not know, and what is `known` with what it knows.

    `unproven` are the rules that found nothing because they did not run, None if not the whole
    project was judged: then no entry is known to be stale. What is known already was left out of
    the findings, and uses up entries all the same.
    """
    others = [finding for group in known for finding in group.findings]
    entries = converted(
        read_baseline(session, baseline), [*findings, *others], session.settings.repository
    )
    gone = stale(split([*findings, *others], entries), unproven)
    parts = split(findings, surplus(entries, map(BaselineEntry.of, others)))
    return parts.new, [*known, Known("baseline", shown_path(baseline), parts.known, gone)]


def stale(parts: Split, unproven: Set[str] | None) -> list[BaselineEntry]:
    """Return the entries without a finding whose rules were run, or do not exist any more."""
    if unproven is None:
        return []
    return [entry for entry in parts.stale if entry.rule not in unproven]


def unproven_rules(
    session: Session, settings: Settings, checked: Iterable[str], profiles: Iterable[str]
) -> frozenset[str]:
    """Return the rules that a run did not try, which checked the files of these paths."""
    rulebook = session.rulebook
    assembly = Assembly(settings, session.vocabulary)
    ran = rules_run(checked, JudgingContext(assembly, rulebook, grading_of(settings, profiles)))
    return frozenset(rulebook.rules.keys() - ran)
