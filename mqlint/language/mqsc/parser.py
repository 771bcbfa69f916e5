"""The parser of MQSC: a quick loop for forms that are known, an exact reader for the rest.

A text is cut into slices by one regular expression; a slice of commands is the lines up to one that
does not continue. Each slice is cut at its values, and the text around those, the skeleton, is
looked up (`form.py`).

- The quick loop, in `Parser._parse`, takes a slice whose skeleton has a form that this text was
  found to have before. It makes a `Command` and nothing else: most slices of a dump go this way.
- `ExactReader` takes every other slice: one whose form is new, in which a template, a branch or a
  hidden secret is, or a sign `=` on z/OS. A slice that has a regular form, so that each of its
  values is in one piece on its own lines, is bound as it is; from then on the quick loop takes
  those like it. In all others the lines are joined first (`joined.py`), and the command is cut up
  by a scanner that knows nested parentheses, strings and semicolons (`scan.py`).

Both make the same commands: the tests compare them with a plain parse by other code.

Output of 9.3.0 has the list, that of 7.5 does not; releases between are not known. A count of
queues is no count of commands: dynamic queues are counted and not written. Channels that clusters
defined and subscriptions of applications are not written either, so these are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.mqsc.bound import BETWEEN, bound
from mqlint.language.mqsc.branches import MARK, is_inside, mark
from mqlint.language.mqsc.cards import cut_lines, without_cics, without_numbers
from mqlint.language.mqsc.command import Command
from mqlint.language.mqsc.dialect import PLAIN, Dialect
from mqlint.language.mqsc.dump import read_header
from mqlint.language.mqsc.form import Forms
from mqlint.language.mqsc.limits import LONG, SHORT, WIDE, can_be_cut
from mqlint.language.mqsc.reader import ExactReader
from mqlint.language.mqsc.script import Script, Slices
from mqlint.language.mqsc.session.recording import as_reply, is_reply
from mqlint.language.mqsc.session.transcript import begins_as_transcript, read_transcript
from mqlint.language.mqsc.shape import Names
from mqlint.language.mqsc.templates import with_templates_covered
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.gc_control import gc_paused
from mqlint.source.masking import HIDDEN

# -- replies ---------------------------------------------------------------------------------------


_LINE = later(r"[^\n]*\n|[^\n]+")
_WRITTEN = later(r"[^\n]+")
_WORD = later(r"\s*+([A-Za-z]*+)")


def preamble_of(text: str, header: int, names: Names) -> int:
    """Return the start of the comment with the `header` of a dump, 0 if nothing precedes it.

    The text before it is output of other tools when the dump was taken. If it begins with a comment
    or a command, the text is a script, and 0 is returned.
    """
    start = text.rfind("\n", 0, header) + 1
    while start > 0 and text[(before := text.rfind("\n", 0, start - 1) + 1)] == "*":
        start = before
    word = _WORD.match(text)
    if word is None or word.end() >= start or text[word.start(1)] == "*":
        return 0
    return 0 if names.verb(word[1].upper()) is not None else start


def without_preamble(text: str, start: int) -> str:
    """Return `text` with lines of asterisks before `start`, at the same length."""
    output = _WRITTEN.sub(_as_reply, text[:start])
    return output + text[start:]


def _as_reply(line: re.Match[str]) -> str:
    return _stars(len(line.group())) if line.group().strip() else line.group()


@lru_cache(maxsize=256)
def _stars(count: int) -> str:
    """One text for all replies of a length, as a file may have a million."""
    return as_reply("x" * count)


def with_replies(slices: Slices, text: str, end: int) -> Slices:
    """Mark replies among the slices of `text` before `end`."""
    separated = Slices(len(text))
    for piece in slices:
        if piece.kind != "comment" or piece.start >= end:
            separated.add(piece.kind, piece.start, piece.end)
            continue
        lines = (line.span() for line in _LINE.finditer(text, piece.start, piece.end))
        start = piece.start
        for reply, group in groupby(lines, lambda at: at[0] < end and is_reply(text[slice(*at)])):
            stop = max(at[1] for at in group)
            separated.add("reply" if reply else "comment", start, stop)
            start = stop
    return separated


# -- trailers --------------------------------------------------------------------------------------


_SINCE = 930
_TOTAL = "* Number of objects/records:"
_LEVELS = later(r"(?m)^\*[ \t]*Queue manager command level:[^\n(]*\((\d{1,9})/(\d{1,9})\)")
_COMMAND = later(r"(?m)^\*[ \t]*Command issued:[ \t]*([^\n]*)")
_LINES_OF_TRAILER = later(r"(?m)^\* ([A-Za-z]+) count: (\d+)[ \t\r]*$")
_OTHER_OUTPUT = later(r"(?:^|\s)-(?:z|o\s*(?!mqsc\b|1line\b|2line\b)\w+)(?=\s|$)")
_COUNTED = {
    "NameList": "NAMELIST",
    "Process": "PROCESS",
    "AuthInfo": "AUTHINFO",
    "Listener": "LISTENER",
    "Service": "SERVICE",
    "CommInfo": "COMMINFO",
    "Topic": "TOPIC",
    "ChlAuthRec": "CHLAUTH",
    "AuthRec": "AUTHREC",
}
_SEARCHED = 65536
_HEADER = "* Queue manager name:"


def completed(script: Script, text: str) -> None:
    """Report a dump that claims to be whole and is not; it is not complete any more.

    A script that was made from a dump may omit the trailer.
    """
    if script.header is None or not script.header.complete:
        return
    at = text.rfind(_TOTAL)
    if at < 0:
        missing = _break(text) if _writes_trailer(text) else None
    else:
        missing = _shortage(script, text, at)
    if missing is not None:
        if at >= 0 or not script.header.edited:
            script.diagnostics.append(missing)
        script.header = replace(script.header, complete=())


def _writes_trailer(text: str) -> bool:
    """Whether the queue manager and the tool are of releases that write a trailer."""
    head = text[:_SEARCHED]
    levels, command = _LEVELS.search(head), _COMMAND.search(head)
    if levels is None or command is None or _OTHER_OUTPUT.search(command[1]):
        return False
    return min(int(levels[1]), int(levels[2])) >= _SINCE


def _break(text: str) -> Diagnostic:
    """The last line there is."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    what = "the counts at the end of the dump are missing"
    return diagnostic("truncated-dump", (start, end), what=what)


