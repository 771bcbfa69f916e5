"""The circumstances in which a command, or a text of commands, runs."""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.source.lines import Span


@frozen
class Execution:
    """Whether, when and where a command of a document runs; offsets are of the file.

    `maybe`: it may not run, for the reason `why` (`function`, `branch`, `loop`, or blank). Commands
    with the same `block` run together, one after the other, or not at all; blank says nothing.
    `called_at` is the offset of the call, in a function.
    `schedule` is that of a line of a crontab, as written, and `run` the span of all that runs at
    that time. `sent_at` is the offset of ssh, `docker exec` and the like, which run it on another
    host or in a container: on `host` if its name is known, blank for that of the document.
    """

    maybe: bool = False
    why: str = ""
    called_at: int | None = None
    schedule: str | None = None
    host: str = ""
    sent_at: int | None = None
    block: str = ""
    run: Span | None = None

    def position(self, start: int) -> tuple[int, int]:
        """Return the place of the command at `start` among others of the file, to be compared."""
        return (start, 0) if self.called_at is None else (self.called_at, start + 1)


CERTAIN = Execution()
"""The command runs where its document does, in the order of the text."""
MAYBE = Execution(maybe=True)
"""It may not run, and the reason is not known."""
