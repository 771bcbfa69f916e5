"""Places that tests of all rooms read from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of configuration found in public, where this machine has one."""
    named = os.environ.get("MQLINT_CORPUS")
    if not named:
        pytest.skip("no corpus: MQLINT_CORPUS is not set")
    if not Path(named).is_dir():
        pytest.skip(f"no corpus: MQLINT_CORPUS is no folder: {named}")
    return Path(named)


@pytest.fixture(scope="session")
def estate() -> Path:
    """The example estate of this checkout."""
    return ROOT / "examples" / "estate"
