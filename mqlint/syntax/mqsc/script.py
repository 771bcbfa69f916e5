"""An MQSC document: slices that cover it wholly, and the commands among them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from mqlint.finding import Diagnostic
from mqlint.source.memory import collector_paused
from mqlint.syntax.mqsc.branches import MARK, is_inside, mark
from mqlint.syntax.mqsc.command import Command
from mqlint.syntax.mqsc.diagnose import (
    foreign_quotes,
    is_echo,
    misplaced,
    misquoted,
    remark,
    remark_code,
    shell_word,
    word_before,
)
from mqlint.syntax.mqsc.dump import DumpHeader, read_header
from mqlint.syntax.mqsc.form import Form, Forms
from mqlint.syntax.mqsc.lines import Segments, join, open_sign, origin
from mqlint.syntax.mqsc.scan import Fault, Scanned, scan
from mqlint.syntax.mqsc.shape import Names
from mqlint.syntax.mqsc.value import Templated, hidden
from mqlint.syntax.templates import COVER, cover

_SLICE = re.compile(
    r"""
      (?P<blank> (?:[ \t\r\f\v]*\n)++ | [ \t\r\f\v]+\Z )
    | (?P<comment> (?:\*[^\n]*(?:\n|\Z))++ )
    | (?P<template> [ \t]*[\ue000\ue001][\ue000\ue001 \t\r\f\v]*(?:\n|\Z) )
    | (?P<reply>
        [ \t]*(?:AMQ\d{4}[A-Z]?:|CSQ[A-Z0-9]\d{3}[A-Z][ ]|\d{4}-[A-Z]\d\d[ ]\([Cc]\)
        |Starting[ ]MQSC[ ]for|(?:\d+|One|No|All)[ ](?:valid[ ])?(?:MQSC[ ])?commands?[ ]\w+)
        [^\n]*(?:\n|\Z) (?:[ \t]+[A-Za-z]\w*\([^\n]*(?:\n|\Z))*+
      )
    | (?P<command>
        (?:
          [^\n]*[+-][ \t\r\f\v]*\n
          (?: \*[^\n]*\n | [ \t\r\f\v]*+ (?:\ue001[^\n]*)?+ \n )*+
        )*+
        [^\n]*(?:\n|\Z)
      )
    """,
    re.VERBOSE,
)
_VALUE = re.compile(r"\(((?:[^()'\n]++|'[^'\n]*+')*+)\)")
_BLANK = re.compile(r"\s*")
_NOTE = re.compile(
    r"^\*[ \t]*([A-Za-z]+)[ \t]*\(((?:[^()'\n]++|'[^'\n]*+')*+)\)[ \t]*\+?[ \t\r]*$", re.MULTILINE
)


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

    @collector_paused()
    def parse(self, text: str) -> Script:
        """Return what `text` says; any text at all gives a script."""
        covered = cover(text).replace("\0", "\ufffd").replace(MARK, "\ufffd")
        templated = COVER in covered
        branches: list[tuple[int, int]] = []
        if templated:
            covered, branches = mark(text, covered)
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
            if form is None or (templated and (COVER in chunk or MARK in chunk)):
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
        reader.finish()
        for command in script.commands if branches else ():
            command.maybe = command.maybe or is_inside(branches, command.start)
        return script


def hide(raw: list[str], form: Form) -> None:
    """Replace the secrets among `raw` as they are bound; a blank one is none."""
    for hole in form.secrets:
        raw[hole] = hidden(raw[hole])


class _Reader:
    """Reads the commands whose form is new, or that the quick way cannot take.

    `_remark` is where the last remark in a foreign style ended, so that a block of them is one
    mistake. `_astray` is how many commands there were when a line was found cut off from its
    command: what still belongs to that command is not reported again.
    """

    def __init__(self, forms: Forms, text: str, covered: str, script: Script) -> None:
        self.forms = forms
        self.text = text
        self.covered = covered
        self.script = script
        self._remark = -1
        self._astray = -1

    def read(self, chunk: str, parts: list[str], start: int) -> bool:
        """Read the slice `chunk`, cut into `parts`; True when it ends the session."""
        end = start + len(chunk)
        first = len(self.script.commands)
        skeleton = "\0".join(parts[::2])
        form = None
        if not (COVER in chunk or MARK in chunk or skeleton in self.forms.regular):
            form = self.forms.regular_form(skeleton)
        if form is not None:
            raw = parts[1::2]
            hide(raw, form)
            self.add(Command(form, raw, form.pick(raw) if form.pick else raw, start), start, end)
        elif not self._not_a_command(chunk, start):
            _Joined(self, chunk, start).read()
        sign = open_sign(chunk) if end == len(self.covered) else None
        if sign is not None:
            at = start + sign
            self.report("open-continuation", at, at + 1, {"sign": self.covered[at]})
        return any(command.verb == "END" for command in self.script.commands[first:])

    def finish(self) -> None:
        """Report what is only seen in the document as a whole."""
        script = self.script
        if script.header is None:
            reply = next((one for one in script.slices if one.kind == "reply"), None)
            if reply is not None:
                line = self.covered[reply.start : reply.end].split("\n")[0]
                begin = reply.start + len(line) - len(line.lstrip())
                self.report("pasted-output", begin, reply.start + len(line.rstrip()), {})
        for fault in foreign_quotes(self.covered):
            self.report(fault.code, fault.start, fault.end, dict(fault.data))

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

    def line_end(self, offset: int) -> int:
        """Where the words of the line at `offset` of the document end."""
        end = self.covered.find("\n", offset)
        line = self.covered[offset : end if end >= 0 else len(self.covered)]
        return offset + len(line.rstrip())

    def is_astray(self) -> bool:
        """Whether a line without verb belongs to a command, or a reply, that ended before it."""
        last = self.script.spans[-1][1] if self.script.spans else 0
        recent = self.script.slices[-2:]
        if any(one.kind == "reply" and one.start >= last for one in recent):
            self.go_astray()
        return self._astray == len(self.script.commands)

    def go_astray(self) -> None:
        """Note that what follows may belong to a command that was cut off."""
        self._astray = len(self.script.commands)

    def _not_a_command(self, chunk: str, start: int) -> bool:
        """Take remarks in a foreign style, text for a shell and what runmqsc prints."""
        end = start + len(chunk)
        body = chunk.lstrip()
        begin = end - len(body)
        mark = remark(body)
        word = shell_word(body)
        if mark is not None:
            if self._remark != start:
                self.report(remark_code(mark), begin, self.line_end(begin), {"mark": mark})
            self._remark = end
            self.give_up(start, end)
        elif word is not None:
            self.report("shell-text", begin, self.line_end(begin), {"word": word})
            self.give_up(start, end)
        elif is_echo(chunk):
            self.script.slices.append(Slice("reply", start, end))
        elif body.strip() == ";":
            self.script.slices.append(Slice("blank", start, end))
        else:
            return False
        return True


class _Joined:
    """One slice with its lines joined: mostly one command, by mistake several."""

    def __init__(self, reader: _Reader, chunk: str, start: int) -> None:
        self.reader = reader
        self.start = start
        self.end = start + len(chunk)
        self.joined, self.segments = join(chunk)
        self.original = self.joined
        if COVER in self.joined:
            self.original, _ = join(reader.text[start : self.end])
        self.ended = False
        self.size = len(self.joined.rstrip())

    def read(self) -> None:
        """Read the commands of the slice."""
        at, begin = 0, self.start
        while True:
            found = scan(self.joined, at)
            if isinstance(found, Fault):
                self._give_up(self._quotes(found, at), begin, self.end)
                return
            rest = found.end + _blanks(self.joined, found.end)
            last = rest >= len(self.joined)
            end = self.end if last else self._place(rest)
            self._one(found, at, begin, end)
            if last or self.ended:
                return
            if self._is_remark(rest, end):
                return
            if at == 0:
                self._report("second-command", rest, self.size, {})
            at, begin = rest, end

    def _one(self, found: Scanned, at: int, begin: int, end: int) -> None:
        """Keep or give up one command whose parentheses and quotes are right."""
        names = self.reader.forms.names
        fault = misplaced(self._masked(found, at), self._segments(at, found.end), names)
        if fault is not None:
            fault = Fault(fault.code, fault.start + at, fault.end + at, fault.data)
            self._give_up(fault, begin, end)
            if fault.code != "swallowed-command":
                self.reader.go_astray()
            return
        command = self._command(found, at)
        if command is None:
            stop = len(self.joined[at : found.end].rstrip(" \t\r\n;")) + at
            self._give_up(Fault("not-a-command", at, stop), begin, end)
        elif _starts_with_attribute(command, names):
            self._cut_off(command, begin, end)
        else:
            self.ended = command.verb == "END"
            self.reader.add(command, begin, self.end if self.ended else end)

    def _cut_off(self, command: Command, begin: int, end: int) -> None:
        """A line that begins with an attribute: the line before it does not continue."""
        reader = self.reader
        if reader.is_astray():
            reader.give_up(begin, end)
        elif reader.script.commands or reader.script.broken:
            word = command.shape.verb_word
            reader.report("missing-continuation", *command.span_of_verb(), {"word": word})
            reader.give_up(begin, end)
            reader.go_astray()
        else:
            reader.add(command, begin, end)

    def _quotes(self, fault: Fault, at: int) -> Fault:
        return misquoted(self.joined, at, fault) if fault.code == "unterminated-string" else fault

    def _is_remark(self, rest: int, begin: int) -> bool:
        """Whether what follows a semicolon is no command but a remark."""
        mark = remark(self.joined, rest)
        if mark is None:
            return False
        fault = Fault(remark_code(mark), rest, self.size, {"mark": mark})
        self._give_up(fault, begin, self.end)
        return True

    def _masked(self, found: Scanned, at: int) -> str:
        """The text of one command with its values and their parentheses as runs of NUL."""
        pieces = []
        for start, end in found.spans:
            pieces.append(self.joined[at : start - 1])
            pieces.append("\0" * (end - start + 2))
            at = end + 1
        return "".join(pieces) + self.joined[at : found.end]

    def _segments(self, at: int, end: int) -> Segments:
        """The segments of the joined text from `at` to `end`, counted from there."""
        first = max(bisect_right(self.segments, (at, 1 << 62)) - 1, 0)
        last = bisect_right(self.segments, (end, 1 << 62))
        return tuple((offset - at, source) for offset, source in self.segments[first:last])

    def _command(self, found: Scanned, at: int) -> Command | None:
        notes = None if at else _notes(self.reader.covered[self.start : self.end])
        form = self.reader.forms.joined_form(found.skeleton + (notes.lines if notes else ""))
        if form is None:
            return None
        raw = [
            Templated(self.original[slice(*span)]) if COVER in value else value
            for value, span in zip(found.values, found.spans, strict=True)
        ]
        segments = self._segments(at, found.end)
        if notes is not None:
            size = len(found.skeleton) + sum(len(value) + 1 for value in found.values)
            segments = notes.after(segments, size)
            raw += notes.values
        hide(raw, form)
        values = raw if form.pick is None else form.pick(raw)
        return Command(form, raw, values, self.start, segments, maybe=form.shape.open)

    def _give_up(self, fault: Fault, start: int, end: int) -> None:
        self.reader.give_up(start, end)
        blanks = _blanks(self.joined, fault.start)
        begin = min(fault.start + blanks, len(self.joined) - 1)
        place = self._place(begin)
        stop = min(self._place(max(fault.end, begin + 1) - 1) + 1, self.reader.line_end(place))
        data = {"word": word_before(self.joined, fault.start), **fault.data}
        self.reader.report(fault.code, place, max(stop, place + 1), data)

    def _report(self, code: str, start: int, end: int, data: dict[str, str]) -> None:
        self.reader.report(code, self._place(start), self._place(end - 1) + 1, data)

    def _place(self, offset: int) -> int:
        return self.start + origin(self.segments, offset)


@dataclass(frozen=True, slots=True)
class _Notes:
    """What stands between the lines of a command: facts in comments, statements of templates.

    `lines` goes behind the command's skeleton, `values` behind its values; `offsets` say where in
    the slice the parentheses of the values stand.
    """

    lines: str
    values: list[str]
    offsets: list[int]

    def after(self, segments: Segments, size: int) -> Segments:
        """Return the segments of a joined text of `size` characters with these lines behind it."""
        found = [segment for segment in segments if segment[0] <= size]
        for line, value, offset in zip(
            self.lines.split("\0"), self.values, self.offsets, strict=False
        ):
            size += len(line)
            found.append((size, offset))
            size += len(value) + 2
        return tuple(found)


def _notes(chunk: str) -> _Notes | None:
    """Return what stands between the lines of a command."""
    if "\n" not in chunk:
        return None
    found = list(_NOTE.finditer(chunk, chunk.index("\n") + 1))
    lines = [f"* {note[1]}\0" for note in found]
    if MARK in chunk:
        lines.insert(0, COVER)
    elif not found:
        return None
    return _Notes(
        "".join(f"\n{line}" for line in lines),
        [note[2] for note in found],
        [note.start(2) - 1 for note in found],
    )


def _starts_with_attribute(command: Command, names: Names) -> bool:
    """Whether the first word is no verb but an attribute, or has a value as only those have."""
    shape = command.shape
    if shape.verb is not None:
        return False
    return shape.has_value[:1] == (True,) or names.is_attribute(shape.verb_word)


def _blanks(text: str, offset: int) -> int:
    """Number of blanks of `text` from `offset` on."""
    found = _BLANK.match(text, offset)
    return len(found.group()) if found else 0
