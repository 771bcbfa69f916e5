"""Configuration files of applications inside another file, such as a ConfigMap."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from mqlint.dataclass import NamedTuple
from mqlint.language import client
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.signs import is_channel_table
from mqlint.language.registry import reader_of
from mqlint.source.budget import Budget

_LANGUAGES = (
    *(client.PROPERTIES, client.WEB, client.SPRING, client.CONNECTOR_PROPERTIES, client.CONNECTOR),
    *(client.XML, client.TRANSFER, client.AGENT, client.ROUTES, client.EXPORTER, client.KEYS),
)
"""The languages of files that an entry may hold, in the order of their ranks."""


class _Context(NamedTuple):
    budget: Budget
    clients: tuple[()] = ()


def read_held(name: str, text: str, budget: Budget) -> Parsed | None:
    """Return what a file of an application says; None if it is not one.

    A channel table may have any name.
    """
    fits = (language for language in _LANGUAGES if language.accepts(name, text))
    language = client.CCDT if is_channel_table(text) else next(fits, None)
    if language is None:
        return None
    # What reads files of applications needs no more of a context than this.
    reader = cast("Callable[[str, ClientContext], Parsed]", reader_of(language.name))
    return reader(text, _Context(budget))
