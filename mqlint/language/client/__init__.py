"""Settings of client applications, and client channel definition tables."""

from __future__ import annotations

import re

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign, contains
from mqlint.language.client.signs import (
    ADAPTER,
    BOUND,
    FACTORY,
    MFT_CREDENTIALS,
    NAMES_MQ,
    POLICY,
    POOL_ADAPTER,
    TRANSFERS,
    environment_of_settings,
    has_client,
    holds_channel_table,
    is_environment,
    is_parameters,
    is_server_variable,
    profile_of,
)
from mqlint.language.variables.signs import IS_INVENTORY, is_inventory
from mqlint.patterns import later

_PROPERTY = later(r"(?m)^[ \t]*ibm\.mq\.\w")
_SPRING = later(
    r"(?m)^ibm:[ \t]*\r?\n(?:[ \t]*+(?:#[^\n]*+|\r?)\n)*+[ \t]+mq:|^ibm\.mq(?::[ \t]*\r?$|\.\w+:)"
)


_OWN_PREFIX = r"(?:(?:IBM|WebSphere|W)?[_.:-]?MQ[_.:-]?)?"
_OWN_MANAGER = rf"{_OWN_PREFIX}Q(?:ueue)?[_-]?(?:Manager|Mgr)(?:[_-]?Name)?"
_OWN_KEY = r"^[ \t]*(?:%?[\w.-]{{1,80}}\.)?{}[ \t]*[:=]"
_KEY_OF_MANAGER = later(_OWN_KEY.format(_OWN_MANAGER), re.IGNORECASE | re.MULTILINE)
_KEY_OF_CHANNEL = later(
    _OWN_KEY.format(rf"{_OWN_PREFIX}Channel(?:[_-]?Name)?"), re.IGNORECASE | re.MULTILINE
)
_WORD_MQ = later(r"(?<![a-z])mq", re.IGNORECASE)
_JSON = frozenset("json json_template".split())
_PROPERTIES = frozenset("properties properties_template".split())
_YAML = frozenset("yaml yml yaml_template yml_template".split())


def _client(
    name: str,
    sign: Sign | None,
    reader: str,
    *,
    files: str,
    content: str,
    more: tuple[Sign, ...] = (),
    settings: bool = False,
    comments: bool = True,
    documented: bool = False,
    by_path: bool = False,
) -> Language:
    """Return a language of applications; its declarations are for the folder's queue manager."""
    return Language(
        name,
        files,
        content,
        signs=more if sign is None else (sign, *more),
        reader=f"mqlint.language.client.{reader}",
        ownership="declared",
        variables=False,
        settings=settings,
        comments=comments,
        documented=documented,
        by_path=by_path,
    )


def _is_table(sample: Sample) -> bool:
    return holds_channel_table(sample.text)


def _is_of_application(sample: Sample) -> bool:
    """Whether a file has keys of a connection; one for a profile may leave out some of them."""
    profile = profile_of(sample.path)
    if profile is None and sample.name != "microprofile-config.properties":
        return False
    found = [key.search(sample.text) is not None for key in (_KEY_OF_MANAGER, _KEY_OF_CHANNEL)]
    return all(found) or (bool(profile) and any(found) and _WORD_MQ.search(sample.text) is not None)


CCDT = _client(
    "ccdt",
    Sign(30, _JSON, looks_like=_is_table),
    "ccdt:read",
    files="`*.json` with a list `channel` and `clientConnection`",
    content="client channels",
    comments=False,
)
PROPERTIES = _client(
    "client-properties",
    Sign(30, _PROPERTIES, looks_like=contains(_PROPERTY)),
    "settings:read_properties",
    more=(Sign(40, _PROPERTIES, looks_like=_is_of_application),),
    files="`*.properties` with `ibm.mq.`; `application*.properties` and "
    "`microprofile-config.properties` with keys for a queue manager and a channel",
    content="the client channel they describe",
    settings=True,
)
SPRING = _client(
    "client-yaml",
    Sign(32, _YAML, looks_like=contains(_SPRING)),
    "settings:read_spring",
    more=(Sign(40, _YAML, looks_like=_is_of_application),),
    files="YAML with `ibm:` `mq:` (Spring Boot); `application*.yml` with keys for a queue manager "
    "and a channel",
    content="the client channel they describe",
)
_OF_CONTAINER = later(
    r"^[ \t]*(?:export[ \t]+)?MQ_(?:QMGR_NAME|DEV|APP|ADMIN|ENABLE)", re.MULTILINE
)


