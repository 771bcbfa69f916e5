"""Texts that scripts give to a program as its input, or write to a file.

A text is given in many ways: printed or quoted before a pipe, as a here-document or a here-string,
by commands in brackets or in a loop. What reads it decides how much of it is a secret.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mqlint.grouping import grouped
from mqlint.patterns import headed, later
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import unquoted, words_from
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.pieces import in_pieces
from mqlint.source.secrets.sinks import (
    LOGINS,
    Reads,
    file_written,
    is_secret_file,
    reads,
    reads_variable,
    takes_text,
)
from mqlint.source.secrets.statements import is_mqsc, next_statement
from mqlint.source.secrets.words import in_line

_PIPE = r"(?:[\\`]\r?\n[ \t]*)?\|(?!\|)&?[ \t]*(?:[\\`]?\r?\n[ \t]*)?"
"""The sign between two commands, which may be at the end of a line or begin the next one."""
_TO = rf"(?:{_PIPE}(?P<to>(?:[^\n|;&]++|\|(?!\|))*+)|>>?[ \t]*(?P<file>&?[^\s;&|)]+))"
_PRINTS = (
    r"(?<![\w-])(?:(?:echo|printf|print|yes|Write-Output|Write-Host)\b|set[ \t]+/p[ \t]*\"?\w*=)"
)
_PRINTED = _PRINTS + (
    r"(?P<text>(?:[^\n|;>&\"'\\`]{1,250}+|[\\`](?!\r?\n)[\"']?|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')"
    r"{0,16}+)"
)
_CLOSED = r"[}\"')]{0,3}[ \t]*+"
"""The end of a program of awk, or of the text that another shell runs."""
_FEED = later(rf"(?i){_PRINTED}{_CLOSED}{_TO}|{_PRINTS}[^\n|;>&\"'\\`]{{1,4000}}+")
"""What is printed for a command or a file; or a text for neither, which is not searched again."""
_QUOTED = r"(?:\"[^\"\n]+\"|'[^'\n]+')"
_QUOTED_FEED = later(
    rf"(?m)^[ \t]*+@?\(?[ \t]*+(?P<text>\$\w+|{_QUOTED}(?:[ \t]*+,[ \t]*+{_QUOTED}){{0,40}})"
    rf"[ \t]*+\)?[ \t]*+{_TO}"
)
_BEFORE_ECHO = later(
    r"(?im)^[ \t]*@?>>?[ \t]*(?P<file>[^\s&|<>]+)(?P<to>)[ \t]+echo(?P<text>[ \t]+[^\n&|<>]+)"
)
"""A redirection that a batch file has in front of what it prints."""
_SET_CONTENT = later(
    r"(?i)\b(?:(?:set|add)-content|(?:new|set)-item)[ \t]+(?:-(?:literal)?path[ \t]+)?"
    r"(?P<file>[^\s;|]+)(?P<to>)[ \t]+(?:-value[ \t]+)?(?P<text>(?!-)[^\n|;]+)"
)
_SUBSTITUTED = later(r"<\([ \t]*(?:echo|printf)(?P<text>[ \t]+[^;|\n)]{1,500}+)(?=[;)])")
"""A text instead of a file."""
_HERE_STRING = later(r"<<<[ \t]*")
_FTP_SCRIPT = later(r"(?i)\bftp(?:\.exe)?\b[^\n|&]{0,200}?[ \t]-s:[\"']?([^\s\"'|&]+)")
"""A file with the input of FTP on Windows."""
_DESCRIPTOR = later(r"(?<=[ \t])[3-9]\Z")
"""The number of a descriptor before the sign of a here-string."""
_READ_DESCRIPTOR = later(r"\bfd[:= ]([3-9])\b")
"""A descriptor from which a program reads a secret: `-passin fd:3`."""
_HERE = later(
    r"(?m)^((?:[^\n<]|<(?!<)|<<<)*+)<<-?[ \t]*[\"'\\]?(?P<tag>\w++"
    r"|[^\s\w<>&|;()$`\"'\\]{1,9})[\"']?([^\n\\]*+(?:\\\n?[^\n\\]*+){0,30}+)\n"
)
_SU = later(r"(?:^|[\s;&|/])su(?:\s[^\n]*)?$")
_STATEMENT = later(r"[ \t]*(?:#|[^\s'\"][^\n]*?(?:[ \t]\S|[=;|&<>(]))")
"""A line of a script, which has several words or signs of a shell, and not a password."""
_OPEN_PIPE = later(r"\|&?[ \t\r]*\Z")
"""The program that takes a document follows it: `cat <<EOF |`."""
_END = later(rf"(?P<bracket>[)}}]|\bdone\b)[ \t]*(?:{_TO}|<(?P<loop>))")
_OPENING = {
    "}": later(r"(?P<open>\{)|\}"),
    ")": later(r"(?P<open>\()|\)"),
    "done": later(r"\b(?:(?P<open>while|for|until)\b|done\b)"),
}
_IN_BRACKETS = later(rf"(?i){_PRINTED}")
_LEAD = later(r"(?:[ \t]+-\w+|[ \t]+[\"']?%s(?:\\n)?[\"']?)*[ \t]*")
_USER = later(r"[ \t]{0,9}[\"']?[A-Za-z_][\w.-]{0,31}:(?=[^\s\"'])")
"""The user in what chpasswd reads."""
_END_OF_FIRST = later(r"\\n|`n|\n|(?<=[^\s,])[\"']?[ \t,]++(?=[\"'])")
_COMMENTS = later(r"(?:[ \t]*+#[^\n]*+\n?+)*+")
_TAG = later(r"(?m)^[ \t]*(\w++|[^\s\w]{1,9})[ \t]*\r?$")
_TAKEN = later(r"(?<![<\d&])<[ \t]*[\"']?(?P<file>[\w./~$-]{1,200}+)(?=[\s;|&)\"']|\Z)")
_PARALLEL = later(
    r"\bparallel\b(?:[ \t]+-\S{1,60}+){0,8}+(?P<command>[^\n|;&]{1,500}?)(?=[ \t]:::)"
)
_LIST = later(r"[ \t]:::\+?[ \t]+((?:(?![ \t]:::)[^\n|;&])+)")
_COPROCESS = later(r"\bcoproc[ \t]+(?:([A-Za-z_]\w*)[ \t]+[{(])?([^\n]+)")
_LONGEST = 8_192
"""Characters of a document, or of brackets before a pipe, that are searched."""


def in_input(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the secrets that programs are given as input; `low` is the text in lower case."""
    if any(
        sign in low.lines for sign in ("|", "<", ">", ":::", "-content", "new-item", "set-item")
    ):
        yield from _Inputs(text, low).secrets()


