"""Faults of MQSC and of commands of MQ in batch files that cmd changes before they are read.

Source: the help of cmd. `&`, `<`, `>`, `|` and, in a block, `)` have a meaning of their own unless
a caret or double quotes protect them. Variables are `%NAME%`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.environment import ended_by_setmqenv
from mqlint.language.script.faults.expansion import (
    ADDRESS,
    bare_paths,
    expansion_fault,
    left_as_written,
    unreplaced,
)
from mqlint.language.script.faults.fed_files import misspelt_inputs
from mqlint.language.script.faults.variables import SHORTEST_NAME, VariableNames
from mqlint.language.script.unread.mentions import names_command
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_BATCH_SET = later(r"(?im)^[ \t]*@?set[ \t]+(?:/\w[ \t]+)?\"?([a-z_]\w{0,60})=")
_SET_WITH_BLANK = later(r"(?im)^[ \t]*@?set[ \t]+(?P<word>(?P<name>[a-z_]\w{0,60})[ \t]+=)")
_USED = later(r"(?i)%(?=([a-z_]\w{0,60})%)")
"""A percent sign may end one variable and begin another, so the second one of each is only seen."""
_REMARK = later(r"(?im)^[ \t]*@?(?:rem\b|::)[^\n]*")
_ENDS_NAME = later(r"\w+%\"?[ \t]*(?:[<>\r\n]|\Z)")
"""The end of a variable that is the last word of a command, which names its queue manager."""
_PRINTED = later(r"\becho\b[^\n|]{0,2000}")
"""The output of a line of cmd."""
_QUOTED_ADDRESS = later(
    rf"(?im)^[ \t]*+@?set[ \t]++(?P<word>{ADDRESS}(?:\"[^\"\n]{{1,200}}\"|'[^'\n]{{1,200}}'))"
)
_MQSC_LINE = later(
    r"(?i)[ \t]*@?echo[ \t]+"
    r"(?:def(?:ine)?|alt(?:er)?|set|del(?:ete)?|dis(?:play)?|start|stop|clear|ref(?:resh)?|reset)"
    r"[ \t]+[a-z]{2,12}(?:[ \t]*|[ \t]+[a-z]{2,20})\^?\("
)
_SIGN = later(r"(?s)\^.|\"[^\"\n]*\"|([&<>])|(\|)|(\))")
"""What has a meaning for cmd; what is protected is taken as one."""
_QUOTED_SIGN = later(r"'[^'\n\"^]{0,100}'")
_LEVEL = later(r"(?i)%errorlevel%")
_ANY_SET = later(r"(?i)\bset[ \t]+(?:/\w[ \t]+)?\"?([a-z_]\w{0,60})[ \t]*=")
_CALLS = later(
    r"(?i)\bcall[ \t]+(?![^\n&|]{0,200}\bsetmqenv\b)[^:\s]|(?<!\bsetmqenv)\.(?:bat|cmd)\b"
)
"""Another file that may set variables; setmqenv sets those of its own."""
_SINGLE_PERCENT = later(
    r"(?im)^[ \t]*+@?for[ \t]+(?:/[a-z][ \t]+(?:\"[^\"\n]{0,200}\"[ \t]+)?)?"
    r"(%[a-z])[ \t]+in[ \t]*\("
)
"""The variable of a loop as it is written at the prompt of cmd."""
_ALWAYS_TRUE = later(r"(?i)@?if[ \t]+(not[ \t]+)?(errorlevel[ \t]+0)(?!\d)")
_TASK = later(
    r"(?i)\bschtasks(?:\.exe)?[ \t][^\n\"]{0,300}(?:\"[^\"\n]{0,300}\"[^\n\"]{0,300}){0,4}"
    r"/tr[ \t]+\"(?!(?:[^\"\n ]{0,200}\\)?(?:cmd|powershell|pwsh)\b)(?P<command>[^\"\n]{1,500})\""
)
_OPERATOR = later(r"(?<![\^\S])(?:&&|\|\||>>|[|<>&])(?=[ \t])")
_RUN_IN_BLOCK = later(
    r"(?i)(?:call[ \t]+)?(?:\"[^\"]{0,200}\\)?"
    r"(?:runmqsc|(?:crt|str|end|dlt)mqm|dmpmqcfg|rcdmqimg|setmqaut)\b"
)


def batch_faults(text: str) -> Iterator[Diagnostic]:
    """Yield what cmd changes, variables as for another shell, quotes that get into a value."""
    for found in _QUOTED_ADDRESS.finditer(text):
        fault = "the quotation marks become part of the value"
        yield expansion_fault(found.start("word"), found["word"], fault)
    for found in _SINGLE_PERCENT.finditer(text):
        fault = f"cmd ends the batch file with a syntax error, because it needs %{found[1]} here"
        yield expansion_fault(found.start(1), found[1], fault)
    yield from bare_paths(text)
    yield from _unprotected(text)
    yield from _early_levels(text)
    yield from _tests_of_zero(text)
    yield from _names_with_blanks(text)
    yield from unreplaced(text, _BATCH_SET, _PRINTED)
    yield from _of_other_shell(text)
    yield from _misspelt(text)
    yield from _tasks_without_shell(text)
    yield from ended_by_setmqenv(text)
    yield from misspelt_inputs(text)


def _tasks_without_shell(text: str) -> Iterator[Diagnostic]:
    """Yield redirections and the like in the command of a task, for which Windows uses no shell."""
    for found in _TASK.finditer(text) if "/tr" in text.lower() else ():
        if names_command(found["command"].lower()):
            sign = _OPERATOR.search(text, *found.span("command"))
            if sign is not None:
                yield diagnostic("module-command", sign.span(), sign=sign[0], caller="the task")


def _unprotected(text: str) -> Iterator[Diagnostic]:
    """Yield signs in printed MQSC that cmd interprets.

    A closing parenthesis ends a block, even if one in the text opens before it.
    """
    depth = 0
    for start, end in line_spans(text):
        line = text[start:end]
        bare = line.strip()
        if bare.startswith(")") and depth:
            depth -= 1
        if _MQSC_LINE.match(line) is not None:
            yield from _signs(line, start, depth > 0)
        elif bare.endswith("(") and not bare.lower().startswith(("::", "rem ", "echo")):
            depth += 1


def _signs(line: str, at: int, is_in_block: bool) -> Iterator[Diagnostic]:
    """Yield the first sign of a line that is not protected, up to its pipe."""
    values = [found.span() for found in _QUOTED_SIGN.finditer(line)]
    for found in _SIGN.finditer(line):
        place = found.start()
        if found[2] is not None:
            return
        in_value = any(start < place < end for start, end in values)
        if (found[1] is not None and in_value) or (found[3] is not None and is_in_block):
            sign = found.group()
            fault = f"cmd interprets it, because only ^{sign} or double quotes protect it"
            yield expansion_fault(at + place, sign, fault)
            return


def _early_levels(text: str) -> Iterator[Diagnostic]:
    """Yield %ERRORLEVEL% after a command of MQ in the same parentheses.

    cmd replaces the variables of a block before it runs the first command of it.
    """
    has_run = [False]
    for start, end in line_spans(text):
        line = text[start:end].strip()
        if line.startswith(")") and len(has_run) > 1:
            has_run.pop()
        found = _LEVEL.search(text, start, end)
        if found is not None and len(has_run) > 1 and has_run[-1]:
            fault = "cmd replaces it before the block runs, so use !ERRORLEVEL!"
            yield expansion_fault(found.start(), found[0], fault)
        has_run[-1] = has_run[-1] or _RUN_IN_BLOCK.match(line) is not None
        if line.endswith("(") and not line.startswith(("::", "rem ", "REM ")):
            has_run.append(False)


def _tests_of_zero(text: str) -> Iterator[Diagnostic]:
    """Yield `if errorlevel 0` right after a command of MQ, with which no other test comes first.

    It is true for each return code of 0 or more, so after tests of greater numbers it is right.
    """
    is_run = False
    for start, end in line_spans(text):
        line = text[start:end].strip()
        found = _ALWAYS_TRUE.match(line) if is_run else None
        if found is not None:
            at = text.index(line, start) + found.start(2)
            if found[1]:
                word, effect = "if not errorlevel 0", "is never true"
            else:
                word, effect = "if errorlevel 0", "is true for every return code"
            span = (at, at + len(found[2]))
            yield diagnostic("errorlevel-zero", span, word=word, effect=effect)
        if line and not line.lower().startswith(("rem ", "::")):
            is_run = _RUN_IN_BLOCK.match(line.lstrip("@")) is not None


def _names_with_blanks(text: str) -> Iterator[Diagnostic]:
    """Yield `set NAME = value` if the file uses %NAME%, which is another variable."""
    names = {found[1].lower() for found in _BATCH_SET.finditer(text)}
    used = {found[1].lower() for found in _USED.finditer(text)}
    for found in _SET_WITH_BLANK.finditer(text):
        name = found["name"].lower()
        if name not in names and name in used:
            fault = f"the name ends with a blank, so %{found['name']}% is not set"
            yield expansion_fault(found.start("word"), found["word"], fault)


def _misspelt(text: str) -> Iterator[Diagnostic]:
    """Yield variables in commands of MQ that are typos of those that are set.

    After the call of another file, that file may have set them.
    """
    calls = _CALLS.search(text)
    last = len(text) if calls is None else calls.start()
    variables = VariableNames(
        (found[1].lower() for found in _ANY_SET.finditer(text)),
        SHORTEST_NAME,
        _REMARK.sub("", text).lower(),
    )
    for start, end in line_spans(text) if variables.names else ():
        if start > last or _RUN_IN_BLOCK.match(text[start:end].lstrip(" \t@")) is None:
            continue
        for found in _USED.finditer(text, start, end):
            name = found[1].lower()
            meant = "" if name in variables.names else variables.meant_by(name)
            if not meant and name not in variables.names and _ENDS_NAME.match(text, found.end()):
                meant = variables.cut_from(name)
            if meant:
                fault = f"the script does not set this variable, but sets {meant.upper()}"
                yield expansion_fault(found.start(), f"%{found[1]}%", fault)


def _of_other_shell(text: str) -> Iterator[Diagnostic]:
    """Yield variables of the file that a command of MQ has as in a shell of Unix."""
    names = {found[1].lower() for found in _BATCH_SET.finditer(text)}
    for start, end in line_spans(text) if names and "$" in text else ():
        if _RUN_IN_BLOCK.match(text[start:end].lstrip(" \t@")) is None:
            continue
        yield from left_as_written(text, start, end, names)
