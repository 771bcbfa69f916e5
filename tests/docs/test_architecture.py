"""docs/architecture.md names what is there."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
MODULES = sorted({*re.findall(r"`(mqlint(?:\.\w+)+)`", PAGE)})
PATHS = sorted({*re.findall(r"`((?:mqlint|tests|grammar|policies)/[\w/.]*)`", PAGE)})


@pytest.mark.parametrize("name", MODULES)
def test_each_module_is_there(name: str) -> None:
    assert find_spec(name) is not None


@pytest.mark.parametrize("path", PATHS)
def test_each_path_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_rooms_are_in_the_order_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (layers,) = (
        contract["layers"]
        for contract in contracts["contracts"]
        if contract["type"] == "layers" and "containers" not in contract
    )
    order = [room.removeprefix("mqlint.") for layer in layers for room in layer.split(" | ")]
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == order
