"""A stretch of shell in a file of another language, with the templates of the tool covered."""

from __future__ import annotations

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later


@mutable
class Block:
    """A stretch of shell; `maybe` is true if a condition decides whether it runs.

    `border` is an offset at which another host or another time begins, so that anything may happen
    there; -1 for none. `plain` is true if no shell reads it: the program gets the words as they
    are. `language` is `shell`, `cmd` or `powershell`.
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
    """Return a text that is mapped character by character, from `start` on."""
    return MappedText(text, ((0, start),), start + len(text))
