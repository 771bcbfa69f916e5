"""Metric exporters of mq-metric-samples: the YAML that they read.

A variable of the environment overrides each key (`IBMMQ_CONNECTION_QUEUEMANAGER`, see
`environment`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.finding import Diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    by_attribute,
    connection,
    password_fault,
    setting_at,
)
from mqlint.language.declaration import Declared
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.applications import application_formats

_ATTRIBUTES = application_formats()["exporter"].attributes
_REPLY_QUEUES = ("replyQueue", "replyQueue2")
_OF_CLIENT = ("channel", "connName", "ccdtUrl")


def connections_of_exporter(documents: Iterable[Node]) -> Iterator[Declared]:
    for values in _values(documents):
        is_client = any(key in values and values[key].value != "" for key in _OF_CLIENT)
        if is_client:
            settings = by_attribute(values, _ATTRIBUTES)
            if settings.get("ccdt") is not None and settings["ccdt"].value == "":
                del settings["ccdt"]
            channel = settings.get("channel")
            if channel is not None and "ccdt" not in settings:
                settings["SSLCIPH"] = Setting("", channel.span)  # TLS needs a CCDT (README.md)
            queues = [("open", values[key]) for key in _REPLY_QUEUES if key in values]
            yield from connection("exporter", settings, queues=queues)


def _values(documents: Iterable[Node]) -> Iterator[dict[str, Setting]]:
    for document in documents:
        members = document.members("connection")
        values = {key: value for key, _, value in members if value.kind == "scalar"}
        if "queueManager" in values:
            names = (*_ATTRIBUTES, *_REPLY_QUEUES)
            yield {key: setting_at(value) for key, value in values.items() if key in names}


def read(text: str, context: ClientContext) -> Parsed:
    faults: list[Diagnostic] = []
    documents = tuple(read_documents(text, context.budget, faults))
    declared = tuple(connections_of_exporter(documents))
    return Parsed(declared=declared, diagnostics=[*faults, *_faults(documents)])


def _faults(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    for values in _values(documents):
        yield from password_fault(values.get("password"), "connection.password")
