"""Diagnostics for a text that should be a command, in terms of typical mistakes.

The functions get text in which a run of NUL replaces each value and its parentheses, so that text
inside quotes is never taken for a mistake.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from mqlint.language.mqsc.lines import Segments
from mqlint.language.mqsc.scan import Fault
from mqlint.language.mqsc.shape import Names
from mqlint.language.mqsc.value import FOREIGN_QUOTES
from mqlint.patterns import later

_WINDOW = 80
_LONGEST_VERB = 8
_FOREIGN = later(r"(?i)\s*(--|//|#|/\*|;(?=[ \t]*[^\s;])|REM\b)")
_REMARK = later(r"(?<=[\s,\0])(?:--|//|#|/\*|\*)")
_BACKSLASH = later(r"[\\^](?=\s*\Z)")
_ECHO = later(r"[ \t]*+\d*+[ \t]*+:(?=[ \t\r\n]|\Z)")
_SHELL = later(
    r"(?i)[ \t]*(?:[$%>][ \t]+)?@?((?:run|str|end|crt|dlt|dsp|set|dmp|rcd|rcr)mq\w*"
    r"|echo|export|cat|cd|sudo|su|source|eof)\b(?![ \t]*[(=])"
)
_WORD = later(r"[^\s(),;'\"\0\ue000]+")
_SECOND = later(r"(?<![^\s,\0])([A-Za-z]++)(?=[ \t]++([A-Za-z]++)[ \t]*+(\0?))")
_PAIR = later(r"\s*([A-Za-z]+)[ \t]+([A-Za-z]+)")
_NAMED = later(r"(?m)^[ \t]*+([A-Za-z]{2,10})[ \t]++([A-Za-z]{2,10})[ \t]*+\(")
_STRING = later(r"'(?:[^']|'')*+'")
_NEXT_ATTRIBUTE = later(r"\)[\s,]*[A-Za-z][\w.]*\s*\(\s*'\Z")
_APOSTROPHE = later(r"(?<=[^\W_])'(?=[^\W_])")
_LAST_WORD = later(r"([A-Za-z][\w.]*)\s*\($")
_WORD_OF_VALUE = later(r"([A-Za-z][\w.]*)(?:\s*\([^()]*\)|\s+[^\s()]+)\s*\Z")
_STRANGE = later("[\u00a0\u00ad\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff\uff01-\uff5e]")
"""Signs that look like blanks, like nothing, or like others in a wide form: letters to MQSC."""
_ANY_QUOTE = later(f"[{FOREIGN_QUOTES}]")
_LINE = later(r"\s*+([^\n]{0,200})")
_VERB_AND_NOUN = later(r"\s*([A-Za-z]+)(?:\s+([A-Za-z]+))?")
_QUOTED = later(rf"(?m)^\*[^\n]*|'[^'\n]*'|\([ \t]*([{FOREIGN_QUOTES}])")
_ATTRIBUTE_OF_STRING = later(r"([A-Za-z][\w.]*)\s*\(\s*'[^'()]*\Z")


def remark(text: str, at: int = 0) -> str | None:
    """Return the mark with which a comment starts at `at`, of another language or indented."""
    found = _FOREIGN.match(text, at)
    if found is not None:
        return found[1]
    return "*" if text.startswith("*", at) else None


def remark_code(mark: str) -> str:
    """Return the diagnostic code of a comment that begins with `mark`."""
    return "indented-comment" if mark == "*" else "foreign-comment"


def shell_word(chunk: str) -> str | None:
    """Return the word with which `chunk` starts when it is a command for a shell."""
    found = _SHELL.match(chunk)
    return found[1] if found else None


def is_echo(chunk: str) -> bool:
    """Return whether `chunk` is a command that runmqsc repeated after its number and a colon."""
    return _ECHO.match(chunk) is not None


def is_inside_text(before: str) -> bool:
    """Return whether what follows is in a text of several lines, or in a comment."""
    lines = before.split("\n")
    quotes = sum(line.count("'") for line in lines if not line.startswith("*"))
    return quotes % 2 == 1 or lines[-1].startswith("*")


def strange_sign(words: str) -> tuple[int, dict[str, str]] | None:
    """Return the place of a sign in `words` that only looks like another one, and that one.

    Remarks of other languages, and prose in other scripts, have such signs legally.
    """
    found = _STRANGE.search(words)
    if found is None or not words[: found.start()].isascii():
        return None
    if remark(words) or _REMARK.search(words, 0, found.start()):
        return None
    sign = found.group()
    looks = unicodedata.normalize("NFKC", sign) if sign > "\uff00" else "a blank"
    return found.start(), {"looks": looks, "sign": f"U+{ord(sign):04X}"}


def misplaced(masked: str, segments: Segments, names: Names) -> Fault | None:
    """Return the fault in the words of a command whose parentheses are correct.

    `segments` are the places at which its lines were joined.
    """
    found = _REMARK.search(masked)
    if found is not None:
        mark, start = found.group(), found.start()
        code = remark_code(mark)
        line = max(at for at, _ in segments if at <= start)
        if code == "indented-comment" and masked[line:start].strip():
            code, mark = "foreign-comment", "an asterisk after column 1"
        return Fault(code, start, len(masked.rstrip()), {"mark": mark})
    found = _BACKSLASH.search(masked)
    if found is not None:
        data = {"mark": found.group()}
        return Fault("foreign-continuation", found.start(), found.end(), data)
    for at, _ in segments:
        fault = (_swallowed(masked, at, names) or _glued(masked, at, names)) if at > 0 else None
        if fault is not None:
            return fault
    return _second(masked, names)


def _second(masked: str, names: Names) -> Fault | None:
    """A command on the same line, after the first value of another one."""
    first = masked.find("\0")
    for word in _SECOND.finditer(masked, first) if first >= 0 else ():
        verb, noun = word[1].upper(), word[2].upper()
        if not (word[3] or names.noun(noun) in ("QMGR", "SECURITY")) or names.verb(verb) is None:
            continue
        if names.noun(noun) is not None and not names.is_attribute(verb):
            data = {"word": f"{verb} {noun}"}
            return Fault("command-in-a-command", word.start(1), word.end(2), data)
    return None


def _swallowed(masked: str, at: int, names: Names) -> Fault | None:
    """A line of the command that starts like a command of its own."""
    pair = _PAIR.match(masked, at, at + _WINDOW)
    if pair is None:
        return None
    verb, noun = pair[1].upper(), pair[2].upper()
    if names.verb(verb) is None or names.noun(noun) is None or names.is_attribute(verb):
        return None
    return Fault("swallowed-command", pair.start(1), pair.end(2), {"word": f"{verb} {noun}"})


def _glued(masked: str, at: int, names: Names) -> Fault | None:
    """Two words that became one because no blank stood between them."""
    start = at
    while start > max(0, at - _WINDOW) and masked[start - 1].isalpha():
        start -= 1
    right = _WORD.match(masked, at, at + _WINDOW)
    if start == at or right is None:
        return None
    first, second = masked[start:at].upper(), right.group().upper()
    known = _is_known(first, names) and _is_known(second, names)
    if _is_known(first + second, names) or not known:
        return None
    data = {"word": first, "next": second}
    return Fault("glued-words", at - len(first), right.end(), data)


def first_command(text: str, start: int, names: Names) -> str | None:
    """Return the words of the first command with a name at the start of a line after `start`."""
    for found in _NAMED.finditer(text, start):
        verb, noun = names.verb(found[1].upper()), names.noun(found[2].upper())
        if verb is not None and noun is not None:
            return f"{verb} {noun}"
    return None


def next_line(text: str, at: int) -> str:
    """Return the first line after the one at `at` that is not blank, up to a limit."""
    end = text.find("\n", at)
    found = _LINE.match(text, end + 1) if end >= 0 else None
    return found[1] if found is not None else ""


def begins_command(line: str, names: Names) -> bool:
    """Return whether a line begins with a verb, and a noun if more follows."""
    words = _VERB_AND_NOUN.match(line)
    if words is None or names.verb(words[1].upper()) is None:
        return False
    noun = (words[2] or "").upper()
    return not noun or names.noun(noun) is not None


def names_together(word: str, names: Names) -> str | None:
    """Return the verb and the noun that `word` is made of, None for any other word."""
    word = word.upper()
    for end in range(2, min(len(word), _LONGEST_VERB) + 1):
        if names.verb(word[:end]) is not None and names.noun(word[end:]) is not None:
            return f"{word[:end]} {word[end:]}"
    return None


def _is_known(word: str, names: Names) -> bool:
    return names.is_attribute(word) or names.verb(word) is not None or names.noun(word) is not None


def misquoted(joined: str, start: int, fault: Fault) -> Fault:
    """Return the place where a quote is missing, if it can be found, otherwise `fault`.

    The unmatched quote at the end is rarely the wrong one: an apostrophe inside a text counts as
    its end, and a text without end takes the next opening quote for it.
    """
    found = _APOSTROPHE.search(joined, start)
    if found is not None:
        before = _ATTRIBUTE_OF_STRING.search(
            joined[max(0, found.start() - _WINDOW) : found.start()]
        )
        data = {"word": before[1].upper()} if before else {}
        if joined.count("'", start, found.start()) % 2:
            return Fault("unescaped-apostrophe", found.start(), found.end(), data)
    for string in _STRING.finditer(joined, start, fault.start):
        if _NEXT_ATTRIBUTE.search(string.group()[-_WINDOW:]):
            return Fault(fault.code, string.start(), fault.end)
    return fault


def word_before(joined: str, offset: int) -> str:
    """Return the attribute whose parenthesis opens before `offset`, or the word there."""
    before = joined[max(0, offset - _WINDOW) : offset].rstrip()
    if joined[offset : offset + 1] == ")":
        found = _WORD_OF_VALUE.search(before)
    else:
        found = _LAST_WORD.search(before if before.endswith("(") else before + "(")
    return found[1].upper() if found else ""


def foreign_quotes(text: str) -> Iterator[Fault]:
    """Yield the beginnings of values in `text` that start with a quote MQSC does not know."""
    marks = [mark for mark in FOREIGN_QUOTES if mark in text]
    at = 0
    while (mark := _next(text, marks, at)) >= 0:
        start = text.rfind("\n", at, mark) + 1 or at
        end = text.find("\n", mark)
        at = end + 1 if end >= 0 else len(text)
        for quote in _QUOTED.finditer(text, start, at):
            if quote[1] is not None:
                yield Fault("foreign-quote", quote.start(1), quote.end(1), {"mark": quote[1]})


def _next(text: str, marks: list[str], at: int) -> int:
    """Return the offset of the next of `marks` in `text`, -1 if there is none."""
    if len(marks) == 1:
        return text.find(marks[0], at)
    found = _ANY_QUOTE.search(text, at) if marks else None
    return found.start() if found is not None else -1
