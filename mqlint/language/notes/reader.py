"""Notes: each stretch of commands is a document, and the prose between them is skipped.

A line `runmqsc NAME` names the queue manager of the commands after it. Another stretch is for a
queue manager of its own, because the prose may name one.
"""

from __future__ import annotations

import re

from mqlint.language.base import Context, Parsed
from mqlint.language.mqsc.command_line import FLAGS, VERBS, is_command, unknown_words
from mqlint.language.mqsc.shape import Names
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import line_spans
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.distance import nearest

REMARKS = ("#", "--", "//", ";", "REM ")
"""Signs of other languages before the lines of a text of commands."""

_BEFORE = later(
    r"[ \t]*+(?:>[ \t]?)*+[ \t]*+(?:[-+\u2022][ \t]++|\d{1,3}[.)][ \t]++"
    r"|[$%][ \t]++|\[?[\w.@:~/-]{1,60}\]?[$%>#][ \t]++)?+`{0,3}"
)
"""Text before a command: quoting of mail, a sign or number of a list, a prompt."""
_QUOTING = later(r"[ \t]*+(?:>[ \t]?)++")
_HEAD = later(
    r"(?i)([A-Za-z]{2,12})[ \t,]++(?:(?:no)?replace[ \t,]++)?([A-Za-z]{1,12})"
    r"(?:(?P<gap>[ \t]*+)(?P<open>\()|(?=[ \t,+;-]|$))"
)
_NAME = later(r"[ \t]*('[^'()]{0,300}'|[^'()]{0,300})\)")
_ATTRIBUTE = later(r"[A-Za-z]\w{1,30}\(")
_SENTENCE = later(
    rf"(?i)(?!(?:{VERBS})\b)[A-Za-z][a-z'\u2019-]*+[,;:.]?(?:[ \t]+[\w.'\u2019-]+[,;:?!]?){{3,}}"
)
_OMITTED = later(r"\([ \t]*(?:\.{3}|\u2026|\d*[xX]{2,}|\"\"|'')[ \t]*\)")
"""A value that is left out: `DEFINE CHANNEL(...)`, `PORT(14xx)`, `ALTER QLOCAL("")`."""
_FILL_IN = later(r"(?<=\()(?:'[^'()]{0,60}'|[^'()]{0,60})(?=[ \t]*\))")
_STAND_IN = later(
    r"(?i)'?[ \t]*+(?:\d{0,4}[xX]{3,}\d{0,4}|[yYzZ]{4,}|\.{3}|\u2026"
    r"|(?:[A-Za-z]{1,20}[ \t]{1,4}){1,4}name)[ \t]*+'?"
)
"""A value for the reader to replace: `MAXDEPTH(1XXXXX)`, `QLOCAL('LOCAL QUEUE NAME')`."""
_RULE = later(r"([=~_-])\1{3,}$")
_LONGEST = 4_096
"""A line of more characters is prose to these notes, whatever it begins with."""


def inner(line: str) -> tuple[int, int]:
    """Return the offset in a line at which a command may begin."""
    before = _BEFORE.match(line)
    start = before.end() if before is not None else 0
    rest = line[start:].rstrip()
    if line[start - 1 : start] == "`":
        rest = rest.rstrip("`")
    return start, start + len(rest)


def quoted(line: str) -> tuple[int, int]:
    """Return the offset in a line at which the rest of a command begins, after quoting of mail."""
    before = _QUOTING.match(line)
    return (before.end() if before is not None else 0), len(line.rstrip())


def with_stand_ins_covered(line: str) -> str:
    """Return a line with the values that the reader is to replace covered, at the same length."""
    if "(" not in line or len(line) > _LONGEST:
        return line
    return _FILL_IN.sub(_with_placeholder, line)


def _with_placeholder(value: re.Match[str]) -> str:
    text = value[0]
    return PLACEHOLDER * len(text) if _STAND_IN.fullmatch(text) is not None else text