def _is_environment(sample: Sample) -> bool:
    return is_environment(sample.path)


def _is_inventory(sample: Sample) -> bool:
    return is_inventory(sample.path)


def _has_hosts(sample: Sample) -> bool:
    """Whether a file has hosts of Ansible, and a word of MQ in its path or text."""
    text = sample.text
    if IS_INVENTORY.search(text) is None:
        return False
    return any(NAMES_MQ.search(part) or _WORD_OF_MQ.search(part) for part in (sample.path, text))


_WORD_OF_MQ = later(r"(?i)(?<![a-z])qm(?![a-z])|queue|channel|(?<![a-z])mq")
_OF_SERVER = later(
    r"^[ \t]*[\w.-]{0,60}(?:mq|jms|queue|qmgr|channel)[\w.-]{0,60}[ \t]*=",
    re.IGNORECASE | re.MULTILINE,
)


def _has_parameters(sample: Sample) -> bool:
    is_named = is_parameters(sample.path, sample.text)
    return is_named and NAMES_MQ.search(sample.text) is not None


def _is_of_liberty(sample: Sample) -> bool:
    return sample.name in ("server.env", "bootstrap.properties")


_NAME_OF_MQ = later(r"(?i)mq|jms|queue|qmgr|channel|host|port")
_VALUE = later(r"\A\s*+[^\s=:{}<>]{1,200}\s*+\Z")


def _is_variable_of_liberty(sample: Sample) -> bool:
    return is_server_variable(sample.path) and _NAME_OF_MQ.search(sample.name) is not None


def _is_value(sample: Sample) -> bool:
    return _VALUE.match(sample.text) is not None


_OF_SCRIPT = later(
    r"^[ \t]*(?:export[ \t]+)?(?:[A-Z0-9_]{0,40}_)?QM(?:GR)?(?:NAME)?(?:_[A-Z0-9_]{1,40})?=",
    re.MULTILINE,
)
"""A variable with the name of a queue manager, for scripts."""


def _has_variables(sample: Sample) -> bool:
    patterns = (_OF_CONTAINER, _OF_SCRIPT)
    return has_client(sample.text) or any(each.search(sample.text) for each in patterns)


_OF_CLIENT = later(
    r"^[ \t]*(?:MQSERVER|MQCCDTURL|MQCHLTAB|IBM_MQ_(?:QUEUE_?MANAGER|CHANNEL|CONN_?NAME|CCDT_?URL)"
    r"|(?:IBM_?)?MQ_?CHANNEL(?:_?NAME)?)[ \t]*=",
    re.MULTILINE,
)
"""A variable of a client, in a file that a kustomization names below `envs`."""


