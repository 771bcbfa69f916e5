"""URIs of the object stores that Arrow reads and writes without Spark."""

from __future__ import annotations

from typing import Final

_SCHEMES: Final = {name: name for name in ("s3", "gs", "abfs", "abfss")} | {
    "s3a": "s3",
    "gcs": "gs",
}
"""How they begin, and what Arrow calls that."""


def store_address(uri: str) -> str | None:
    """Return a URI as Arrow has it, None for a path or another file system."""
    scheme, mark, rest = uri.partition("://")
    name = _SCHEMES.get(scheme.lower())
    return f"{name}{mark}{rest}" if name is not None and mark else None