def _counts(script: Script) -> Counter[str | None]:
    """How many commands make an object or a record, by noun: the forms they have are few."""
    counts: Counter[str | None] = Counter()
    for form, number in Counter(command.form for command in script.commands).items():
        if form.shape.verb in ("DEFINE", "SET"):
            counts[form.shape.noun] += number
    return counts


def _shortage(script: Script, text: str, total: int) -> Diagnostic | None:
    """The first kind of object with fewer commands than its count."""
    if script.broken or text.count(_HEADER) != 1:
        return None
    found = _counts(script)
    for line in _LINES_OF_TRAILER.finditer(text, text.rfind("* Script ended on", 0, total) + 1):
        noun = _COUNTED.get(line[1])
        count = int(line[2][:9])
        if noun is not None and found[noun] < count:
            what = f"it has {found[noun]} of {count} commands for {noun}"
            return diagnostic("truncated-dump", line.span(), what=what)
    return None


_SLICE = later(
    r"""(?x)
      (?P<blank> (?:[ \t\r\f\v]*\n)++ | [ \t\r\f\v]+\Z )
    | (?P<comment> (?:\*[^\n]*(?:\n|\Z))++ )
    | (?P<template> [ \t]*[\ue000\ue001][\ue000\ue001 \t\r\f\v]*(?:\n|\Z) )
    | (?P<reply>
        [ \t]*(?:AMQ\d{4}[A-Z]?:|CSQ[A-Z0-9]\d{3}[A-Z][ ]
        |(?:\d{7},)?\d{4}-[A-Z]\d\d[ ](?:\([Cc]\)|©)|Starting[ ]MQSC[ ]for
        |(?:\d+|One|No|All)[ ](?:valid[ ])?(?:MQSC[ ])?commands?[ ]\w+)
        [^\n]*(?:\n|\Z) (?:[ \t]+[A-Za-z]\w*\([^\n]*(?:\n|\Z))*+
      )
    | (?P<command>
        (?:
          [^\n]*[+-][ \t\r\f\v]*\n
          (?: \*[^\n]*\n | [ \t\r\f\v]*+ (?:\ue001[^\n]*)?+ \n )*+
        )*+
        [^\n]*(?:\n|\Z)
      )
    """
)
_END_OF_FILE = "\x1a"
"""Control-Z, with which a text file of DOS ends, or is filled up."""
_VALUE = later(r"""\(([^()'"\n]*+(?:'[^'\n]*+'[^()'"\n]*+)*+)\)""")


