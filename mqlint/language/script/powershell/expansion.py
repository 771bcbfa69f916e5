"""Faults of MQSC and of commands of MQ that PowerShell expands, or does not expand as intended.

Source: about_Quoting_Rules. Variables are replaced in double quotes and in `@"..."@`, not in single
quotes and in `@'...'@`. A backtick protects a dollar sign.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.script.faults.expansion import (
    BEGINS_MQSC,
    bare_paths,
    expansion_fault,
    left_as_written,
    unreplaced,
)
from mqlint.language.script.faults.variables import VariableNames
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_PLAIN = later(r"[^#\"']*+")
_WORD_IN_QUOTES = later(
    r"(?P<called>&[ \t]*+)?(?P<quote>[\"'])(?P<inner>(?:(?!(?P=quote))[^\n])*+)(?P=quote)"
)
"""A text between quotation marks; `called`: PowerShell runs it as a program."""
_FILE_INPUT = later(r"\brunmqsc\b(?:(?!\brunmqsc\b)[^|])*?[ \t](<)")
"""Each match ends before the next runmqsc, so that a line is read once."""
_ASSIGNED = later(r"(?im)(?:^|[;{(\s])\$([a-z_]\w{0,60})[ \t]*=(?!=)")
_QUOTED = later(r"'[^'\n]{0,2000}'|\"(?:[^\"\\\n]|\\.){0,2000}\"")
_UNSET = later(r"(?i)\$(?![\w]+:)(?:\{([a-z_]\w{0,60})\}|([a-z_]\w{0,60}))")
_AUTOMATIC = frozenset(
    "_ args input this true false null home host pid pwd error matches profile myinvocation"
    " psscriptroot pscommandpath psversiontable lastexitcode shellid ofs".split()
)
"""Variables of PowerShell that no script sets, in lower case (about_Automatic_Variables)."""
_BROUGHT_IN = later(
    r"(?im)^[ \t]*\.[ \t]|\b(?:import-module|invoke-expression|iex|set-variable|using)\b"
)
"""What may set variables elsewhere."""
_REPLACES = later(r"(?i)-c?replace\b|\.replace\(|expandstring|invoke-expression|\biex\b|[ \t]-f\b")
"""What may put values into a text that PowerShell leaves as it is."""
_HERE_STRING = later(r"(?m)^[^#\n]{0,200}[=(, |]@(?P<quote>[\"'])[ \t]*\r?\n")
_INDENTED_END = {quote: later(rf"(?m)^[ \t]+({quote}@)[ \t]*(?:\||\r?$)") for quote in "\"'"}
_OPENER = later(r"@\"[ \t]*\r?\n|@'[ \t]*\r?\n|<#|#[^\n]*|`.|[\"']")
_STRING = later(r"(?s)\"((?:[^\"`]|`.|\"\")*+)\"|'((?:[^']|'')*+)'")
_SYS = later(r"(?<!`)\$SYS(?=/)")
_OF_MQ = later(
    r"(?i)(?:^|[|;&({=])[ \t]*(?:[^\s|;'\"]{1,200}[\\/])?"
    r"(?:runmqsc|(?:crt|str|end|dlt)mqm|setmqaut|dspmqaut|dmpmqcfg|rcdmqimg|rcrmqobj)(?:\.exe)?"
    r"[ \t][^|;]*$"
)
_COMPARED = later(
    r"(?i)\$\?[ \t]*-[ci]?(?:eq|ne|gt|ge|lt|le)[ \t]+\d{1,5}\b"
    r"|\b\d{1,5}[ \t]+-[ci]?(?:eq|ne|gt|ge|lt|le)[ \t]+\$\?"
)
"""$? and a number."""
_RUNS_MQ = later(
    r"(?i)[^#]*?(?:^|[\s|;&({=\\/\"'])(?:(?:crt|str|end|dlt)mqm|runmqsc|setmqaut|dmpmqcfg"
    r"|rcdmqimg|rcrmqobj|strmqsvc|amqmdain|runmqakm)(?:\.exe)?(?=[\s\"']|$)"
)
_NEAR = 400
"""The characters before a text in which the command of its line is searched."""
_NAME = later(r"([A-Za-z][\w./%]{0,47})'\)")
_BREAKS_AT = "PowerShell ends the text at this quotation mark, because only '' protects it"


class _String(NamedTuple):
    """A text between quotes; `expands`: PowerShell replaces variables in it."""

    start: int
    end: int
    expands: bool
    is_block: bool


def powershell_faults(text: str) -> Iterator[Diagnostic]:
    """Yield input that PowerShell does not support, and variables that it does not replace."""
    for start, end in line_spans(text) if "runmqsc" in text else ():
        line = _WORD_IN_QUOTES.sub(_without_quotes, text[start:end])
        plain = _PLAIN.match(line)
        found = _FILE_INPUT.search(line, 0, plain.end() if plain is not None else len(line))
        if found is not None and line[found.end() :].strip():
            fault = "PowerShell does not support input redirection, only Get-Content and a pipe"
            yield expansion_fault(start + found.start(1), "<", fault)
    yield from _left_open(text)
    yield from bare_paths(text)
    yield from unreplaced(text, _ASSIGNED, _QUOTED)
    strings = [*_strings(text)]
    yield from _compared_results(text)
    yield from _removed(text, strings)
    yield from _in_strings(text, strings)


def _without_quotes(found: re.Match[str]) -> str:
    """Replace a text in quotes by a word of its length: the path of a program, or placeholders."""
    if found["called"] is None:
        return "_" * len(found[0])
    return f"{found['called']} {found['inner'].replace('#', '_')} "


def _left_open(text: str) -> Iterator[Diagnostic]:
    """Yield the end of a here-string with blanks before it, if no other end follows.

    Source: "about_Quoting_Rules": the closing mark must be the first of its line.
    """
    last = {quote: text.rfind(f"\n{quote}@") for quote in "\"'"}
    for opener in _HERE_STRING.finditer(text):
        quote = opener["quote"]
        end = _INDENTED_END[quote].search(text, opener.end())
        if end is not None and last[quote] < opener.end():
            yield diagnostic("here-document", end.span(1), delimiter=f"{quote}@")
            return


def _compared_results(text: str) -> Iterator[Diagnostic]:
    """Yield $? that is compared with a number after a command of MQ.

    It is True or False, and PowerShell converts the number to one of them
    (about_Automatic_Variables, about_Comparison_Operators).
    """
    is_run = False
    for start, end in line_spans(text) if "$?" in text else ():
        line = text[start:end].strip()
        if not line or line.startswith("#"):
            continue
        found = _COMPARED.search(text, start, end)
        if found is not None and (is_run or _RUNS_MQ.match(text[start : found.start()])):
            yield diagnostic("result-compared", found.span(), word=found[0])
        is_run = _RUNS_MQ.match(line) is not None


def _strings(text: str) -> Iterator[_String]:
    """Yield the texts in quotes, up to the first one without an end."""
    found = _OPENER.search(text)
    while found is not None:
        opener, start = found.group(), found.end()
        end = start
        if opener[0] == "@":
            end = text.find(f"\n{opener[1]}@", start - 1)
            if end < 0:
                return
            yield _String(start, max(start, end), opener[1] == '"', True)
            end += 3
        elif opener == "<#":
            end = text.find("#>", start)
            if end < 0:
                return
        elif opener in "\"'":
            closed = _STRING.match(text, found.start())
            if closed is None or closed.lastindex is None:
                return
            yield _String(*closed.span(closed.lastindex), opener == '"', False)
            end = closed.end()
        found = _OPENER.search(text, end)


def _in_strings(text: str, strings: list[_String]) -> Iterator[Diagnostic]:
    """Yield what is wrong with single texts."""
    assigned = {found[1].lower() for found in _ASSIGNED.finditer(text)}
    replaces = _REPLACES.search(text) is not None
    for string in strings:
        start, end = string.start, string.end
        if string.expands:
            if "sys" not in assigned:
                for found in _SYS.finditer(text, start, end):
                    fault = "PowerShell removes it, because no backtick is before the dollar sign"
                    yield expansion_fault(found.start(), found.group(), fault)
            continue
        begins_mqsc = BEGINS_MQSC.match(text, start, end) is not None
        opens = begins_mqsc and not string.is_block and text.endswith("(", start, end)
        if opens and _NAME.match(text, end + 1) is not None:
            yield expansion_fault(end, "'", _BREAKS_AT)
        if text.find("$", start, end) < 0:
            continue
        if (begins_mqsc and not replaces) or (not string.is_block and _is_argument(text, start)):
            yield from left_as_written(text, start, end, assigned)


def _is_argument(text: str, start: int) -> bool:
    """Whether a text is an argument of a command of MQ on its line."""
    first = max(0, start - _NEAR)
    line = max(first, text.rfind("\n", first, start) + 1)
    return _OF_MQ.search(text[line : start - 1]) is not None


def _removed(text: str, strings: list[_String]) -> Iterator[Diagnostic]:
    """Yield variables that the script names only once: in MQSC, or in a command of MQ as a typo.

    PowerShell replaces them by nothing: variables of the environment have the prefix `env:`.
    """
    if "mq" not in text.lower() or _BROUGHT_IN.search(text) is not None:
        return
    blocks = [
        (block.start, block.end)
        for block in strings
        if block.is_block and block.expands and BEGINS_MQSC.match(text, block.start, block.end)
    ]
    assigned = VariableNames(found[1].lower() for found in _ASSIGNED.finditer(text))
    uses = grouped(((found[1] or found[2]).lower(), found) for found in _UNSET.finditer(text))
    uses.pop("sys", None)  # see _in_strings
    for name, matches in uses.items():
        at, end = matches[0].span()
        if len(matches) != 1 or name in _AUTOMATIC or text[at - 1 : at] == "`":
            continue
        before = bisect(blocks, (at, len(text))) - 1
        is_inside = before >= 0 and end <= blocks[before][1]
        if is_inside or (_is_argument(text, at + 1) and assigned.meant_by(name)):
            fault = "the script does not set this variable, so PowerShell removes it"
            yield expansion_fault(at, matches[0].group(), fault)