class _Inputs:
    """The texts that the commands of one script read or write.

    `_files` are files of which a command reads a secret, `_tags` the lines that may end a
    here-document: each is searched for once, because there may be as many as lines. `_descriptors`
    are those of which a program reads one.
    """

    def __init__(self, text: str, low: LowerCase) -> None:
        self._text = text
        self._statement = (0, -1)  # an offset, and the first statement of MQ after it
        lines = _TAG.finditer(text) if "<<" in text else ()
        self._tags = grouped((line[1], line.start()) for line in lines)
        self._brackets = [*self._all_brackets()] if "|" in text or "done" in low.lines else []
        self._files = {*self._files_with_secrets()}
        self._descriptors = {*_READ_DESCRIPTOR.findall(text)} if "exec" in low.lines else ()

    def secrets(self) -> Iterator[Span]:
        text = self._text
        dialogues: dict[str, list[Span]] = {
            found[1].lower(): [] for found in _FTP_SCRIPT.finditer(text)
        }
        for form in (_FEED, _QUOTED_FEED, _BEFORE_ECHO, _SET_CONTENT):
            for feed in form.finditer(text):
                to, file = feed["to"] or "", feed["file"] or ""
                if to or file:
                    yield from self._in_feed(*feed.span("text"), to, file)
                if file.lower() in dialogues:
                    dialogues[file.lower()].append(_after_lead(text, *feed.span("text")))
        for lines in dialogues.values():
            for sign in _logins("ftp"):
                yield from self._of_login(sign, lines)
        for given in _SUBSTITUTED.finditer(text):
            yield from self._part(*given.span("text"), Reads.ALL)
        yield from self._in_here_strings()
        yield from self._in_documents()
        yield from self._of_parallel()
        for begin, end in self._brackets:
            yield from self._in_brackets(begin, end)

    def _in_feed(self, start: int, end: int, to: str, file: str = "") -> Iterator[Span]:
        """Yield what is secret of a text that a command reads, or that is written to a file."""
        how = self._how(to, file)
        if how is Reads.NOTHING:
            for sign in _logins(to or file):
                yield from self._of_login(sign, [(start, end)])
            return
        lead = _after_lead(self._text, start, end)
        user = _USER.match(self._text, *lead) if "chpasswd" in to else None
        yield from self._part(start if user is None else user.end(), end, how)

    def _of_login(self, sign: re.Pattern[str], lines: Sequence[Span]) -> Iterator[Span]:
        """Yield what the lines of a dialogue with a program hold of a secret."""

        def find(dialogue: str) -> Iterator[Span]:
            for found in sign.finditer(dialogue):
                yield found.span(found.lastindex or 0)

        return in_pieces(self._text, lines, find, "\n")

    def _how(self, to: str, file: str) -> Reads:
        is_secret = is_secret_file(file) or file.replace('"', "").strip("'") in self._files
        return Reads.ALL if is_secret else reads(to)

    def _part(self, start: int, end: int, how: Reads) -> Iterator[Span]:
        """Yield a stretch without what comes before a printed text; a line of it if need be."""
        text = self._text
        start, end = _after_lead(text, start, end)
        if not is_mqsc(text[start:end]):
            first = _END_OF_FIRST.search(text, start, end) if how is Reads.FIRST_LINE else None
            yield from unquoted(text, start, end if first is None else first.start())

    def _in_here_strings(self) -> Iterator[Span]:
        text = self._text
        done = 0  # each part of a line is searched once
        following = _HERE_STRING.search(text)
        while here := following:
            following = _HERE_STRING.search(text, here.end())
            stop = len(text) if following is None else following.start()
            word = next(words_from(text, here.end()), None)
            line = text[max(text.rfind("\n", done, here.start()) + 1, done) : here.start()]
            done = here.end()
            descriptor = _DESCRIPTOR.search(line)
            if descriptor is not None and line.split()[-2:-1] == ["exec"]:
                if word is not None and descriptor[0] in self._descriptors:
                    yield from self._part(*word, Reads.ALL)
            elif descriptor is not None:  # the program that reads it as such has it as its input
                line = re.sub(rf"(?<=[= :]){descriptor[0]}(?!\S)", "0", line[:-1])
            if word is not None:
                after = text[word[1] : in_line(text, word[1], ";&\n", max(word[1], stop))]
                yield from self._in_feed(*word, line + after if "|" in after else line)

    def _of_parallel(self) -> Iterator[Span]:
        """Yield the lists of which `parallel` puts each word at the place of a secret."""
        commands = headed(_PARALLEL, self._text) if " :::" in self._text else ()
        for found, following in commands:
            end = min(in_line(self._text, found.end(), "|;&"), following)
            command, at_end = found["command"], takes_text(found["command"], "{}")
            for number, words in enumerate(_LIST.finditer(self._text, found.end(), end), 1):
                sign = f"{{{number}}}"
                if takes_text(command, sign) if sign in command else at_end:
                    yield from unquoted(self._text, *words.span(1))

    def _in_documents(self) -> Iterator[Span]:
        at = 0
        while document := _HERE.search(self._text, at):
            at = document.end()
            line = f"{document[1]}{document[3]}"
            if _OPEN_PIPE.search(line):
                line += self._after_document(document)
            file = file_written(line)
            if _SU.search(document[1].rstrip()) and _STATEMENT.match(self._text, at):
                continue  # the document is a script, and su gets a password from elsewhere
            if self._how(line, file) is not Reads.NOTHING or any(_logins(line)):
                stop = self._end_of_document(document)
                yield from self._in_feed(at, stop, line, file)
                at = stop

    def _end_of_document(self, document: re.Match[str]) -> int:
        """Return where a here-document ends; at the first statement of MQ if nothing ends it.

        What is in a comment ends with the comment.
        """
        if document[1].lstrip().startswith("#"):
            return self._comments_after(document.end())
        at, tags = document.end(), self._tags.get(document["tag"], ())
        end = bisect_left(tags, at)
        if end < len(tags):
            return tags[end]
        if not self._statement[0] <= at <= self._statement[1]:
            self._statement = at, next_statement(self._text, at)
        return min(at + _LONGEST, self._statement[1])

    def _comments_after(self, at: int) -> int:
        comments = _COMMENTS.match(self._text, at, at + _LONGEST)
        return at if comments is None else comments.end()

    def _after_document(self, document: re.Match[str]) -> str:
        text, tags = self._text, self._tags.get(document["tag"], ())
        if not tags or tags[-1] < document.end():
            return ""
        start = in_line(text, self._end_of_document(document), "") + 1
        return text[start : in_line(text, start, "")]

    def _all_brackets(self) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield where brackets and loops open whose output or input may be a secret, and the end.

        Brackets inside others that were searched are not searched again.
        """
        done = 0
        for end in _END.finditer(self._text):
            to, file = end["to"] or "", end["file"] or ""
            is_secret = is_secret_file(file) or reads(to) is not Reads.NOTHING or any(_logins(to))
            if end["loop"] is None and not is_secret:
                continue
            start = max(done, end.start() - _LONGEST)
            begin = _opening(self._text, start, end.start(), end["bracket"])
            done = end.end()
            if begin >= 0:
                yield begin, end

    def _in_brackets(self, begin: int, end: re.Match[str]) -> Iterator[Span]:
        """Yield what commands in brackets or a loop print, or what a loop is given."""
        text, stop = self._text, end.start()
        if end["loop"] is not None:
            if self._reads_variable(begin, end):
                yield from self._given_to_loop(end.end() - 1)
            return
        to, file = end["to"] or "", end["file"] or ""
        lines = [printed.span("text") for printed in _IN_BRACKETS.finditer(text, begin, stop)]
        for sign in _logins(to or file):
            yield from self._of_login(sign, [_after_lead(text, *line) for line in lines])
        for line in lines:
            yield from self._in_feed(*line, to, file)
            if self._how(to, file) is Reads.FIRST_LINE:
                return
        for document in _HERE.finditer(text, begin, stop):
            yield from self._in_feed(document.end(), self._end_of_document(document), to, file)

    def _reads_variable(self, begin: int, end: re.Match[str]) -> bool:
        """Return whether the first command of a loop reads a variable of a secret."""
        return reads_variable(self._text[begin : in_line(self._text, begin, ";", end.start())])

    def _given_to_loop(self, at: int) -> Iterator[Span]:
        """Yield the document or the word that is given to a loop at its end."""
        here = _HERE.match(self._text, self._text.rfind("\n", 0, at) + 1)
        if here is not None:
            yield from self._part(here.end(), self._end_of_document(here), Reads.ALL)
        elif self._text.startswith("<<<", at):
            word = next(words_from(self._text, at + 3), (at, at))
            yield from self._part(*word, Reads.ALL)

    def _files_with_secrets(self) -> Iterator[str]:
        """Yield the files from which a command, a loop or a coprocess reads a secret only."""
        for process in _COPROCESS.finditer(self._text):
            if reads(process[2]) is Reads.ALL:
                yield f"&${{{process[1] or 'COPROC'}[1]}}"
        loops = {end.end() - 1: (begin, end) for begin, end in self._brackets if end.end()}
        done = 0
        for taken in _TAKEN.finditer(self._text):
            line = self._text[
                max(self._text.rfind("\n", done, taken.start()) + 1, done) : taken.start()
            ]
            done = taken.end()
            loop = loops.get(taken.start())
            if reads(line) is Reads.ALL or (loop is not None and self._reads_variable(*loop)):
                yield taken["file"]


def _logins(program: str) -> Iterator[re.Pattern[str]]:
    """Yield the forms of lines with secrets in the input of a program."""
    return (sign for name, sign in LOGINS if name.search(program))


def _after_lead(text: str, start: int, end: int) -> Span:
    """Return a stretch without the words that come before what is printed."""
    lead = _LEAD.match(text, start, end)
    return (lead.end() if lead else start), end


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
