"""Scripts of a project that source others, read as the one text that the shell runs.

    . "$(dirname "$0")/../lib/mqlib.sh"
    define_queue PAYQM1 PAY.IN 5000 YES

Alone, the script does not show what `define_queue` does, nor the library what it is given. Of the
files that are sourced, only the functions are taken that the others name. A file counts if its
path fits what is known of the name, and no other file of the project has one that fits.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from posixpath import basename, dirname, join, normpath

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.script.blocks import functions_in
from mqlint.language.script.commands import TextContext
from mqlint.language.script.input.written import WrittenFiles
from mqlint.language.script.reader import read_script
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.step import ShellScript
from mqlint.language.text.mapped import mapped_slice
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

_OUTPUT = r"\$\((?:[^()\n]{1,100}+|\([^()\n]{0,100}+\)){1,9}+\)"
_SOURCES = later(
    r"(?m)^[ \t]*+(?:(?:if[ \t]++)?(?:\[\[?|test)[ \t]++-[efrsx][ \t][^\n;&|]{1,200}+"
    r"(?:&&|;[ \t]*+then\b)[ \t]*+)?"
    rf"(?:\.|source)[ \t]++(?P<file>(?:\"(?:{_OUTPUT}|[^\"\n]){{1,200}}+\"|{_OUTPUT}"
    r"|[^\s;&|#\"'()]){1,200}+)[ \t]*+(?:;(?:[ \t]*+fi)?|\|\|[^\n]*+|#[^\n]*+)?$"
)
"""A line that sources a file, also only if it exists."""
_PLAIN = later(r"[\w.@+/-]{1,200}")
_NAME = later(r"[\w-]{1,80}")
_OF_SYSTEM = ("/etc/", "/usr/", "/lib", "/bin/", "/sbin/", "/var/", "/root/", "/home/")
"""Folders that are not those of an installed project."""
_DEEPEST = 4
"""Limit of files that source each other."""
_MOST_OF_NAME = 50
"""Limit of the files with one name that are compared with what a script sources."""


class Piece(NamedTuple):
    """A stretch of a joined text: where it begins there, its file, and where it begins in it."""

    at: int
    path: str
    start: int


class Sourced(NamedTuple):
    """The text of a script with those that it sources, and its pieces in order."""

    text: str
    pieces: Sequence[Piece]

    @classmethod
    def of(cls, path: str, text: str) -> Sourced:
        """A file that sources nothing."""
        return cls(text, [Piece(0, path, 0)])

    def place(self, span: Span) -> tuple[str, int, int]:
        """Return the file of a stretch of the text, and the stretch in the file."""
        start, end = span
        number = bisect(self.pieces, start, key=attrgetter("at")) - 1
        piece = self.pieces[number]
        following = self.pieces[number + 1].at if number + 1 < len(self.pieces) else len(self.text)
        own = piece.start + start - piece.at
        return piece.path, own, own + max(min(end, following) - start, 0)


def joins_others(text: str, script: ShellScript) -> bool:
    """Whether a script sources a file, or has functions or variables for those that source it."""
    if not (script.steps or script.embedded) or _SOURCES.search(text) is not None:
        return True
    return next(functions_in(text), None) is not None


def sourced(path: str, texts: Mapping[str, str], named: Names, budget: Budget) -> Sourced | None:
    """Return a script with what it sources; None if nothing of that can be read with it."""
    pieces: list[Piece] = []
    parts: list[str] = []
    length = 0
    for file, start, end in _parts(path, texts, named, texts[path], ()):
        if not budget.spend(end - start):
            return None
        pieces.append(Piece(length, file, start))
        parts.append(texts[file][start:end])
        length += end - start
    return Sourced("".join(parts), pieces) if len(pieces) > 1 else None


class Names:
    """The paths of a project, by the names of their files."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = frozenset(paths)
        self._by_name = grouped((basename(path), path) for path in paths)

    def file(self, path: str, written: str) -> str | None:
        """Return the file that a script sources by a name, None if it is not certain which."""
        name = written.replace('"', "")
        after = max(map(name.rfind, "$})"))
        tail = name if after < 0 else name[after:].partition("/")[2]
        if _PLAIN.fullmatch(tail) is None or tail.startswith(_OF_SYSTEM):
            return None
        is_absolute = tail.startswith("/")
        if is_absolute:  # where the project is installed is not known
            tail = join(basename(dirname(tail)), basename(tail))
        known = self._by_name.get(basename(tail), ())
        beside, end = normpath(join(dirname(path), tail)), normpath(tail)
        if beside in self._paths and not is_absolute:
            return beside
        while end.startswith("../"):
            end = end[len("../") :]
        if not (is_absolute or "$" in written) or len(known) > _MOST_OF_NAME:
            return None
        fitting = [each for each in known if f"/{each}".endswith(f"/{end}")]
        return fitting[0] if len(fitting) == 1 else None


def _parts(
    path: str, texts: Mapping[str, str], named: Names, asking: str, around: tuple[str, ...]
) -> Iterator[tuple[str, int, int]]:
    """Yield the stretches of a file and of those that it sources, in the order of the shell."""
    text, at = texts[path], 0
    left_out = [*_left_out(text, asking)] if around else []
    for start, end, file in sorted([*sources_of(path, text, named), *left_out]):
        if start < at:
            continue
        yield path, at, start
        at = end
        if file in texts and file != path and file not in around and len(around) < _DEEPEST:
            yield from _parts(file, texts, named, f"{asking}\n{text}", (*around, path))
    yield path, at, len(text)


def sources_of(path: str, text: str, named: Names) -> Iterator[tuple[int, int, str]]:
    """Yield the commands of a script that source a file of the project: the place and the file."""
    for found in _SOURCES.finditer(text):
        file = named.file(path, found["file"])
        if file is not None:
            yield found.start(), found.end(), file


def _left_out(text: str, asking: str) -> Iterator[tuple[int, int, str]]:
    """Yield the bodies of the functions that no other text names, also not by another function."""
    functions = dict(functions_in(text))
    waiting = {*_NAME.findall(asking)} & functions.keys()
    needed = set[str]()
    while waiting:
        name = waiting.pop()
        needed.add(name)
        waiting |= ({*_NAME.findall(text, *functions[name])} & functions.keys()) - needed
    for name, (start, end) in functions.items():
        if name not in needed:
            yield start, end, ""


def read_sourced(text: str, commands: Mapping[str, ControlSpec]) -> ShellScript:
    """Return what a joined text does with MQ."""
    results = ScriptResults(commands, WrittenFiles(Budget(len(text))))
    return read_script(results, TextContext(mapped_slice(text), globs=True, is_file=True))
