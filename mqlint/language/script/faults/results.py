"""Results of commands of MQ that scripts ask for too late or too early, or take for success."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.here_document import HereText
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_COMMAND = later(
    r"[ \t]*(?:(?:cat|echo|printf)[ \t][^\n|&;]*\|[ \t]*)?"
    r"(?:sudo[ \t]+(?:-u[ \t]+\w{1,32}[ \t]+)?)?(?:/\S{1,200}/)?"
    r"(?:runmqsc|(?:crt|str|end|dlt|set)mqm|dmpmqcfg|rcdmqimg|rcrmqobj|setmqaut)\b"
    r"(?:[^\n|&;\\]|>&\d)*$"
)
"""A line that is a command of MQ, or a pipe that ends with one."""
_ENDS_ON_FAULT = later(
    r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*e|-o[ \t]+errexit)|^#![^\n]{0,80}[ \t]-[a-z]*e"
)


def result_faults(
    text: str, bodies: Sequence[HereText], scripts: Sequence[HereText]
) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script with some here-documents, of which some are scripts."""
    if ("$?" in text or "|" in text) and _ENDS_ON_FAULT.search(text) is None:
        yield from _late_results(text, bodies)
    for script in scripts:
        if script.expands:
            yield from _early_results(text, script)
    if "runmqsc" in text and "$?" in text:
        yield from _failures_passed(text)


_MQ = r"(?:runmqsc|(?:crt|str|end|dlt)mqm|dmpmqcfg|rcdmqimg|rcrmqobj|setmqaut)\b"
_PIPED = (
    r"(?:cat[ \t][^\n|&;]{1,200}\|[ \t]*)?(?:sudo[ \t]+(?:-u[ \t]+\w{1,32}[ \t]+)?)?"
    rf"\"?(?:[/$]\S{{1,200}}/)?{_MQ}"
    r"[^\n|;]{0,300}\|[ \t]*(?P<last>tee|logger|ts|sed|tr|cat|tail)\b"
    r"(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\n|;&\"']){0,300}"
)
_PASSED_ON = later(rf"[ \t]*{_PIPED}$")
"""A command of MQ whose pipe ends with a program that succeeds whatever it reads."""
_ASKED_AT_ONCE = later(
    rf"[ \t]*(?:if[ \t]+(?:![ \t]+)?)?{_PIPED}(?P<asks>\|\|(?![ \t]*(?:true\b|:))|;[ \t]*then\b)"
)
"""The same, in the condition of an `if` or with what to do if it fails."""
_DECLARED = later(
    r"[ \t]*(?P<last>local|typeset|declare|export|readonly)[ \t]+(?:-\w+[ \t]+)?\w{1,60}=\"?"
    rf"\$\((?:sudo[ \t]+(?:-u[ \t]+\w{{1,32}}[ \t]+)?)?\"?(?:[/$]\S{{1,200}}/)?{_MQ}"
    r"[^\n|;]{0,300}\)\"?[ \t]*$"
)
"""A variable that is declared with the output of a command of MQ: the declaration succeeds."""
_SENT = later(
    r"[ \t]*(?:ssh|su|sudo|docker[ \t]+exec|kubectl[ \t]+exec)\b"
    r"(?![^\n]*(?:\|\||&&|\bset[ \t]+-|\bexit\b))"
    rf"[^\n]{{0,300}}?{_MQ}[^\n\"']{{0,300}};[ \t]*(?P<last>cat|echo|rm|date|logger|tail|head|ls)\b"
    r"[^\n\"';|&]{0,200}[\"'][ \t]*$"
)
"""Commands for another shell, of which the last one decides the result."""
_PRINTS = later(r"[ \t]*(echo|printf|print|date|logger)\b(?:[^\n;|&]*[^\n;|&\\])?$")
_ASKS = later(
    r"[ \t]*+(?:if[ \t]++(?:(?:![ \t]*+)?\[\[?|\(\(|test\b)|\[\[?|test\b|case\b|exit\b|return\b"
    r"|(?:(?:local|typeset|declare)[ \t]++(?:-\w++[ \t]++)?)?\w{1,32}=)[ \t]*+[\"']?(\$\?)"
)


def _late_results(text: str, bodies: Sequence[HereText]) -> Iterator[Diagnostic]:
    """Yield tests of `$?` after a command that prints, after a command of MQ or in its pipe."""
    state, after = "", ""
    waiting = deque(bodies)
    is_own = "pipefail" in text
    for start, end in line_spans(text):
        line = text[start:end]
        bare = line.strip()
        while waiting and waiting[0].end < start:
            waiting.popleft()
        if not bare or bare.startswith("#") or (waiting and waiting[0].start < end):
            continue
        asks = _ASKS.match(text, start, end) if state == "printed" else None
        if asks is not None:
            yield diagnostic("result-too-late", asks.span(1), command=after)
        prints = _PRINTS.match(line)
        passed_on = None if is_own else _PASSED_ON.match(line)
        passed_on = passed_on or _DECLARED.match(line) or _SENT.match(line)
        at_once = None if is_own else _ASKED_AT_ONCE.match(text, start, end)
        if at_once is not None:
            yield diagnostic("result-too-late", at_once.span("last"), command=at_once["last"])
        if passed_on is not None and "<<" not in line:
            state, after = "printed", passed_on["last"]
        elif _COMMAND.match(line) is not None:
            state = "run"
        elif state and prints is not None:
            state, after = "printed", prints[1]
        else:
            state = ""


