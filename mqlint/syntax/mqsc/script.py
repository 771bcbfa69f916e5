"""An MQSC document: slices that cover it wholly, and the commands among them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mqlint.finding import Diagnostic
from mqlint.syntax.mqsc.command import Command
from mqlint.syntax.mqsc.diagnose import foreign_comment, word_before
from mqlint.syntax.mqsc.dump import DumpHeader, read_header
from mqlint.syntax.mqsc.form import Form, Forms
from mqlint.syntax.mqsc.lines import ends_open, join, origin
from mqlint.syntax.mqsc.scan import Fault, Scanned, scan
from mqlint.syntax.mqsc.shape import Names
from mqlint.syntax.mqsc.template import COVER, cover
from mqlint.syntax.mqsc.value import Secret, Templated

_SLICE = re.compile(
    r"""
      (?P<blank> (?:[ \t\r\f\v]*\n)++ | [ \t\r\f\v]+\Z )
    | (?P<comment> (?:\*[^\n]*(?:\n|\Z))++ )
    | (?P<template> [ \t]*\ue000[\ue000 \t\r]*(?:\n|\Z) )
    | (?P<reply>
        [ \t]*(?:AMQ\d{4}[A-Z]?:|CSQ[A-Z0-9]\d{3}[A-Z][ ]|\d{4}-[A-Z]\d\d[ ]\([Cc]\)
        |Starting[ ]MQSC[ ]for|(?:\d+|One|No|All)[ ](?:valid[ ])?(?:MQSC[ ])?commands?[ ]\w+)
        [^\n]*(?:\n|\Z)
      )
    | (?P<command>
        (?: [^\n]*[+-][ \t\r\f\v]*\n (?:[ \t\r\f\v]*\n|\*[^\n]*\n)*+ )*+
        [^\n]*(?:\n|\Z)
      )
    """,
    re.VERBOSE,
)
_VALUE = re.compile(r"\(((?:[^()'\n]++|'[^'\n]*+')*+)\)")
_BLANK = re.compile(r"\s*")


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
    command's slice. `diagnostics` are the faults of form.
    """

    commands: list[Command] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    header: DumpHeader | None = None
    broken: int = 0


class Parser:
    """Reads MQSC; keeps the forms it has met, so one parser should read many documents."""

    def __init__(self, names: Names) -> None:
        """Resolve verbs, nouns and secrets through `names` (the vocabulary)."""
        self.forms = Forms(names)

    def parse(self, text: str) -> Script:
        """Return what `text` says; any text at all gives a script."""
        covered = cover(text)
        templated = covered is not text
        if "\0" in covered:
            covered = covered.replace("\0", "\ufffd")
        script = Script(header=read_header(text))
        reader = _Reader(self.forms, text, covered, script)
        known = self.forms.regular.get
        split = _VALUE.split
        add, add_span = script.commands.append, script.spans.append
        for piece in _SLICE.finditer(covered):
            start, end = piece.span()
            if piece.lastgroup != "command":
                script.slices.append(Slice(piece.lastgroup or "blank", start, end))
                continue
            chunk = piece.group()
            parts = split(chunk)
            form = known("\0".join(parts[::2]))
            if form is None or (templated and COVER in chunk):
                if chunk and reader.read(chunk, parts, start):
                    reader.leave_unread(end)
                    break
                continue
            raw = parts[1::2]
            if form.secrets:
                hide(raw, form)
            pick = form.pick
            add(Command(form, raw, raw if pick is None else pick(raw), start))
            add_span((start, end))
        return script


def hide(raw: list[str], form: Form) -> None:
    """Replace the secrets among `raw` as they are bound; a blank one is none."""
    for hole in form.secrets:
        value = raw[hole]
        if value.strip(" \t'") and not isinstance(value, Templated):
            raw[hole] = Secret.of(value)


