"""A stretch of shell in a file of another language, and what a tool puts in before it runs."""

from __future__ import annotations

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later


@mutable
class Block:
    """A stretch of shell; `maybe` tells that a condition decides whether it runs.

    What runs before one that has a `border` may run on another host, or at another time: anything
    may happen there; -1 for none. `plain` tells that no shell reads it: the program gets the words
    as they stand. `language` is `shell`, `cmd` or `powershell`.
    """

    source: MappedText
    maybe: bool = False
    border: int = -1
    plain: bool = False
    language: str = "shell"


_TEMPLATE = later(r"\$?\{\{[^\n]{0,400}?\}\}|\{%[^\n]{0,400}?%\}")


def covered(text: str) -> str:
    """The text with what a tool puts in covered, at the same length."""
    return _TEMPLATE.sub(lambda match: PLACEHOLDER * len(match.group()), text)


def stretch(text: str, start: int) -> MappedText:
    """Return a text that stands, character by character, from `start` on."""
    return MappedText(text, ((0, start),), start + len(text))
