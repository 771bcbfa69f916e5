"""Settings of Spring Boot applications that connect: `ibm.mq.*`, as properties or as YAML.

Only keys of the MQ starter are read; a password is not stored. The value of a placeholder
(`${...}`) is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    asks_for_value,
    key_before,
    password_fault,
    reconnection,
    setting_fault,
    setting_faults,
)
from mqlint.language.client.mapped import connections_of_section
from mqlint.language.client.properties import Property, properties
from mqlint.language.client.spring import (
    PREFIX,
    SPRING,
    Container,
    Page,
    connections_of_pages,
    folded,
    merged,
    pages_of_properties,
    pages_of_yaml,
)
from mqlint.language.declaration import Declared, Field, NamedFile
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import (
    distance,
    extended,
    nearest_in_any_case,
    same_but_for_digits,
)

_OF_CHANNEL = tuple(
    "QMNAME CONNAME SSLCIPH SSLPEER ccdt reconnect.timeout client.id DEFRECON".split()
)
"""The attributes of a client channel among those of a connection."""

_KNOWN = {key.lower(): key for key in SPRING.keys}
"""The keys of the starter by their folded form."""
_WORDS = frozenset(map(folded, SPRING.words))
_PLACEHOLDER = r"\$\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){1,200}\}"
_COLON = later(
    rf"(?:{_PLACEHOLDER}:(?:{_PLACEHOLDER}|\d{{1,5}})|[A-Za-z0-9][\w.-]{{0,200}}:{_PLACEHOLDER})"
)
"""Host and port, at least one of them a placeholder, with a colon between them."""
_TABLE = later(r"file:(?:\./)?(\w[\w./-]{0,200}\.\w{1,20})")
"""The address of a channel table, from the folder in which the application starts."""
_PATH = later(r"/(?!/)|[A-Za-z]:[\\/]|\.{1,2}/|[\w-]{1,100}\.(?:json|tab|TAB)\Z")
"""A path of a file, not a URL."""
_DEFAULT = later(r"\$\{[\w.-]{1,100}:([^{}\n$]{1,200})\}")
"""A placeholder that is the whole value, with a default."""
_MINIMUM = {"QMNAME", "channel"}
_NAME = "[A-Za-z0-9._/%]"
_INVALID = {
    "channel": (later(rf"{_NAME}{{21,200}}"), "which has more than 20 characters"),
    "QMNAME": (later(rf"\*?{_NAME}{{49,200}}"), "which has more than 48 characters"),
    "CONNAME": (
        later(
            r"(?:[^:]{1,150},[ ]?)?[\w.-]{1,100}:\d{1,5}(?:[,;].{1,150})?|[^:;]{1,150}\);.{1,150}"
        ),
        "which is not of the form host(port)",
    ),
    "port": (later(r"0|\d{6,20}|[7-9]\d{4}|6[6-9]\d{3}"), "which is not a port"),
    "queue": (later(r"[A-Z0-9._/%]{1,40}[ ][A-Z0-9._/%]{1,40}"), "which has a blank"),
}
"""Values that MQ cannot have, by attribute, and what is wrong with them."""
_SHORTEST = 5
"""How many characters a key must have for another to be a typo of it."""


def key_faults(keys: Iterable[tuple[str, Span]]) -> Iterator[Diagnostic]:
    """Yield keys that are a typo of one that the starter reads, and that is not set."""
    written = [(key, folded(key), span) for key, span in keys]
    words = {word for _, word, _ in written}
    is_of_starter = {"connname", "channel"} <= words
    for key, own, span in written:
        named = SPRING.synonyms.get(own)
        if named is not None and is_of_starter and folded(named) not in words:
            yield diagnostic("client-setting", span, key=key, nearest=named)
        if own in _KNOWN or own.removesuffix("s") in _KNOWN or "." in own:
            continue
        near = (
            name
            for word, name in _KNOWN.items()
            if len(word) >= _SHORTEST and word not in words and distance(own, word, 1) == 1
        )
        meant = next(near, "")
        if meant:
            yield diagnostic("client-setting", span, key=key, nearest=meant)


def _channels(pages: Iterable[Page]) -> tuple[Declared, ...]:
    return tuple(channel for page in pages for channel in _channel(page))


def _channel(page: Page) -> Iterator[Declared]:
    settings = page.settings
    fields = [Field(name, *settings[name]) for name in _OF_CHANNEL if name in settings]
    if fields:
        fields = [
            Field(field.name, reconnection(field.value), field.span)
            if field.name == "DEFRECON"
            else field
            for field in fields
        ]
        channel = settings.get("channel", Setting("", fields[0].span))
        fields.insert(0, Field("source", "spring", channel.span))
        yield Declared("client_channel", channel.text, tuple(fields), channel.span)


def _tables(pages: Iterable[Page]) -> Iterator[NamedFile]:
    """Yield channel tables below the folder in which the application starts."""
    for page in pages:
        table = page.settings.get("ccdt")
        found = _TABLE.fullmatch(table.text) if table is not None else None
        if table is not None and found is not None:
            yield NamedFile(found[1], table.span)


def _passwords(pages: Iterable[Page], text: str) -> Iterator[Diagnostic]:
    for page in pages:
        yield from password_fault(page.settings.get("password"), "ibm.mq.password")
        for section in page.own.values():
            password = connections_of_section(section, "keys").password
            if password is not None:
                yield from password_fault(password, key_before(text, password))


def _colons(pages: Iterable[Page], text: str) -> Iterator[Diagnostic]:
    """Yield connection names of placeholders with a colon in the place of parentheses."""
    for page in pages:
        hosts = page.settings.get("CONNAME")
        raw = text[slice(*hosts.span)].strip("\"'") if hosts is not None else ""
        if hosts is not None and _COLON.fullmatch(raw) is not None:
            yield diagnostic("client-colon", hosts.span, name=raw)


def _defaults(pages: Iterable[Page], text: str) -> Iterator[Diagnostic]:
    """Yield values of placeholders that no variable replaces, if MQ cannot have such a value."""
    for page in pages:
        own = page.own.values()
        for settings in (page.settings, *(each for each in own if each.keys() >= _MINIMUM)):
            for attribute, (form, fault) in _INVALID.items():
                value = settings.get(attribute)
                raw = text[slice(*value.span)].strip("\"' ") if value is not None else ""
                default = _DEFAULT.fullmatch(raw)
                if value is None or default is None or asks_for_value(default[1]):
                    continue
                if form.fullmatch(default[1]):
                    key = key_before(text, value, "value")
                    yield setting_fault(key, value, f"has the default {default[1][:60]}, {fault}")


def _references(pages: Sequence[Page]) -> Iterator[Diagnostic]:
    """Yield names that are a typo of a TLS bundle, and addresses of a table without a scheme."""
    bundles = {name for page in pages for name in page.bundles}
    for page in pages:
        for key, used in page.written:
            own = folded(key).removeprefix(PREFIX)
            if own.endswith("sslbundle"):
                near = nearest_in_any_case(used.text, bundles) or extended(used.text, bundles)
                near = "" if used.text in bundles else near
                if near and not same_but_for_digits(near, used.text):
                    fault = f"names bundle {used.text}, and spring.ssl.bundle defines {near}"
                    yield setting_fault(key, used, fault)
            elif own in _WORDS:
                for wrong in setting_faults({_KNOWN[own]: used}, SPRING):
                    yield replace(wrong, data={**wrong.data, "key": key})
        table = page.settings.get("ccdt")
        if table is not None and _PATH.match(table.text) is not None:
            fault = "needs a URL with a scheme, such as file:///opt/app/ccdt.json"
            yield setting_fault("ibm.mq.ccdtUrl", table, fault)


def _written(lines: Iterable[Property]) -> Iterator[tuple[str, Span]]:
    for key, span, _ in lines:
        if folded(key).startswith(PREFIX):
            yield key[len(PREFIX) :], (span[0] + len(PREFIX), span[1])


def read_properties(text: str, context: ClientContext) -> Parsed:
    lines = tuple(properties(text))
    pages = pages_of_properties(text, lines)
    declared = (*_channels([merged(pages)]), *connections_of_pages(pages))
    faults = [*key_faults(_written(lines)), *_passwords(pages, text), *_colons(pages, text)]
    faults.extend((*_references(pages), *_defaults(pages, text)))
    files = tuple(_tables([merged(pages)]))
    return Parsed(declared=declared, diagnostics=faults, joins=bool(pages), files=files)


def read_spring(text: str, context: ClientContext) -> Parsed:
    faults: list[Diagnostic] = []
    documents = tuple(read_documents(text, context.budget, faults))
    pages = pages_of_yaml(documents)
    faults.extend(fault for document in documents for fault in key_faults(_keys(document)))
    declared = (*_channels(pages), *connections_of_pages(pages))
    faults.extend((*_passwords(pages, text), *_colons(pages, text)))
    faults.extend((*_references(pages), *_defaults(pages, text)))
    files = tuple(_tables(pages))
    return Parsed(declared=declared, diagnostics=faults, joins=bool(pages), files=files)


def declared_by_files(
    files: Iterable[tuple[str, Sequence[Page]]], containers: Sequence[Container], text: str
) -> tuple[Declared, ...]:
    """Return what files of one application say, each read on top of those without a profile.

    Each file has the name of its profile, blank for none. Of those without one a later file
    replaces what an earlier one says. `containers` run the application, and `text` has all places.
    """
    pages: list[Page] = []
    channels: list[Declared] = []
    for profile, own in files:
        channels.extend(_channels(own))
        for page in own:
            page.profile = page.profile or profile
        pages.extend(own)
    return (*channels, *connections_of_pages(pages, containers, text))


def _keys(document: Node) -> Iterator[tuple[str, Span]]:
    top = document.get("ibm", "mq") or document.child("ibm.mq")
    if top is not None:
        yield from ((key, span) for key, span, _ in top.pairs)
