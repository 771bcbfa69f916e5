"""The columns of the tables in docs/estate.md, from mqlint/engine/tables.yaml."""

from __future__ import annotations

import pyarrow as pa

from mqlint.estate.tables.schema import TABLES, meaning_of, sql_type
from mqlint.patterns import later

_TABLE = later(r"(?m)(^### (\w+)\n(?:(?![|#]).*\n)*)(?:\|.*\n)+")


def with_columns(page: str) -> str:
    """Return a page with the columns below each heading `### TABLE` made again.

    KeyError for a name that no table has.
    """
    before, heading, tables = page.partition("\n## Tables\n")
    tables, end, after = tables.partition("\n## ")
    written = _TABLE.sub(lambda mark: mark[1] + _columns(mark[2]), tables)
    return f"{before}{heading}{written}{end}{after}"


def _columns(table: str) -> str:
    rows = (
        f"| {column.name} | {_type(column.type)} | {meaning_of(column)} |"
        for column in TABLES[table]
    )
    head = ("| column | type | meaning |", "|---|---|---|")
    return "".join(f"{line}\n" for line in (*head, *rows))


def _type(kind: pa.DataType) -> str:
    """The words for a type of Arrow."""
    if pa.types.is_list(kind):
        return f"array of {_type(kind.value_type)}"
    if pa.types.is_map(kind):
        return f"map of {_type(kind.key_type)} to {_type(kind.item_type)}"
    if pa.types.is_struct(kind):
        return f"struct({', '.join(field.name for field in kind)})"
    return sql_type(kind)
