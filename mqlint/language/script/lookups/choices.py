"""What chooses the row of a table: loops of shells and other languages.

A loop is over a literal of the program or over a file of rows, which it names itself or by a
variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.dataclass import NamedTuple
from mqlint.language.client.signs import TABLES
from mqlint.language.script.lookups.literals import Literal
from mqlint.patterns import later

NAME = r"[A-Za-z_]\w{0,80}+"
"""The name of a variable."""
_NAMES = rf"{NAME}(?:[ \t]*+,[ \t]*+{NAME}){{0,11}}"

_LOADED = later(
    rf"(?m)^[ \t]*+\$(?P<to>{NAME})[ \t]*+=[ \t]*+Import-Csv\b(?P<file>[^|\n]{{1,200}})"
)
_LOOP_OF_SHELL = later(
    rf"\bfor[ \t]++(?P<names>{NAME})[ \t]++in[ \t]++\"?"
    rf"\$\{{(?P<how>!?)(?P<of>{NAME})\[[@*]\]\}}"
)
_LOOP_OF_POWERSHELL = later(
    rf"(?i)\bforeach[ \t]*+\([ \t]*+\$(?P<names>{NAME})[ \t]++in[ \t]++"
    rf"(?:\$(?P<of>{NAME})(?:\.(?P<how>\w{{1,20}})(?:\(\))?)?[ \t]*+\)"
    r"|(?P<file>\(?Import-Csv\b[^()\n]{1,200})\))"
)
_PIPE_OF_POWERSHELL = later(
    rf"(?i)(?:\$(?P<of>{NAME})(?:\.(?P<how>\w{{1,20}})(?:\(\))?)?"
    r"|(?P<file>\bImport-Csv\b[^|\n]{1,200}))[ \t]*+\|[ \t]*+"
    r"(?:ForEach-Object|foreach|%)[ \t]*+\{(?P<names>)"
)
_LOOP_OF_PYTHON = later(
    rf"\bfor[ \t]++\(?(?P<names>{_NAMES})\)?[ \t]++in[ \t]++(?P<of>{NAME})"
    r"(?:\.(?P<how>items|values|keys)\(\))?[ \t]*+[:)]"
)
_LOOP_OF_RUBY = later(
    rf"(?<![\w.])@?(?P<of>{NAME})\.(?P<how>each)(?:_pair)?[ \t]*+(?:do|\{{)\s*+\|?[ \t]*+"
    rf"(?P<names>{_NAMES})[ \t]*+(?:\||->)"
)
_LOOP_OF_TERRAFORM = later(
    rf"(?m)^[ \t]*+(?P<names>for_)(?P<how>each)[ \t]*+=[ \t]*+(?:toset\()?(?:local|var)\."
    rf"(?P<of>{NAME})"
)
_LOOPS = (
    _LOOP_OF_SHELL,
    _LOOP_OF_POWERSHELL,
    _PIPE_OF_POWERSHELL,
    _LOOP_OF_PYTHON,
    _LOOP_OF_RUBY,
    _LOOP_OF_TERRAFORM,
)
"""Loops of languages; that of Python is one of Groovy too, and that of Ruby."""
_ELEMENT = {"": "_", "for_": "each"}
"""The names of elements that a loop does not write."""
_GETS = {"!": "key", "keys": "key", "items": "pair", "getenumerator": "each", "values": "row"}
_LOOP_OF_CMD = later(
    r"(?i)\bfor[ \t]++/f[ \t]++\"(?P<how>[^\"\n]{0,80})\"[ \t]++%%(?P<first>[a-z])[ \t]++in[ \t]*+"
    r"\([ \t]*+(?P<file>[^()\n]{1,120})\)[ \t]*+do\b"
)
_CELLS_OF_CMD = later(r"(?i)tokens=(\d{1,2})(?:-(\d{1,2})|((?:,\d{1,2})*+))")
_SKIPPED = later(r"(?i)skip=(\d{1,2})")
_FILE = later(rf"(?<![\w.-])[\w.-]{{1,80}}\.(?:{'|'.join(sorted(TABLES))})(?![\w.-])")


class Choice(NamedTuple):
    """What chooses a row: a loop over the table `of`, or what is in brackets (`of` is blank).

    `names` get what `gets` says: the `key`, the `row`, both as a `pair`, its `cells`, or one object
    with both (`each`). `numbers` are those of the cells in the rows of a `file`, from `first` on.
    """

    names: tuple[str, ...]
    of: str
    gets: str
    file: str = ""
    numbers: tuple[int, ...] = ()
    first: int = 0

    def bound(self, key: str, node: Literal) -> Mapping[str, Literal]:
        """The values of the names for one row."""
        given: Sequence[Literal] = [node]
        if self.gets == "key":
            given = [key]
        elif self.gets == "pair":
            given = [key, node]
        elif self.gets == "each":
            given = [{"key": key, "name": key, "value": node}]
        elif self.gets == "cells":
            given = node if isinstance(node, list) and len(node) == len(self.names) else []
        return dict(zip(self.names, given, strict=False))


def loaded_in(text: str) -> Mapping[str, str]:
    """Return the files of rows that a text loads, by the names of their rows."""
    return {found["to"]: _file_in(found["file"]) for found in _LOADED.finditer(text)}


def choices_in(
    text: str, loaded: Mapping[str, str], literals: Mapping[str, Literal]
) -> Iterator[Choice]:
    """Yield the loops over what is `loaded`, over literals, and over files that they name."""
    for found in (loop for pattern in _LOOPS for loop in pattern.finditer(text)):
        names = tuple(map(str.strip, _ELEMENT.get(found["names"], found["names"]).split(",")))
        of, how = found["of"] or "", (found["how"] or "").lower()
        file = loaded.get(of, "") if of else _file_in(found["file"])
        is_mapping = isinstance(literals.get(of), dict)
        gets = _GETS.get(how, "row")
        if how == "each" and is_mapping:
            gets = "each" if len(names) == 1 else "pair"
        elif len(names) > 1 and gets == "row":
            gets = "cells"
        yield Choice(names, of or file, gets, file)
    for found in _LOOP_OF_CMD.finditer(text):
        skipped, file = _SKIPPED.search(found["how"]), _file_in(found["file"])
        numbers = tuple(_cells_of_cmd(found["how"]))
        names = tuple(chr(ord(found["first"]) + at) for at in range(len(numbers)))
        first = int(skipped[1]) if skipped is not None else 0
        yield Choice(names, file, "cells", file, numbers, first)


def _cells_of_cmd(how: str) -> Iterable[int]:
    """The numbers of the cells that a loop of cmd takes of each line."""
    found = _CELLS_OF_CMD.search(how)
    if found is None:
        return [1]
    if found[2]:
        return range(int(found[1]), min(int(found[2]), 26) + 1)
    return [int(found[1]), *map(int, found[3].split(",")[1:])]


def _file_in(text: str) -> str:
    """The one file of rows that a text names, blank if it names none or several."""
    found = {*_FILE.findall(text)}
    return found.pop() if len(found) == 1 else ""
