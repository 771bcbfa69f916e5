"""Notes in which commands of MQSC are among headings and prose."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.language.mqsc.command_line import begins_command
from mqlint.patterns import later

_HEAD = later(r"(?i)\b[a-z]{2,8}[ \t,]+[a-z]{1,9}[ \t]*\(|\bqmgr[ \t]")


def _is_notes(sample: Sample) -> bool:
    if _HEAD.search(sample.text) is None:
        return False
    from mqlint.language.notes.reader import holds_command  # here, as few texts come this far

    return holds_command(sample.text)


def _is_broken_script(sample: Sample) -> bool:
    """Return whether prose is in what begins with a command, as a script does."""
    lines = [line for line in sample.lines if not line.startswith("*")]
    if not lines or not begins_command(lines[0].strip()):
        return False
    from mqlint.language.notes.reader import holds_prose

    return holds_prose(sample.head) and _is_notes(sample)


NOTES = Language(
    name="notes",
    signs=(
        Sign(89, TEXT_ENDINGS, looks_like=_is_broken_script),
        Sign(200, TEXT_ENDINGS, looks_like=_is_notes),
    ),
    reader="mqlint.language.notes.reader:read",
)
LANGUAGES = (NOTES,)
