"""Whether the name of a command, which is not known before the script runs, may be one of MQ.

It may if the word itself has such a name (`${CMD:-dltmqm}`), or if the script puts one, or what it
reads, into a variable of the word: an element of an array, an item of a loop, a line that is read.
"""

from __future__ import annotations

from functools import cached_property

from mqlint.language.script.unread.unfollowed import names_of
from mqlint.patterns import later

_VARIABLES = later(r"[$%!]\{?[#~!]?(?:(?:env|global|local|private|script):)?(\w{1,60})")
_SET = later(
    r"(?<![\w.-])\$?(?:(?:env|global|local|private|script):)?(\w{1,60})"
    r"(?:\[[^\]\n=]{0,80}\]|\.\w{1,60})?[ \t]*+\+?=(?=[ \t]*+(\([^()]{0,400}|[^\n]{0,200}))"
)
"""A variable that is set, or an element of it, and the value."""
_LOOP = later(
    r"\b(?:for(?:each)?|select)[ \t]*+\(?[ \t]*+(/[frFR]\b[^\n%]{0,200})?"
    r"[$%]{0,2}(\w{1,60})[ \t]+in\b(?=([^\n]{0,200}))"
)
_READ = later(
    r"\b(?:read|mapfile|readarray)((?:[ \t]+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[\w.-]{1,60}))"
    r"{1,20})|\bset[ \t]+/[pP][ \t]+\"?(\w{1,60})=|\bprintf[ \t]+-v[ \t]+(\w{1,60})"
    r"|\b(?:declare|typeset|local)[ \t]+-[a-zA-Z]{0,3}n[a-zA-Z]{0,3}[ \t]+(\w{1,60})="
)
"""Variables that get what is read or printed, or are another name of one."""
_PRINTED = later(
    r"(?i)[\"']?(?:(?:\$\(|`)[ \t]*"
    r"(?:<|(?:cat|curl|wget|head|tail|sed|awk|jq|yq|echo|printf|rev)\b)"
    r"|\(?(?:read-host|get-content|gc|import-csv|invoke-(?:restmethod|webrequest)|iwr|irm)\b)"
)
"""A value that a command prints, which may be any text."""
_SUBROUTINE = later(r"(?i)\bcall[ \t]+:\w{1,60}([^\n]{0,200})")
_PIPED = later(r"(?:[\"'][\w.\\/-]{1,80}[\"'][ \t]*+[,)]?[ \t]*+){1,20}[|{]")
"""Texts of PowerShell that a block gets as `$_`."""
_HEAD = later(r"(?i)[ \t]*+/[dflr]\b[^\n]{0,200}[ \t]in[ \t(]")
"""The head of a loop of cmd, which sets a variable and runs nothing by it."""
_PATTERN = later(r"[\\/]mqm?[\\/]bin(?:64)?[\\/][^\s\\/]{0,40}[*?\[]")
_ENDS = "\"'`}]);, \t\r\n"
_LONGEST = 400


class RunNames:
    """The names of commands in a text of a script; `commands` are those of MQ that do something."""

    def __init__(self, text: str, commands: frozenset[str]) -> None:
        self._text = text
        self._commands = commands

    def may_be_of_mq(self, written: str) -> bool:
        """Whether a word of the text, whose value is not known, may be a command of MQ."""
        if self._has_name(written):
            return True
        if _HEAD.match(written) is not None:
            return False
        names = _VARIABLES.findall(written[:_LONGEST])
        return any(name.lower() in self._bound for name in names)

    def _has_name(self, text: str) -> bool:
        """Whether a text has the name of a command as a word, at its end or before a sign."""
        for found in names_of(self._commands).finditer(text):
            end = found.end() + 4 * text.startswith(".exe", found.end())
            before = text[max(found.start() - 1, 0) : found.start()]
            is_part = before.isalnum() or before in ("_", ".") or text[end : end + 1] not in _ENDS
            if not is_part:
                return True
        return False

    @cached_property
    def _bound(self) -> frozenset[str]:
        """The variables that may hold a command of MQ, in small letters."""
        bound = {
            name.lower()
            for found in _READ.finditer(self._text)
            for words in found.groups()
            if words
            for name in words.split()
            if name[0] not in "-\"'"
        }
        places = [(found.start(), found[1], found[2], "") for found in _SET.finditer(self._text)]
        places += [
            (found.start(), found[2], found[3], found[1] or "")
            for found in _LOOP.finditer(self._text)
        ]
        for _, name, value, reads in sorted(places):
            if reads or self._may_hold(value, bound):
                bound.add(name.lower())
        if any(self._has_name(found[1]) for found in _SUBROUTINE.finditer(self._text)):
            bound.update("123456789")
        if any(self._has_name(found[0]) for found in _PIPED.finditer(self._text)):
            bound.add("_")
        return frozenset(bound)

    def _may_hold(self, value: str, bound: set[str]) -> bool:
        if _PRINTED.match(value) is not None or _PATTERN.search(value) is not None:
            return True
        passes_on = any(name.lower() in bound for name in _VARIABLES.findall(value))
        return passes_on or self._has_name(value)
