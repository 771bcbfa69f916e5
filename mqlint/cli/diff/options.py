"""The options of `mqlint diff` and `mqlint plan` that say what is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mqlint.model.comparison.difference import Ignored

Function = TypeVar("Function", bound=Callable[..., Any])


def comparing(renamed: str) -> Callable[[Function], Function]:
    """Return the decorator that adds the options; `renamed` is the side whose names are mapped."""
    made = (
        click.option(
            "--ignore",
            "attributes",
            metavar="ATTRIBUTE",
            multiple=True,
            help="Leave out an attribute: DESCR, channel.CONNAME, stanza.*. May be given several "
            "times.",
        ),
        click.option(
            "--ignore-object",
            "objects",
            metavar="NAME",
            multiple=True,
            help="Leave out objects: 'SYSTEM.*', 'qlocal:TMP.*'. May be given several times.",
        ),
        click.option(
            "--rename",
            "renames",
            metavar="OLD=NEW",
            multiple=True,
            help=f"Read OLD as NEW in names and values of {renamed}. May be given several times.",
        ),
    )

    def decorate(function: Function) -> Function:
        for add in reversed(made):
            function = add(function)
        return function

    return decorate


def ignoring(attributes: tuple[str, ...], objects: tuple[str, ...]) -> Ignored:
    """Return what --ignore and --ignore-object leave out."""
    return Ignored(tuple(map(str.upper, attributes)), tuple(map(str.upper, objects)))


def renaming(renames: tuple[str, ...]) -> Callable[[str], str]:
    """Return the function that renames as --rename says; BadParameter if it is not OLD=NEW."""
    pairs = []
    for word in renames:
        old, sign, new = word.partition("=")
        if not old or not sign:
            raise click.BadParameter(f"--rename {word!r}: write it as OLD=NEW")
        pairs.append((old, new))
    if not pairs:
        return str

    def rename(text: str) -> str:
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return rename
