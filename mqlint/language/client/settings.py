"""Settings of programs that connect: Spring Boot's `ibm.mq.*`, as properties or as YAML.

Only keys of the MQ starter are read; a password is not stored. What a placeholder (`${...}`)
gives is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.client.spring import connections_of_properties, connections_of_yaml, folded
from mqlint.language.declaration import Declared, Field
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node, Span
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_PROPERTY = later(
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

_KNOWN = {
    key.lower(): key
    for key in (
        *("queueManager", "channel", "connName", "ccdtUrl", "user", "password", "token"),
        *("clientId", "applicationName", "userAuthenticationMQCSP", "tempQPrefix"),
        *("tempTopicPrefix", "tempModel", "reconnect", "defaultReconnect", "reconnectTimeout"),
        *("autoConfigure", "balancingApplicationType", "balancingTimeout", "balancingOptions"),
        *("balancingInstanceMode", "sslCipherSuite", "sslCipherSpec", "sslPeerName", "sslBundle"),
        *("sslFIPSRequired", "sslCertificateValPolicy", "sslKeyResetCount", "outboundSNI"),
        *("useIBMCipherMappings", "channelSharing", "ccdtSslBundle", "ccdtHttpsCertValPolicy"),
        *("tokenServer", "pool", "jndi", "jks", "trace", "additionalProperties"),
    )
}
"""The keys of the starter (README.md of ibm-messaging/mq-jms-spring), by their folded form."""
_SHORTEST = 5
"""How many characters a key must have for another to be a typo of it."""
_ENCRYPTED = later(r"(?:ENC\(|\{\w+\}|!)")
"""How an encrypted password begins: of Jasypt, of Spring Cloud, a tag of YAML."""

Setting = tuple[str, str | Unknown, Span]


def parse_properties(text: str) -> tuple[Declared, ...]:
    """Return the connection that a file of properties describes, nothing where there is none."""
    covered = with_placeholders(text)
    settings: list[Setting] = []
    for match in _PROPERTY.finditer(text):
        span = match.span("value")
        known = is_known(covered[span[0] : span[1]])
        settings.append((folded(match["key"]), match["value"].strip() if known else UNKNOWN, span))
    return _declared(settings)


def parse_spring_yaml(text: str, budget: Budget | None = None) -> tuple[Declared, ...]:
    """Return the connections that the documents of a Spring Boot YAML file describe."""
    return _clients(read_documents(text, budget))


def _clients(documents: Iterable[Node]) -> tuple[Declared, ...]:
    return tuple(client for document in documents for client in _declared([*_settings(document)]))


def key_faults(keys: Iterable[tuple[str, Span]]) -> Iterator[Diagnostic]:
    """Yield keys that are a typo of one that the starter reads, and that is not set."""
    written = [(key, folded(key), span) for key, span in keys]
    given = {word for _, word, _ in written}
    for key, own, span in written:
        if own in _KNOWN or own.removesuffix("s") in _KNOWN or "." in own:
            continue
        near = (
            name
            for word, name in _KNOWN.items()
            if len(word) >= _SHORTEST and word not in given and distance(own, word, 1) == 1
        )
        meant = next(near, "")
        if meant:
            yield Diagnostic("client-setting", *span, {"key": key[:60], "nearest": meant})


def password_fault(
    text: str, *, known: bool, span: Span, key: str = "ibm.mq.password"
) -> Iterator[Diagnostic]:
    """Yield a password that is in the file in plain text."""
    text = text.strip().strip("\"'")
    if text and (known or is_hidden(text)) and _ENCRYPTED.match(text) is None:
        yield Diagnostic("client-password", *span, {"key": key})


def _settings(document: Node) -> Iterator[Setting]:
    top = document.get("ibm", "mq") or document.child("ibm.mq")
    for key, _, value in top.pairs if top is not None else ():
        if value.kind == "scalar":
            yield folded(key), value.value, value.span


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


def _faults_of_properties(text: str) -> Iterator[Diagnostic]:
    covered = with_placeholders(text)
    found = list(_PROPERTY.finditer(text))
    yield from key_faults((match["key"], match.span("key")) for match in found)
    for match in found:
        if folded(match["key"]) == "password":
            known = is_known(covered[match.start("value") : match.end("value")])
            yield from password_fault(match["value"], known=known, span=match.span("value"))


def _faults_of_yaml(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    for document in documents:
        top = document.get("ibm", "mq") or document.child("ibm.mq")
        if top is None:
            continue
        yield from key_faults((key, span) for key, span, _ in top.pairs)
        for key, _, value in top.pairs:
            if folded(key) == "password" and value.kind == "scalar":
                known = isinstance(value.value, str)
                yield from password_fault(value.text, known=known, span=value.span)


def read_properties(text: str, context: Context) -> Parsed:
    """Read properties of Spring Boot as a document."""
    declared = (*parse_properties(text), *connections_of_properties(text))
    return Parsed(declared=declared, diagnostics=[*_faults_of_properties(text)])


def read_spring(text: str, context: Context) -> Parsed:
    """Read YAML of Spring Boot as a document."""
    documents = tuple(read_documents(text, context.budget))
    declared = (*_clients(documents), *connections_of_yaml(documents))
    return Parsed(declared=declared, diagnostics=[*_faults_of_yaml(documents)])
