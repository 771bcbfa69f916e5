"""Passwords in the in-stream data of JCL: sign-on commands, and the input of FTP."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase

_JOB = later(r"(?m)^//\S*[ \t]+(?:JOB|EXEC|DD)\b")
_SIGN_ON = later(
    r"(?im)^[ \t]*(?:pass(?:word|wd)?[ \t]+(?![('=])(\S+)[ \t]*(?:[+-][ \t]*)?\r?$"
    r"|user(?:id)?[ \t]+\w+[ \t]+(?:(?:pass(?:word|wd)?|pw)[ \t]+)?(?![('=])(\S+)"
    r"|log(?:on|in)[ \t]+\w+/(\S+))"
    r"|\b(?:userid|[ps]nodeid)=\([^\s,()]+,([^\s,()]+)"
    r"|^(?!//)[^\n]*?(?<!\S)-p(?:[ \t]+(?!-)|(?![a-z-]*\s))(?!\d{1,5}(?:\s|$))(\S+)"
)
_WORD_OF_FTP = (
    r"(?:[ \t]*(?!(?:ascii|bin|binary|quit|close|pwd|dir|ls|sunique|prompt)\b)([^\s/]\S*)"
    r"[ \t]*\r?\n)?"
)
_COMMANDS_OF_FTP = (
    "open|user|pass|l?cd|l?mkdir|m?put|m?get|append|site|locsite|quote|type|mode|m?delete|rename"
    "|struct|record|ebcdic|ascii|binary|dir|ls"
)
_FTP = later(
    r"(?i)\bPGM=FTPS?\b[^\n]*\n(?://(?!(?:INPUT|SYSIN)\b|[^\n]*\bPGM=)[^\n]*\n)*+"
    r"//(?:INPUT|SYSIN)[ \t]+DD[ \t]+(?:\*|DATA)[^\n]*\n"
    r"[ \t]*(?!(?:open|user|pass)\b)\S++(?:[ \t]++([^\s;]++)[^\n]*+\n|[ \t]*+\r?\n"
    rf"(?:[ \t]*(?!(?:{_COMMANDS_OF_FTP})\b)\w++[ \t]++([^\s;]++)[^\n]*+\n)?+)" + 2 * _WORD_OF_FTP
)
"""The input begins with a host if PARM names none, a user and a password, on one line or each."""


def in_jobs(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the passwords in the data of a job; `low` is the text in lower case."""
    if "//" not in text or not _JOB.search(text):
        return
    for form in (_SIGN_ON, _FTP):
        for found in form.finditer(text):
            groups = range(1, form.groups + 1)
            yield from (found.span(group) for group in groups if found[group] is not None)
