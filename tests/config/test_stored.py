"""A configuration from the cache is the one that is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.loader import read_settings, settings_from
from mqlint.config.node import Node
from mqlint.config.stored import stored_settings

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/**/mqlint.yaml"))
TEXTS = ["", "order: [b, 'a']\n", "sites:\n  hull:\n    paths:\n    - 'dr/**'\n", "order: {a: b}\n"]


def places(node: Node) -> object:
    """All that a value and those in it have."""
    inside = [places(item) for item in node.items]
    pairs = {key: places(value) for key, value in node.pairs.items()}
    own = (node.kind, node.raw, node.path, node.position, node.key_line, node.key_column)
    return own, inside, pairs


@pytest.mark.parametrize("text", [*TEXTS, *(path.read_text("utf-8") for path in EXAMPLES)])
def test_the_second_reading_is_the_first(text: str, tmp_path: Path) -> None:
    wanted = places(read_settings(text, "mqlint.yaml"))
    for folder in (tmp_path, tmp_path, None):
        assert places(stored_settings(text, "mqlint.yaml", folder)) == wanted


def test_another_text_is_read_again(tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        root = stored_settings(f"order: [{name}]\n", "mqlint.yaml", tmp_path)
        assert settings_from(root).order == (name,)
    assert len([*tmp_path.iterdir()]) == 1


@pytest.mark.parametrize("text", ["order: [\n", "order: *a\n", "ordre\n"])
def test_an_error_is_found_again(text: str, tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ConfigError):
            stored_settings(text, "mqlint.yaml", tmp_path)
    assert [*tmp_path.iterdir()] == []
