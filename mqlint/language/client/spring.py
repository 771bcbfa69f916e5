"""Connections of Spring Boot applications: `ibm.mq.*` in documents, each perhaps for a profile.

A document for a profile is read on top of those that are for all ("Externalized Configuration" of
Spring Boot). Other keys are those that an application names itself: a section of them with a queue
manager and a channel is a connection. Quarkus writes the profile into the key (`%prod.mq.channel`,
"Configuration Reference Guide" of Quarkus).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    setting_at,
    uses,
)
from mqlint.language.client.mapped import connections_of_section, own_attribute
from mqlint.language.client.properties import Property
from mqlint.language.declaration import Declared
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_NEXT_DOCUMENT = later(r"^[#!]---[ \t]*\r?$", re.MULTILINE)
SPRING = application_formats()["spring"]
PREFIX = "ibm.mq."
_STARTER = "ibm.mq"
_PROFILES = frozenset({"spring.profiles", "spring.config.activate.onprofile"})
_DESTINATION = "spring.jms.template.defaultdestination"
_NAME = "spring.application.name"
_COMPLETE = ("QMNAME", "channel", "CONNAME")


_MOST_BELOW = 5
"""Limit of the sections around a value."""


@mutable
class Page:
    """One document: its settings by attribute, and whether it is for a profile only.

    `own` are settings under keys of the application, by the section that the keys share, and by
    attribute.
    """

    settings: dict[str, Setting] = field(default_factory=dict)
    of_profile: bool = False
    name: Setting | None = None
    destination: Setting | None = None
    own: dict[str, dict[str, Setting]] = field(default_factory=dict)

    def take(self, key: str, setting: Setting) -> None:
        """Take the value of a key, which may be written in any of the forms of Spring."""
        section, _, last = key.rpartition(".")
        key = folded(key)
        if key in _PROFILES:
            self.of_profile = True
        elif key == _NAME:
            self.name = setting
        elif key == _DESTINATION:
            self.destination = setting
        else:
            attribute = SPRING.attributes.get(key.removeprefix(PREFIX))
            if attribute is not None and key.startswith(PREFIX):
                self.settings[attribute] = setting
            elif (attribute := own_attribute(last)) is not None:
                self.own.setdefault(folded(section), {})[attribute] = setting

    def placed(self, place: Callable[[Span], Span]) -> Page:
        """Return the document with the places that `place` returns."""

        def at(setting: Setting | None) -> Setting | None:
            return None if setting is None else Setting(setting.value, place(setting.span))

        def all_at(given: Mapping[str, Setting]) -> dict[str, Setting]:
            return {key: Setting(value, place(span)) for key, (value, span) in given.items()}

        own = {section: all_at(given) for section, given in self.own.items()}
        return Page(
            all_at(self.settings), self.of_profile, at(self.name), at(self.destination), own
        )


def folded(key: str) -> str:
    """Return a key as Spring compares it: without case, hyphens and underscores."""
    return key.replace("-", "").replace("_", "").lower()


def pages_of_properties(text: str, lines: Iterable[Property]) -> list[Page]:
    """Return the documents of a properties file with these `lines`."""
    ends = [found.start() for found in _NEXT_DOCUMENT.finditer(text)]
    pages = [Page() for _ in range(len(ends) + 1)]
    profiles: dict[str, Page] = {}
    for key, span, setting in lines:
        _take(pages[bisect(ends, span[0])], profiles, key, setting)
    return [*pages, *profiles.values()]


def _take(page: Page, profiles: dict[str, Page], key: str, setting: Setting) -> None:
    """Take the value of a key for a document, or for the profile that the key begins with."""
    profile, _, rest = key.partition(".")
    if profile.startswith("%"):
        page, key = profiles.setdefault(profile, Page(of_profile=True)), rest
    page.take(key, setting)


def moved(page: Page, by: int) -> Page:
    """Return a document at another place, so many characters further on."""
    return page.placed(lambda span: (span[0] + by, span[1] + by))


def pages_of_yaml(documents: Iterable[Node]) -> list[Page]:
    pages = []
    profiles: dict[str, Page] = {}
    for document in documents:
        page = Page()
        for key, value in _leaves(document, "", 0):
            _take(page, profiles, key, setting_at(value))
        pages.append(page)
    return [*pages, *profiles.values()]


def _leaves(node: Node, path: str, depth: int) -> Iterator[tuple[str, Node]]:
    """The values below a node, each with its path of keys."""
    for key, _, value in node.pairs:
        below = f"{path}.{key}".removeprefix(".")
        if value.kind == "scalar":
            yield below, value
        elif value.kind == "mapping" and depth < _MOST_BELOW:
            yield from _leaves(value, below, depth + 1)


def connections_of_json(setting: Setting) -> Iterator[Declared]:
    """Yield the connections of settings that are the text of one value, all at its place."""
    text = setting.value if isinstance(setting.value, str) else ""
    for page in pages_of_yaml(read_documents(text)):
        yield from connections_of_pages([page.placed(lambda _: setting.span)])


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
        if page.of_profile and (page.settings or page.own):
            yield from _connection(merged((general, page)), page)


def _add(page: Page, later: Page) -> None:
    page.settings.update(later.settings)
    for section, given in later.own.items():
        page.own[section] = {**page.own.get(section, {}), **given}
    page.name = later.name or page.name
    page.destination = later.destination or page.destination


def _connection(page: Page, changes: Page | None = None) -> Iterator[Declared]:
    """Yield the connections of a document; with `changes` only those that these settings change."""
    changed = page if changes is None else changes
    for section, given in page.own.items():
        if section in changed.own and section != _STARTER:
            yield from (found for found, _ in connections_of_section(given, "keys"))
    if not (changed.settings or _STARTER in changed.own):
        return
    beside = page.own.get(_STARTER, {})
    names = ("QMNAME", "channel", "user", "password", "SSLCIPH")
    settings = {key: beside[key] for key in names if key in beside} | page.settings
    add_address(settings, beside, "host", "port")
    if page.name is not None and "application" not in settings and settings:
        settings = {**settings, "application": page.name}
    # Settings that are all written out here are not spread over the environment.
    found = [settings[key].value if key in settings else UNKNOWN for key in _COMPLETE]
    whole = all(isinstance(value, str) and value.strip() for value in found)
    queues = [("open", queue) for queue in (page.destination, beside.get("queue")) if queue]
    for declared in connection("spring", settings, whole=whole):
        yield declared
        yield from uses(declared, queues)
