"""Texts that scripts give to a program as its input, or write to a file.

A text is given in many ways: printed or quoted before a pipe, as a here-document or a here-string,
by commands in brackets or in a loop. What reads it decides how much of it is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import bare, words_from
from mqlint.source.secrets.sinks import (
    LOGINS,
    Reads,
    file_written,
    is_kept,
    reads,
    reads_variable,
)
from mqlint.source.secrets.statements import is_mqsc, next_statement
from mqlint.source.secrets.words import in_line

_PIPE = r"(?:[\\`]\r?\n[ \t]*)?\|(?!\|)&?[ \t]*(?:[\\`]?\r?\n[ \t]*)?"
"""The sign between two commands, which may be at the end of a line or begin the next one."""
_TO = rf"(?:{_PIPE}(?P<to>(?:[^\n|;&]++|\|(?!\|))*+)|>>?[ \t]*(?P<file>[^\s;&|)]+))"
_PRINTED = (
    r"(?<![\w-])(?:echo|printf|print|yes|Write-Output|Write-Host)\b"
    r"(?P<text>(?:[^\n|;>&\"'\\`]{1,500}+|[\\`](?!\r?\n)[\"']?|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')"
    r"{0,40}+)"
)
_FEED = later(_PRINTED + _TO, re.IGNORECASE)
_QUOTED = r"(?:\"[^\"\n]+\"|'[^'\n]+')"
_QUOTED_FEED = later(
    rf"^[ \t]*@?\(?[ \t]*(?P<text>{_QUOTED}(?:[ \t]*,[ \t]*{_QUOTED}){{0,40}})[ \t]*\)?[ \t]*{_TO}",
    re.MULTILINE,
)
_BEFORE_ECHO = later(
    r"^[ \t]*@?>>?[ \t]*(?P<file>[^\s&|<>]+)(?P<to>)[ \t]+echo(?P<text>[ \t]+[^\n&|<>]+)",
    re.MULTILINE | re.IGNORECASE,
)
"""A redirection that a batch file has in front of what it prints."""
_SUBSTITUTED = later(r"<\([ \t]*(?:echo|printf)(?P<text>[ \t]+[^;|\n)]{1,500}+)(?=[;)])")
"""A text instead of a file."""
_HERE_STRING = later(r"<<<[ \t]*")
_HERE = later(
    r"^((?:[^\n<]|<(?!<)|<<<)*+)<<-?[ \t]*[\"'\\]?(?P<tag>\w++)[\"']?"
    r"([^\n\\]*+(?:\\\n?[^\n\\]*+){0,30}+)\n",
    re.MULTILINE,
)
_OPEN_PIPE = later(r"\|&?[ \t\r]*\Z")
"""The program that takes a document follows it: `cat <<EOF |`."""
_END = later(rf"(?P<bracket>[)}}]|\bdone\b)[ \t]*(?:{_PIPE}(?P<to>[^\n|;]*)|<(?P<loop>))")
_OPENING = {
    "}": later(r"(?P<open>\{)|\}"),
    ")": later(r"(?P<open>\()|\)"),
    "done": later(r"\b(?:(?P<open>while|for|until)\b|done\b)"),
}
_IN_BRACKETS = later(_PRINTED, re.IGNORECASE)
_LEAD = later(r"(?:[ \t]+-\w+|[ \t]+[\"']?%s(?:\\n)?[\"']?)*[ \t]*")
_USER = later(r"[ \t]{0,9}[\"']?[A-Za-z_][\w.-]{0,31}:(?=[^\s\"'])")
"""The user in what chpasswd reads."""
_END_OF_FIRST = later(r"\\n|`n|\n|(?<=[^\s,])[\"']?[ \t,]++(?=[\"'])")
_LONGEST = 8_192
"""Characters of a document, or of brackets before a pipe, that are searched."""


def in_input(text: str, low: str) -> Iterator[Span]:
    """Yield the secrets that programs are given as input; `low` is the text in lower case."""
    if "|" in text or ">" in text:
        for form in (_FEED, _QUOTED_FEED, _BEFORE_ECHO):
            for feed in form.finditer(text):
                yield from _given(text, *feed.span("text"), feed["to"] or "", feed["file"] or "")
    if "<(" in text:
        for given in _SUBSTITUTED.finditer(text):
            yield from _part(text, *given.span("text"), Reads.ALL)
    if "<<<" in text:
        yield from _in_here_strings(text)
    if "<<" in text:
        yield from _in_documents(text)
    if "|" in text or "done" in low:
        yield from _in_brackets(text)


def _given(text: str, start: int, end: int, to: str, file: str = "") -> Iterator[Span]:
    """Yield what is secret of a text that a command reads, or that is written to a file."""
    how = Reads.ALL if is_kept(file) else reads(to)
    if how is Reads.NOTHING:
        for program, sign in LOGINS:
            if program.search(to or file):
                yield from (found.span(1) for found in sign.finditer(text, start, end))
        return
    user = _USER.match(text, *_after_lead(text, start, end)) if "chpasswd" in to else None
    yield from _part(text, start if user is None else user.end(), end, how)


def _part(text: str, start: int, end: int, how: Reads) -> Iterator[Span]:
    """Yield a stretch without the words before what is printed; only its first line if need be."""
    start, end = _after_lead(text, start, end)
    if not is_mqsc(text[start:end]):
        first = _END_OF_FIRST.search(text, start, end) if how is Reads.FIRST_LINE else None
        yield from bare(text, start, end if first is None else first.start())


def _after_lead(text: str, start: int, end: int) -> Span:
    """Return a stretch without the words that come before what is printed."""
    lead = _LEAD.match(text, start, end)
    return (lead.end() if lead else start), end


def _in_here_strings(text: str) -> Iterator[Span]:
    done = 0  # each part of a line is searched once
    for here in _HERE_STRING.finditer(text):
        word = next(words_from(text, here.end()), None)
        line = text[max(text.rfind("\n", done, here.start()) + 1, done) : here.start()]
        done = here.end()
        if word is not None:
            yield from _given(text, *word, line)


def _in_documents(text: str) -> Iterator[Span]:
    at = 0
    while document := _HERE.search(text, at):
        at = document.end()
        line = f"{document[1]}{document[3]}"
        stop, after = _end_of_document(text, at, document["tag"])
        if _OPEN_PIPE.search(line):
            line += after
        secrets = [*_given(text, at, stop, line, file_written(line))]
        yield from secrets
        at = stop if secrets else at


def _end_of_document(text: str, at: int, tag: str) -> tuple[int, str]:
    """Return where a here-document ends, and the line after it; without an end, at a statement."""
    end = rf"^[ \t]*{re.escape(tag)}[ \t]*\r?$(?:\n(?P<next>[^\n]*))?"
    close = re.compile(end, re.MULTILINE).search(text, at, at + _LONGEST)
    if close is None:
        return next_statement(text, at, min(at + _LONGEST, len(text))), ""
    return close.start(), close["next"] or ""


def _in_brackets(text: str) -> Iterator[Span]:
    """Yield what the commands in brackets or in a loop print for the program after them.

    What is given to a loop is read by its `while read`.
    """
    done = 0  # brackets inside others that were searched
    for end in _END.finditer(text):
        is_given = end["loop"] is not None
        if not is_given and reads(end["to"]) is Reads.NOTHING:
            continue
        begin = _opening(text, max(done, end.start() - _LONGEST), end.start(), end["bracket"])
        done = end.end()
        if begin < 0:
            continue
        if is_given:
            yield from _given_to_loop(text, begin, end.end() - 1)
            continue
        how = reads(end["to"])
        for printed in _IN_BRACKETS.finditer(text, begin, end.start()):
            yield from _part(text, *printed.span("text"), how)
            if how is Reads.FIRST_LINE:
                break
        for document in _HERE.finditer(text, begin, end.start()):
            stop = _end_of_document(text, document.end(), document["tag"])[0]
            yield from _part(text, document.end(), stop, how)


def _opening(text: str, start: int, at: int, bracket: str) -> int:
    """Return where what closes at `at` opens, -1 if that is before `start`."""
    depth = 0
    for sign in reversed([*_OPENING[bracket].finditer(text, start, at)]):
        if sign["open"] is None:
            depth += 1
        elif depth:
            depth -= 1
        else:
            return sign.start()
    return -1


def _given_to_loop(text: str, begin: int, at: int) -> Iterator[Span]:
    """Yield the document or the word that a loop reads into a variable of a secret."""
    if not reads_variable(text[begin : in_line(text, begin, ";", at)]):
        return
    here = _HERE.match(text, text.rfind("\n", 0, at) + 1)
    if here is not None:
        stop = _end_of_document(text, here.end(), here["tag"])[0]
        yield from _part(text, here.end(), stop, Reads.ALL)
    elif text.startswith("<<<", at):
        yield from _part(text, *next(words_from(text, at + 3), (at, at)), Reads.ALL)
