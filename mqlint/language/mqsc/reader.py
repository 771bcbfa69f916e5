"""The exact reader of slices that the quick loop of the parser cannot take (see `parser.py`)."""

from __future__ import annotations

from bisect import bisect_right

from mqlint.finding import diagnostic
from mqlint.grouping import grouped
from mqlint.language.mqsc.bound import bound
from mqlint.language.mqsc.branches import MARK
from mqlint.language.mqsc.command import Command
from mqlint.language.mqsc.diagnose import (
    begins_command,
    first_command,
    foreign_quotes,
    is_echo,
    is_inside_text,
    next_line,
    remark,
    remark_code,
    shell_word,
    strange_sign,
)
from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.mqsc.form import Forms
from mqlint.language.mqsc.limits import MOST_UNKNOWN, SHORT, Counts, FormQuota, Shared
from mqlint.language.mqsc.lines import open_sign
from mqlint.language.mqsc.script import Script
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span

_LONE_WORD = later(r"(?i)[ \t\r\f\v]*+(?!END\b)[A-Z0-9_.]++[ \t\r\f\v]*+\n?")


class ExactReader:
    """Reads commands with a new form, and those that the quick way cannot read.

    `_remark` is the end of the last remark in a foreign style, so that a block of them is one
    mistake. `_astray` is the number of commands when a line without its command was found: its
    further lines are not reported again.
    """

    def __init__(
        self, forms: Forms, text: str, covered: str, script: Script, dialect: Dialect
    ) -> None:
        self.forms = forms
        self.text = text
        self.covered = covered
        self.script = script
        self.zos = dialect.zos
        self.generation = forms.new_generation()
        self.short = Shared()
        self._quota = FormQuota(len(text))
        self._counts = Counts()
        self._unknown = 0
        self._reported_once = False
        self._remark = -1
        self._astray = -1
        self._line = (0, 0)

    def read(self, chunk: str, parts: list[str], start: int) -> bool:
        """Read the slice `chunk`, cut into `parts`; True if it ends the session.

        A `LONG` one is not cut: it has no parts.
        """
        end = start + len(chunk)
        if self.is_lone_word(chunk):
            self.give_up_unknown(start, end)
            return False
        if not chunk.isascii() and self._has_strange_sign(chunk, parts, start):
            return False
        first = len(self.script.commands)
        if not (parts and self._read_regularly(chunk, parts, start)) and not self._not_a_command(
            chunk, start
        ):
            from mqlint.language.mqsc.joined import Joined  # here, as most commands are regular

            Joined(self, chunk, start).read()
        sign = open_sign(chunk) if end == len(self.covered) else None
        if sign is not None:
            at = start + sign
            self.report("open-continuation", (at, at + 1), sign=self.covered[at])
        return any(command.verb == "END" for command in self.script.commands[first:])

    def _has_strange_sign(self, chunk: str, parts: list[str], start: int) -> bool:
        """Give up a command with a sign between its words that only looks like another."""
        at = start
        for number, part in enumerate(parts):
            found = strange_sign(part) if number % 2 == 0 else None
            if found is not None:
                place = at + found[0]
                if is_inside_text(chunk[: place - start]):
                    return False
                self.report("strange-sign", (place, place + 1), **found[1])
                self.give_up(start, start + len(chunk))
                self.go_astray()
                return True
            at += len(part) + 1
        return False

    def _read_regularly(self, chunk: str, parts: list[str], start: int) -> bool:
        """Read a command whose form is that of its own lines; False if it has none."""
        skeleton = "\0".join(parts[::2])
        if not is_known(chunk) or MARK in chunk or (self.zos and "=" in skeleton):
            return False
        known = self.forms.regular
        end = start + len(chunk)
        form = known.get(skeleton)
        if form is None and not self.forms.can_be_regular(skeleton):
            return False
        if (form is None or form.generation != self.generation) and not self.admits(
            skeleton, start, end
        ):
            return True
        if skeleton not in known:
            form = self.forms.regular_form(skeleton)
        if form is None:
            return False
        form.generation = self.generation
        self.add(Command(form, self.shared(bound(parts[1::2], form)), start), start, end)
        return True

    def admits(self, skeleton: str, start: int, end: int) -> bool:
        """Whether there is room for one more form; if not, its slice is given up."""
        if self._quota.admits(skeleton):
            return True
        self.give_up(start, end)
        what = "the text has too many different forms of commands for its size"
        if not self._reported_once:
            self._reported_once = True
            self.report("beyond-limits", (start, self.line_end(start)), what=what)
        return False

    def finish(self) -> None:
        """Report faults of the document as a whole."""
        script = self.script
        if script.header is None:
            reply = next((slice for slice in script.slices if slice.kind == "reply"), None)
            if reply is not None:
                line = self.covered[reply.start : reply.end].split("\n")[0]
                begin = reply.start + len(line) - len(line.lstrip())
                self.report("pasted-output", (begin, reply.start + len(line.rstrip())))
        self._report_quotes()
        script.diagnostics.extend(self._counts.rest())

    def _report_quotes(self) -> None:
        """Report quotes that MQSC does not know, once for each command that has such."""
        found = list(foreign_quotes(self.covered))
        starts = sorted(start for start, _ in self.script.spans) if found else []
        faults = grouped((bisect_right(starts, fault.start), fault) for fault in found)
        for first, *others in faults.values():
            more = f" (and {len(others)} more in this command)" if others else ""
            self.report(first.code, (first.start, first.end), **first.data, more=more)

    def leave_unread(self, start: int) -> None:
        """Leave the text after the end of a session unread, and report commands in it."""
        if start >= len(self.covered):
            return
        self.script.slices.add("unread", start, len(self.covered))
        if self.zos or MARK in self.covered:
            return  # a template may leave END out
        word = first_command(self.covered, start, self.forms.names)
        if word is not None:
            self.report("commands-behind-end", self.script.commands[-1].span(), word=word)

    def add(self, command: Command, start: int, end: int) -> None:
        """Add a command whose slice is `start` to `end`.

        The commands without a known verb and noun have a limit: they are short.
        """
        if command.shape.noun is None and command.verb != "END" and not command.shape.open:
            self._unknown += 1
            if self._unknown > MOST_UNKNOWN:
                self.give_up_unknown(start, end, command)
                return
        self.script.commands.append(command)
        self.script.spans.append(start, end)

    def shared(self, values: str) -> str:
        """Return the text of values, a short one as the same object each time."""
        return values if len(values) > SHORT else self.short[values]

    def is_crowded(self) -> bool:
        """Return whether the limit of commands without a verb and a noun is reached."""
        return self._unknown >= MOST_UNKNOWN

    def is_lone_word(self, text: str) -> bool:
        """Whether `text` is a word alone, in a text that has too many of them."""
        return self.is_crowded() and _LONE_WORD.fullmatch(text) is not None

    def give_up_unknown(self, start: int, end: int, command: Command | None = None) -> None:
        """Give up a command without verb and noun; its place is worked out only to be shown."""
        self.give_up(start, end)
        code = "not-a-command"
        shown = command is not None and self.has_room(code)
        self.report(code, command.span() if command and shown else (start, start + 1))

    def is_full_of_words(self) -> bool:
        """Return whether lone words are neither stored nor reported any more."""
        return self.is_crowded() and not self._counts.has_room("not-a-command")

    def give_up_words(self, start: int, end: int, count: int) -> None:
        """Give up `count` successive lone words as one slice."""
        self.give_up(start, end)
        self.script.broken += count - 1
        self._counts.takes("not-a-command", start, start + 1, count)

    def has_room(self, code: str) -> bool:
        """Return whether one more diagnostic of that kind is stored."""
        return self._counts.has_room(code)

    def give_up(self, start: int, end: int) -> None:
        """Keep a slice that should have been a command."""
        self.script.slices.add("broken", start, end)
        self.script.broken += 1

    def report(self, code: str, span: Span, /, **words: str) -> None:
        if code == "foreign-continuation":
            words["advice"] = self._advice(span[1])
        if self._counts.takes(code, *span):
            self.script.diagnostics.append(diagnostic(code, span, **words))

    def _advice(self, end: int) -> str:
        """What to do with a foreign sign that ends at `end`; a plus sign may join two commands."""
        line = next_line(self.covered, end)
        if begins_command(line, self.forms.names):
            return ", and the next line is a command of its own: remove it"
        return ", only + and - do"

    def line_end(self, offset: int) -> int:
        """Return the end of the words on the line at `offset` of the document."""
        start, end = self._line
        if not start <= offset < end:
            found = self.covered.find("\n", offset)
            stop = found if found >= 0 else len(self.covered)
            end = offset + len(self.covered[offset:stop].rstrip())
            self._line = offset, end
        return end

    def is_astray(self) -> bool:
        """Whether a line without verb belongs to a command, or a reply, that ended before it."""
        last = self.script.spans[-1][1] if self.script.spans else 0
        recent = self.script.slices[-2:]
        if any(slice.kind == "reply" and slice.start >= last for slice in recent):
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
                self.report(remark_code(mark), (begin, self.line_end(begin)), mark=mark)
            self._remark = end
            self.give_up(start, end)
        elif word is not None:
            kind = "the end of a here-document" if word.lower() == "eof" else "a shell command"
            self.report("shell-text", (begin, self.line_end(begin)), word=word, kind=kind)
            self.give_up(start, end)
        elif is_echo(chunk):
            self.script.slices.add("reply", start, end)
        elif body.strip() == ";":
            self.script.slices.add("blank", start, end)
        else:
            return False
        return True
