"""Path patterns: `**` for any depth, `*` and `?` within one name, `[a-z]` and `[!a-z]`.

A pattern becomes one regular expression whose time is linear in the path: after every wildcard but
the last the nearest fit is taken and never reconsidered (an atomic group), which for patterns of
this kind loses no match.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from mqlint.dataclass import frozen
from mqlint.grouping import grouped

PLACEHOLDERS = ("site", "queue_manager")
"""The names that may be in braces where a pattern is asked for parts of a path."""


class GlobError(ValueError):
    """A pattern that cannot be used; the text of the error says why."""


@frozen
class Glob:
    """A compiled pattern.

    `pattern` is the text it was made of; `weight` counts the characters that are no wildcard: of
    two patterns that match, the heavier is the more specific. `names` are those in it
    without wildcards, which each path that it matches has.
    """

    pattern: str
    regex: re.Pattern[str]
    weight: int
    names: tuple[str, ...] = ()

    def matches(self, path: str) -> bool:
        """Return whether the project-relative `path` (forward slashes) fits as a whole."""
        return self.regex.match(path) is not None

    def parts(self, path: str) -> dict[str, str] | None:
        """Return what is in the place of the placeholders, or None without a match."""
        found = self.regex.match(path)
        return None if found is None else found.groupdict()


@frozen
class _Piece:
    """Part of one name: a fixed stretch, `*`, or a placeholder, as a regular expression."""

    kind: str  # "fixed", "star" or the placeholder's name
    regex: str = ""
    weight: int = 0


@lru_cache(maxsize=4096)  # those of settings are asked for again with each file
def compile_glob(
    pattern: str, *, placeholders: bool = False, beneath: bool = False, floating: bool = False
) -> Glob:
    """Return the compiled `pattern`; GlobError if it is not a pattern.

    A pattern without any wildcard holds for the file or folder of that path and all beneath it;
    with `beneath` every pattern does. With `floating` a pattern without a slash holds at any
    depth, as in .gitignore. `placeholders` allows `{site}` and `{queue_manager}`.
    """
    names = _names(pattern)
    if floating and len(names) == 1 and not pattern.endswith("/"):
        names = ["**", *names]
    compiled: list[str] = []
    weight = 0
    literal, fixed = True, list[str]()
    seen: set[str] = set()
    for name in names:
        if name == "**":
            compiled.append(name)
            literal = False
            continue
        pieces = _pieces(name, placeholders, seen)
        compiled.append(_name_regex(pieces))
        weight += 1 + sum(piece.weight for piece in pieces)
        literal = literal and all(piece.kind == "fixed" for piece in pieces)
        if len(pieces) == sum(piece.weight for piece in pieces):
            fixed.append(name)
    end = r"(?:/.*)?\Z" if beneath or literal else r"\Z"
    return Glob(pattern, re.compile(_path_regex(compiled, end), re.DOTALL), weight, tuple(fixed))


class Globs:
    """Many patterns: a path is compared with those that fit its names, not with each.

    Of the names in a pattern the one counts that the fewest patterns have.
    """

    def __init__(self, globs: Sequence[Glob]) -> None:
        uses = Counter(name for glob in globs for name in glob.names)
        rarest = (min(glob.names, key=uses.__getitem__, default="") for glob in globs)
        self._by_name = grouped(zip(rarest, enumerate(globs), strict=True))

    @classmethod
    def of_exclude(cls, patterns: Sequence[str]) -> Globs:
        """Return the patterns of `exclude`; GlobError for a bad one.

        A pattern without a slash holds at any depth, and a folder's holds for all in it.
        """
        return cls([compile_glob(item, beneath=True, floating=True) for item in patterns])

    def matches(self, path: str) -> bool:
        """Say whether one of the patterns matches a path."""
        return next(self.matching(path), None) is not None

    def matching(self, path: str) -> Iterator[int]:
        """Yield the positions of the patterns that match a path, in their order."""
        names = {"", *path.split("/")}
        candidates = (entry for name in names for entry in self._by_name.get(name, ()))
        for at, glob in sorted(candidates, key=itemgetter(0)):
            if glob.matches(path):
                yield at


def _names(pattern: str) -> list[str]:
    if not pattern.strip():
        raise GlobError("the pattern is empty")
    if "\\" in pattern:
        raise GlobError("write forward slashes in patterns, also on Windows")
    if pattern.startswith("/") or re.match(r"[A-Za-z]:/", pattern):
        raise GlobError("a pattern is relative to the project's root folder, so no leading '/'")
    names = pattern.removeprefix("./").split("/")
    if names[-1] == "" and len(names) > 1:
        names[-1] = "**"  # "prod/" means all that is in it
    if "" in names or "." in names or ".." in names:
        raise GlobError("'//', '.' and '..' have no meaning in a pattern")
    # "**/**" says no more than "**".
    return [name for at, name in enumerate(names) if name != "**" or names[at - 1 : at] != ["**"]]


def _pieces(name: str, placeholders: bool, seen: set[str]) -> list[_Piece]:
    pieces: list[_Piece] = []
    at = 0
    while at < len(name):
        if name[at] == "*":
            piece, at = _Piece("star"), at + 1
        elif name[at] == "{" or name[at] == "}":
            piece, at = _placeholder(name, at, placeholders, seen)
        elif name[at] == "[":
            piece, at = _character_class(name, at)
        elif name[at] == "?":
            piece, at = _Piece("fixed", "[^/]"), at + 1
        else:
            piece, at = _Piece("fixed", re.escape(name[at]), 1), at + 1
        if piece.kind != "fixed" and pieces and pieces[-1].kind != "fixed":
            raise GlobError(_neighbours(piece, pieces[-1]))
        pieces.append(piece)
    return pieces


def _neighbours(piece: _Piece, before: _Piece) -> str:
    if piece.kind == before.kind == "star":
        return "'**' must stand alone between slashes, as in 'prod/**/*.mqsc'"
    return "a placeholder needs a fixed character between it and the next wildcard"


def _placeholder(name: str, at: int, allowed: bool, seen: set[str]) -> tuple[_Piece, int]:
    end = name.find("}", at)
    word = name[at + 1 : end] if end > at else ""
    if not allowed:
        raise GlobError("braces have no meaning here: write one pattern for each choice")
    if word not in PLACEHOLDERS:
        raise GlobError("in braces only {site} and {queue_manager} are known")
    if word in seen:
        raise GlobError(f"{{{word}}} is repeated")
    seen.add(word)
    return _Piece(word), end + 1


def _character_class(name: str, at: int) -> tuple[_Piece, int]:
    start = at + 2 if name[at + 1 : at + 2] in ("!", "^") else at + 1
    end = name.find("]", start + 1)
    if end < 0:
        raise GlobError("'[' without its ']'")
    inside = name[start:end]
    regex = ""
    index = 0
    while index < len(inside):
        if inside[index + 1 : index + 2] == "-" and index + 2 < len(inside):
            low, high = inside[index], inside[index + 2]
            if low > high:
                raise GlobError(f"the range '{low}-{high}' in brackets is reversed")
            regex += f"{re.escape(low)}-{re.escape(high)}"
            index += 3
        else:
            regex += re.escape(inside[index])
            index += 1
    negated = start == at + 2
    whole = f"[^/{regex}]" if negated else f"(?!/)[{regex}]"
    return _Piece("fixed", whole), end + 1


def _name_regex(pieces: Sequence[_Piece]) -> str:
    """Return the expression of one whole name, up to the slash or the end after it."""
    wild = [at for at, piece in enumerate(pieces) if piece.kind != "fixed"]
    regex = "".join(piece.regex for piece in pieces[: wild[0] if wild else len(pieces)])
    for number, at in enumerate(wild):
        is_last = number == len(wild) - 1
        until = len(pieces) if is_last else wild[number + 1]
        fixed = "".join(piece.regex for piece in pieces[at + 1 : until])
        # "{queue_manager}.*": the name itself may have dots, so all but the last go to it.
        greedy = is_last or (number == len(wild) - 2 and wild[-1] == len(pieces) - 1)
        body = _body(pieces[at].kind, greedy and (is_last or pieces[at].kind != "star"))
        regex += body + fixed if is_last else f"(?>{body}{fixed})"
    return f"(?>{regex}(?=/|\\Z))"


def _body(kind: str, greedy: bool) -> str:
    lazy = "" if greedy else "?"
    return f"[^/]*{lazy}" if kind == "star" else f"(?P<{kind}>[^/]+{lazy})"


def _path_regex(names: Sequence[str], end: str) -> str:
    """Join the expressions of names; `**` stands for any number of them, also none."""
    stretches: list[list[str]] = [[]]
    for name in names:
        if name == "**":
            stretches.append([])
        else:
            stretches[-1].append(name)
    if len(stretches) == 1:
        return "/".join(stretches[0]) + end
    regex = "".join(f"{name}/" for name in stretches[0])
    for stretch in stretches[1:-1]:
        regex += "(?>(?:[^/]++/)*?" + "".join(f"{name}/" for name in stretch) + ")"
    if not stretches[-1]:
        return regex + r".+\Z"
    return regex + "(?:[^/]++/)*?" + "/".join(stretches[-1]) + end
