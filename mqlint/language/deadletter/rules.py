"""The rules table of the dead-letter queue handler.

Its syntax is that of IBM's pages "DLQ rules table conventions" (q005690_), "Control data" and "DLQ
rules (patterns and actions)" (q005680_): optional control data, then rules, each on a line of its
own, which `+` or `-` continues; a line with an asterisk in column 1 is a comment. The first rule
that matches a message is applied; the next one only if its action fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import HANDLED, Declared, Field
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.distance import nearest

_KEYWORD = later(r"([A-Za-z]\w{0,40})[ \t]*\(((?:'(?:[^']|'')*+'|[^()'])*+)\)")
_REST = later(r"[^\s,+-]")
_CONTROL = ("INPUTQ", "INPUTQM", "RETRYINT", "WAIT")
_PATTERNS = (
    *("APPLIDAT", "APPLNAME", "APPLTYPE", "DESTQ", "DESTQM", "FEEDBACK", "FORMAT", "MSGTYPE"),
    *("PERSIST", "REASON", "REPLYQ", "REPLYQM", "USERID"),
)
_ACTIONS = ("ACTION", "FWDQ", "FWDQM", "HEADER", "PUTAUT", "RETRY")
_TAKES = {
    "ACTION": ("DISCARD", "IGNORE", "RETRY", "FWD"),
    "HEADER": ("YES", "NO"),
    "PUTAUT": ("DEF", "CTX"),
}
_SYMBOLS = {
    "APPLTYPE": ("MQAT_",),
    "FEEDBACK": ("MQFB_", "MQRC_"),
    "MSGTYPE": ("MQMT_",),
    "PERSIST": ("MQPER_",),
    "REASON": ("MQRC_", "MQFB_"),
}
"""Patterns for numbers, with the beginnings of the symbolic names that they take instead."""
_REASONS = tuple(
    f"MQRC_{reason}"
    for reason in """
    ALIAS_BASE_Q_TYPE_ERROR BACKOUT_THRESHOLD_REACHED CLUSTER_PUT_INHIBITED CLUSTER_RESOLUTION_ERROR
    DEF_XMIT_Q_TYPE_ERROR DEF_XMIT_Q_USAGE_ERROR FORMAT_ERROR GET_INHIBITED MSG_TOO_BIG_FOR_CHANNEL
    MSG_TOO_BIG_FOR_Q MSG_TOO_BIG_FOR_Q_MGR NOT_AUTHORIZED OBJECT_DAMAGED PAGESET_FULL
    PERSISTENT_NOT_ALLOWED PUT_INHIBITED Q_FULL Q_SPACE_NOT_AVAILABLE STORAGE_CLASS_ERROR
    SUB_INHIBITED UNKNOWN_ALIAS_BASE_Q UNKNOWN_DEF_XMIT_Q UNKNOWN_OBJECT_NAME UNKNOWN_OBJECT_Q_MGR
    UNKNOWN_REMOTE_Q_MGR UNKNOWN_XMIT_Q XMIT_Q_TYPE_ERROR XMIT_Q_USAGE_ERROR
    """.split()
)
"""Usual reasons of undelivered messages, not all of MQ: they only serve to find typing errors."""
_FINAL = ("DISCARD", "IGNORE", "FWD")
"""Actions after which the next matching rule is rarely or never applied."""


@frozen
class _Entry:
    """One entry: its place, and its keywords with their values and places.

    `is_whole` is false if it has text that is not understood.
    """

    start: int
    end: int
    values: tuple[tuple[str, str, int, int], ...]
    is_whole: bool

    def value(self, keyword: str) -> str | None:
        """Return the value of a keyword without quotes; None if it is not specified."""
        return next((value for name, value, _, _ in self.values if name == keyword), None)

    @property
    def is_control(self) -> bool:
        return bool(self.values) and all(name in _CONTROL for name, *_ in self.values)

    @property
    def tests(self) -> frozenset[tuple[str, str]]:
        """The tests of its pattern; every message matches it if it has none."""
        tests = ((name, value.strip()) for name, value, _, _ in self.values if name in _PATTERNS)
        return frozenset(test for test in tests if test[1] != "*")


def read(text: str, _: Context) -> Parsed:
    return read_rules(text)


def read_rules(text: str) -> Parsed:
    """Read a rules table; its faults are diagnostics."""
    covered = with_placeholders(text)
    entries = [*_entries(covered)]
    found = [*_faults(entries)]
    if all(entry.is_whole for entry in entries):
        found += _effects(entries)
    faults = [diagnostic(code, span, fault=text) for code, span, text in found]
    return Parsed(diagnostics=faults, declared=tuple(_queues(entries, text)))


def _queues(entries: list[_Entry], text: str) -> Iterator[Declared]:
    """The queues of the queue manager that the control data names.

    Those that rules forward to, unless to another queue manager, or to the queue that the message
    was for (`&DESTQ`). A name in lower case without quotation marks is not judged: no source
    was found on whether it becomes capitals, as it does in MQSC.
    """
    control = entries[0] if entries and entries[0].is_control and entries[0].is_whole else None
    manager = (control.value("INPUTQM") or "").strip() if control is not None else ""
    for entry in entries if manager else ():
        word = "INPUTQ" if entry is control else "FWDQ"
        is_here = (entry.value("FWDQM") or "").strip() in ("", manager)
        for keyword, value, start, end in entry.values if entry.is_whole and is_here else ():
            name = value.strip()
            is_sure = name == name.upper() or "'" in text[start:end]
            if keyword == word and name and is_sure and not name.startswith("&"):
                fields = (Field("keyword", word, (start, end)), Field("QMNAME", manager, (0, 0)))
                yield Declared(HANDLED, name, fields, (start, end), open=True)


_Fault = tuple[str, tuple[int, int], str]


def _entries(text: str) -> Iterator[_Entry]:
    """The entries, each of one line or of several that are continued."""
    start, at = -1, 0
    for line in text.splitlines(keepends=True):
        begin, at = at, at + len(line)
        bare = line.strip()
        if line.startswith("*") or not bare:
            continue
        if start < 0:
            start = begin + line.index(bare)
        if bare.endswith(("+", "-")):
            continue
        yield _entry(text, start, begin + len(line.rstrip()))
        start = -1
    if start >= 0:
        yield _entry(text, start, len(text.rstrip()))


def _entry(text: str, start: int, end: int) -> _Entry:
    values, rest, at = [], [], start
    for match in _KEYWORD.finditer(text, start, end):
        rest.append(text[at : match.start()])
        value = match[2].strip()
        if len(value) > 1 and value[0] == value[-1] == "'":
            value = value[1:-1].replace("''", "'")
        values.append((match[1].upper(), value, match.start(), match.end()))
        at = match.end()
    rest.append(text[at:end])
    is_whole = not any(_REST.search(part) for part in rest) and is_known(text[start:end])
    return _Entry(start, end, tuple(values), is_whole)


def _faults(entries: list[_Entry]) -> Iterator[_Fault]:
    for number, entry in enumerate(entries):
        control = entry.is_control
        if control and number:
            yield _rejected(entry, "control data is allowed only in the first entry")
        seen = set[str]()
        for name, value, start, end in entry.values:
            fault = _keyword_fault(name, value, repeated=name in seen, control=control)
            seen.add(name)
            if fault:
                yield "rules-table", (start, end), fault
        if entry.is_whole and not control:
            yield from _rule_faults(entry)
    if entries and all(entry.is_control for entry in entries):
        yield _rejected(entries[0], "the table has no rule")


def _keyword_fault(name: str, value: str, *, repeated: bool, control: bool) -> str:
    known = (*_CONTROL, *_PATTERNS, *_ACTIONS)
    if name not in known:
        near = nearest(name, known)
        return f"{name} is not a valid keyword" + (f" (did you mean {near}?)" if near else "")
    if repeated:
        return f"{name} is specified twice in one entry"
    if not value or (name == "FWDQ" and not value.strip()):
        return f"{name} has no value"
    if not control and name in _CONTROL:
        return f"{name} is control data, which cannot be in a rule"
    allowed = _TAKES.get(name, ())
    if allowed and is_known(value) and value.strip().upper() not in allowed:
        return f"{name}({value}) is not valid, allowed values: {', '.join(allowed)}"
    if name in _SYMBOLS and is_known(value):
        return _symbol_fault(name, value)
    if name == "WAIT" and is_known(value):
        is_valid = value.upper() in ("YES", "NO") or is_digits(value)
        allowed_words = "YES, NO or a number"
        return "" if is_valid else f"WAIT({value}) is not valid, allowed values: {allowed_words}"
    return ""


def _symbol_fault(name: str, value: str) -> str:
    value, beginnings = value.upper(), _SYMBOLS[name]
    if value == "*" or is_digits(value.lstrip("-")):
        return ""
    if not value.startswith(beginnings) or value.endswith("*"):
        return f"{name}({value}) is not valid, allowed values: a number or {beginnings[0]}..."
    near = "" if value in _REASONS else nearest(value, _REASONS)
    return f"{name}({value}) is not a valid reason (did you mean {near}?)" if near else ""


def _rule_faults(entry: _Entry) -> Iterator[_Fault]:
    action = entry.value("ACTION")
    if action is None:
        yield _rejected(entry, "the rule has no ACTION")
    elif action.upper() == "FWD":
        if entry.value("FWDQ") is None:
            yield _rejected(entry, "ACTION(FWD) needs FWDQ")
    elif action.upper() in _TAKES["ACTION"] and entry.value("HEADER") is not None:
        yield _rejected(entry, f"HEADER is valid only with ACTION(FWD), not with {action.upper()}")


def _rejected(entry: _Entry, text: str) -> _Fault:
    return "rules-table", (entry.start, entry.end), text


def _effects(entries: list[_Entry]) -> Iterator[_Fault]:
    """Valid rules that do harm."""
    rules = [entry for entry in entries if not entry.is_control]
    control = entries[0] if entries and entries[0].is_control else None
    own = (control.value("INPUTQ") or "").strip() if control is not None else ""
    manager = (control.value("INPUTQM") or "").strip() if control is not None else ""
    shadowed = _before_narrower([rule.tests for rule in rules])
    for number, rule in enumerate(rules):
        action = (rule.value("ACTION") or "").upper()
        span = rule.start, rule.end
        if not rule.tests and action == "DISCARD":
            yield "rules-table-effect", span, "deletes every message that no earlier rule handles"
        elif action in _FINAL and number in shadowed:
            whom = (
                "all messages of a later rule, which" if rule.tests else "every message: the next"
            )
            text = f"matches {whom} is not applied unless {action} fails"
            yield "rules-table-effect", span, text
        target = (rule.value("FWDQM") or "").strip()
        if action == "FWD" and own and rule.value("FWDQ") == own and target in ("", manager):
            text = f"forwards messages to {own}, the queue from which the table reads them"
            yield "rules-table-effect", span, text
        elif action == "FWD" and rule.value("FWDQ") == "&DESTQ" and _keeps_header(rule):
            text = "delivers messages with the dead-letter header: it lacks HEADER(NO)"
            yield "rules-table-effect", span, text


def _before_narrower(patterns: Sequence[frozenset[tuple[str, str]]]) -> set[int]:
    """The numbers of patterns whose tests are all among those of a later one."""
    found, later_ones = set[int](), defaultdict[tuple[str, str], set[int]](set)
    for number in range(len(patterns) - 1, -1, -1):
        tests = patterns[number]
        having = sorted((later_ones[test] for test in tests), key=len)
        if number + 1 < len(patterns) and (not having or having[0].intersection(*having[1:])):
            found.add(number)
        for test in tests:
            later_ones[test].add(number)
    return found


def _keeps_header(rule: _Entry) -> bool:
    return (rule.value("HEADER") or "YES").strip().upper() == "YES"
