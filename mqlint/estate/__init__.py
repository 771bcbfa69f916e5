"""The scan of a whole estate: documents to findings and tables, in one process or on Spark.

`scan` is the public function, for notebooks and schedulers: docs/estate.md, From Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mqlint.cli.estate.notebook import EstateScan, ScanError, scan

__all__ = ["EstateScan", "ScanError", "scan"]


def __getattr__(name: str) -> object:
    """Import what is public when it is asked for: executors need none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mqlint.cli.estate import notebook

    return getattr(notebook, name)
