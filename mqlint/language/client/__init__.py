"""Settings of client applications, and client channel definition tables."""

from __future__ import annotations

import re

from mqlint.language.base import Language, Sample, Sign, contains
from mqlint.language.client.signs import holds_channel_table
from mqlint.patterns import later

_PROPERTY = later(r"(?m)^[ \t]*ibm\.mq\.\w")
_SPRING = later(
    r"(?m)^ibm:[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+mq:|^ibm\.mq(?::[ \t]*\r?$|\.\w+:)"
)


def _is_table(sample: Sample) -> bool:
    return holds_channel_table(sample.text)


CCDT = Language(
    name="ccdt",
    files="`*.json` with a list `channel` and `clientConnection`",
    content="client channels",
    signs=(Sign(30, frozenset({"json", "json_template"}), looks_like=_is_table),),
    reader="mqlint.language.client.ccdt:read",
    ownership="declared",
    variables=False,
    comments=False,
)
PROPERTIES = Language(
    name="client-properties",
    files="`*.properties` with `ibm.mq.`",
    content="the client channel they describe",
    signs=(
        Sign(30, frozenset({"properties", "properties_template"}), looks_like=contains(_PROPERTY)),
    ),
    reader="mqlint.language.client.settings:read_properties",
    ownership="declared",
    variables=False,
    settings=True,
)
SPRING = Language(
    name="client-yaml",
    files="YAML with `ibm:` `mq:` (Spring Boot)",
    content="the client channel they describe",
    signs=(
        Sign(
            32,
            frozenset({"yaml", "yml", "yaml_template", "yml_template"}),
            looks_like=contains(_SPRING),
        ),
    ),
    reader="mqlint.language.client.settings:read_spring",
    ownership="declared",
    variables=False,
)
_CONNECTOR_KEYS = r"mq\.(?:queue\.manager|channel\.name|connection\.name\.list)"
_CONNECTOR = later(rf"^[ \t]*{_CONNECTOR_KEYS}[ \t]*[=:]", re.MULTILINE)
_CONNECTOR_KEY = later(rf"(?:^|[{{,])[ \t]*[\"']?{_CONNECTOR_KEYS}[\"']?[ \t]*:", re.MULTILINE)
CONNECTOR_PROPERTIES = Language(
    name="connector-properties",
    files="`*.properties` with `mq.queue.manager`, `mq.channel.name` or `mq.connection.name.list`",
    content="the connection of a connector of Kafka Connect, and its queue",
    signs=(
        Sign(33, frozenset({"properties", "properties_template"}), looks_like=contains(_CONNECTOR)),
    ),
    reader="mqlint.language.client.kafka:read_properties",
    ownership="declared",
    variables=False,
    settings=True,
)
CONNECTOR = Language(
    name="connector",
    files="JSON or YAML with the same keys: `KafkaConnector` of Strimzi, bodies for the REST "
    "interface of Kafka Connect",
    content="the same",
    signs=(
        Sign(
            33,
            frozenset({"json", "yaml", "yml", "json_template", "yaml_template", "yml_template"}),
            looks_like=contains(_CONNECTOR_KEY),
        ),
    ),
    reader="mqlint.language.client.kafka:read_tree",
    ownership="declared",
    variables=False,
    comments=False,
)
LANGUAGES = (CCDT, PROPERTIES, SPRING, CONNECTOR_PROPERTIES, CONNECTOR)
