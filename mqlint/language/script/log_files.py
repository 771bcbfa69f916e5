"""How a script decides which log files of a queue manager it removes or archives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later

_FOREIGN = later(r"^[^#\n]*\b(AMQ746[02]|CSQI02[45]I)", re.MULTILINE)
_RESTART = later(r"^[^#\n]*\b(AMQ7467|RECLOG)", re.MULTILINE)
_MEDIA = later(r"AMQ7468|MEDIALOG", re.IGNORECASE)
_REMOVES = later(r"(?:^|[;&|({\s])(?:rm|unlink|gzip|mv)[ \t]|[ \t]-delete\b")


def log_faults(text: str) -> Iterator[Diagnostic]:
    """Yield what is wrong with how a script chooses log files to remove or archive.

    AMQ7467 and RECLOG name the oldest log file for a restart, AMQ7468 and MEDIALOG the oldest for
    media recovery. AMQ7460 and AMQ7462 are those of IBM i, CSQI024I and CSQI025I those of z/OS.
    """
    restart = _RESTART.search(text)
    if restart is not None and _MEDIA.search(text) is None and _REMOVES.search(text) is not None:
        yield Diagnostic("log-floor", *restart.span(1), {"word": restart[1]})
    for found in _FOREIGN.finditer(text):
        system = "z/OS" if found[1].startswith("CSQ") else "IBM i"
        yield Diagnostic(
            "message-of-other-system", *found.span(1), {"word": found[1], "of": system}
        )
