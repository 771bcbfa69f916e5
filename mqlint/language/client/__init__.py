"""Settings of client applications, and client channel definition tables: their languages."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sign
from mqlint.language.client import recognised
from mqlint.language.client.signs import READ_BY_SCRIPTS

_JSON = frozenset("json json_template".split())
_PROPERTIES = frozenset("properties properties_template".split())
_YAML = frozenset("yaml yml yaml_template yml_template".split())


def _client(
    name: str,
    reader: str,
    *signs: Sign,
    files: str,
    content: str,
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
        signs=signs,
        reader=f"mqlint.language.client.{reader}",
        ownership="declared",
        variables=False,
        settings=settings,
        comments=comments,
        documented=documented,
        by_path=by_path,
    )


CCDT = _client(
    "ccdt",
    "ccdt:read",
    Sign(30, _JSON, looks_like=recognised.is_table),
    files="`*.json` with a list `channel` and `clientConnection`",
    content="client channels",
    comments=False,
)
PROPERTIES = _client(
    "client-properties",
    "settings:read_properties",
    Sign(30, _PROPERTIES, looks_like=recognised.has_properties_of_boot),
    Sign(40, _PROPERTIES, looks_like=recognised.is_of_application),
    files="`*.properties` with `ibm.mq.`; `application*.properties` and "
    "`microprofile-config.properties` with keys for a queue manager and a channel",
    content="the client channel they describe",
    settings=True,
)
SPRING = _client(
    "client-yaml",
    "settings:read_spring",
    Sign(32, _YAML, looks_like=recognised.has_settings_of_boot),
    Sign(40, _YAML, looks_like=recognised.is_of_application),
    files="YAML with `ibm:` `mq:` (Spring Boot); `application*.yml` with keys for a queue manager "
    "and a channel",
    content="the client channel they describe",
)
ENVIRONMENT = _client(
    "environment",
    "dotenv:read",
    Sign(29, named=recognised.is_environment, looks_like=recognised.has_variables),
    Sign(18, READ_BY_SCRIPTS | {"sh", "ksh", "bash"}, looks_like=recognised.sets_variables),
    Sign(29, frozenset({"tfvars", "json"}), looks_like=recognised.has_parameters),
    Sign(29, named=recognised.is_inventory, looks_like=recognised.has_hosts),
    Sign(29, named=recognised.is_of_liberty, looks_like=recognised.has_variables_of_liberty),
    Sign(200, named=recognised.is_variable_of_liberty, looks_like=recognised.is_value),
    Sign(41, _PROPERTIES, looks_like=recognised.has_variables_of_client),
    files="`.env`, `*.env`, `.env.*` and `*env.list` with variables of a client or of MQ's "
    "container, or `QM`, `QMGR` and the like; scripts of a shell, and files such as `*.conf`, "
    "`*.cfg`, `*.vars` and `*.mk`, that do nothing but set variables, `QM` or the like among them, "
    "and call scripts; "
    "`*.properties` with such variables in capitals; "
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
CONNECTOR_PROPERTIES = _client(
    "connector-properties",
    "kafka:read_properties",
    Sign(33, _PROPERTIES, looks_like=recognised.has_properties_of_connector),
    files="`*.properties` with `mq.queue.manager`, `mq.channel.name` or `mq.connection.name.list`",
    content="the connection of a connector of Kafka Connect, and its queue",
    settings=True,
)
CONNECTOR = _client(
    "connector",
    "kafka:read_tree",
    Sign(33, _JSON | _YAML, looks_like=recognised.has_keys_of_connector),
    files="JSON or YAML with the same keys: `KafkaConnector` of Strimzi, bodies for the REST "
    "interface of Kafka Connect",
    content="the same",
    comments=False,
)
XML = _client(
    "client-xml",
    "xml:read",
    Sign(
        34,
        frozenset("xml policyxml xml_template config".split()),
        looks_like=recognised.has_resource,
    ),
    Sign(34, frozenset({"xml"}), looks_like=recognised.has_variable_of_server),
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
WEB = _client(
    "web-server",
    "web:read",
    Sign(31, frozenset({"xml", "xml_template"}), looks_like=recognised.has_web_server),
    files="`mqwebuser.xml` and other `*.xml` with the applications, a feature or a variable of the "
    "mqweb server",
    content="roles, users and protection of the MQ Console and the REST API",
    comments=False,
)
JMS_OBJECTS = _client(
    "jms-objects",
    "jmsadmin:read",
    Sign(36, TEXT_ENDINGS | {"scp"}, looks_like=recognised.has_factory),
    Sign(36, named=recognised.is_bindings, looks_like=recognised.has_bound_factory),
    Sign(
        36, TEXT_ENDINGS | set("scp jy jython jacl".split()), looks_like=recognised.creates_objects
    ),
    Sign(36, named=recognised.is_python, looks_like=recognised.creates_objects),
    files="`*.scp`, `.bindings` with a factory of MQ, and text without an ending that shows its "
    "kind, with a command of JMSAdmin "
    "that defines a factory (`DEFINE QCF`, `CF`, `XAQCF` ...); here-documents of shells with one; "
    "`*.py`, `*.jy`, `*.jython` and `*.jacl` with `AdminTask.createWMQ...` and a queue manager, a "
    "channel, a queue or a topic that is written out (wsadmin)",
    content="the connections of factories for clients, and the queues of destinations",
)
TRANSFER = _client(
    "transfer-properties",
    "transfer:read",
    Sign(35, _PROPERTIES, looks_like=recognised.has_agent),
    files="`*.properties` with `agentQMgr`, `connectionQMgr` or `coordinationQMgr`",
    content="the connections of Managed File Transfer, and the queues of an agent",
    settings=True,
    documented=True,
)
AGENT = _client(
    "transfer-json",
    "transfer:read_json",
    Sign(
        35,
        _JSON,
        looks_like=recognised.has_agent_in_json,
    ),
    files="JSON with `coordinationQMgr` or `commandQMgr` (agents of MFT in containers)",
    content="the connections of Managed File Transfer",
    comments=False,
)
ROUTES = _client(
    "routes",
    "passthru:read",
    Sign(37, frozenset({"conf"}), looks_like=recognised.has_route),
    files="`mqipt.conf` and other `*.conf` with `[route]` and `DestinationPort` or `ListenerPort`",
    content="the queue managers to which MQ Internet Pass-Thru connects",
    settings=True,
    documented=True,
)
EXPORTER = _client(
    "exporter",
    "exporter:read",
    Sign(38, _YAML, looks_like=recognised.has_exporter),
    files="YAML with `connection:` `queueManager:` (metric exporters of mq-metric-samples)",
    content="the connection of the exporter",
    documented=True,
)
KEYSTORE = _client(
    "keystore",
    "keystore:read",
    Sign(39, frozenset({"conf"}), looks_like=recognised.has_keystore),
    files="`keystore.conf` and other `*.conf` with `cms.`, `jks.` and the like",
    content="the keystore of Advanced Message Security",
    settings=True,
    documented=True,
)
KEYS = _client(
    "client-keys",
    "mapped:read",
    Sign(41, _JSON, looks_like=recognised.has_endpoints),
    Sign(42, named=recognised.is_settings, looks_like=recognised.has_own_keys),
    Sign(43, _YAML, looks_like=recognised.is_of_datadog),
    Sign(44, named=recognised.is_configuration, looks_like=recognised.has_whole_connection),
    Sign(45, _YAML, looks_like=recognised.has_policy),
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
