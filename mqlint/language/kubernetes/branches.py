"""Branches of a chart's templates that its values decide: what is not rendered.

Source: "Flow Control" of Helm: false, zero, an empty text and null are false. Conditions with
`and`, `or`, other functions, or keys whose values are not known stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mqlint.dataclass import mutable
from mqlint.patterns import later
from mqlint.source.lines import Span

_ACTION = later(
    r"\{\{-?[ \t]*(?P<word>if|else|end|range|with|define|block)\b(?P<rest>[^{}\n]{0,300}?)-?\}\}"
)
_ELSE_IF = later(r"[ \t]+if\b")
_CONDITION = later(
    r"[ \t]*(?:(?P<inverted>not[ \t]+)?|(?P<sign>eq|ne)[ \t]+)\$?\.Values\.(?P<path>[\w.]{1,200})"
    r"(?:[ \t]+\"(?P<literal>[^\"]{0,200})\")?[ \t]*"
)
_NO = ("false", "no", "n", "off", "null")
_FALSE = frozenset({"~", *_NO, *map(str.upper, _NO), *map(str.capitalize, _NO)})
"""Words that are false or null in YAML 1.1, which Helm reads (kubernetes-sigs/yaml)."""
_ZERO = later(r"[-+]?(?=\.?0)0*+(?:\.0*+)?")

ValueOf = Callable[[str], str | None]
"""The value of a key as it is written, in quotes if it is; None if it is not known."""


@mutable
class _Branch:
    """A decided `if`: whether one of its branches is rendered, and where the present one begins.

    `start` is None in the branch that is rendered.
    """

    is_taken: bool
    start: int | None


def not_rendered(text: str, span: Span, value_of: ValueOf) -> list[Span]:
    """Return what rendering drops of a template: branches, and the statements around them.

    Nothing is returned if a later branch of an `if` cannot be decided, or an `end` is missing.
    """
    dropped: list[Span] = []
    waiting: list[_Branch | None] = []
    for action in _ACTION.finditer(text, *span):
        word, rest = action["word"], action["rest"]
        if word not in ("else", "end"):
            verdict = _verdict(rest, value_of) if word == "if" else None
            if verdict is not None:
                dropped.append(action.span())
            start = None if verdict else action.end()
            waiting.append(None if verdict is None else _Branch(verdict, start))
            continue
        if not waiting:
            return []
        branch = waiting[-1] if word == "else" else waiting.pop()
        if branch is None:
            continue
        dropped.append((action.start() if branch.start is None else branch.start, action.end()))
        if word == "else":
            condition = _ELSE_IF.match(rest)
            verdict = condition is None or _verdict(rest[condition.end() :], value_of)
            if verdict is None and not branch.is_taken:
                return []
            is_shown = bool(verdict) and not branch.is_taken
            branch.start = None if is_shown else action.end()
            branch.is_taken = branch.is_taken or is_shown
    return [] if waiting else _merged(dropped)


def _verdict(condition: str, value_of: ValueOf) -> bool | None:
    found = _CONDITION.fullmatch(condition)
    if found is None or (found["sign"] is None) != (found["literal"] is None):
        return None
    written = value_of(found["path"])
    if written is None:
        return None
    if found["sign"] is not None:
        is_same = written.strip("\"'") == found["literal"]
        return is_same == (found["sign"] == "eq")
    is_true = written not in _FALSE and _ZERO.fullmatch(written) is None
    return is_true != bool(found["inverted"])


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, without those inside others."""
    merged: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    return merged
