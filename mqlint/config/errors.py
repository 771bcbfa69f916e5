"""What is wrong with a configuration file or a policy, in words that help to fix it."""

from __future__ import annotations

from collections.abc import Iterable

_LOOKS_LIKE = str.maketrans("oil", "011")
"""Letters that are easily written for a digit."""


class ConfigError(Exception):
    """A fault in a YAML file of the project or of a user.

    `path` is as the reader was given it; `line` and `column` count from 1; `message` says what was
    found, what is allowed and, for a misspelt word, the nearest right one. `str()` of the error is
    the whole line to show.
    """

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(path, line, column, message)
        self.path = path
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """Return the word of `allowed` most like `word`, or the one it abbreviates, or None.

    SEC1, SEC01 and SEC0O1 are like SEC001 before all others.
    """
    import difflib  # here, as only a run that fails needs it

    by_folded = {other.casefold(): other for other in sorted(allowed, reverse=True)}
    alike = {other.translate(_LOOKS_LIKE): name for other, name in by_folded.items()}
    whole = by_folded.get(padded(word)) or alike.get(word.casefold().translate(_LOOKS_LIKE))
    if whole is not None:
        return whole
    close = difflib.get_close_matches(word.casefold(), sorted(by_folded), n=1, cutoff=0.6)
    if close:
        return by_folded[close[0]]
    longer = [other for other in by_folded if other.startswith(word.casefold()) and len(word) > 1]
    return by_folded[longer[0]] if len(longer) == 1 else None


def padded(word: str) -> str:
    """Return the id of a rule that a word with too few digits means, in lower case."""
    folded = word.casefold()
    letters = folded.rstrip("0123456789")
    return letters + folded[len(letters) :].zfill(3) if letters != folded else folded


def choices(allowed: Iterable[str]) -> str:
    """Return the words of `allowed` as a person lists them: `a, b or c`."""
    words = sorted(allowed)
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def guess(word: str, allowed: Iterable[str]) -> str:
    """Return the end of a message that names the nearest word, if one is near."""
    near = nearest(word, allowed)
    return f": did you mean {near!r}?" if near is not None else ""


def not_among(word: str, allowed: Iterable[str]) -> str:
    """Return the end of a message on a word that is not allowed: the nearest one, then all."""
    words = list(allowed)
    near = nearest(word, words)
    hint = f"did you mean {near!r}? " if near is not None else ""
    return f"{hint}allowed: {choices(words)}"


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters; three periods stand for the rest."""
    return text if len(text) <= most else text[: most - 3] + "..."
