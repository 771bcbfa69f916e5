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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from mqlint.config.estate.roles import role_as, tell_both_sites, word_for_site
from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.script.lookups.branches import branches_in
from mqlint.language.script.lookups.calls import calls_in
from mqlint.language.script.lookups.choices import NAME, Choice, choices_in, loaded_in
from mqlint.language.script.lookups.literals import Literal, entries, fixed_in, literals_in
from mqlint.language.script.posix.tables import Row, rows_in
from mqlint.number import is_digits
from mqlint.patterns import later

_STEP = (
    r"\[[^\[\]\n]{1,80}(?:\[[^\[\]\n]{1,40}\][ \t]*+)?\]|\.\$?[A-Za-z_]\w{0,80}+(?!\()"
    r"|\.(?:get|fetch)\([ \t]*+[\"']?\w{1,80}[\"']?[ \t]*+\)"
)
_PATH = rf"(?P<name>{NAME})(?P<steps>(?:{_STEP}){{0,6}})"
_USE = later(rf"(?<![\w.]){_PATH}")
_WRITTEN = later(rf"[\s$#%<=({{@!\"']{{0,8}}+{_PATH}[\s}})%>\"']{{0,8}}+")
_STEPS = later(_STEP)
_KEY = later(r"\.(?:get\(|fetch\()?|\[|[\"'(){}\]:$ \t]++")
"""What is around a key or the name of a variable in a step."""
_IS_KEY = later(r"\.(?!\$)|\[[ \t]*+(?:[\"'](?!\$)|\d++[ \t]*+\])")
_NO_NAME = later(r"\W+")
_SCOPES = frozenset({"local", "script", "var", "parameters"})
"""What may be before the name of a table."""

_PICK = later(
    rf"(?m)(?:^|[;{{])[ \t]*+(?:(?:def|my|let|const|var|local)[ \t]++)?\$?(?P<to>{NAME})[ \t]*+="
    rf"[ \t]*+\$?{_PATH}[ \t]*+(?=[;\r\n#]|\Z)"
)
"""A name for a row."""
_READ = later(
    rf"\bIFS=[\"']?(?P<separator>[^\s\"'])[\"']?[ \t]++read[ \t]++(?:-r[ \t]++)?"
    rf"(?P<names>(?:{NAME}[ \t]*+){{2,12}})<<<[ \t]*+\"?\$\{{?(?P<of>{NAME})\}}?\"?"
)
"""Names for the parts of a text."""
_SET = later(rf"(?m)(?:^|[;{{])[ \t]*+(?:local[ \t]++)?\$?(?P<name>{NAME})[ \t]*+\+?=(?![=~>])")
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
        loaded = loaded_in(text)
        self._choices = [*islice(choices_in(text, loaded, self._literals), _MOST)]
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
        self._given = calls_in(text)
        self._given += (
            Row(label, values, (0, len(text)), is_round=False)
            for label, values in branches_in(text, self._fixed).items()
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
            if not tell_both_sites(labels):
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
        is_chosen = use.name in self._tables and any(step.startswith("*") for step in use.steps)
        return is_chosen or use.name in self._bound

    def _use(self, found: re.Match[str]) -> _Use:
        name, steps = found["name"], [_step(step[0]) for step in _STEPS.finditer(found["steps"])]
        if name in _SCOPES and steps:
            name, steps = steps[0].lstrip("*"), steps[1:]
        node = self._literals.get(name)
        if steps and isinstance(node, dict) and steps[0][1:] in node:
            steps[0] = steps[0][1:]  # a key without quotes
        return _Use(name, tuple(steps))

    def _all_choices(self) -> Iterator[Choice]:
        """Yield the loops, and what else is in the brackets after a table."""
        yield from self._choices
        names = {name for choice in self._choices for name in choice.names}
        for use in self._in_brackets:
            name = use.steps[0][1:]
            if name not in names:
                names.add(name)
                yield Choice((name,), "", "key")

    @cached_property
    def _in_brackets(self) -> Sequence[_Use]:
        uses = (*self._uses, *self._picks.values())
        return [
            use for use in uses if use.name in self._tables and use.steps and use.steps[0][0] == "*"
        ]

    def _rows_of(self, choice: Choice, tables: Mapping[str, str]) -> Iterable[tuple[str, Literal]]:
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
            return entries(self._literals.get(choice.of))
        uses = (use for use in self._in_brackets if use.steps[0][1:] == choice.names[0])
        names = dict.fromkeys(use.name for use in uses)
        return grouped(
            entry for name in names for entry in entries(self._literals.get(name))
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


def _step(written: str) -> str:
    """A step: a key, or after a `*` the variable that has it."""
    return ("" if _IS_KEY.match(written) is not None else "*") + _KEY.sub("", written)


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
    for texts in ([key], of_site, [role_as(key)], [cell for _, cell in cells]):
        if label := word_for_site(texts):
            return label
    return ""


def _texts(name: str, node: Literal, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the texts of a row by the names of their cells, also the parts of a text."""
    if isinstance(node, str):
        yield from ((name, part) for part in _PARTS.split(node))
    for key, inner in entries(node) if depth < _DEEPEST else ():
        yield from _texts(key, inner, depth + 1)