class _Reader:
    """Reads the commands whose form is new, or that the quick way cannot take."""

    def __init__(self, forms: Forms, text: str, covered: str, script: Script) -> None:
        self.forms = forms
        self.text = text
        self.covered = covered
        self.script = script

    def read(self, chunk: str, parts: list[str], start: int) -> bool:
        """Read the slice `chunk`, cut into `parts`; True when it ends the session."""
        end = start + len(chunk)
        first = len(self.script.commands)
        skeleton = "\0".join(parts[::2])
        form = None
        if COVER not in chunk and skeleton not in self.forms.regular:
            form = self.forms.regular_form(skeleton)
        if form is not None:
            raw = parts[1::2]
            hide(raw, form)
            self.add(Command(form, raw, form.pick(raw) if form.pick else raw, start), start, end)
        elif not self._not_a_command(chunk, start):
            _Joined(self, chunk, start).read()
        if end == len(self.covered) and ends_open(chunk):
            sign = start + len(chunk.rstrip()) - 1
            self.report("open-continuation", sign, sign + 1, {"sign": self.covered[sign]})
        return any(command.verb == "END" for command in self.script.commands[first:])

    def leave_unread(self, start: int) -> None:
        """What follows the end of a session is not read."""
        if start < len(self.covered):
            self.script.slices.append(Slice("unread", start, len(self.covered)))

    def add(self, command: Command, start: int, end: int) -> None:
        """Keep a command whose slice is `start` to `end`."""
        self.script.commands.append(command)
        self.script.spans.append((start, end))

    def give_up(self, start: int, end: int) -> None:
        """Keep a slice that should have been a command."""
        self.script.slices.append(Slice("broken", start, end))
        self.script.broken += 1

    def report(self, code: str, start: int, end: int, data: dict[str, str]) -> None:
        """Report a fault of form."""
        self.script.diagnostics.append(Diagnostic(code, start, end, data))

    def _not_a_command(self, chunk: str, start: int) -> bool:
        """Comments of other languages, and an asterisk that is not in column 1."""
        body = chunk.lstrip()
        mark = foreign_comment(body)
        if mark is not None:
            code = "foreign-comment"
        elif body.startswith("*"):
            code, mark = "indented-comment", "*"
        else:
            return False
        begin = start + len(chunk) - len(body)
        self.give_up(start, start + len(chunk))
        self.report(code, begin, begin + len(body.split("\n")[0].rstrip()), {"mark": mark})
        return True


class _Joined:
    """One slice with its lines joined: mostly one command, by mistake several."""

    def __init__(self, reader: _Reader, chunk: str, start: int) -> None:
        self.reader = reader
        self.start = start
        self.end = start + len(chunk)
        self.joined, self.segments = join(chunk)

    def read(self) -> None:
        """Read the commands of the slice."""
        at, begin = 0, self.start
        while True:
            found = scan(self.joined, at)
            if isinstance(found, Fault):
                self._give_up(found, begin, self.end)
                return
            rest = found.end + _blanks(self.joined, found.end)
            last = rest >= len(self.joined)
            end = self.end if last else self._place(rest)
            command = self._command(found, at)
            if command is None:
                stop = len(self.joined[at : found.end].rstrip(" \t\r\n;")) + at
                self._give_up(Fault("not-a-command", at, stop), begin, end)
            else:
                self.reader.add(command, begin, end)
            if last:
                return
            self._report("second-command", rest, len(self.joined.rstrip()), {})
            at, begin = rest, end

    def _command(self, found: Scanned, at: int) -> Command | None:
        form = self.reader.forms.joined_form(found.skeleton)
        if form is None:
            return None
        raw = [
            self._original(*span) if COVER in value else value
            for value, span in zip(found.values, found.spans, strict=True)
        ]
        hide(raw, form)
        segments = tuple((offset - at, source) for offset, source in self.segments)
        return Command(form, raw, raw, self.start, segments, maybe=form.shape.open)

    def _original(self, start: int, end: int) -> Templated:
        return Templated(self.reader.text[self._place(start) : self._place(end - 1) + 1])

    def _give_up(self, fault: Fault, start: int, end: int) -> None:
        self.reader.give_up(start, end)
        blanks = _blanks(self.joined, fault.start)
        begin = min(fault.start + blanks, len(self.joined) - 1)
        word = word_before(self.joined, fault.start)
        self._report(fault.code, begin, max(fault.end, begin + 1), {"word": word})

    def _report(self, code: str, start: int, end: int, data: dict[str, str]) -> None:
        self.reader.report(code, self._place(start), self._place(end - 1) + 1, data)

    def _place(self, offset: int) -> int:
        return self.start + origin(self.segments, offset)


def _blanks(text: str, offset: int) -> int:
    """Number of blanks of `text` from `offset` on."""
    found = _BLANK.match(text, offset)
    return len(found.group()) if found else 0
