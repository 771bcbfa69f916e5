"""Tables of sites: a loop of a shell reads each row into variables.

    while IFS=, read -r qm site host; do
      ssh $host "runmqsc $qm" < cluster.mqsc
    done < sites.csv

A table counts if one row is for production and one for DR. It is a here-document after `done`, or a
file there or in a pipe to the loop (`tail -n +2 sites.csv | while read ...`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, zip_longest

from mqlint.config.estate.roles import names_dr, tell_both_sites, word_for_site
from mqlint.dataclass import NamedTuple
from mqlint.language.client.signs import TABLES
from mqlint.patterns import later
from mqlint.source.lines import Span

_LOOP = later(
    r"(?m)^(?P<indent>[ \t]*+)(?P<before>[^\n#]{0,200}\|[ \t]*+)?while[ \t]++"
    r"(?:IFS=(?P<separator>\S{0,8})[ \t]++)?read[ \t]++(?:-r[ \t]++)?"
    r"(?P<names>(?:[A-Za-z_]\w{0,80}+[ \t]*+){2,12});?\s*+do\b"
)
_HERE = later(r"[ \t]*+<<-?[ \t]*+[\"'\\]?(?P<word>\w{1,80})[\"']?[ \t]*+\r?\n")
_FILE = later(rf"(?<![\w.-])[\w.-]{{1,80}}\.(?:{'|'.join(sorted(TABLES))}|json)(?![\w.-])")
_JQ = later(r"\bjq\b[^\n]{0,200}?\[\](?P<fields>[^\n]{0,200})")
_FIELD = later(r"(?<![\w.\]])\.([A-Za-z_]\w{0,80})(?!\w*\.json)")
_CELL = later(r"[ \t]*+[,;|:\t][ \t]*+|[ \t]++")
_PLAIN = later(r"[\w./@()-]{0,200}")
_OF_SITE = later(r"(?i)qm|mgr|manager|site|env|region")
"""A part of the names of variables that get a row of a file for a site or a queue manager."""
_TAB = {"$'\\t'": "\t"}
_MOST = 100
"""Limit of the rows of a table, and of the loops of a script."""
_LONGEST = 20_000
"""Limit of the characters of a table, and of the body of a loop."""


class Row(NamedTuple):
    """A row: the text that names its site, the values of variables, and what is read with them.

    `is_round`: that is the body of a loop over the rows.
    """

    label: str
    values: Mapping[str, str | None]
    body: Span
    is_round: bool = True


class _Loop(NamedTuple):
    """A loop that reads a table: its `rows`, or the name of their `file`.

    `fields` are those that jq takes from each object of a list in the file.
    """

    names: Sequence[str]
    separator: str
    body: Span
    rows: str
    file: str
    fields: Sequence[str] = ()


def set_by_table(text: str) -> frozenset[str]:
    """Return the variables that loops over tables read."""
    return frozenset(
        name for loop in _loops(text) if loop.file or is_table(loop.rows) for name in loop.names
    )


def rows_of(text: str, tables: Mapping[str, str] = {}) -> Iterator[Row]:
    """Yield the rows of the tables of a script; `tables` are files by their names."""
    for loop in _loops(text):
        rows = tables.get(loop.file, "") if loop.file else loop.rows
        if loop.fields:
            yield from _picked(rows, loop)
        elif is_table(rows):
            for line in _lines(rows):
                cells = _cells(line, loop)
                label = _label(cells)
                if label:
                    values = dict(zip_longest(loop.names, (cell or None for cell in cells)))
                    yield Row(label, values, loop.body)


def _picked(text: str, loop: _Loop) -> Sequence[Row]:
    """Return the rows that jq makes of the objects of a list for sites."""
    try:
        document = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        return ()
    lists = [document, *(document.values() if isinstance(document, dict) else ())]
    listed = chain.from_iterable(found for found in lists if isinstance(found, list))
    rows = []
    for each in islice((item for item in listed if isinstance(item, dict)), _MOST):
        cells = {key: cell for key, cell in each.items() if isinstance(cell, str)}
        label = _label([*cells.values()])
        if label:
            picked = (cells.get(field) for field in loop.fields)
            values = dict(zip(loop.names, picked, strict=True))
            rows.append(Row(label, values, loop.body))
    return rows if tell_both_sites(row.label for row in rows) else ()


def rows_in(text: str) -> Sequence[Sequence[str]]:
    """Return the cells of each line of a table; none unless it is one of sites."""
    return [_CELL.split(line) for line in _lines(text)] if is_table(text) else ()


def is_table(text: str) -> bool:
    """Return whether a text is rows of equally many plain cells, for production and for DR."""
    if not names_dr(text[:_LONGEST]):
        return False
    rows = [_CELL.split(line) for line in _lines(text)]
    is_even = len({len(cells) for cells in rows}) == 1 and len(rows[0]) > 1
    if not is_even or not all(_PLAIN.fullmatch(cell) for cells in rows for cell in cells):
        return False
    return tell_both_sites(map(_label, rows))


def _label(cells: Sequence[str]) -> str:
    """The first cell that tells the role of a row, blank if none does or they differ."""
    return word_for_site(reversed(cells))


def _lines(text: str) -> Sequence[str]:
    lines = (line.strip() for line in text[:_LONGEST].splitlines())
    return [line for line in lines if line and not line.startswith("#")][:_MOST]


def _cells(line: str, loop: _Loop) -> Sequence[str]:
    most = len(loop.names) - 1
    cells = line.split(loop.separator, most) if loop.separator else line.split(None, most)
    return [cell.strip() for cell in cells]


@lru_cache(maxsize=8)  # readers ask for one script several times
def _loops(text: str) -> Sequence[_Loop]:
    """Return the loops over tables; one ends at the first `done` that is indented like it."""
    found: list[_Loop] = []
    at = 0
    while len(found) < _MOST and (head := _LOOP.search(text, at)) is not None:
        at = head.end()
        end = text.find(f"\n{head['indent']}done", at, at + _LONGEST)
        if end < 0:
            continue
        after = end + len(head["indent"]) + 5
        line = text.find("\n", after)
        line = len(text) if line < 0 else line
        here = _HERE.match(text, after)
        files = set(_FILE.findall(text[after:line]) + _FILE.findall(head["before"] or ""))
        rows = ""
        if here is not None:
            last = text.find(f"\n{here['word']}", here.end() - 1, here.end() + _LONGEST)
            rows = text[here.end() : last] if last >= 0 else ""
        elif len(files) != 1 or _OF_SITE.search(head["names"]) is None:
            continue
        written = head["separator"] or ""
        separator = _TAB.get(written, written.strip("\"'\\"))
        file = "" if here is not None else files.pop()
        names = head["names"].split()
        jq = _JQ.search(head["before"] or "") if file.endswith(".json") else None
        fields = _FIELD.findall(jq["fields"]) if jq is not None else []
        if len(fields) == len(names) or not file.endswith(".json"):
            found.append(_Loop(names, separator, (at, end), rows, file, fields))
    return found
