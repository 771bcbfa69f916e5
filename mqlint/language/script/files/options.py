"""Options of commands that touch files: those with values, and those in one word."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.language.script.command import Word
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_WITH_VALUE = {
    "tar": frozenset({"-f", "-C", "--file", "--directory", "--exclude", "-T", "-X"}),
    "rsync": frozenset({"-e", "--exclude", "--include", "--rsh", "-f"}),
    "scp": frozenset({"-i", "-P", "-o", "-l", "-c", "-F"}),
    "cp": frozenset({"-t", "-S"}),
    "mv": frozenset({"-t", "-S"}),
    "zip": frozenset({"-x", "-i"}),
    "unzip": frozenset({"-d", "-x"}),
    "lvcreate": frozenset({"-L", "-l", "-n", "--name", "--size", "--extents"}),
}
_BUNDLING = frozenset(
    "cp mv scp rsync tar gtar zip unzip rm unlink shred gzip compress bzip2 xz".split()
)

_OF_WINDOWS = frozenset({*"copy xcopy robocopy move del erase rd rmdir taskkill".split()})


def split(name: str, words: Sequence[Word]) -> tuple[list[tuple[Word, Word | None]], list[Word]]:
    """Return the options of the command `name`, some with a value, and its operands."""
    with_value = _WITH_VALUE.get(name, frozenset())
    options: list[tuple[Word, Word | None]] = []
    operands: list[Word] = []
    rest = iter(words)
    for word in rest:
        if not word.text.startswith("-") or len(word.text) < 2:
            operands.append(word)
        else:
            options.append((word, next(rest, None) if word.text in with_value else None))
    return options, operands


def option_names(command: str, text: str) -> tuple[tuple[str, str | Unknown | None], ...]:
    """Return the options in one word of `command`, each with its value after `=`.

    `-rp` of cp is two options, and so is `/S/E` of xcopy. `-mtime` of find is one.
    """
    name = text.lstrip("-/")
    if command in _OF_WINDOWS and text.startswith("/"):
        return tuple((word, None) for word in name.lower().split("/"))
    if text.startswith("--"):
        long, sign, value = name.partition("=")
        return ((long, (value if is_known(value) else UNKNOWN) if sign else None),)
    if command in _BUNDLING and name.isalpha():
        return tuple((letter, None) for letter in name)
    return ((name, None),)


def is_open(words: Sequence[Word], other: Word | None) -> bool:
    """Return whether an unknown word may be an option: one before the last operand.

    `other` is the other end of a copy, which is no option. On Windows options may come last.
    """
    name = words[0].text.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    free = words[1:] if name in _OF_WINDOWS else words[1:-1]
    return any(word.text.startswith(PLACEHOLDER) and word is not other for word in free)
