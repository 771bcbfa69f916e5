"""Connections of Spring Boot applications: `ibm.mq.*` in documents, each perhaps for a profile.

The keys are those of the MQ starter (README.md of ibm-messaging/mq-jms-spring). A document for a
profile is read on top of those that are for all ("Externalized Configuration" of Spring Boot).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.client.connection import Setting, connection, uses
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.tree import Node, Span
from mqlint.patterns import later
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.unknown import UNKNOWN

_LINE = later(
    r"^[ \t]*(?P<key>ibm\.mq\.[\w.-]{1,80}|spring\.(?:application\.name|profiles"
    r"|config\.activate\.on-profile|jms\.template\.default-?destination))"
    r"[ \t]*[=:][ \t]*(?P<value>[^\r\n]*)|^[#!](?P<end>---)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_VARIABLE = later(r"\$(?:[A-Za-z_]\w*|[({])")
ATTRIBUTES = {
    "queuemanager": "QMNAME",
    "channel": "channel",
    "connname": "CONNAME",
    "ccdturl": "ccdt",
    "user": "user",
    "password": "password",
    "clientid": "client.id",
    "applicationname": "application",
    "sslciphersuite": "SSLCIPH",
    "sslcipherspec": "SSLCIPH",
    "sslpeername": "SSLPEER",
    "sslbundle": "key.store",
    "jks.keystore": "key.store",
    "defaultreconnect": "DEFRECON",
    "reconnect": "DEFRECON",
}
"""The attributes of a connection, by the folded keys of the starter."""
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
            attribute = ATTRIBUTES.get(key.removeprefix("ibm.mq."))
            if attribute is not None:
                self.settings[attribute] = setting


def folded(key: str) -> str:
    """Return a key as Spring compares it: without case, hyphens and underscores."""
    return key.replace("-", "").replace("_", "").lower()


def connections_of_properties(text: str) -> Iterator[Declared]:
    """Yield the connections that a file of properties describes."""
    covered = with_placeholders(text)
    pages = [Page()]
    for match in _LINE.finditer(text):
        if match["end"]:
            pages.append(Page())
            continue
        span = match.span("value")
        shown, value = covered[slice(*span)], match["value"]
        pages[-1].take(match["key"], _setting(value, span, known=is_known(shown)))
    yield from _connections(pages)


def connections_of_yaml(documents: Iterable[Node]) -> Iterator[Declared]:
    """Yield the connections that the documents of a YAML file describe."""
    pages = []
    for document in documents:
        page = Page()
        for key, value in _leaves(document, "", 0):
            page.take(key, _setting(value.text, value.span, known=isinstance(value.value, str)))
        pages.append(page)
    yield from _connections(pages)


def _leaves(node: Node, path: str, depth: int) -> Iterator[tuple[str, Node]]:
    """The values below `ibm.mq` and of the keys of Spring that are asked for."""
    for key, _, value in node.pairs:
        below = f"{path}.{key}".removeprefix(".")
        if value.kind == "scalar":
            yield below, value
        elif value.kind == "mapping" and depth < 4 and below.startswith(("ibm", "spring")):
            yield from _leaves(value, below, depth + 1)


def _setting(text: str, span: Span, *, known: bool) -> Setting:
    """A value; a secret is kept as one, so that it is known to be there."""
    if is_hidden(text.strip()):
        return Setting(text, span)
    is_plain = known and _VARIABLE.search(text) is None and not text.endswith("\\")
    return Setting(text.strip() if is_plain else UNKNOWN, span)


def _connections(pages: Sequence[Page]) -> Iterator[Declared]:
    """The connection of all documents without a profile, then that of each profile."""
    general = Page()
    for page in pages:
        if not page.of_profile:
            _add(general, page)
    yield from _connection(general)
    for page in pages:
        if page.of_profile and page.settings:
            merged = Page(dict(general.settings), True, general.name, general.destination)
            _add(merged, page)
            yield from _connection(merged)


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
