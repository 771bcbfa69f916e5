"""What a team has accepted: its waivers and its baseline, found and read for a run."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.group import Refusal
from mqlint.cli.project import Session, shown_path
from mqlint.config.settings import Settings
from mqlint.report.shown import visible
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, read

if TYPE_CHECKING:
    from click.decorators import FC

    from mqlint.finding.waiver import Waivers

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
    text = _text(bytes_of(path), path)
    from mqlint.config.reader import read_yaml  # here, as it needs yaml
    from mqlint.finding.waiver import Waivers, waivers_from

    shown = display_path(path, root)
    entries = waivers_from(read_yaml(text, shown), session.rulebook.rules)
    return Waivers(entries, today(), complete, shown, text)


def baseline_path(session: Session, named: Path | None) -> Path | None:
    """Return the file of the baseline, that of the configuration where none is named."""
    configured = session.settings.baseline
    return named or (session.project.root / configured if configured else None)


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file; Refusal where it cannot be read."""
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
