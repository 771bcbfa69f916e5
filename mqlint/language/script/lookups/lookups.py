"""What a program looks up in a table for each site: the text is then read once for each row.

    declare -A QM=( [prod]=ORDQM1 [dr]=ORDQM1 )
    crtmqm "${QM[$SITE]}"

    foreach ($row in Import-Csv sites.csv) { crtmqm $row.Qm }

A table is a literal of the program (see `literals`), or a file of rows that it names. A loop
chooses a row, or a variable in brackets. Branches for sites that set variables are rows as well:
those of `switch` and `if` in braces, `ifeq` and the targets of make. So are calls of a function of
PowerShell for one site each.

A table counts if one row names production and one names DR; a row that names no site is not read.
`Lookups` has one variable for an expression that looks something up, however it is spelled.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from mqlint.config.estate.roles import role_of_all
from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.signs import TABLES
from mqlint.language.script.blocks import blocks_in
from mqlint.language.script.literals import Literal, fixed_in, literals_in
from mqlint.language.script.posix.sites import MAKES
from mqlint.language.script.posix.tables import Row, rows_in
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span

_NAME = r"[A-Za-z_]\w{0,80}+"
_NAMES = rf"{_NAME}(?:[ \t]*+,[ \t]*+{_NAME}){{0,11}}"
_STEP = (
    r"\[[^\[\]\n]{1,80}(?:\[[^\[\]\n]{1,40}\][ \t]*+)?\]|\.\$?[A-Za-z_]\w{0,80}+(?!\()"
    r"|\.(?:get|fetch)\([ \t]*+[\"']?\w{1,80}[\"']?[ \t]*+\)"
)
_PATH = rf"(?P<name>{_NAME})(?P<steps>(?:{_STEP}){{0,6}})"
_USE = later(rf"(?<![\w.]){_PATH}")
_WRITTEN = later(rf"[\s$#%<=({{@!\"']{{0,8}}+{_PATH}[\s}})%>\"']{{0,8}}+")
_STEPS = later(_STEP)
_KEY = later(r"\.(?:get\(|fetch\()?|\[|[\"'(){}\]:$ \t]++")
"""What is around a key or the name of a variable in a step."""
_IS_KEY = later(r"\.(?!\$)|\[[ \t]*+(?:[\"'](?!\$)|\d++[ \t]*+\])")
_NO_NAME = later(r"\W+")
_SCOPES = frozenset({"local", "script", "var", "parameters"})
"""What may be before the name of a table."""

_LOADED = later(
    rf"(?m)^[ \t]*+\$(?P<to>{_NAME})[ \t]*+=[ \t]*+Import-Csv\b(?P<file>[^|\n]{{1,200}})"
)
_PICK = later(
    rf"(?m)(?:^|[;{{])[ \t]*+(?:(?:def|my|let|const|var|local)[ \t]++)?\$?(?P<to>{_NAME})[ \t]*+="
    rf"[ \t]*+\$?{_PATH}[ \t]*+(?=[;\r\n#]|\Z)"
)
"""A name for a row."""
_READ = later(
    rf"\bIFS=[\"']?(?P<separator>[^\s\"'])[\"']?[ \t]++read[ \t]++(?:-r[ \t]++)?"
    rf"(?P<names>(?:{_NAME}[ \t]*+){{2,12}})<<<[ \t]*+\"?\$\{{?(?P<of>{_NAME})\}}?\"?"
)
"""Names for the parts of a text."""
_LOOP_OF_SHELL = later(
    rf"\bfor[ \t]++(?P<names>{_NAME})[ \t]++in[ \t]++\"?"
    rf"\$\{{(?P<how>!?)(?P<of>{_NAME})\[[@*]\]\}}"
)
_LOOP_OF_POWERSHELL = later(
    rf"(?i)\bforeach[ \t]*+\([ \t]*+\$(?P<names>{_NAME})[ \t]++in[ \t]++"
    rf"(?:\$(?P<of>{_NAME})(?:\.(?P<how>\w{{1,20}})(?:\(\))?)?[ \t]*+\)"
    r"|(?P<file>\(?Import-Csv\b[^()\n]{1,200})\))"
)
_PIPE_OF_POWERSHELL = later(
    rf"(?i)(?:\$(?P<of>{_NAME})(?:\.(?P<how>\w{{1,20}})(?:\(\))?)?"
    r"|(?P<file>\bImport-Csv\b[^|\n]{1,200}))[ \t]*+\|[ \t]*+"
    r"(?:ForEach-Object|foreach|%)[ \t]*+\{(?P<names>)"
)
_LOOP_OF_PYTHON = later(
    rf"\bfor[ \t]++\(?(?P<names>{_NAMES})\)?[ \t]++in[ \t]++(?P<of>{_NAME})"
    r"(?:\.(?P<how>items|values|keys)\(\))?[ \t]*+[:)]"
)
_LOOP_OF_RUBY = later(
    rf"(?<![\w.])@?(?P<of>{_NAME})\.(?P<how>each)(?:_pair)?[ \t]*+(?:do|\{{)\s*+\|?[ \t]*+"
    rf"(?P<names>{_NAMES})[ \t]*+(?:\||->)"
)
_LOOP_OF_TERRAFORM = later(
    rf"(?m)^[ \t]*+(?P<names>for_)(?P<how>each)[ \t]*+=[ \t]*+(?:toset\()?(?:local|var)\."
    rf"(?P<of>{_NAME})"
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
_BRACED = later(
    r"(?im)^([ \t]*+)(?:\}[ \t]*+)?"
    r"(?:(?:else[ \t]*+)?if[ \t]*+\([ \t]*+\$?[\w.]{1,80}+[ \t]++(?:-c?i?eq|==)[ \t]++)?"
    r"['\"]([\w-]{1,80}+)['\"][ \t]*+\)?\s*+\{"
)
_ASKED = later(
    r"(?i)\bswitch\b[^\n(){}]{0,40}\([ \t]*+\$?(\w{1,80}+)[ \t]*+\)"
    r"|\bif[ \t]*+\([ \t]*+\$?(\w{1,80}+)[ \t]++(?:-c?i?eq|==)"
)
"""The variable that chooses a branch in braces."""
_IFEQ = later(
    r"(?m)^[ \t]*+(?:else[ \t]++)?ifeq[ \t]++\(?[^,\n]{1,80},?[ \t]*+[\"']?(?P<label>[\w-]{1,80})"
    r"[\"']?\)?[ \t]*+\r?\n(?P<body>(?:(?![ \t]*+(?:else|endif)\b)[^\n]*+\n){1,50}+)"
)
SET_FOR_TARGET = later(
    r"(?m)^(?P<target>[\w./-]{1,80})[ \t]*:(?![:=])[ \t]*(?:(?:export|override|private)[ \t]+)*"
    r"(?P<name>[A-Za-z_]\w{0,80})[ \t]*[:?]?=[ \t]*(?P<value>[^\n#]{0,200})"
)
"""A variable of make for one target ("Target-specific Variable Values")."""
_SET_IN_BRANCH = later(
    rf"(?m)(?:^|[;{{])[ \t]*+(?:(?:export|override)[ \t]++)?\$?(?P<name>{_NAME})[ \t]*+[:?]?="
    r"[ \t]*+(?:\"(?P<double>[^\"\n]{0,200})\"|'(?P<single>[^'\n]{0,200})'"
    r"|(?P<bare>[^\s;#\"'{}]{0,200}))(?=[ \t]*+(?:[;#}\r\n]|\Z))"
)
_POWERSHELL = later(
    r"(?im)^(?P<indent>[ \t]*+)function[ \t]++(?P<name>[\w-]{1,80}+)[ \t]*+"
    r"(?:\((?P<before>(?:[^()]|\([^()]{0,80}\)){0,400}+)\))?\s*+\{"
    r"(?:\s*+\[CmdletBinding\([^()\n]{0,80}\)\])?"
    r"(?:\s*+param[ \t]*+\((?P<within>(?:[^()]|\([^()]{0,80}\)){0,800}+)\))?"
)
"""The head of a function of PowerShell, with its parameters before its body or within it."""
_LONGEST = 8000
"""Limit of the characters of a function."""
_PARAMETER = later(r"\$(\w{1,80})")
_CALL = later(
    r"(?m)^[ \t]*+(?P<name>\w{1,40}-[\w-]{1,40}|\w{1,80})"
    r"(?P<words>(?:[ \t]++(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|{}()\"']{1,200}+))++)"
)
_WORD = later(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']++")
_FILE = later(rf"(?<![\w.-])[\w.-]{{1,80}}\.(?:{'|'.join(sorted(TABLES))})(?![\w.-])")
_SET = later(rf"(?m)(?:^|[;{{])[ \t]*+(?:local[ \t]++)?\$?(?P<name>{_NAME})[ \t]*+\+?=(?![=~>])")
_MAY_LOOK_UP = later(
    r"=[ \t]*@?[\[({]|\bdeclare[ \t]+-"
    r"|(?i:\bimport-csv\b|\bfor[ \t]+/f\b|\bswitch\b|-eq\b)|(?im:^[ \t]*function[ \t])"
    r"|\bifeq\b|==[ \t]*[\"']"
    r"|(?m:^[\w./-]{1,80}[ \t]*:[ \t]*(?:\w{1,20}[ \t]+)?\w{1,80}[ \t]*[:?]?=)"
)
_OF_SITE = later(r"(?i)(?:.*_)?(?:site|env|environment|stage|location|dc|region|role|name|key)")
"""A cell that may name the site of its row, although others name sites too."""
_PARTS = later(r"[:;,| \t]++")
_MOST = 100
"""Limit of the rows of a table, and of the tables and choices of a text."""
_MOST_USES = 500
"""Limit of the expressions of a text."""
_DEEPEST = 3
"""Limit of the depth at which a row may name its site."""


class _Choice(NamedTuple):
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


class _Use(NamedTuple):
    """An expression: the name that it begins with, and its steps; `*` is before a chosen key."""

    name: str
    steps: tuple[str, ...]

    @property
    def variable(self) -> str:
        """The name of the variable that stands for the expression."""
        words = (self.name, *(step.lstrip("*") for step in self.steps))
        return "__".join(_NO_NAME.sub("_", word) for word in words).lower()[:80]

    def value(self, known: Mapping[str, Literal]) -> Literal:
        found = known.get(self.name)
        for step in self.steps:
            key = known.get(step[1:]) if step[0] == "*" else step
            found = _entry(found, key) if isinstance(key, str) else None
        return found


class Lookups:
    """The expressions of a text that look something up in tables."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._literals = literals_in(text)
        loaded = {found["to"]: _file(found["file"]) for found in _LOADED.finditer(text)}
        self._choices = [*islice(_choices(text, loaded, self._literals), _MOST)]
        self._reads = [*islice(_READ.finditer(text), _MOST)]
        tables = self._literals.keys() | loaded.keys()
        bound = Counter(name for choice in self._choices for name in choice.names)
        bound.update(name for read in self._reads for name in read["names"].split())
        self._picks: dict[str, _Use] = {}
        for pick in islice(_PICK.finditer(text), _MOST):
            use = self._use(pick)
            if use.steps and (use.name in tables or use.name in bound):
                self._picks[pick["to"]] = use
                bound[pick["to"]] += 1
        self._fixed = fixed_in(text)
        self._given = _calls(text)
        self._given += (
            Row(label, values, (0, len(text)), is_round=False)
            for label, values in _branches(text, self._fixed).items()
        )
        settable = Counter(name for row in self._given for name in row.values)
        bound.update({*settable})
        settable.update([*self._picks])
        sets = Counter(found["name"] for found in _SET.finditer(text)) if bound else Counter[str]()
        self._bound = {
            name for name, count in bound.items() if count == 1 and sets[name] <= settable[name]
        }
        self._tables = tables - self._bound

    def variables_at(self, start: int, end: int) -> Sequence[str]:
        """Return the names of the variables that a stretch consists of, none for any other text.

        A stretch may end before its last expression, as a word of a list does.
        """
        names: list[str] = []
        while start < end:
            found = _WRITTEN.match(self._text, start)
            use = self._use(found) if found is not None else None
            if found is None or use is None or not self._is_lookup(use):
                return ()
            names.append(use.variable)
            start = found.end()
        return names

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names of the variables that stand for expressions."""
        return frozenset(use.variable for use in self._uses)

    def rows(self, tables: Mapping[str, str] = {}) -> Iterator[Row]:
        """Yield the rows with which the text is read; `tables` are files by their names."""
        for row in self._given if self._uses else ():
            values = self._values({**self._literals, **row.values})
            if values:
                yield row._replace(values=values)
        for choice in self._all_choices() if self._uses else ():
            rows = [*islice(self._rows_of(choice, tables), _MOST)]
            labels = [site_of_row(key, node) for key, node in rows]
            if not {"production", "dr"} <= {role_of_all(label) for label in labels}:
                continue
            for label, (key, node) in zip(labels, rows, strict=True):
                values = self._values({**self._literals, **choice.bound(key, node)})
                if label and values and self._fixed.get(choice.names[0], key) == key:
                    yield Row(label, values, (0, len(self._text)), is_round=bool(choice.of))

    @cached_property
    def _uses(self) -> Sequence[_Use]:
        """The expressions of the text that look something up, each once."""
        found: dict[_Use, None] = {}
        for match in _USE.finditer(self._text) if self._bound or self._tables else ():
            use = self._use(match)
            if self._is_lookup(use):
                found[use] = None
            if len(found) == _MOST_USES:
                break
        return [*found]

    def _is_lookup(self, use: _Use) -> bool:
        is_chosen = use.name in self._tables and any(step[0] == "*" for step in use.steps)
        return is_chosen or use.name in self._bound

    def _use(self, found: re.Match[str]) -> _Use:
        name, steps = found["name"], [_step(step[0]) for step in _STEPS.finditer(found["steps"])]
        if name in _SCOPES and steps:
            name, steps = steps[0].lstrip("*"), steps[1:]
        node = self._literals.get(name)
        if steps and isinstance(node, dict) and steps[0][1:] in node:
            steps[0] = steps[0][1:]  # a key without quotes
        return _Use(name, tuple(steps))

    def _all_choices(self) -> Iterator[_Choice]:
        """Yield the loops, and what else is in the brackets after a table."""
        yield from self._choices
        names = {name for choice in self._choices for name in choice.names}
        for use in self._in_brackets:
            name = use.steps[0][1:]
            if name not in names:
                names.add(name)
                yield _Choice((name,), "", "key")

    @cached_property
    def _in_brackets(self) -> Sequence[_Use]:
        uses = (*self._uses, *self._picks.values())
        return [
            use for use in uses if use.name in self._tables and use.steps and use.steps[0][0] == "*"
        ]

    def _rows_of(self, choice: _Choice, tables: Mapping[str, str]) -> Iterable[tuple[str, Literal]]:
        """Return the rows of a choice with their keys."""
        if choice.file:
            lines = rows_in(tables.get(choice.file, ""))
            if choice.numbers:
                cells = (
                    [dict(enumerate(line, 1)).get(at) for at in choice.numbers] for line in lines
                )
                return (("", row) for row in islice(cells, choice.first, None))
            return (("", dict(zip(lines[0], line, strict=True))) for line in lines[1:])
        if choice.of:
            return _entries(self._literals.get(choice.of))
        uses = (use for use in self._in_brackets if use.steps[0][1:] == choice.names[0])
        names = dict.fromkeys(use.name for use in uses)
        return grouped(
            entry for name in names for entry in _entries(self._literals.get(name))
        ).items()

    def _values(self, known: dict[str, Literal]) -> dict[str, str | None]:
        """The values of the expressions for the values of some names."""
        for read in self._reads:
            text, names = known.get(read["of"]), read["names"].split()
            if isinstance(text, str):
                cells = text.split(read["separator"], len(names) - 1)
                known.update(zip(names, cells, strict=False))
        for name, use in self._picks.items():
            known[name] = use.value(known)
        found = grouped((use.variable, use.value(known)) for use in self._uses)
        return {
            name: values[0] if len(values) == 1 else None
            for name, values in found.items()
            if isinstance(values[0], str)
        }


@lru_cache(maxsize=8)  # readers ask for one text several times
def lookups_in(text: str) -> Lookups | None:
    """Return the lookups of a text, None if it has none."""
    found = Lookups(text) if _MAY_LOOK_UP.search(text) is not None else None
    return found if found is not None and found.variables else None


def _calls(text: str) -> list[Row]:
    """What calls of functions of PowerShell that make something set as parameters, for each site.

    None unless one is for production and one for DR. A parameter whose name is elsewhere does not
    count.
    """
    heads = {found["name"].lower(): found for found in islice(_POWERSHELL.finditer(text), _MOST)}
    bodies: dict[str, Span] = {}
    outside, at = "", 0
    for name, head in heads.items():
        end = text.find(f"\n{head['indent']}}}", head.end(), head.end() + _LONGEST)
        bodies[name] = head.end(), max(head.end(), end)
        outside += text[at : head.start()]
        at = max(at, *bodies[name])
    elsewhere = {*_PARAMETER.findall(outside + text[at:])} if heads else set()
    rows: list[Row] = []
    for call in islice(_CALL.finditer(text), _MOST_USES) if heads else ():
        name = call["name"].lower()
        if name in bodies and MAKES.search(text, *bodies[name]) is not None:
            parameters = _PARAMETER.findall(heads[name]["within"] or heads[name]["before"] or "")
            given = _given(call["words"], parameters)
            named = {role_of_all(value): value for value in given.values()}
            named.pop(None, None)
            if len(named) == 1:
                values = {key: value for key, value in given.items() if key not in elsewhere}
                rows.append(Row(named.popitem()[1], values, bodies[name]))
    return rows if {"production", "dr"} <= {role_of_all(row.label) for row in rows} else []


def _given(call: str, parameters: Iterable[str]) -> Mapping[str, str]:
    """The plain texts that a call gives to parameters, by name or in their order."""
    by_name = {name.lower(): name for name in parameters}
    given: dict[str, str] = {}
    option = ""
    for word in _WORD.findall(call):
        text = word.strip("\"'")
        if word.startswith("-"):
            option = by_name.pop(text[1:].lower(), "")
        else:
            name = option or by_name.pop(next(iter(by_name), ""), "")
            option = ""
            if name and "$" not in word:
                given[name] = text
    return given


def _branches(text: str, fixed: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """What branches for sites set, by their labels; none unless for production and for DR.

    A branch that a `fixed` variable never chooses does not count. For make a variable is not fixed,
    as one of the command line overrides it ("Overriding Variables").
    """
    asked = [(found.end(), found[1] or found[2]) for found in _ASKED.finditer(text)]
    bodies = [
        (label, text[start:end])
        for label, (start, end) in blocks_in(_BRACED, text)
        for number in [bisect(asked, (start,)) - 1]
        if number < 0 or fixed.get(asked[number][1], label) == label
    ]
    bodies += ((found["label"], found["body"]) for found in _IFEQ.finditer(text))
    bodies += (
        (found["target"], f"{found['name']}={found['value']}\n")
        for found in SET_FOR_TARGET.finditer(text)
    )
    branches: dict[str, dict[str, str]] = {}
    for label, body in islice(bodies, _MOST):
        for found in _SET_IN_BRANCH.finditer(body):
            value = found["double"] or found["single"] or found["bare"] or ""
            branches.setdefault(label, {})[found["name"]] = value
    sited = {label: values for label, values in branches.items() if role_of_all(label) is not None}
    roles = {role_of_all(label) for label in sited}
    return sited if {"production", "dr"} <= roles else {}


def _choices(
    text: str, loaded: Mapping[str, str], literals: Mapping[str, Literal]
) -> Iterator[_Choice]:
    """Yield the loops; `loaded` are the files by the names of their rows."""
    for found in (loop for pattern in _LOOPS for loop in pattern.finditer(text)):
        names = tuple(map(str.strip, _ELEMENT.get(found["names"], found["names"]).split(",")))
        of, how = found["of"] or "", (found["how"] or "").lower()
        file = loaded.get(of, "") if of else _file(found["file"])
        is_mapping = isinstance(literals.get(of), dict)
        gets = _GETS.get(how, "row")
        if how == "each" and is_mapping:
            gets = "each" if len(names) == 1 else "pair"
        elif len(names) > 1 and gets == "row":
            gets = "cells"
        yield _Choice(names, of or file, gets, file)
    for found in _LOOP_OF_CMD.finditer(text):
        skipped, file = _SKIPPED.search(found["how"]), _file(found["file"])
        numbers = tuple(_cells_of_cmd(found["how"]))
        names = tuple(chr(ord(found["first"]) + at) for at in range(len(numbers)))
        first = int(skipped[1]) if skipped is not None else 0
        yield _Choice(names, file, "cells", file, numbers, first)


def _cells_of_cmd(how: str) -> Iterable[int]:
    """The numbers of the cells that a loop of cmd takes of each line."""
    found = _CELLS_OF_CMD.search(how)
    if found is None:
        return [1]
    if found[2]:
        return range(int(found[1]), min(int(found[2]), 26) + 1)
    return [int(found[1]), *map(int, found[3].split(",")[1:])]


def _file(text: str) -> str:
    """The one file of rows that a text names, blank if it names none or several."""
    found = {*_FILE.findall(text)}
    return found.pop() if len(found) == 1 else ""


def _step(written: str) -> str:
    """A step: a key, or after a `*` the variable that has it."""
    return ("" if _IS_KEY.match(written) is not None else "*") + _KEY.sub("", written)


def _entries(node: Literal) -> Iterable[tuple[str, Literal]]:
    if isinstance(node, dict):
        return node.items()
    return ((str(at), item) for at, item in enumerate(node)) if isinstance(node, list) else ()


def _entry(node: Literal, key: str) -> Literal:
    """The entry of a list or mapping; if none has the key, one that has it in any case."""
    if isinstance(node, list):
        return node[int(key)] if is_digits(key) and int(key) < len(node) else None
    if not isinstance(node, dict):
        return None
    folded = {name.casefold(): value for name, value in node.items()}
    return node.get(key, folded.get(key.casefold()))


def site_of_row(key: str, node: Literal) -> str:
    """The text that names the site of a row: its key, a cell for a site, or any other cell."""
    cells = [*_texts("", node, 0)]
    of_site = [cell for name, cell in cells if _OF_SITE.fullmatch(name)]
    for texts in ([key], of_site, [cell for _, cell in cells]):
        labels = {role: text for text in texts if (role := role_of_all(text)) is not None}
        if len(labels) == 1:
            return labels.popitem()[1]
    return ""


def _texts(name: str, node: Literal, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the texts of a row by the names of their cells, also the parts of a text."""
    if isinstance(node, str):
        yield from ((name, part) for part in _PARTS.split(node))
    for key, inner in _entries(node) if depth < _DEEPEST else ():
        yield from _texts(key, inner, depth + 1)
