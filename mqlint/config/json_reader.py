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
