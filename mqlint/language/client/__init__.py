"""Settings of client applications, and client channel definition tables."""

from __future__ import annotations

import re

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign, contains
from mqlint.language.client.signs import ADAPTER, FACTORY, holds_channel_table
from mqlint.patterns import later

_PROPERTY = later(r"(?m)^[ \t]*ibm\.mq\.\w")
_SPRING = later(
    r"(?m)^ibm:[ \t]*\r?\n(?:[ \t]*+(?:#[^\n]*+|\r?)\n)*+[ \t]+mq:|^ibm\.mq(?::[ \t]*\r?$|\.\w+:)"
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
_RESOURCE = later(
    rf"<properties\.wmqJms\b|{ADAPTER}"
    r"|[ ](?:policyT|t)ype[ \t]*=[ \t]*[\"']MQEndpoint[\"']"
    r"|<CHANNELS>\s*<add\s|<dnetxa>"
)
XML = Language(
    name="client-xml",
    files="`*.xml` with `properties.wmqJms`, or with the resource adapter of MQ (Liberty), "
    "`*.policyxml` or `*.xml` with a policy of the type MQEndpoint (ACE, IIB), `*.config` with a "
    "section `CHANNELS` or `dnetxa` (.NET)",
    content="the connections they describe",
    signs=(
        Sign(
            34,
            frozenset({"xml", "policyxml", "xml_template", "config"}),
            looks_like=contains(_RESOURCE),
        ),
    ),
    reader="mqlint.language.client.xml:read",
    ownership="declared",
    variables=False,
    comments=False,
)
JMS_OBJECTS = Language(
    name="jms-objects",
    files="`*.scp`, and text without an ending that shows its kind, with a command of JMSAdmin "
    "that defines a factory (`DEFINE QCF`, `CF`, `XAQCF` ...); here-documents of shells with one",
    content="the connections of factories for clients, and the queues of destinations",
    signs=(Sign(36, TEXT_ENDINGS | {"scp"}, looks_like=contains(FACTORY)),),
    reader="mqlint.language.client.jmsadmin:read",
    ownership="declared",
    variables=False,
)
_TRANSFER = later(r"^[ \t]*(?:agent|connection|coordination)QMgr[ \t]*[=:]", re.MULTILINE)
TRANSFER = Language(
    name="transfer-properties",
    files="`*.properties` with `agentQMgr`, `connectionQMgr` or `coordinationQMgr`",
    content="the connections of Managed File Transfer, and the queues of an agent",
    signs=(
        Sign(35, frozenset({"properties", "properties_template"}), looks_like=contains(_TRANSFER)),
    ),
    reader="mqlint.language.client.transfer:read",
    ownership="declared",
    variables=False,
    settings=True,
)
AGENT = Language(
    name="transfer-json",
    files="JSON with `coordinationQMgr` or `commandQMgr` (agents of MFT in containers)",
    content="the connections of Managed File Transfer",
    signs=(
        Sign(
            35,
            frozenset({"json", "json_template"}),
            looks_like=contains(later(r"\"(?:coordination|command)QMgr\"\s*:\s*\{")),
        ),
    ),
    reader="mqlint.language.client.transfer:read_json",
    ownership="declared",
    variables=False,
    comments=False,
)
_ROUTE = later(r"^[ \t]*\[[ \t]*route[ \t]*\]", re.MULTILINE | re.IGNORECASE)
_DESTINATION = later(r"^[ \t]*DestinationPort[ \t]*=", re.MULTILINE)


def _has_routes(sample: Sample) -> bool:
    text = sample.text
    return _ROUTE.search(text) is not None and _DESTINATION.search(text) is not None


ROUTES = Language(
    name="routes",
    files="`mqipt.conf` and other `*.conf` with `[route]` and `DestinationPort`",
    content="the queue managers to which MQ Internet Pass-Thru connects",
    signs=(Sign(37, frozenset({"conf"}), looks_like=_has_routes),),
    reader="mqlint.language.client.passthru:read",
    ownership="declared",
    variables=False,
    settings=True,
)
_EXPORTER = later(
    r"^connection:[ \t]*(?:#[^\n]*)?\r?\n(?:(?![ \t]+queueManager:)(?:[ \t#][^\n]*|\r?)\n)*+"
    r"[ \t]+queueManager:",
    re.MULTILINE,
)
EXPORTER = Language(
    name="exporter",
    files="YAML with `connection:` `queueManager:` (metric exporters of mq-metric-samples)",
    content="the connection of the exporter",
    signs=(
        Sign(
            38,
            frozenset({"yaml", "yml", "yaml_template", "yml_template"}),
            looks_like=contains(_EXPORTER),
        ),
    ),
    reader="mqlint.language.client.exporter:read",
    ownership="declared",
    variables=False,
)
KEYS = Language(
    name="client-keys",
    files="JSON, YAML and `*.properties` that `clients` of mqlint.yaml names",
    content="the connections that its paths of keys describe",
    signs=(),
    reader="mqlint.language.client.mapped:read",
    ownership="declared",
    variables=False,
    settings=True,
)
LANGUAGES = (
    *(CCDT, PROPERTIES, SPRING, CONNECTOR_PROPERTIES, CONNECTOR, XML),
    *(JMS_OBJECTS, TRANSFER, AGENT, ROUTES, EXPORTER, KEYS),
)
