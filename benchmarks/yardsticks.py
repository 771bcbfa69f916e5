"""What mqlint is measured against: known work on the same text, in the same run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from lark import Lark

_GRAMMAR: Final = Path(__file__).with_name("textbook.lark")
_WORD: Final = re.compile(r"\S+")


@cache
def textbook() -> Lark:
    """The parser of the grammar anybody would write first."""
    return Lark(
        _GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
    )


def textbook_commands(text: str) -> int:
    """Yardstick (a): one tree over the whole text. Return how many commands it holds."""
    return len(textbook().parse(text).children)


def words(text: str) -> int:
    r"""Yardstick (b): one pass of `\S+` over the text. Return how many words there are."""
    return sum(1 for _ in _WORD.finditer(text))


def every_tenth_command(text: str) -> str:
    """A slice with the same mix of commands as `text`: every tenth of them, comments included.

    The textbook parser is too slow to be run over whole dumps again and again.
    """
    starts = [match.start() for match in re.finditer(r"^(?:DEFINE|SET|ALTER) ", text, re.MULTILINE)]
    ends = [*starts[1:], text.rindex("*" * 79, 0, text.rindex("* Script ended"))]
    pairs = list(zip(starts, ends, strict=True))[::10]
    return "".join(text[start:end] for start, end in pairs)
