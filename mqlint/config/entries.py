"""Single entries of a configuration file: words of a few, names, and path patterns."""

from __future__ import annotations

from typing import TypeVar, cast

from mqlint.config.globs import GlobError, compile_glob
from mqlint.config.node import Node

Word = TypeVar("Word", bound=str)


def word_of(node: Node | None, allowed: tuple[Word, ...], default: Word) -> Word:
    """Return one of the words `allowed`, the default where there is none; ConfigError else."""
    return default if node is None else cast("Word", node.one_of(allowed))


def name_of(node: Node) -> str:
    """Return a text that is not blank."""
    text = node.string()
    if not text.strip():
        raise node.error("the text is blank")
    return text


def names_of(node: Node | None) -> tuple[str, ...]:
    """Return a list of such texts, empty where there is none."""
    return () if node is None else tuple(name_of(item) for item in node.sequence())


def glob_of(node: Node, *, placeholders: bool = False) -> str:
    """Return a path pattern, with placeholders in braces where they may stand."""
    pattern = node.string()
    try:
        compile_glob(pattern, placeholders=placeholders)
    except GlobError as error:
        raise node.error(f"bad path pattern {pattern!r}: {error}") from None
    return pattern


def globs_of(node: Node | None) -> tuple[str, ...]:
    """Return a list of path patterns, empty where there is none."""
    return () if node is None else tuple(glob_of(item) for item in node.sequence())
