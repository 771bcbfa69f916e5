"""Tables of tests that are YAML files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def rows_of(path: Path) -> Any:  # noqa: ANN401 as yaml.safe_load
    """Return what a file holds, read by libyaml where it is: that takes a tenth of the time."""
    return yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 a safe one
