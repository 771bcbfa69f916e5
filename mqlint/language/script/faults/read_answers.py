"""Answers of dspmq that are compared as a whole, and lists that ssh reads before a loop does."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.scanner import set_once
from mqlint.language.script.unread.mentions import names_command
from mqlint.patterns import later

_DSPMQ = r"\$\((?:[\w/.-]{1,80}/)?dspmq(?:[ \t]+[^()|\n#]{0,80})?\)"
_HELD = later(rf"(?m)(?<![\w$.-])([A-Za-z_]\w{{0,60}})=\"?{_DSPMQ}\"?[ \t]*(?:$|[;#&|])")
_SETTING = later(r"(?<![\w$.-])([A-Za-z_]\w{0,60})\+?=")
_COMPARED = later(
    rf"\[[ \t]+\"?(?:{_DSPMQ}|\$\{{?(?P<name>\w{{1,60}})\}}?)\"?[ \t]+(?:!=|==?)[ \t]+"
    r"(?P<state>\"?'?(?:STATUS\()?(?i:running|ended|starting|quiescing)\b[^*\]\n]{0,40}?)[ \t]+\]"
)
"""A test whether all that dspmq prints, or a variable, is a state."""
_READS = later(r"(?m)^([ \t]*)(?!#)(?:[^\n]{0,200}\|[ \t]*)?while[ \t][^\n#]{0,80}?\bread\b[^\n]*$")
_SSH = later(r"(?m)^[^#\n|<'\"]{0,100}?(?<![\w./-])(?P<word>ssh)(?P<rest>[ \t][^\n<]*[^\n<\\])$")
_NO_INPUT = later(r"[ \t]-[a-zA-Z]*[nf]\b")


def answer_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script with commands of MQ."""
    if "dspmq" in text:
        yield from _whole_answers(text)
    if "ssh" in text and "read" in text:
        yield from _lists_read_by_ssh(text)


def _whole_answers(text: str) -> Iterator[Diagnostic]:
    """Yield states with which the line `QMNAME(QM1) STATUS(Running)` is compared."""
    once = set_once(found[1] for found in _SETTING.finditer(text))
    held = {found[1] for found in _HELD.finditer(text)} & once
    for found in _COMPARED.finditer(text):
        if found["name"] is None or found["name"] in held:
            state = found["state"].strip("\"'")
            yield diagnostic("answer-never-equal", found.span("state"), state=state)


def _lists_read_by_ssh(text: str) -> Iterator[Diagnostic]:
    """Yield the first ssh in a loop over lines that also reads them, as it has no other input."""
    for loop in _READS.finditer(text):
        end = text.find(f"\n{loop[1]}done", loop.end())
        close = text[end : text.find("\n", end + 1)] if end >= 0 else ""
        feeds = "|" in loop[0].partition("while")[0] or "<" in close
        if end < 0 or not feeds or "-u" in loop[0] or "<&" in loop[0] or "3<" in close:
            continue
        for found in _SSH.finditer(text, loop.end(), end):
            if _NO_INPUT.search(found["rest"]) is None and names_command(found["rest"]):
                yield diagnostic("list-read-by-ssh", found.span("word"))
                break
