"""Batch files of Windows."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.language.script.unread.mentions import hides_command, is_about_mq
from mqlint.patterns import later

_ECHO_OFF = later(r"(?i)@echo[ \t]+off\b")
_ENDINGS = frozenset({"cmd", "bat"})


def _is_batch(sample: Sample) -> bool:
    """Return whether the ending or the usual first line says so, and the script is about MQ."""
    if sample.ending not in _ENDINGS and not (sample.lines and _ECHO_OFF.match(sample.lines[0])):
        return False
    return is_about_mq(sample.text) or hides_command(sample.text)


BATCH = Language(
    name="cmd",
    signs=(Sign(130, _ENDINGS | TEXT_ENDINGS, looks_like=_is_batch),),
    reader="mqlint.language.script.document:read",
    ignores_case=True,
)
LANGUAGES = (BATCH,)
