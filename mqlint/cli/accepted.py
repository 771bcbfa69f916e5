"""What a team has accepted: its waivers and its baseline, found and read for a run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence, Set
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.group import Refusal
from mqlint.cli.project import Session, shown_path
from mqlint.config.settings import Settings
from mqlint.engine.assemble import Assembly
from mqlint.engine.run import grading_of
from mqlint.finding import Coverage, Finding
from mqlint.finding.baseline import BaselineError, Entry, Split, parsed, split, surplus
from mqlint.finding.waiver import Waivers, waivers_from
from mqlint.report import Known
from mqlint.report.shown import visible
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, read

if TYPE_CHECKING:
    from click.decorators import FC

TODAY = "MQLINT_TODAY"
"""The environment variable that sets the day on which waivers are judged, as 2027-03-31."""

LIMIT = 64 * 1024 * 1024
"""The largest file of waivers or baseline that is read, in bytes."""


def baseline_option(function: FC) -> FC:
    """Add `--baseline`."""
    return click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Count only findings that are not in this file. Over `baseline:` in mqlint.yaml.",
    )(function)


def today() -> date:
    """Return the day on which a run is made: the one place where a run asks for it."""
    word = os.environ.get(TODAY, "")
    if not word:
        return date.today()
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", word):
            return date.fromisoformat(word)
    except ValueError:
        pass
    raise Refusal(f"{TODAY} is {visible(word)!r}, expected a date such as 2027-03-31")


def waivers_of(session: Session, *, complete: bool) -> Waivers | None:
    """Return the waivers of a project, None where it has none.

    `complete` says that the whole project is judged. Refusal where the file that the configuration
    names is not there, or is no text; ConfigError where it is wrong.
    """
    name, root = session.settings.waivers, session.project.root
    path = root / name if name else None
    if path is None or (name == Settings().waivers and not os.path.lexists(path)):
        return None
    text = _text(_bytes(path), path)
    from mqlint.config.reader import read_yaml  # here, as it needs yaml

    shown = display_path(path, root)
    entries = waivers_from(read_yaml(text, shown), session.rulebook.rules)
    return Waivers(entries, today(), complete, shown, text)


def baseline_path(session: Session, named: Path | None) -> Path | None:
    """Return the file of the baseline, that of the configuration where none is named."""
    configured = session.settings.baseline
    return named or (session.project.root / configured if configured else None)


def read_baseline(path: Path) -> tuple[Entry, ...]:
    """Return what a baseline holds; Refusal where it cannot be read or is none."""
    try:
        return parsed(_bytes(path))
    except BaselineError as error:
        raise Refusal(f"cannot use {_shown(path)}: {visible(str(error))}") from None


def compared(
    findings: Sequence[Finding],
    baseline: Path,
    unproven: Set[str] | None,
    known: Sequence[Known] = (),
) -> tuple[list[Finding], list[Known]]:
    """Return the findings that a baseline does not know, and what is `known` with what it knows.

    `unproven` are the rules that found nothing because they did not run, None where not the whole
    project was judged: then no entry is known to be stale. What is known already was left out of
    the findings, and uses up entries all the same.
    """
    entries = read_baseline(baseline)
    told = [finding for one in known for finding in one.findings]
    gone = stale(split([*findings, *told], entries), unproven)
    parts = split(findings, surplus(entries, map(Entry.of, told)))
    return parts.new, [*known, Known("baseline", shown_path(baseline), parts.known, gone)]


def stale(parts: Split, unproven: Set[str] | None) -> list[Entry]:
    """Return the entries without a finding whose rules were run, or are no more."""
    if unproven is None:
        return []
    return [one for one in parts.stale if one.rule not in unproven]


def unproven_rules(
    session: Session, settings: Settings, coverage: Coverage, profiles: Iterable[str]
) -> frozenset[str]:
    """Return the rules that a run did not try."""
    from mqlint.engine.waive import rules_run  # here, as most runs need none of it

    rulebook = session.rulebook
    checked = [row.path for row in coverage.files if row.status == "checked"]
    assembly = Assembly(settings, session.vocabulary)
    ran = rules_run(checked, assembly, rulebook, grading_of(settings, profiles))
    return frozenset(rulebook.rules.keys() - ran)


def _bytes(path: Path) -> bytes:
    data = read(path, limit=LIMIT)
    if isinstance(data, Unreadable):
        raise Refusal(f"cannot read {_shown(path)}: {data.reason}")
    return data


def _text(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(f"cannot read {_shown(path)}: it is not UTF-8") from None


def _shown(path: Path) -> str:
    return visible(shown_path(path))
