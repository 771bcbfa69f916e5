"""Checks in shell scripts that give the wrong answer, found by their commands.

They are numbers that a sign compares as texts or takes for files, states that grep finds in other
states too or never, records that it seeks in a dump without them, and messages without their
suffix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.binding import Binder
from mqlint.language.script.command import Command, Word, base_name, operands_of
from mqlint.language.script.unread.mentions import names_command
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_ENDS = {"[": "]", "[[": "]]"}
_NUMBER = later(r"\d{1,12}\Z")
_DATE = later(r"(?:19|20)\d{6}(?:\d{4}(?:\d{2})?)?")
"""A date, or a date and a time, which have the same order as texts."""
_SAME_AS_TEXT = frozenset({(">", "0"), ("<", "1")})
"""Comparisons of texts that give the right answer for each number without leading zeros."""
_SEARCHES = frozenset({"grep", "egrep", "fgrep"})
_STATE = later(r"(?:STATUS\\?\()?[Rr]unning\Z")
_INVERTS = later(r"-[a-zA-Z]*v|--invert")
_CONTRARY = later(r"-(?:\w*[vLf]|-)")
"""Options of grep that may choose other lines, or name a file of patterns; long ones are open."""
_ANY_CASE = later(r"-(?:\w*[iy]|-ignore-case)")
_LONGEST_LINE = 600
_RECORDS = later(r"(?i)\^?(SET (AUTHREC|CHLAUTH))[^|]{0,100}\Z")
_KIND = later(r"-x ?(object|authrec|chlauth|sub|policy)\Z")
_NUMBER_AND_COLON = later(r"(AMQ\d{4}):")
_NUMBER_AND_SUFFIX = later(r"(AMQ\d{4})[A-Z.\[\\(]")
_STATUS = later(
    r"\^?(?:[^|]{0,40}[^A-Za-z|])?(STATUS|status)\\?\(([A-Za-z]{2,20})(?:\\?\))?[^|]{0,20}\Z"
)
_DISPLAY = later(r"(?i)(?:\b|\\n)dis(?:play)?[ \t]+(qmstatus|chs(?:tatus)?)\b")
_DISPLAYS = later(r"(?i)(?:\b|\\n)dis(?:play)?[ \t]+[a-z]")
_STATUSES = {
    "q": frozenset("STARTING RUNNING QUIESCING".split()),
    "c": frozenset(
        "BINDING DISCONNECTED INACTIVE INITIALIZING PAUSED REQUESTING RETRYING RUNNING STARTING"
        " STOPPED STOPPING SWITCHING".split()
    ),
}
"""What DISPLAY QMSTATUS and DISPLAY CHSTATUS print as STATUS (MQQMSTA_*, MQCHS_*)."""
_ERROR_LOG = later(r"AMQERR\S{0,8}\.LOG")
_SUFFIX_OFF = "AMQ_DIAGNOSTIC_MSG_SEVERITY"
_FILTERED = later(r"[^\n]{0,200}\|[ \t]*[ef]?grep\b")
_REFUSES = later(
    r"(?s)[\"']?(?:[ \t]*+\d?>[^\n;|]{1,40}?)?[ \t]*+"
    r"(?:(?:&&[ \t]*+(?:\{[^}|]{0,200}?)?|[;\n]\s*+then\b(?:(?!\b(?:else|elif|fi)\b).){0,400}?)"
    r"\b(?:exit|return)[ \t]+[1-9]|[;\n]\s*+do\s++sleep\b)"
)
"""After a search: the script ends with an error if an instance runs, or waits for their end."""
_CONTRADICTS = later(r"(?:\bif|\bwhile|[;&|({]|^)[ \t]*+![ \t]|\buntil[ \t](?![ \t]*!)")
"""Before a search: what follows is for a queue manager that does not run."""
_SETS_SHARED = later(
    r"\b(?:strmqm|dspmq)[ \t]+-x\b|\bendmqm\b[^\n]{0,80}[ \t]-s\b|\brdqm|[ \t]-sxs?\b"
)
"""A queue manager with instances on several hosts."""


def check_fault(
    name: str, words: Sequence[Word], command: Command, binder: Binder
) -> Diagnostic | None:
    """Return the fault of the command `name` with its `words`; see `relevant_faults`."""
    if name in _ENDS:
        return _comparison(words, command, binder)
    if name not in _SEARCHES:
        return None
    asked = command.piped.words if command.piped is not None else words[-1:]
    names = {base_name(word.text) for word in asked}
    if "dmpmqcfg" in names:
        return _search_in_dump(words, asked, binder)
    if "runmqsc" in names or any(_ERROR_LOG.fullmatch(each) for each in names):
        return _message(words, binder) or _status(words, command, binder)
    return _search(words, asked, binder) if "dspmq" in names else None


def relevant_faults(faults: Sequence[Diagnostic], text: str) -> Iterator[Diagnostic]:
    """Yield the faults that count in a script.

    Comparisons count if it has commands of MQ, searches for a state if a queue manager has several
    instances, messages unless it takes away their suffix.
    """
    asked: Mapping[str, bool] = {
        "number-compared": bool(faults) and names_command(text),
        "any-running": bool(faults) and _SETS_SHARED.search(text) is not None,
        "dump-without-records": True,
        "input-overwritten": True,
        "message-without-suffix": bool(faults) and _SUFFIX_OFF not in text,
        "status-never": True,
    }
    yield from (fault for fault in faults if asked[fault.code])


def _comparison(words: Sequence[Word], command: Command, binder: Binder) -> Diagnostic | None:
    """A variable and a number in brackets, with a sign between them that redirects elsewhere.

    In single brackets a second variable may be the number: nothing redirects a test.
    """
    number = command.stdin or next(iter(command.outputs), None)
    opening, is_pair = words[0].text, len(words) == 3 and PLACEHOLDER in words[1].text
    if number is None or not is_pair or words[2].text != _ENDS.get(opening):
        return None
    sign, is_text = "<" if command.stdin else ">", opening == "[["
    is_inside = words[1].end < number.start < words[2].start
    is_number = _NUMBER.match(number.text) is not None
    is_variable = not is_text and set(number.text) == {PLACEHOLDER}
    if not is_inside or command.appends or not (is_number or is_variable):
        return None
    if is_text and ((sign, number.text) in _SAME_AS_TEXT or _DATE.fullmatch(number.text)):
        return None
    how = "compares texts" if is_text else "redirects"
    return diagnostic("number-compared", binder.span([words[1], number]), sign=sign, how=how)


def _search(words: Sequence[Word], asked: Sequence[Word], binder: Binder) -> Diagnostic | None:
    """A search for `Running` in what dspmq prints, which also says `Running as standby`."""
    if any(word.text == "-n" for word in asked):
        return None
    if any(_INVERTS.match(word.text) is not None for word in words[1:]):
        return None
    operands = operands_of(words[1:])
    if len(operands) != 1 or _STATE.match(operands[0].text) is None:
        return None
    text, end = binder.source.text, operands[0].end
    if _FILTERED.match(text, end) is not None:
        return None
    before = text[text.rfind("\n", 0, end) + 1 : end]
    if _REFUSES.match(text, end) is not None and _CONTRADICTS.search(before) is None:
        return None
    return diagnostic("any-running", binder.span(operands))


def _message(words: Sequence[Word], binder: Binder) -> Diagnostic | None:
    """A message with a colon right after its number, where its letter for the severity is.

    ("AMQ messages on Multiplatforms": the suffix is there by default.)
    """
    found = next((word for word in words[1:] if _NUMBER_AND_COLON.search(word.text)), None)
    if found is None or any(_CONTRARY.match(word.text) for word in words[1:]):
        return None
    numbers = _NUMBER_AND_COLON.findall(found.text)
    if not set(_NUMBER_AND_SUFFIX.findall(found.text)).isdisjoint(numbers):
        return None
    return diagnostic("message-without-suffix", binder.span([found]), number=numbers[0])


def _status(words: Sequence[Word], command: Command, binder: Binder) -> Diagnostic | None:
    """A search for a status that the only DISPLAY before it never prints."""
    operands = operands_of(words[1:])
    options = [word.text for word in words[1:] if word.text.startswith("-")]
    found = _STATUS.match(operands[0].text) if len(operands) == 1 else None
    if found is None or any(_CONTRARY.match(option) for option in options):
        return None
    text, at = binder.source.text, operands[0].start
    asked = command.piped.body if command.piped is not None else None
    if asked is None:
        line = text[max(text.rfind("\n", 0, at) + 1, at - _LONGEST_LINE) : at]
        line = re.split(r"\|\||&&|;", line)[-1]
    else:
        line = asked.text
    displays = _DISPLAYS.findall(line)
    kind = _DISPLAY.search(line)
    if kind is None or len(displays) != 1 or "TYPE" in line.upper():
        return None
    word = found[2]
    is_any_case = any(_ANY_CASE.match(option) is not None for option in options)
    known = _STATUSES[kind[1][0].lower()]
    if (word.upper() if is_any_case else word) in known or not (is_any_case or found[1].isupper()):
        return None
    what = "DISPLAY QMSTATUS" if kind[1][0] in "qQ" else "DISPLAY CHSTATUS"
    return diagnostic("status-never", binder.span(operands), word=word, command=what)


def _search_in_dump(
    words: Sequence[Word], asked: Sequence[Word], binder: Binder
) -> Diagnostic | None:
    """A search for records of one kind in the output of dmpmqcfg that has those of another."""
    operands = operands_of(words[1:])
    records = _RECORDS.match(operands[0].text) if len(operands) == 1 else None
    if records is None or any(_CONTRARY.match(word.text) for word in words[1:]):
        return None
    for number, word in enumerate(asked):
        option = asked[number : number + 2] if word.text == "-x" else [word]
        text = " ".join(each.text for each in option)
        kind = _KIND.match(text)
        if kind is not None and kind[1] != records[2].lower():
            place = binder.span(option)
            return diagnostic("dump-without-records", place, option=text, word=records[1])
    return None
