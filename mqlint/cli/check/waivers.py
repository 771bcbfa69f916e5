"""The waivers of a project, found and read for a run."""

from __future__ import annotations

import os
import re
from datetime import date
from typing import TYPE_CHECKING

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import Session
from mqlint.config.settings import Settings
from mqlint.report.terminal import visible
from mqlint.source.display import display_path

if TYPE_CHECKING:
    from mqlint.finding.waiver import Waivers

TODAY = "MQLINT_TODAY"
"""The environment variable that sets the day on which waivers are judged, as 2027-03-31."""


def today() -> date:
    """Return the day on which waivers are judged; Refusal for a TODAY that is not a date."""
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
    """Return the waivers of a project, None if it has none.

    `complete` says that the whole project is judged. Refusal where a file that is named is not
    there, or is not text; ConfigError if it is wrong.
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