def holds_command(text: str) -> bool:
    """Return whether a line of a text is certainly a command, bare or after a sign."""
    return sign_of(text) is not None


def sign_of(text: str) -> str | None:
    """Return the sign before the commands of a text.

    Blank if a command has none: then signs mark commands that are switched off. None without
    commands.
    """
    found = None
    for start, end in line_spans(text):
        if end - start > _LONGEST:
            continue
        line = text[start:end]
        begin, stop = inner(line)
        body = line[begin:stop]
        if is_command(body):
            return ""
        if found is None:
            found = next((sign for sign in REMARKS if is_command(after(sign, body))), None)
    return found


def after(sign: str, body: str) -> str:
    """Return the text after a sign and its blanks; nothing if the line lacks the sign."""
    return body[len(sign) :].lstrip(f" \t{sign[0]}") if body.startswith(sign) else ""


def holds_prose(text: str) -> bool:
    """Return whether a line of a text is a sentence or a heading, which scripts do not have."""
    return any(is_prose(text[start:end].strip()) for start, end in line_spans(text))


def is_prose(line: str) -> bool:
    """Return whether a line without outer blanks is prose, which scripts do not have.

    That is a sentence, a heading, a fence of Markdown, or a line of a syntax diagram (`[ DESCR(
    string ) ]`).
    """
    if line.startswith("```") or is_syntax(line):
        return True
    if _RULE.match(line) is not None:
        return True
    return not line.startswith("*") and _SENTENCE.fullmatch(line) is not None


def is_syntax(line: str) -> bool:
    """Return whether a line without outer blanks is part of a syntax diagram: `[ REPLACE ]`."""
    return line.startswith("[") and line.endswith("]") and " " in line


def is_judged(body: str, names: Names, verbs: tuple[str, ...]) -> bool:
    """Return whether a line of notes is judged as a command, even a misspelt one.

    `names` is the vocabulary, `verbs` are all verbs.
    """
    if len(body) > _LONGEST or body.endswith((":", "?", "...")):
        return False
    if _OMITTED.search(body) is not None:
        return False
    head = _HEAD.match(body)
    if head is None:
        return False
    verb, noun = head[1].upper(), names.noun(head[2].upper())
    known = names.verb(verb) is not None
    is_loud = body == body.upper()
    if head["open"] is None:
        rest = body[head.end() :]
        goes_on = "(" in rest or (is_loud and rest.strip() in ("+", "-"))
        return known and noun is not None and goes_on and _is_rest(rest, 1 if is_loud else 0)
    name = _NAME.match(body, head.end())
    rest = body[name.end() :] if name is not None else ""
    if name is not None and name[1].strip().lower() in ("s", "es"):
        return False
    near = known or nearest(verb, verbs) != ""
    if noun is None:
        return known and near and _is_near_noun(head[2].upper(), names) and _is_rest(rest, 1)
    if head["gap"] and not is_loud:
        return near and (is_command(body) or (not known and _is_rest(rest, 1)))
    return (near or is_loud) and (name is None or is_loud or _is_rest(rest, 1))


def _is_near_noun(word: str, names: Names) -> bool:
    """Return whether a word is a typo of one of the nouns that are frequent in notes."""
    return len(word) > 4 and nearest(word, _NOUNS) != "" and names.noun(word) is None


def _is_rest(rest: str, most: int) -> bool:
    """Whether what follows the name is words of a command, at most so many of them unknown."""
    unknown = unknown_words(rest)
    return unknown <= most if unknown is not None else _ATTRIBUTE.match(rest.lstrip()) is not None


def is_lost(body: str, names: Names) -> bool:
    """Return whether a line after a command may be its rest, without a continuation sign."""
    if _ATTRIBUTE.match(body) is not None and names.noun(body.partition("(")[0].upper()) is None:
        return names.is_attribute(body.partition("(")[0].upper())
    return body.strip(" +-;").lower() in FLAGS


