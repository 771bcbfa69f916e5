"""Rules tables of the dead-letter queue handler: the input of runmqdlq, STRMQMDLQ and CSQUDLQH."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.patterns import later

_CONTROL = later(r"(?i)\s*(?:INPUTQM?|RETRYINT)\s*\(")
_PATTERN = later(
    r"(?i)\s*(?:APPLIDAT|APPLNAME|APPLTYPE|DESTQM?|FEEDBACK|FORMAT|MSGTYPE|PERSIST|REASON|REPLYQM?|"
    r"USERID|ACTION)\s*\("
)
_ACTION = later(r"(?i)\bACTION\s*\(\s*'?(?:DISCARD|IGNORE|RETRY|FWD)")


def _is_table(sample: Sample) -> bool:
    """Whether the first entry is control data of the handler, or a rule with one of its actions."""
    first = next((line for line in sample.lines if not line.startswith("*")), "")
    if _CONTROL.match(first):
        return True
    return _PATTERN.match(first) is not None and _ACTION.search(sample.head) is not None


RULES_TABLE = Language(
    name="dlq-rules",
    signs=(Sign(38, {"rul", "rule", "rules", "dlq", "tab"} | TEXT_ENDINGS, None, _is_table),),
    reader="mqlint.language.deadletter.rules:read",
    ownership="declared",
    comments=False,
)
LANGUAGES = (RULES_TABLE,)
