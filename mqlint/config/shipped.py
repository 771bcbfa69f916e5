"""What a wheel brings ready-made: rules and vocabulary, compiled when it was built.

With it the first run costs what a later one does, and one of a user who can keep no cache too. A
checkout has none of it: it compiles its YAML into the user's cache.
"""

from __future__ import annotations

from typing import Final

import mqlint
from mqlint.config.cache import JsonValue, lines_in, value_in
from mqlint.config.data import data_of

FOLDER: Final = "compiled"
"""The folder in the package that has the files."""

KEY: Final = f"mqlint {mqlint.__version__}"
"""What the files carry: those of another release are not read."""


def shipped_value(name: str) -> JsonValue:
    """Return a value that came with the wheel; None if none did."""
    found = value_in(_read(f"{name}.json"), KEY)
    return None if found is None else found[0]


def shipped_lines(name: str) -> list[str] | None:
    """Return values that came with the wheel, each as JSON; None if none did."""
    return lines_in(_read(f"{name}.jsonl"), KEY)


def _read(name: str) -> bytes | None:
    try:
        return data_of("mqlint").joinpath(FOLDER, name).read_bytes()
    except OSError:
        return None
