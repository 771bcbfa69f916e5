"""What stages say to the driver and to each other, beside the tables they write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pyspark.sql.types import StructType

from mqlint.estate.stages.claims import CLAIMS
from mqlint.estate.tables.batches import Batches, batches
from mqlint.estate.tables.schema import Row, struct, text

SAID: Final = StructType([*struct(kind=text).fields, *CLAIMS.fields])
"""By `kind`:

- `finding`: packed in `payload`.
- `ignores`: in `payload` the comments of the file `key` that suppress findings.
- `claim`: as in CLAIMS.
- `end`: in `payload` an end of a message channel of the pair `key`, in `order` whether it sends.
- `count`: of what is in `key`, how many in `order`.
- `alike`: in `payload`, as JSON, status, language and reason of files, and how much there is of
  them.
- `part`, `known`: a file of a table, of what is kept for the next scan: its name, and its rows.
"""


def said(
    kind: str, key: str = "", order: int = 0, repository: str = "", payload: str | None = None
) -> Row:
    """Return a row of SAID that is no claim."""
    return kind, "", key, order, repository, payload


def told(kind: str, parts: Iterable[tuple[str, int]]) -> Batches:
    """Tell of files that a task has written, by their names and rows."""
    return batches((said(kind, name, rows) for name, rows in parts), SAID)
