"""Output of commands that was kept in a file, and configuration that RDQM generates."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.patterns import later

BEFORE_COMMAND = (
    r"(?:[^\n]{0,80}[$#>][ \t]*)?(?:sudo[ \t]+(?:-[niu][ \t]+)?(?:\w{1,32}[ \t]+)?)?"
    r"(?:/[\w./-]{1,80}/)?"
)
"""Text before a command: a prompt, sudo, a folder."""
_FIRST = later(
    BEFORE_COMMAND + r"(?:dspmq|dspmqinf|rdqmstatus)(?:[ \t]+-[^\n]{0,120}|[ \t]+\w+)?$"
    r"|QMNAME\([^()\n]*\)[ \t]+\w+\(|Node:(?:[ \t]{2,}\S+)?$|QueueManager:[ \t]*$"
    r"|addmqinf[ \t]+(?:-s[ \t]*QueueManager[ \t]+)?-v[ \t]*\w+="
)
_PRINTED = later(
    r"(?m)^[ \t]*(?:QMNAME\([^()\n]*\)[ \t]+\w+\(|Queue manager (?:name|status):[ \t]|"
    r"[HD][AR] (?:role|status):|Name=|[Nn]ode \S+ is o|addmqinf\b[^\n]*-v)"
)
_SHOWS_QUEUE_MANAGER = later(
    r"(?m)^[ \t]*(?:QMNAME\(|Queue manager (?:name|status):|QueueManager:|[HD][AR] status:"
    r"|Node \S+ is o|addmqinf\b)"
)
_RESOURCE = later(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*resource[ \t]+[\w.\"-]+[ \t]*\{")


def _is_printed(sample: Sample) -> bool:
    if _SHOWS_QUEUE_MANAGER.search(sample.head) is None:
        return False
    if _PRINTED.search(sample.head) is None:
        return False
    first = next((line for line in sample.head.splitlines() if line.strip()), "").rstrip()
    return _FIRST.match(first) is not None


def _is_resource(sample: Sample) -> bool:
    return _RESOURCE.match(sample.head) is not None


CAPTURED = Language(
    name="captured",
    signs=(Sign(95, {"log", "lst", "out", "rpt"} | TEXT_ENDINGS, looks_like=_is_printed),),
    reader="mqlint.language.captured.printed:read",
    ownership="declared",
    recorded=True,
    general=False,
)
DRBD = Language(
    name="drbd",
    signs=(Sign(100, {"res"}, looks_like=_is_resource, decides=True),),
    reader="mqlint.language.captured.drbd:read",
    ownership="declared",
    general=False,
)
LANGUAGES = (CAPTURED, DRBD)