_RESULT = later(r"(?<!\\)(?:\\\\)*(\$\?)")


def _early_results(text: str, script: HereText) -> Iterator[Diagnostic]:
    """Yield the first `$?` that the outer shell replaces in a script for another shell."""
    has_command = False
    for start, end in line_spans(text, script.start):
        if start >= script.end:
            break
        result = _RESULT.search(text, start, end) if has_command else None
        if result is not None:
            yield diagnostic("result-too-early", result.span(1))
            break
        has_command = has_command or _COMMAND.match(text, start, end) is not None


_SAVED_RESULT = later(r"(?m)(?:^|;)[ \t]*(?:(?:local|typeset)[ \t]+)?(?P<name>\w{1,60})=\$\?")
_RUNS_MQSC = later(r"(?m)(?:^|\|)(?![ \t]*#)[^\n|#]{0,200}?\brunmqsc\b(?:[^\n|;&]|>&\d){0,200}\Z")
_DELIMITER = later(r"[ \t]*(\w{1,40})\Z")
_MORE_THAN_TEN = (
    r"(?P<test>-gt[ \t]+\"?(?:1\d|20)|-ge[ \t]+\"?(?:1[1-9]|20)|-eq[ \t]+\"?20)\"?[ \t]+\]"
)
_OVER_TEN = later(rf"\[{{1,2}}[ \t]+\"?\$\{{?(?P<name>\w{{1,60}})\}}?\"?[ \t]+{_MORE_THAN_TEN}")
_OVER_TEN_AT_ONCE = later(
    r"(?m)^(?![ \t]*#)[^\n|#]{0,200}?\brunmqsc\b(?:[^\n|;&<]|<(?!<)|>&\d){0,200}\n"
    rf"[ \t]*(?:if[ \t]+)?\[{{1,2}}[ \t]+\"?\$\?\"?[ \t]+{_MORE_THAN_TEN}"
)
"""A test in the line after runmqsc: no later one can see the return code."""
_TEST = later(
    r"\$\{?(\w{1,60})\}?\"?[ \t]+(?:(?:-eq|-ne|==?|!=)[ \t]+\"?10\b|-\w\w[ \t]+\"?\d\b|=)"
)
_CHOSEN = later(r"\bcase[ \t]+\"?\$\{?(\w{1,60})|\(\([ \t]*\$?(\w{1,60})")
_RETURNED = later(r"(?m)^([ \t]*)(?:exit|return)[ \t]+\"?\$\{?(\w{1,60})\}?\"?[ \t]*$")
_INDENT = later(r"\s*")
_MAY_FAIL = later(r"(?i)\b(?:DEL|DELETE|STOP|CLEAR|PING)[ \t]")
"""Commands that fail for an object that does not exist or is in use."""
_READS_REPORT = later(r"AMQ[\d\[.]|syntax|processed")
_LONGEST = 4000
"""Characters before a result in which its command begins."""


def _failures_passed(text: str) -> Iterator[Diagnostic]:
    """Yield tests of the return code of runmqsc that 10 passes, when a command failed."""
    saved = {
        found["name"]
        for found in _SAVED_RESULT.finditer(text)
        if _is_of_runmqsc(text, found.start())
    }
    saved -= {found[1] for found in _TEST.finditer(text)}
    saved -= {name for found in _CHOSEN.finditer(text) for name in found.groups()}
    at_once = [*_OVER_TEN_AT_ONCE.finditer(text)] if "$?" in text else []
    if not (saved or at_once) or _READS_REPORT.search(text) is not None:
        return
    for found in at_once:
        yield diagnostic("failure-passed", found.span("test"), test=found["test"])
    tests = [*_OVER_TEN.finditer(text)]
    for found, is_returned in zip(tests, _returned(text, tests), strict=True):
        if found["name"] in saved and not is_returned:
            yield diagnostic("failure-passed", found.span("test"), test=found["test"])


def _returned(text: str, tests: Sequence[re.Match[str]]) -> Sequence[bool]:
    """Return, for each test, whether a script or function ends with the return code after it."""
    ends = [*_RETURNED.finditer(text)]
    least: dict[str, int] = {}  # how far the ends after a test are indented, from the last test on
    returned = deque[bool]()
    for test in reversed(tests):
        while ends and ends[-1].start() > test.start():
            blanks, name = ends.pop().groups()
            least[name] = min(len(blanks), least.get(name, len(blanks)))
        begin = text.rfind("\n", 0, test.start()) + 1
        indent = _INDENT.match(text, begin, test.start())
        depth = len(indent[0]) if indent is not None else 0
        returned.appendleft(least.get(test["name"], depth + 1) <= depth)
    return returned


def _is_of_runmqsc(text: str, at: int) -> bool:
    """Whether runmqsc, with or without a here-document, ends right before an offset."""
    before = text[max(at - _LONGEST, 0) : at].rstrip()
    delimiter = _DELIMITER.match(before, before.rfind("\n") + 1)
    if delimiter is not None:
        start = before.rfind("<<", 0, delimiter.start())
        before = before[: before.find("\n", start)] if start >= 0 else ""
    line = before.rfind("\n") + 1
    if _MAY_FAIL.search(before, line) is not None:
        return False
    return _RUNS_MQSC.search(before, line) is not None