class Parser:
    """Reads MQSC; keeps the forms it has met, so one parser should read many documents."""

    def __init__(self, names: Names) -> None:
        """Resolve verbs, nouns and secrets through `names` (the vocabulary)."""
        self.forms = Forms(names)

    def parse(self, text: str, dialect: Dialect = PLAIN) -> Script:
        """Return what `text` says; any text at all gives a script."""
        if begins_as_transcript(text):
            record = read_transcript(text)
            plain = record.script
            script = Script(len(text), session=record.queue_manager)
            del record  # the parser needs the memory
            self._parse(plain, script, dialect, ends=False)
            script.slices = with_replies(script.slices, plain, len(plain))
            return script
        cut = cut_lines(text) if dialect.zos else ()
        text = without_cics(without_numbers(text, dialect.zos))
        header = read_header(text)
        start = preamble_of(text, header.span[0], self.forms.names) if header is not None else 0
        if start:
            text = without_preamble(text, start)
        script = Script(len(text), header=header)
        script.diagnostics.extend(cut)
        self._parse(text, script, dialect)
        if start:
            script.slices = with_replies(script.slices, text, start)
        return script

    @gc_paused()
    def _parse(self, text: str, script: Script, dialect: Dialect, ends: bool = True) -> None:
        """Fill `script`; text after END is not read if it `ends`."""
        covered = with_templates_covered(text, dialect)
        covered = covered.replace("\0", "\ufffd").replace(MARK, "\ufffd")
        covered = covered.rstrip(_END_OF_FILE).ljust(len(covered))
        templated = PLACEHOLDER in covered
        branches: list[tuple[int, int]] = []
        if templated:
            covered, branches = mark(text, covered)
        exactly = templated or HIDDEN in covered
        reader = ExactReader(self.forms, text, covered, script, dialect)
        generation, zos = reader.generation, dialect.zos
        known = self.forms.regular.get
        split = _VALUE.split
        short, join = reader.short, BETWEEN.join
        add, add_slice = script.commands.append, script.slices.add
        add_start, add_end = script.spans.firsts.append, script.spans.seconds.append
        for piece in _SLICE.finditer(covered):
            start, end = piece.span()
            if piece.lastgroup != "command":
                add_slice(piece.lastgroup or "blank", start, end)
                continue
            chunk = piece.group()
            parts = split(chunk) if end - start <= LONG or can_be_cut(chunk) else []
            form = known(join(parts[::2]))
            if (
                form is None
                or form.generation != generation
                or (exactly and (PLACEHOLDER in chunk or MARK in chunk or HIDDEN in chunk))
                or (zos and "=" in chunk)
            ):
                if chunk and reader.read(chunk, parts, start) and ends:
                    reader.leave_unread(end)
                    break
                continue
            if end - start > WIDE and not form.secrets:
                raw, pick = parts[1::2], form.pick
                add(Command(form, (raw if pick is None else pick(raw), raw, None), start))
            else:
                values = bound(parts[1::2], form) if form.secrets else join(parts[1::2])
                add(Command(form, values if len(values) > SHORT else short[values], start))
            add_start(start)
            add_end(end)
        reader.finish()
        if script.header is not None:
            completed(script, text)
        script.branches = tuple(branches)
        for command in script.commands if branches else ():
            command.maybe = command.maybe or is_inside(branches, command.start)
