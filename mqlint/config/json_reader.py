"""The one reader of JSON that mqlint did not write in the same run."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:  # noqa: ANN401 any JSON value
    """Return the value of a JSON text. Raises ValueError, and nothing else, for any text.

    The error is a json.JSONDecodeError if it has a place.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


_FAULTS = {
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing after a name",
    "Expecting property name enclosed in double quotes": "a name in quotation marks is missing",
    "Expecting value": "a value is missing",
    "Extra data": "more text follows its end",
    "Unterminated string starting at": "a string has no closing quotation mark",
    "Invalid control character at": "a string contains a control character",
}
"""The words of Python's reader, and ours."""


def json_fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong at the place of an error, as a clause."""
    return _FAULTS.get(error.msg, "a string contains an escape that JSON does not have")