_NOUNS = tuple(
    "QLOCAL QREMOTE QALIAS QMODEL CHANNEL CHLAUTH AUTHREC AUTHINFO LISTENER NAMELIST PROCESS"
    " SERVICE TOPIC".split()
)


_SESSION = later(
    r"(?i)(?:.{0,80}[$#>%:][ \t]*)?(?:(?:sudo|docker|podman|kubectl|oc|ssh)\b.{0,120}[ \t])?"
    r"(?:/[\w./-]*/)?runmqsc(?:[ \t]+-\S+)*(?:[ \t]+([\w./%]{1,48}))?[ \t]*(?:<<.*)?$"
)
_NAMED = later(r"[^a-z]")
"""Signs of a word that is the name of a queue manager: "runmqsc session" has none."""
_REPLY = later(r"[ \t]*(?:AMQ\d{4}[A-Z]?:|CSQ[A-Z0-9]\d{3}[A-Z]\b|\d+[ \t]*:)")


class _Notes:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.names = vocabulary
        self.verbs = tuple(sorted(set(vocabulary.verb_words)))
        self.sign = sign_of(text) or ""
        self.queue_manager: str | None = None
        self.found: list[Embedded] = []
        self.builder = MappedTextBuilder()
        self.end = 0

    def read(self) -> list[Embedded]:
        """Return the documents in the order of their places."""
        continues = below_command = False
        lines = [*line_spans(self.text)]
        for (start, end), following in zip(lines, [*lines[1:], (0, 0)], strict=False):
            line = self.text[start:end]
            begin, stop = self._inner(line, continues)
            body = line[begin:stop]
            before, was_command = continues, False
            continues = body.endswith(("+", "-"))
            if before and not is_prose(body):  # blank lines and comments among them
                self._add(start + begin, start + stop, end)
                continues = continues or not body or body.startswith("*")
                was_command = True
            elif self._is_command(body, below_command) and not is_syntax(
                self.text[slice(*following)].strip()
            ):
                self._add(start + begin, start + stop, end)
                was_command = True
            else:
                continues = False
                if line.startswith("*") and self.builder.length:
                    self._add(start, end, end)
                elif body and not _REPLY.match(line):
                    self._prose(body)
            below_command = was_command
        self._close()
        return self.found

    def _inner(self, line: str, continues: bool) -> tuple[int, int]:
        """The offset of the command in a line, after the sign of the text.

        In a command that `continues`, a line has no sign of a list and no prompt.
        """
        begin, stop = quoted(line) if continues else inner(line)
        if self.sign:
            rest = after(self.sign, line[begin:stop])
            begin = stop - len(rest)
        return begin, stop

    def _is_command(self, body: str, below_command: bool) -> bool:
        """Whether a line is a command, or the rest of one which lacks a sign."""
        judged = is_judged(body, self.names, self.verbs)
        return judged or (below_command and is_lost(body, self.names))

    def _add(self, start: int, stop: int, end: int) -> None:
        self.builder.add(with_stand_ins_covered(self.text[start:stop]), start)
        self.builder.add("\n", end, 1)
        self.end = end

    def _prose(self, body: str) -> None:
        self._close()
        session = _SESSION.match(body)
        if session is not None:
            name = session[1] or ""
            self.queue_manager = name if _NAMED.search(name) else None

    def _close(self) -> None:
        if self.builder.length:
            mapped = self.builder.finish(self.end)
            model = f"#{mapped.host(0)}"
            self.found.append(
                Embedded.of("mqsc", mapped, self.queue_manager, maybe=False, model=model)
            )
            self.builder = MappedTextBuilder()


def parse_notes(text: str, vocabulary: Vocabulary) -> list[Embedded]:
    """Return the stretches of commands in notes; whatever the text, without an error."""
    return _Notes(text, vocabulary).read()


def read(text: str, context: Context) -> Parsed:
    return Parsed(embedded=parse_notes(text, context.vocabulary))
