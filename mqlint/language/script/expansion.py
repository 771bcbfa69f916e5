"""MQSC in scripts that a shell changes before runmqsc reads it, or does not expand as intended.

POSIX, "Here-Document" and "Quoting": parameters are expanded in the lines of a here-document unless
a part of the delimiter is quoted, and nothing is expanded in single quotes. Quotes inside the lines
protect nothing. A variable that is not set expands to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic
from mqlint.patterns import later
from mqlint.vocabulary.distance import distance

_SYS = later(r"(?<![\\$])\$SYS(?=/)")
_HERE = later(r"(?<!<)<<(?!<)-?[ \t]*([\"'\\]?)([A-Za-z_]\w{0,60})")
_QUOTED = later(r"'[^'\n]{0,2000}'|\"(?:[^\"\\\n]|\\.){0,2000}\"")
_VARIABLE = later(r"(?<![\\$])\$(?:\{([A-Za-z_]\w{0,60})\}|([A-Za-z_]\w{0,60}))")
_POSITIONAL = later(r"(?<![\\$])\$([2-9])(?!\w*\{)")
_ARGUMENTS = later(r"\$[@*#]|\$\{[@*#\d]|\bshift\b|\bgetopts\b|\bset[ \t]+--|\$1")
_SET = later(
    r"(?m)(?:^|[;&|({\s])(?:export[ \t]+|local[ \t]+|readonly[ \t]+|declare[ \t]+(?:-\w+[ \t]+)*"
    r"|typeset[ \t]+(?:-\w+[ \t]+)*)?([A-Za-z_]\w{0,60})(?:=|\[)"
    r"|\b(?:for|read(?:[ \t]+-\w+)*|select|getopts[ \t]+\S+)[ \t]+([A-Za-z_]\w{0,60})"
)
_PRINTS = later(r"(?:\b(?:echo|print|printf)(?:[ \t]+-\w+)*[ \t]*|<<<[ \t]*)\Z")
_REPLACED = later(r"\b(?:envsubst|sed|awk|perl|gomplate|j2)\b")
"""Commands before runmqsc that may replace variables."""
_FILE_INPUT = later(r"(?m)^[^#\n\"']*\brunmqsc\b[^#\n\"'|]*?[ \t](<)[ \t]*\S")
_ASSIGNED = later(r"(?im)(?:^|[;{(\s])\$([a-z_]\w{0,60})[ \t]*=(?!=)")
_BATCH_SET = later(r"(?im)^[ \t]*@?set[ \t]+(?:/\w[ \t]+)?\"?([a-z_]\w{0,60})=")
_LOST_QUOTES = later(r"'[^'\n]{0,400}\('([\w./%]{0,48}[a-z][\w./%]{0,48})'\)[^'\n]{0,400}'")
"""Single quotes of MQSC within those of the shell, around a name with lower case."""
_ESCAPED = later(r"\\.|'[^'\"\n]*'|\"[^\"\\\n]*\"")
"""What has no quotation mark that is still open: an escaped character, a text in quotes."""
_SHORTEST = 4
"""Characters of a variable for another to be a typo of it."""


@frozen
class _Piece:
    """Part of a script. `expands`: the shell replaces variables; `of_runmqsc`: runmqsc reads it."""

    start: int
    text: str
    expands: bool
    of_runmqsc: bool


def expansion_faults(text: str) -> Iterator[Diagnostic]:
    """Yield MQSC text that a shell changes, or does not expand, against the intent of a script."""
    if "<<" not in text and "runmqsc" not in text:
        return
    variables = {found[1] or found[2] for found in _SET.finditer(text)}
    has_arguments = _ARGUMENTS.search(text) is not None
    yield from _lost_quotes(text)
    for piece in _pieces(text):
        if piece.expands and "SYS" not in variables:
            for found in _SYS.finditer(piece.text):
                start = piece.start + found.start()
                yield Diagnostic("sys-expanded", start, start + len("$SYS"))
        if piece.of_runmqsc:
            yield from _variables(piece, variables)
        if piece.of_runmqsc and piece.expands and not has_arguments:
            for found in _POSITIONAL.finditer(piece.text):
                fault = "the script uses no arguments, so the shell removes this text"
                yield _fault(piece, found, fault)


def _feeds(line: str) -> bool:
    return "runmqsc" in line and _REPLACED.search(line) is None


def powershell_faults(text: str) -> Iterator[Diagnostic]:
    """Yield input that PowerShell does not support, and variables that it does not replace."""
    for found in _FILE_INPUT.finditer(text):
        fault = "PowerShell does not support input redirection, only Get-Content and a pipe"
        data = {"word": "<", "fault": fault}
        yield Diagnostic("expansion", *found.span(1), data)
    yield from _unreplaced(text, _ASSIGNED, _QUOTED)


def batch_faults(text: str) -> Iterator[Diagnostic]:
    """Yield variables that are written as for another shell."""
    yield from _unreplaced(text, _BATCH_SET, later(r"\becho\b[^\n|]{0,2000}"))


def _unreplaced(
    text: str, assigned: re.Pattern[str], printed: re.Pattern[str]
) -> Iterator[Diagnostic]:
    variables = {found[1].lower() for found in assigned.finditer(text)}
    at = 0
    for line in text.splitlines(keepends=True) if variables else ():
        if "runmqsc" in line and _feeds(line):
            for piece in printed.finditer(line, 0, line.find("runmqsc")):
                if piece[0].startswith('"'):
                    continue
                for found in _VARIABLE.finditer(line, *piece.span()):
                    if (found[1] or found[2]).lower() in variables:
                        fault = "the shell does not replace this variable here"
                        data = {"word": found.group()[:60], "fault": fault}
                        start = at + found.start()
                        yield Diagnostic("expansion", start, at + found.end(), data)
        at += len(line)


def _variables(piece: _Piece, variables: set[str]) -> Iterator[Diagnostic]:
    """Yield variables that are not expanded, and those with a typo of a variable of the script."""
    for found in _VARIABLE.finditer(piece.text):
        name = found[1] or found[2]
        if name in variables:
            if not piece.expands:
                yield _fault(
                    piece, found, "the shell does not replace this variable in quoted text"
                )
            continue
        long = (other for other in sorted(variables) if len(other) >= _SHORTEST)
        meant = next((other for other in long if distance(name, other, 1) <= 1), None)
        if piece.expands and meant is not None and len(name) >= _SHORTEST:
            yield _fault(piece, found, f"the script does not set this variable, but sets {meant}")


def _fault(piece: _Piece, found: re.Match[str], fault: str) -> Diagnostic:
    start, end = (piece.start + offset for offset in found.span())
    return Diagnostic("expansion", start, end, {"word": found.group()[:60], "fault": fault})


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield here-documents, line by line, and texts in quotes of lines that name runmqsc.

    The outer shell expands a here-document in double quotes (`bash -c "runmqsc QM1 <<'EOF' ..."`),
    whatever its delimiter is. One in single quotes is not judged. The closing quotation mark may
    follow the end delimiter.
    """
    at, end_word, expands, of_runmqsc = 0, "", False, False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if end_word:
            if bare == end_word or bare.startswith((f'{end_word}"', f"{end_word}'")):
                end_word = ""
            else:
                yield _Piece(at, line, expands, of_runmqsc)
        elif not bare.startswith("#"):
            here = _HERE.search(line)
            if here is not None:
                before = _ESCAPED.sub("", line[: here.start()])
                in_text, in_script = before.count('"') % 2, before.count("'") % 2
                end_word, expands = here[2], bool(in_text) or not here[1]
                of_runmqsc = _feeds(line) and (bool(in_text) or not in_script)
            elif "runmqsc" in line:
                for quoted in _QUOTED.finditer(line):
                    is_input = _PRINTS.search(line, 0, quoted.start()) is not None
                    start, expands_here = at + quoted.start(), quoted[0].startswith('"')
                    yield _Piece(start, quoted[0], expands_here, is_input)
        at += len(line)


def _lost_quotes(text: str) -> Iterator[Diagnostic]:
    """Yield names in lower case whose quotes the shell removes before runmqsc reads them."""
    at = 0
    for line in text.splitlines(keepends=True) if "runmqsc" in text else ():
        if "runmqsc" in line and not line.lstrip().startswith("#"):
            for found in _LOST_QUOTES.finditer(line):
                fault = "the shell removes the quotes, so runmqsc folds this name to upper case"
                data = {"word": found[1], "fault": fault}
                yield Diagnostic("expansion", at + found.start(1), at + found.end(1), data)
        at += len(line)
