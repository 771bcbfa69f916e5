"""Settings of programs that connect: Spring Boot's `ibm.mq.*`, as properties or as YAML.

Only keys of the MQ starter are read; a password is not stored. What a placeholder (`${...}`)
gives is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared, Field
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node, Span
from mqlint.source.budget import Budget
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_PROPERTY = re.compile(
    r"^[ \t]*ibm\.mq\.(?P<key>[\w.-]{1,80})[ \t]*[=:][ \t]*(?P<value>[^\r\n]*)", re.MULTILINE
)
_KEYS = {
    "queuemanager": "QMNAME",
    "connname": "CONNAME",
    "sslciphersuite": "SSLCIPH",
    "sslcipherspec": "SSLCIPH",
    "sslpeername": "SSLPEER",
    "ccdturl": "ccdt",
    "reconnecttimeout": "reconnect.timeout",
    "clientid": "client.id",
}
_RECONNECT = {"true": "YES", "yes": "YES", "any": "YES", "qmgr": "QMGR", "disabled": "DISABLED"}
_RECONNECT_KEYS = ("reconnect", "defaultreconnect")

Setting = tuple[str, str | Unknown, Span]


def parse_properties(text: str) -> tuple[Declared, ...]:
    """Return the connection that a file of properties describes, nothing where there is none."""
    covered = with_placeholders(text)
    settings: list[Setting] = []
    for match in _PROPERTY.finditer(text):
        span = match.span("value")
        known = is_known(covered[span[0] : span[1]])
        settings.append((_folded(match["key"]), match["value"].strip() if known else UNKNOWN, span))
    return _declared(settings)


def parse_spring_yaml(text: str, budget: Budget | None = None) -> tuple[Declared, ...]:
    """Return the connections that the documents of a Spring Boot YAML file describe."""
    documents = read_documents(text, budget)
    return tuple(client for document in documents for client in _declared([*_settings(document)]))


def _settings(document: Node) -> Iterator[Setting]:
    top = document.get("ibm", "mq") or document.child("ibm.mq")
    for key, _, value in top.pairs if top is not None else ():
        if value.kind == "scalar":
            yield _folded(key), value.value, value.span


def _folded(key: str) -> str:
    """A key as Spring compares it: without case, hyphens and underscores."""
    return key.replace("-", "").replace("_", "").lower()


def _declared(settings: list[Setting]) -> tuple[Declared, ...]:
    by_key = {key: (value, span) for key, value, span in settings}
    fields = [Field(name, *by_key[key]) for key, name in _KEYS.items() if key in by_key]
    for key in _RECONNECT_KEYS:
        if key in by_key:
            value, span = by_key[key]
            word = _RECONNECT.get(value.lower(), "NO") if isinstance(value, str) else value
            fields.append(Field("DEFRECON", word, span))
            break
    if not fields:
        return ()
    name, span = by_key.get("channel", ("", fields[0].span))
    fields.insert(0, Field("source", "spring", span))
    return (Declared("client_channel", name if isinstance(name, str) else "", tuple(fields), span),)


def read_properties(text: str, context: Context) -> Parsed:
    """Read properties of Spring Boot as a document."""
    return Parsed(declared=parse_properties(text))


def read_spring(text: str, context: Context) -> Parsed:
    """Read YAML of Spring Boot as a document."""
    return Parsed(declared=parse_spring_yaml(text, context.budget))
