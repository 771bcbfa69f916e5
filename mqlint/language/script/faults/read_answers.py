"""Answers that scripts misread: of dspmq, of runmqsc, and lists that ssh reads before a loop does.

Also copies of keys to another host without what opens them.
"""

from __future__ import annotations

import re
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
_OWN_COMMAND = later(
    r"(?m)^[ \t]*(?:alias[ \t]+(ssh|dspmq)=|(?:function[ \t]+)?(ssh|dspmq)[ \t]*\(\))"
)
"""A function or an alias of the script that runs instead of the command, and may do otherwise."""
_READS = later(r"(?m)^([ \t]*)(?!#)(?:[^\n]{0,200}\|[ \t]*)?while[ \t][^\n#]{0,80}?\bread\b[^\n]*$")
_SSH = later(r"(?m)^[^#\n|<'\"]{0,100}?(?<![\w./-])(?P<word>ssh)(?P<rest>[ \t][^\n<]*[^\n<\\])$")
_KEPT_RESULT = later(r"(?m)(?:^|;)[ \t]*(?:(?:local|typeset)[ \t]+)?(?P<name>\w{1,60})=\$\?")
_RUNS_MQSC = later(r"(?m)(?:^|\|)(?![ \t]*#)[^\n|#]{0,200}?\brunmqsc\b(?:[^\n|;&]|>&\d){0,200}\Z")
_DELIMITER = later(r"[ \t]*(\w{1,40})\Z")
_OVER_TEN = later(
    r"\[{1,2}[ \t]+\"?\$\{?(?P<name>\w{1,60})\}?\"?[ \t]+"
    r"(?P<test>-gt[ \t]+\"?(?:1\d|20)|-ge[ \t]+\"?(?:1[1-9]|20))\"?[ \t]+\]"
)
_TEST = later(
    r"\$\{?(\w{1,60})\}?\"?[ \t]+(?:(?:-eq|-ne|==?|!=)[ \t]+\"?10\b|-\w\w[ \t]+\"?\d\b|=)"
)
_CHOSEN = later(r"\bcase[ \t]+\"?\$\{?(\w{1,60})|\(\([ \t]*\$?(\w{1,60})")
_PASSED_ON = later(r"(?m)^([ \t]*)(?:exit|return)[ \t]+\"?\$\{?(\w{1,60})\}?\"?[ \t]*$")
_MAY_FAIL = later(r"(?i)\b(?:DEL|DELETE|STOP|CLEAR|PING)[ \t]")
"""Commands that fail for an object that does not exist or is in use."""
_READS_REPORT = later(r"AMQ[\d\[.]|syntax|processed")
_KEYS_COPIED = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?:scp|rsync)[ \t](?=[^\n#]{0,400}[\w}]:)[^\n#*]{0,300}?"
    r"(?<=[\s\"'])(?<!:[\"'])(?P<keys>[^\s\"'*:]{1,100}\.kdb)\b[^\n#*]{0,300}$"
)
_OPENS_KEYS = later(r"(?i)\bsth\b|stash|KEYRPWD|runqmcred|\.\*|kdb\*")
_LONGEST = 4000
"""Characters before a result in which its command begins."""
_NO_INPUT = later(r"[ \t]-[a-zA-Z]*[nf]\b|(?<![&>|])&(?![&>])|(?:;|&&)[ \t]*(?:break|exit)\b")
"""What keeps ssh from the list: an option, the background; or the loop ends after it by design."""
_LEAVES = later(r"\s*(?:break|exit|return)\b")
_OTHER_INPUT = later(r"\bexec\b[^\n#]{0,80}<")


def answer_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script with commands of MQ."""
    own = {name for found in _OWN_COMMAND.finditer(text) for name in found.groups()}
    if "dspmq" in text and "dspmq" not in own:
        yield from _whole_answers(text)
    if "ssh" in text and "read" in text and "ssh" not in own:
        yield from _lists_read_by_ssh(text)
    if "runmqsc" in text and "$?" in text:
        yield from _failures_passed(text)
    if ".kdb" in text and _OPENS_KEYS.search(text) is None:
        for found in _KEYS_COPIED.finditer(text):
            yield diagnostic("keys-without-stash", found.span("keys"), path=found["keys"])


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
            if _OTHER_INPUT.search(text, loop.end(), found.start()) is not None:
                break
            reads = _NO_INPUT.search(found["rest"]) is None
            if reads and names_command(found["rest"]) and not _LEAVES.match(text, found.end()):
                yield diagnostic("list-read-by-ssh", found.span("word"))
                break


def _failures_passed(text: str) -> Iterator[Diagnostic]:
    """Yield tests of the return code of runmqsc that 10 passes, when a command failed."""
    kept = {
        found["name"]
        for found in _KEPT_RESULT.finditer(text)
        if _is_of_runmqsc(text, found.start())
    }
    kept -= {found[1] for found in _TEST.finditer(text)}
    kept -= {name for found in _CHOSEN.finditer(text) for name in found.groups()}
    if not kept or _READS_REPORT.search(text) is not None:
        return
    for found in _OVER_TEN.finditer(text):
        if found["name"] in kept and not _is_passed_on(text, found):
            yield diagnostic("failure-passed", found.span("test"), test=found["test"])


def _is_passed_on(text: str, test: re.Match[str]) -> bool:
    """Whether a script or function ends with the return code after the test of it."""
    line = text[text.rfind("\n", 0, test.start()) + 1 : test.start()]
    depth = len(line) - len(line.lstrip())
    return any(
        passed[2] == test["name"] and len(passed[1]) <= depth
        for passed in _PASSED_ON.finditer(text, test.end())
    )


def _is_of_runmqsc(text: str, at: int) -> bool:
    """Whether runmqsc, perhaps with a here-document, ends right before an offset."""
    before = text[max(at - _LONGEST, 0) : at].rstrip()
    delimiter = _DELIMITER.match(before, before.rfind("\n") + 1)
    if delimiter is not None:
        start = before.rfind("<<", 0, delimiter.start())
        before = before[: before.find("\n", start)] if start >= 0 else ""
    line = before.rfind("\n") + 1
    if _MAY_FAIL.search(before, line) is not None:
        return False
    return _RUNS_MQSC.search(before, line) is not None
