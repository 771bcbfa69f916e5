"""Connections of Spring Boot applications: `ibm.mq.*` in documents, each perhaps for a profile.

A document for a profile is read on top of those that are for all ("Externalized Configuration" of
Spring Boot).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.client.connection import Setting, connection, setting_at, uses
from mqlint.language.client.properties import Property
from mqlint.language.declaration import Declared
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_NEXT_DOCUMENT = later(r"^[#!]---[ \t]*\r?$", re.MULTILINE)
SPRING = application_formats()["spring"]
PREFIX = "ibm.mq."
_PROFILES = frozenset({"spring.profiles", "spring.config.activate.onprofile"})
_DESTINATION = "spring.jms.template.defaultdestination"
_NAME = "spring.application.name"
_COMPLETE = ("QMNAME", "channel", "CONNAME")


@mutable
class Page:
    """One document: its settings by attribute, and whether it is for a profile only."""

    settings: dict[str, Setting] = field(default_factory=dict)
    of_profile: bool = False
    name: Setting | None = None
    destination: Setting | None = None

    def take(self, key: str, setting: Setting) -> None:
        """Take the value of a key, which may be written in any of the forms of Spring."""
        key = folded(key)
        if key in _PROFILES:
            self.of_profile = True
        elif key == _NAME:
            self.name = setting
        elif key == _DESTINATION:
            self.destination = setting
        else:
            attribute = SPRING.attributes.get(key.removeprefix(PREFIX))
            if attribute is not None:
                self.settings[attribute] = setting


def folded(key: str) -> str:
    """Return a key as Spring compares it: without case, hyphens and underscores."""
    return key.replace("-", "").replace("_", "").lower()


def pages_of_properties(text: str, lines: Iterable[Property]) -> list[Page]:
    """Return the documents of a properties file with these `lines`."""
    ends = [found.start() for found in _NEXT_DOCUMENT.finditer(text)]
    pages = [Page() for _ in range(len(ends) + 1)]
    for key, span, setting in lines:
        pages[bisect(ends, span[0])].take(key, setting)
    return pages


def moved(page: Page, by: int) -> Page:
    """Return a document at another place, so many characters further on."""

    def at(setting: Setting) -> Setting:
        return Setting(setting.value, (setting.span[0] + by, setting.span[1] + by))

    return Page(
        {key: at(setting) for key, setting in page.settings.items()},
        page.of_profile,
        None if page.name is None else at(page.name),
        None if page.destination is None else at(page.destination),
    )


def pages_of_yaml(documents: Iterable[Node]) -> list[Page]:
    pages = []
    for document in documents:
        page = Page()
        for key, value in _leaves(document, "", 0):
            page.take(key, setting_at(value))
        pages.append(page)
    return pages


def _leaves(node: Node, path: str, depth: int) -> Iterator[tuple[str, Node]]:
    """The values below `ibm.mq` and of the keys of Spring that are asked for."""
    for key, _, value in node.pairs:
        below = f"{path}.{key}".removeprefix(".")
        if value.kind == "scalar":
            yield below, value
        elif value.kind == "mapping" and depth < 4 and below.startswith(("ibm", "spring")):
            yield from _leaves(value, below, depth + 1)


def merged(pages: Iterable[Page]) -> Page:
    """Return one document with the settings of all; a later one replaces an earlier one."""
    whole = Page()
    for page in pages:
        _add(whole, page)
    return whole


def connections_of_pages(pages: Sequence[Page]) -> Iterator[Declared]:
    """Yield the connection of all documents without a profile, then that of each profile."""
    general = merged(page for page in pages if not page.of_profile)
    yield from _connection(general)
    for page in pages:
        if page.of_profile and page.settings:
            yield from _connection(merged((general, page)))


def _add(page: Page, later: Page) -> None:
    page.settings.update(later.settings)
    page.name = later.name or page.name
    page.destination = later.destination or page.destination


def _connection(page: Page) -> Iterator[Declared]:
    settings = page.settings
    if page.name is not None and "application" not in settings and settings:
        settings = {**settings, "application": page.name}
    # Settings that are all written out here are not spread over the environment.
    found = [settings[key].value if key in settings else UNKNOWN for key in _COMPLETE]
    whole = all(isinstance(value, str) and value.strip() for value in found)
    for declared in connection("spring", settings, whole=whole):
        yield declared
        if page.destination is not None:
            yield from uses(declared, [("open", page.destination)])