ENVIRONMENT = _client(
    "environment",
    Sign(29, named=_is_environment, looks_like=_has_variables),
    "dotenv:read",
    more=(
        Sign(29, frozenset({"tfvars", "json"}), looks_like=_has_parameters),
        Sign(29, named=_is_inventory, looks_like=_has_hosts),
        Sign(29, named=_is_of_liberty, looks_like=contains(_OF_SERVER)),
        Sign(200, named=_is_variable_of_liberty, looks_like=_is_value),
        Sign(41, _PROPERTIES, looks_like=contains(_OF_CLIENT)),
    ),
    files="`.env`, `*.env`, `.env.*` and `*env.list` with variables of a client or of MQ's "
    "container, or `QM`, `QMGR` and the like; `*.properties` with such variables in capitals; "
    "`server.env` and `bootstrap.properties` with variables of MQ, and files with one "
    "value in a folder `variables` (Liberty); `hosts`, `inventory` and the like, also with `.ini` "
    "or `.yml`, and files in a folder `inventories`, with hosts of Ansible and a name of MQ; "
    "parameters with a name of MQ: `*.tfvars` and `*.tfvars.json` of Terraform, and those "
    "of CloudFormation and Azure in JSON",
    content="the connections that the variables describe; in files of Compose and kustomizations "
    "that name the file, and in `server.xml` beside it, its variables",
    settings=True,
    by_path=True,
)
_CONNECTOR_KEYS = r"mq\.(?:queue\.manager|channel\.name|connection\.name\.list)"
_CONNECTOR = later(rf"^[ \t]*{_CONNECTOR_KEYS}[ \t]*[=:]", re.MULTILINE)
_CONNECTOR_KEY = later(rf"(?:^|[{{,])[ \t]*[\"']?{_CONNECTOR_KEYS}[\"']?[ \t]*:", re.MULTILINE)
CONNECTOR_PROPERTIES = _client(
    "connector-properties",
    Sign(33, _PROPERTIES, looks_like=contains(_CONNECTOR)),
    "kafka:read_properties",
    files="`*.properties` with `mq.queue.manager`, `mq.channel.name` or `mq.connection.name.list`",
    content="the connection of a connector of Kafka Connect, and its queue",
    settings=True,
)
CONNECTOR = _client(
    "connector",
    Sign(33, _JSON | _YAML, looks_like=contains(_CONNECTOR_KEY)),
    "kafka:read_tree",
    files="JSON or YAML with the same keys: `KafkaConnector` of Strimzi, bodies for the REST "
    "interface of Kafka Connect",
    content="the same",
    comments=False,
)
_RESOURCE = later(
    rf"<properties\.wmqJms\b|{ADAPTER}"
    r"|[ ](?:policyT|t)ype[ \t]*=[ \t]*[\"']MQEndpoint[\"']"
    r"|<CHANNELS>\s*<add\s|<dnetxa>"
    r"|<add\s+key=\"[\w.:-]{0,30}(?:Queue[_-]?Manager|QMgr)(?:[_-]?Name)?\""
    r"|com\.ibm\.mq\.(?:(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory[\"']"
    r"|(?:jakarta\.)?connector\.outbound\.ManagedConnectionFactoryImpl)"
    r"|<ibm-mq:client\s|[ ]xmi:type=[\"']resources\.jms\.mqseries:MQ\w{0,20}ConnectionFactory[\"']"
    rf"|[ ]resource-adapter-name[ \t]*=[ \t]*[\"']{POOL_ADAPTER}[\"']|{MFT_CREDENTIALS}"
    r"|<(?:\w{1,20}:)?activation-config-property-name>\s*queueManager\s*<"
    rf"|{TRANSFERS.pattern}"
    r"|\sCHAN=[\"'][^\"']{1,20}[\"']\s"
)
_VARIABLE_OF_SERVER = later(
    r"<variable\s[^>]{0,80}\bname=[\"'][\w.-]{0,60}(?:mq|jms|queue|qmgr|channel)", re.IGNORECASE
)
XML = _client(
    "client-xml",
    Sign(
        34, frozenset("xml policyxml xml_template config".split()), looks_like=contains(_RESOURCE)
    ),
    "xml:read",
    more=(
        Sign(34, frozenset({"xml"}), looks_like=contains(later(r"<server\b"), _VARIABLE_OF_SERVER)),
    ),
    files="`*.xml` with `properties.wmqJms`, or with the resource adapter of MQ, or with variables "
    "of MQ (Liberty), `resources.xml` with a factory of MQ (WebSphere Application Server), or with "
    "`ibm-mq:client` (Mule), "
    "`*.policyxml` or `*.xml` with a policy of the type MQEndpoint (ACE, IIB), or with a factory "
    "of MQ's JMS (Spring, WildFly, Tomcat), or with a connection pool of MQ's resource adapter "
    "(GlassFish, Payara), or with a message-driven bean that names a queue manager, `*.config` "
    "with a section `CHANNELS` or `dnetxa`, or with a queue manager in `appSettings`, credentials "
    "files, transfers and monitors of Managed File Transfer",
    content="the connections they describe, and passwords in plain text",
    comments=False,
)
_WEB = later(
    r"com\.ibm\.mq\.(?:console|rest)\b|basicAuthenticationMQ|\bMQWeb(?:Admin|User)|[\"']mqRest[A-Z]"
)
WEB = _client(
    "web-server",
    Sign(31, frozenset({"xml", "xml_template"}), looks_like=contains(_WEB)),
    "web:read",
    files="`mqwebuser.xml` and other `*.xml` with the applications, a feature or a variable of the "
    "mqweb server",
    content="roles, users and protection of the MQ Console and the REST API",
    comments=False,
)


