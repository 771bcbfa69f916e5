"""An MQSC document: slices that cover it wholly, and the commands among them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mqlint.finding import Diagnostic
from mqlint.syntax.mqsc.command import Command
from mqlint.syntax.mqsc.dump import DumpHeader


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of the document: `kind` is blank, comment, template, reply, broken or unread."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class Script:
    """What one MQSC text says.

    `commands` and `slices` together cover the text; `spans` holds start and end of each
    command's slice. `diagnostics` are the faults of form. `session` is the queue manager to which
    the session belongs whose record this is.
    """

    commands: list[Command] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    header: DumpHeader | None = None
    broken: int = 0
    session: str | None = None
