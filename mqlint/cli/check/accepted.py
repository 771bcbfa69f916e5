"""What a team has accepted: its waivers and its baseline, found and read for a run."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import Session
from mqlint.config.settings import Settings
from mqlint.report.terminal import visible
from mqlint.source.display import display_path

if TYPE_CHECKING:
    from click.decorators import FC

    from mqlint.finding.waiver import Waivers

TODAY = "MQLINT_TODAY"
"""The environment variable that sets the day on which waivers are judged, as 2027-03-31."""


def baseline_option(function: FC) -> FC:
    """Add `--baseline`."""
    return click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Count only findings that are not in this file. Over `baseline:` in mqlint.yaml.",
    )(function)


def waivers_option(function: FC) -> FC:
    """Add `--waivers`."""
    return click.option(
        "--waivers",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Use this file of waivers. Over `waivers:` in mqlint.yaml.",
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

    `complete` says that the whole project is judged. Refusal where a file that is named is not
    there, or is no text; ConfigError if it is wrong.
    """
    configured, root = session.settings.waivers, session.project.root
    path = session.waivers or (root / configured if configured else None)
    if path is None:
        return None
    is_usual = session.waivers is None and configured == Settings().waivers
    if is_usual and not session.files.exists(path):
        return None
    text = session.text_of(path, named=session.waivers is not None)
    from mqlint.config.reader import read_kind  # here, as it needs yaml
    from mqlint.finding.waiver import TOP, Waivers, waivers_from

    shown = display_path(path, root)
    entries = waivers_from(read_kind(text, shown, TOP), session.rulebook.rules)
    return Waivers(entries, today(), complete, shown, text)


def baseline_path(session: Session) -> Path | None:
    """Return the file of the baseline: the one named, else that of the configuration."""
    configured = session.settings.baseline
    return session.baseline or (session.project.root / configured if configured else None)