def _is_bindings(sample: Sample) -> bool:
    return sample.name.endswith(".bindings")


def _is_python(sample: Sample) -> bool:
    """Whether the name is that of Python. No hook runs for this ending: few are of wsadmin."""
    return sample.name.endswith(".py")


def _creates_objects(sample: Sample) -> bool:
    """Whether a script of wsadmin writes out what it creates; its reader decides."""
    if "createWMQ" not in sample.text:
        return False
    from mqlint.language.client.wsadmin import creates_objects  # here, as few files have them

    return creates_objects(sample.text)


JMS_OBJECTS = _client(
    "jms-objects",
    Sign(36, TEXT_ENDINGS | {"scp"}, looks_like=contains(FACTORY)),
    "jmsadmin:read",
    more=(
        Sign(36, named=_is_bindings, looks_like=contains(BOUND)),
        Sign(36, TEXT_ENDINGS | set("scp jy jython jacl".split()), looks_like=_creates_objects),
        Sign(36, named=_is_python, looks_like=_creates_objects),
    ),
    files="`*.scp`, `.bindings` with a factory of MQ, and text without an ending that shows its "
    "kind, with a command of JMSAdmin "
    "that defines a factory (`DEFINE QCF`, `CF`, `XAQCF` ...); here-documents of shells with one; "
    "`*.py`, `*.jy`, `*.jython` and `*.jacl` with `AdminTask.createWMQ...` and a queue manager, a "
    "channel, a queue or a topic that is written out (wsadmin)",
    content="the connections of factories for clients, and the queues of destinations",
)
_TRANSFER = later(
    r"^[ \t]*(?:agent|connection|coordination)QMgr(?:Host|Port|Channel)?[ \t]*[=:]", re.MULTILINE
)
TRANSFER = _client(
    "transfer-properties",
    Sign(35, _PROPERTIES, looks_like=contains(_TRANSFER)),
    "transfer:read",
    files="`*.properties` with `agentQMgr`, `connectionQMgr` or `coordinationQMgr`",
    content="the connections of Managed File Transfer, and the queues of an agent",
    settings=True,
    documented=True,
)
AGENT = _client(
    "transfer-json",
    Sign(
        35,
        _JSON,
        looks_like=contains(later(r"\"(?:coordination|commands?)QMgr\"\s*:\s*\{")),
    ),
    "transfer:read_json",
    files="JSON with `coordinationQMgr` or `commandQMgr` (agents of MFT in containers)",
    content="the connections of Managed File Transfer",
    comments=False,
)
_ROUTE = later(r"^[ \t]*\[[ \t]*route[ \t]*\]", re.MULTILINE | re.IGNORECASE)
_DESTINATION = later(r"^[ \t]*(?:Destination|Listener)Port[ \t]*=", re.MULTILINE)


ROUTES = _client(
    "routes",
    Sign(37, frozenset({"conf"}), looks_like=contains(_ROUTE, _DESTINATION)),
    "passthru:read",
    files="`mqipt.conf` and other `*.conf` with `[route]` and `DestinationPort` or `ListenerPort`",
    content="the queue managers to which MQ Internet Pass-Thru connects",
    settings=True,
    documented=True,
)
_EXPORTER = later(
    r"^connection:[ \t]*(?:#[^\n]*)?\r?\n(?:(?![ \t]+queueManager:)(?:[ \t#][^\n]*|\r?)\n)*+"
    r"[ \t]+queueManager:",
    re.MULTILINE,
)
EXPORTER = _client(
    "exporter",
    Sign(38, _YAML, looks_like=contains(_EXPORTER)),
    "exporter:read",
    files="YAML with `connection:` `queueManager:` (metric exporters of mq-metric-samples)",
    content="the connection of the exporter",
    documented=True,
)
_KEYSTORE = later(r"^[ \t]*(?:cms|pkcs11|pem|jks|jceks|jceracfks)\.\w+[ \t]*=", re.MULTILINE)
KEYSTORE = _client(
    "keystore",
    Sign(39, frozenset({"conf"}), looks_like=contains(_KEYSTORE)),
    "keystore:read",
    files="`keystore.conf` and other `*.conf` with `cms.`, `jks.` and the like",
    content="the keystore of Advanced Message Security",
    settings=True,
    documented=True,
)
_OWN_CHANNEL = later(rf"\"{_OWN_PREFIX}Channel(?:[_-]?Name)?\"\s*:", re.IGNORECASE)
_OWN_SECTION = later(rf"\"{_OWN_MANAGER}\"\s*:", re.IGNORECASE)
_OF_MQ = later(r"\"(?:(?:IBM|WebSphere|W)[_.:-]?)?MQ\w{0,40}\"\s*:", re.IGNORECASE)
_INSTANCES = later(r"^instances:[ \t]*\r?$", re.MULTILINE)
_OF_DATADOG = later(r"^[ \t]+(?:- +)?queue_manager:[ \t]", re.MULTILINE)


