"""Output of dspmq, dspmqinf and rdqmstatus in a file.

One capture may hold the output of several commands, each perhaps after a prompt. Forms: `dspmq`
writes NAME(value) items, one queue manager a line and its instances on lines below ("dspmq (display
queue managers)"); `dspmqinf` writes a stanza of mqs.ini, or the addmqinf that would write it;
`rdqmstatus` is in a module of its own. Other text between them is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.captured import BEFORE_COMMAND
from mqlint.language.captured.rdqmstatus import RdqmStatus
from mqlint.language.declaration import Declared, Field
from mqlint.language.ini.parser import IniEntry, Stanza
from mqlint.patterns import later
from mqlint.source.lines import Span

DSPMQ, INSTANCE = "dspmq", "instance"

_ITEM = later(r"([A-Za-z]\w{0,30})\(((?:[^()\n]|\([^()\n]{0,80}\)){0,400}+)\)")
_QUEUE_MANAGER = later(r"[ \t]*QMNAME\(")
_INSTANCE = later(r"[ \t]+(?:INSTANCE|GRPNAME)\(")
_PROMPT = later(BEFORE_COMMAND + r"rdqmstatus\b(?:[^\n]{0,200}?-m[ \t]*([\w.%/]{1,48}))?")
_STANZA = later(r"QueueManager:[ \t]*$")
_SETTING = later(r"[ \t]+(\w{1,40})=([^\n]*)$")
_COMMAND = later(r"(?:[^\n]{0,80}[$#>][ \t]*)?addmqinf\b[^\n]*-v[ \t]")
_VALUE = later(r"-v[ \t]*(\w{1,40})=(\"[^\"\n]*\"|'[^'\n]*'|\S*)")


@mutable
class _OutputReader:
    declared: list[Declared] = field(default_factory=list)
    stanzas: list[Stanza] = field(default_factory=list)
    rdqm: RdqmStatus = field(default_factory=RdqmStatus)
    queue_manager: str | None = None
    head: Span | None = None
    entries: list[IniEntry] = field(default_factory=list)

    def line(self, line: str, at: int) -> None:
        """Read one line that begins at `at`."""
        if self.head is not None:
            setting = _SETTING.match(line)
            if setting is not None:
                self.entries.append(_entry(setting, at))
                return
            self.end_stanza()
        prompt = _PROMPT.match(line)
        if prompt is not None:
            self.rdqm.prompt(prompt[1])
        elif _STANZA.match(line):
            self.head = (at, at + len("QueueManager"))
        elif _QUEUE_MANAGER.match(line) or _INSTANCE.match(line):
            self.items(line, at)
        elif _COMMAND.match(line):
            self.command(line, at)
        else:
            self.rdqm.line(line, at)

    def items(self, line: str, at: int) -> None:
        found = {match[1].upper(): match for match in _ITEM.finditer(line)}
        kind = DSPMQ if "QMNAME" in found else INSTANCE
        name = found.get("QMNAME") or found.get("INSTANCE")
        if kind == DSPMQ and name is not None:
            self.queue_manager = name[2].strip()
        if name is None:
            return
        fields = tuple(
            Field(word, item[2].strip(), (at + item.start(2), at + item.end(2)))
            for word, item in found.items()
        )
        span = (at + name.start(2), at + name.end(2))
        self.declared.append(Declared(kind, name[2].strip(), fields, span, self.queue_manager))

    def command(self, line: str, at: int) -> None:
        """Read the addmqinf that dspmqinf -o command prints, as the stanza it writes."""
        begin = line.index("addmqinf")
        self.head = (at + begin, at + begin + len("addmqinf"))
        self.entries = [_entry(match, at) for match in _VALUE.finditer(line)]
        self.end_stanza()

    def end_stanza(self) -> None:
        if self.head is not None and self.entries:
            self.stanzas.append(Stanza("QueueManager", self.head, tuple(self.entries)))
        self.head, self.entries = None, []


def _entry(match: re.Match[str], at: int) -> IniEntry:
    value = match[2].strip().strip("\"'")
    begin = match.start(2) + match[2].find(value)
    key = (at + match.start(1), at + match.end(1))
    return IniEntry(match[1], value, key, (at + begin, at + begin + len(value)))


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """The lines without their ends, and their offsets."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), at
        at += len(line)


def parse_captured(text: str) -> Parsed:
    """Return the declarations of a capture, and stanzas of the host's mqs.ini, for any text."""
    reader = _OutputReader()
    for line, at in _lines(text):
        reader.line(line, at)
    reader.end_stanza()
    declared = (*reader.declared, *reader.rdqm.declared())
    return Parsed(declared=declared, stanzas=tuple(reader.stanzas))


def read(text: str, context: Context) -> Parsed:
    return parse_captured(text)
