"""The words of a loop, if the script has them: literals, braces, seq, a list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mqlint.language.script.command import Word
from mqlint.language.text.variables import Variables
from mqlint.number import whole_number
from mqlint.patterns import later

_MOST = 200
"""Words of a range; what has more is not followed."""
_NAMED = later(r"\$(?:(\w{1,80})|\{(\w{1,80})\})")
_RANGE = later(r"\{(\d{1,6})\.\.(\d{1,6})\}")
_CHOICE = later(r"\{([\w.-]*(?:,[\w.-]*)+)\}")
_SEQUENCE = later(r"(?:\$\(|`)\s*seq\s+(?:(\d{1,6})\s+)?(\d{1,6})\s*[)`]")
_PATTERN = later(r"[*?\[]")
COUNTED = later(
    r"\(\([ \t]*(\w{1,80})[ \t]*=[ \t]*(\d{1,6})[ \t]*;[ \t]*\1[ \t]*(<=?)[ \t]*"
    r"(?:(\d{1,6})|\$?\{?([A-Za-z_]\w{0,80})\}?)[ \t]*;[ \t]*"
    r"(?:\1\+\+|\+\+\1|\1[ \t]*\+=[ \t]*1|\1[ \t]*=[ \t]*\1[ \t]*\+[ \t]*1)[ \t]*\)\)"
)
"""The head of a loop that counts upwards, after `for`."""
_LISTING = later(r"(?:for|select)\b|while\s+(?:(?:IFS=\S*\s+)?read\b|true\b|:)")
_STATUS = later(r"(?i)ended|ending|running|stop|status|active|standby|\bdown")
_LONGEST = 1_000


def is_over_list(text: str, start: int, end: int) -> bool:
    """Return whether a loop runs for each item of a list, whatever the state of a queue manager.

    Its head is the text from `for` or the like to `do`. A loop with a test, or over what has a
    status (`dspmq | grep Ended`, also in the pipe before it), runs only in this state.
    """
    head = text[start : min(end, start + _LONGEST)]
    if _LISTING.match(head) is None or _STATUS.search(head) is not None:
        return False
    before = text[max(start - _LONGEST, 0) : start].rstrip()
    piped = before.rpartition("\n")[2] if before.endswith("|") else ""
    return _STATUS.search(piped) is None


def listed_words(words: Sequence[Word], text: str, values: Variables) -> list[str] | None:
    """Return the words of a loop as the shell makes them of those in `text`; None if not known."""
    found: list[str] = []
    for word in words:
        written = text[word.start : word.end]
        if word.known and (word.quoted or "{" not in word.text):
            made = None if not word.quoted and _PATTERN.search(word.text) else [word.text]
        elif word.known:
            made = _of_braces(word.text)
        elif (variable := _NAMED.fullmatch(written)) is not None:
            value = values.expanded(variable[1] or variable[2])
            made = None if value is None or _PATTERN.search(value) else value.split()
        else:
            sequence = _SEQUENCE.fullmatch(written)
            made = None if sequence is None else _counted("", sequence[1] or "1", sequence[2], "")
        if made is None:
            return None
        found += made
    return found


def counted_words(counted: re.Match[str], values: Variables) -> list[str] | None:
    """Return the numbers of a loop that counts; None if its end is unknown or too far away."""
    last = whole_number(counted[4] or values.expanded(counted[5] or ""))
    if last is None:
        return None
    high = last - (counted[3] == "<")
    return _counted("", counted[2], str(high), "") if high >= 0 else None


def _of_braces(text: str) -> list[str] | None:
    """The words of one pair of braces; None if it has another form."""
    if text.count("{") != 1 or _PATTERN.search(text):
        return None
    choice = _CHOICE.search(text)
    if choice is not None:
        words = choice[1].split(",")
        size = len(words) * len(text)
        around = text[: choice.start()], text[choice.end() :]
        return [word.join(around) for word in words] if size <= _MOST * _MOST else None
    counted = _RANGE.search(text)
    if counted is None:
        return None
    return _counted(text[: counted.start()], counted[1], counted[2], text[counted.end() :])


def _counted(before: str, first: str, last: str, after: str) -> list[str] | None:
    """The numbers from `first` to `last`, as wide as they are written with a zero in front."""
    low, high = int(first), int(last)
    if not low <= high < low + _MOST:
        return None
    width = len(first) if first[0] == "0" and len(first) > 1 else 0
    return [f"{before}{number:0{width}}{after}" for number in range(low, high + 1)]
