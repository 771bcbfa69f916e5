"""Whether COND and IF let a step of a job run after another step failed.

"z/OS MVS JCL Reference": COND bypasses a step if one of its tests is true, such as 4 LT a return
code, and a test without a step is one of each step before ("COND parameter"). "Priorities of
operators": NOT, comparisons, AND, OR.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from mqlint.dataclass import frozen
from mqlint.language.jcl.cards import THEN
from mqlint.patterns import later
from mqlint.vocabulary.unknown import Unknown

FAILED: Final = 8
"""The return code of CSQUTIL if no function that it attempted was successful."""
DEEPEST: Final = 15
"""How deep constructs of IF can be nested."""
_LONGEST = 400
"""Characters of an expression that are evaluated; a longer one is not known."""
_NAME = r"[A-Z@#$][A-Z0-9@#$]{0,7}"
_WORDS: Mapping[str, Callable[[int, int], bool]] = {
    "GT": operator.gt,
    "GE": operator.ge,
    "EQ": operator.eq,
    "LT": operator.lt,
    "LE": operator.le,
    "NE": operator.ne,
    "NG": operator.le,
    "NL": operator.ge,
}
_SIGNS = {">": "GT", "<": "LT", "=": "EQ", ">=": "GE", "<=": "LE", "!=": "NE", "!>": "NG"}
_SIGNS["!<"] = "NL"
_TEST = later(rf"(\d{{1,4}})\s*,\s*(GT|GE|EQ|LT|LE|NE)(?:\s*,\s*({_NAME})(?:\.{_NAME})?)?")
_RETURN_CODE = later(
    rf"(?:({_NAME})\.(?:{_NAME}\.)?)?\bRC\s*([!<>=]{{1,2}}|[GLN][TEGL]|EQ)\s*(\d{{1,4}})\b"
)
_STATE = later(rf"(?:({_NAME})\.(?:{_NAME}\.)?)?\b(ABEND|RUN)\b(?:\s*(?:=|EQ)\s*(TRUE|FALSE)\b)?")
_OPERATOR = later(r"\b(NOT|AND|OR)\b")
_SYMBOLS = {"NOT": "!", "AND": "&", "OR": "|"}
_REDUCED = later(
    r"!(?P<not>[FUT])|\((?P<inner>[FUT])\)|(?P<both>[FUT]&[FUT])"
    r"|(?<![&!])(?P<either>[FUT]\|[FUT])(?!&)"
)
_ORDER = "FUT"
"""False, unknown and true: AND is the least of its parts, OR the greatest."""


@frozen
class Guards:
    """What decides whether a step runs: its COND, that of the JOB statement, and IFs around it.

    Each branch is the expression of an IF, with whether the step is after its ELSE. None: they are
    too many.
    """

    conditions: tuple[str | Unknown, ...] = ()
    branches: tuple[tuple[str, bool], ...] | None = ()

    def let_run_after(self, step: str, ended: int) -> bool:
        """Whether the guarded step surely runs if `step` ended with a code, others with 0."""
        step = step.upper()
        if self.branches is None:
            return False
        if not all(_is_passed(condition, step, ended) for condition in self.conditions):
            return False
        return all(
            _evaluated(expression, step, ended) == ("F" if is_else else "T")
            for expression, is_else in self.branches
        )


def _is_passed(condition: str | Unknown, step: str, ended: int) -> bool:
    """Whether a value of COND surely does not bypass a step."""
    text = "?" if isinstance(condition, Unknown) else condition.upper()
    if _TEST.sub("", text).replace("EVEN", "").strip("(), \t"):
        return False
    for code, word, tested in _TEST.findall(text):
        codes = (ended,) if tested == step else (0,) if tested else (0, ended)
        if any(_WORDS[word](int(code), each) for each in codes):
            return False
    return True


def _evaluated(expression: str, step: str, ended: int) -> str:
    """Whether an expression is true, as a letter of `_ORDER`."""

    def compared(found: re.Match[str]) -> str:
        word = _SIGNS.get(found[2], found[2])
        if word not in _WORDS or found[1] not in (None, step):
            return "U"
        return "T" if _WORDS[word](ended, int(found[3])) else "F"

    def stated(found: re.Match[str]) -> str:
        if found[1] != step:
            return "U"
        return "T" if (found[2] == "RUN") != (found[3] == "FALSE") else "F"

    def reduced(found: re.Match[str]) -> str:
        if found["not"]:
            return _ORDER[2 - _ORDER.index(found["not"])]
        pair = found["both"] or found["either"]
        if pair is None:
            return found["inner"]
        choose = min if found["both"] else max
        return choose(pair[0], pair[2], key=_ORDER.index)

    text = THEN.split(expression.upper())[0]
    if len(text) > _LONGEST:
        return "U"
    text = re.sub("[¬^~]", "!", text)
    text = _STATE.sub(stated, _RETURN_CODE.sub(compared, text))
    text = _OPERATOR.sub(lambda found: _SYMBOLS[found[1]], text)
    text = "".join(text.split())
    while (shorter := _REDUCED.sub(reduced, text)) != text:
        text = shorter
    return text if text in tuple(_ORDER) else "U"
