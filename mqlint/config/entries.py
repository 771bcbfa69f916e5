"""Single entries of a configuration file: words of a few, names, and path patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from mqlint.config.errors import ConfigError
from mqlint.config.globs import GlobError, compile_glob
from mqlint.config.node import Node
from mqlint.config.settings import keys_of

Section = TypeVar("Section")
Word = TypeVar("Word", bound=str)
Readers = Mapping[str, Callable[[Node], object]]
"""What reads the value of each key."""


def section_of(
    node: Node, section: Callable[..., Section], readers: Readers, **others: object
) -> Section:
    """Return the `section` of the file, a dataclass, that a mapping holds.

    Keys are read in the order of `readers`; those that are not written have the default of their
    field, or that in `others`. ConfigError at the first fault.
    """
    node.keys_allowed(keys_of(cast(type, section)))
    written = [(key, read, node.get(key)) for key, read in readers.items()]
    values = {key: read(value) for key, read, value in written if value is not None}
    return section(**{**others, **values})


def word_reader(allowed: tuple[Word, ...]) -> Callable[[Node], Word]:
    """Return what reads one of the words `allowed`."""
    return lambda node: cast("Word", node.one_of(allowed))


def name_of(node: Node) -> str:
    """Return a text that is not blank."""
    text = node.string()
    if not text.strip():
        raise node.error("the text is blank")
    return text


def names_of(node: Node) -> tuple[str, ...]:
    """Return a list of such texts."""
    return tuple(map(name_of, node.sequence()))


def glob_of(node: Node, *, placeholders: bool = False) -> str:
    """Return a path pattern, with placeholders in braces where they are allowed."""
    pattern = node.string()
    check_glob(pattern, node.error, placeholders=placeholders)
    return pattern


def check_glob(
    pattern: str,
    error_of: Callable[[str], ConfigError],
    *,
    placeholders: bool = False,
    floating: bool = False,
) -> None:
    """Raise what `error_of` makes of the fault of a path pattern that cannot be used."""
    try:
        compile_glob(pattern, placeholders=placeholders, floating=floating)
    except GlobError as error:
        raise error_of(f"bad path pattern {pattern!r}: {error}") from None


def globs_of(node: Node) -> tuple[str, ...]:
    return tuple(map(glob_of, node.sequence()))
