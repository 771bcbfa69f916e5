"""What a wheel brings ready-made: rules and vocabulary, compiled when it was built.

They are modules that hold one value each: what installs a wheel compiles them with the rest, and
Python loads them several times as fast as JSON. A checkout has none of them: it compiles its YAML
into the user's cache.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from mqlint.config.cache import JsonValue

PACKAGE: Final = "compiled"
"""The package in mqlint that has the modules."""


def shipped_value(name: str) -> JsonValue:
    """Return a value that came with the wheel, None if it has none. Callers must not change it."""
    try:
        return cast("JsonValue", import_module(f"mqlint.{PACKAGE}.{name}").VALUE)
    except Exception:  # one that is not there or damaged costs time, not the run
        return None


def module_of(value: JsonValue) -> str:
    return f'"""Written when the wheel was built."""\n\nVALUE = {value!r}\n'