def _is_settings_name(sample: Sample) -> bool:
    return environment_of_settings(sample.path) is not None


def _has_own_keys(sample: Sample) -> bool:
    """Whether settings have a section of MQ, or the keys of a connection."""
    text = sample.text
    if _OF_MQ.search(text) is not None:
        return True
    return _OWN_SECTION.search(text) is not None and _OWN_CHANNEL.search(text) is not None


_CONFIGURATION = later(
    r"(?:config|settings|default|local|dev|development|test|staging|prod|production)(?:[.-][\w-]+)?"
    r"\.(?:json|ya?ml)"
)
"""Names of files in which applications of Node, Python or Go keep their settings."""
_RESOURCE = later(r"^kind:[ \t]*\w", re.MULTILINE)
_OWN_HOST = later(
    rf"(?:^|[\s{{,])\"?{_OWN_PREFIX}(?:Host(?:[_-]?Name)?|Conn(?:ection)?[_-]?Name(?:[_-]?List)?)\"?\s*:",
    re.IGNORECASE,
)


def _is_configuration(sample: Sample) -> bool:
    return _CONFIGURATION.fullmatch(sample.name) is not None


def _has_whole_connection(sample: Sample) -> bool:
    """Whether settings have the keys of a queue manager, of a channel and of a host.

    A resource of Kubernetes has them only in the text of an entry.
    """
    text = sample.text
    if _RESOURCE.search(text) is not None:
        return False
    of_yaml = (_KEY_OF_MANAGER, _KEY_OF_CHANNEL)
    keys = (_OWN_SECTION, _OWN_CHANNEL) if sample.ending == "json" else of_yaml
    return all(key.search(text) is not None for key in (*keys, _OWN_HOST))


def _is_of_datadog(sample: Sample) -> bool:
    text = sample.text
    return _INSTANCES.search(text) is not None and _OF_DATADOG.search(text) is not None


KEYS = _client(
    "client-keys",
    Sign(41, _JSON, looks_like=contains(later(r"\"MQ_ENDPOINTS\"\s*:"))),
    "mapped:read",
    more=(
        Sign(42, named=_is_settings_name, looks_like=_has_own_keys),
        Sign(43, _YAML, looks_like=_is_of_datadog),
        Sign(44, named=_is_configuration, looks_like=_has_whole_connection),
        Sign(45, _YAML, looks_like=contains(POLICY)),
    ),
    files="JSON, YAML and `*.properties` that `clients` of mqlint.yaml names; `env.json` of IBM's "
    "samples, with `MQ_ENDPOINTS`; `appsettings*.json` with a section of MQ, or with a queue "
    "manager and a channel; `config.json`, `settings.yml`, `production.json` and the like "
    "with a queue manager, a channel and a host; YAML of Datadog with `instances:` and "
    "`queue_manager:`; `server.conf.yaml` of App Connect Enterprise with a policy in "
    "`remoteDefaultQueueManager`",
    content="the connections that its paths of keys describe, or its sections, and "
    "whether the policy exists",
    settings=True,
)
LANGUAGES = (
    *(ENVIRONMENT, CCDT, PROPERTIES, SPRING, CONNECTOR_PROPERTIES, CONNECTOR, XML, WEB),
    *(JMS_OBJECTS, TRANSFER, AGENT, ROUTES, EXPORTER, KEYSTORE, KEYS),
)
