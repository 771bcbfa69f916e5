"""Configuration files of applications inside another file, such as a ConfigMap."""

from __future__ import annotations

from collections.abc import Callable

from mqlint.dataclass import NamedTuple
from mqlint.language import client
from mqlint.language.base import ClientContext, Language, Parsed
from mqlint.language.client import (
    ccdt,
    exporter,
    kafka,
    mapped,
    passthru,
    settings,
    transfer,
    web,
    xml,
)
from mqlint.language.client.signs import is_channel_table
from mqlint.source.budget import Budget

_READERS: tuple[tuple[Language, Callable[[str, ClientContext], Parsed]], ...] = (
    (client.PROPERTIES, settings.read_properties),
    (client.WEB, web.read),
    (client.SPRING, settings.read_spring),
    (client.CONNECTOR_PROPERTIES, kafka.read_properties),
    (client.CONNECTOR, kafka.read_tree),
    (client.XML, xml.read),
    (client.TRANSFER, transfer.read),
    (client.AGENT, transfer.read_json),
    (client.ROUTES, passthru.read),
    (client.EXPORTER, exporter.read),
    (client.KEYS, mapped.read),
)
"""The languages of files that an entry may hold, in the order of their ranks."""


class _Context(NamedTuple):
    budget: Budget
    clients: tuple[()] = ()


def read_held(name: str, text: str, budget: Budget) -> Parsed | None:
    """Return what a file of an application says; None if it is not one.

    A channel table may have any name.
    """
    if is_channel_table(text):
        return ccdt.read(text, _Context(budget))
    fits = (read for language, read in _READERS if language.accepts(name, text))
    reader = next(fits, None)
    return None if reader is None else reader(text, _Context(budget))
