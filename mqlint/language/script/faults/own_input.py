"""Commands whose output replaces the file that they read, so that they read an empty file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.binding import Binder
from mqlint.language.script.calls.wrappers import unwrapped
from mqlint.language.script.command import Command, Word, base_name, operands_of
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_READERS = frozenset(
    "awk cat cut egrep envsubst fgrep gawk grep head iconv jq nl perl sed sort tac tail tr"
    " uniq".split()
)
"""Programs that read the files among their words."""
_STEADY = later(rf"(?!\"?/dev/)[^`*?\[\n{PLACEHOLDER}]{{1,200}}")
"""A word that has the same value each time: without a command, a pattern or what a tool puts in."""


def own_input(
    command: Command, words: Sequence[Word], text: str, binder: Binder
) -> Diagnostic | None:
    """Return the fault of a command, or of the one on the left of its pipe, None for none.

    The shell empties the file before it starts the command (POSIX, "Redirection"), and so does tee.
    """
    written = list(command.outputs) if not command.appends else []
    if words and base_name(words[0].text) == "tee" and operands_of(words[1:]) == words[1:]:
        written += words[1:]
    if not written:
        return None
    read = {_name(word, text) for word in _read(command, words)}
    for word in written:
        name = _name(word, text)
        if name in read and "$(" not in name and _STEADY.fullmatch(name) is not None:
            return diagnostic("input-overwritten", binder.span([word]), file=name)
    return None


def _read(command: Command, words: Sequence[Word]) -> Iterator[Word]:
    """Yield the files that a command and those on its left read."""
    left: Command | None = command
    while left is not None:
        if left.stdin is not None:
            yield left.stdin
        if words and base_name(words[0].text) in _READERS:
            yield from operands_of(words[1:])
        left = left.piped or left.source
        words = unwrapped(left.words)[0] if left is not None else ()


def _name(word: Word, text: str) -> str:
    """Return a word as it is written, without its quotation marks."""
    return text[word.start : word.end].strip("\"'")
