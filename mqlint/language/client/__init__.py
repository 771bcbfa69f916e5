"""Settings of client applications, and client channel definition tables: their languages.

A file is one by questions about its name and its text.
"""

from __future__ import annotations

from functools import partial

from mqlint.config.estate.roles import names_dr
from mqlint.language.base import (
    TEXT_ENDINGS,
    Language,
    Sample,
    Sign,
    contains,
    name_ends,
    named,
    named_as,
    of_path,
)
from mqlint.language.client import signs
from mqlint.language.client.signs import READ_BY_SCRIPTS, TABLES
from mqlint.language.variables.signs import GIVES_NAME, IS_INVENTORY, is_inventory
from mqlint.patterns import later

_OWN_PREFIX = r"(?:(?:IBM|WebSphere|W)?[_.:-]?MQ[_.:-]?)?"
_OWN_MANAGER = rf"{_OWN_PREFIX}Q(?:ueue)?[_-]?(?:Manager|Mgr)(?:[_-]?Name)?"
_OWN_KEY = r"(?im)^[ \t]*(?:%?[\w.-]{{1,80}}\.)?{}[ \t]*[:=]"
_KEY_OF_MANAGER = later(_OWN_KEY.format(_OWN_MANAGER))
_KEY_OF_CHANNEL = later(_OWN_KEY.format(rf"{_OWN_PREFIX}Channel(?:[_-]?Name)?"))
_WORD_MQ = later(r"(?i)(?<![a-z])mq")


def _is_table(sample: Sample) -> bool:
    return signs.holds_channel_table(sample.text)


_has_properties_of_boot = contains(r"(?m)^[ \t]*ibm\.mq\.\w")
_has_settings_of_boot = contains(
    r"(?m)^ibm:[ \t]*\r?\n(?:[ \t]*+(?:#[^\n]*+|\r?)\n)*+[ \t]+mq:"
    r"|^ibm\.mq(?::[ \t]*\r?$|\.\w+:)"
)


def _is_of_application(sample: Sample) -> bool:
    """Whether a file has keys of a connection; one for a profile may leave out some of them."""
    profile = signs.profile_of(sample.path)
    if profile is None and sample.name != "microprofile-config.properties":
        return False
    found = [key.search(sample.text) is not None for key in (_KEY_OF_MANAGER, _KEY_OF_CHANNEL)]
    return all(found) or (bool(profile) and any(found) and _WORD_MQ.search(sample.text) is not None)


_OF_CONTAINER = later(r"(?m)^[ \t]*(?:export[ \t]+)?MQ_(?:QMGR_NAME|DEV|APP|ADMIN|ENABLE)")
_OF_SCRIPT = later(
    r"(?im)^[ \t]*(?:export[ \t]+|@?set[ \t]+\"?)?"
    r"(?:[A-Z0-9_]{0,40}_)?QM(?:GR)?_?(?:NAME)?(?:_[A-Z0-9_]{1,40})?[ \t]*[:?]?="
)
"""A variable with the name of a queue manager, for scripts."""
_OF_COMMANDS = later(r"=[ \t]*[\"']?-l[cl][aln]?(?![\w-])")
"""A variable with the type of a log for crtmqm."""
_WORD_OF_MQ = later(r"(?i)(?<![a-z])qm(?![a-z])|queue|channel|(?<![a-z])mq")
_DATA = ("data/", "hieradata/", "data_bags/", "environments/", "pillar/")
_OF_TABLE = later(r"(?i)qm|mq|queue|channel")
_NAME_OF_MQ = later(r"(?i)mq|jms|queue|qmgr|channel|host|port")
_is_value = contains(r"\A\s*+[^\s=:{}<>]{1,200}\s*+\Z")


def _has_variables(sample: Sample) -> bool:
    """Whether a text has variables of a client, of MQ's container, or of a queue manager."""
    patterns = (_OF_CONTAINER, _OF_SCRIPT)
    return signs.has_client(sample.text) or any(each.search(sample.text) for each in patterns)


def _sets_variables(sample: Sample) -> bool:
    """Whether a file only sets variables for scripts or calls them, for a queue manager too.

    Or sets such a variable in branches for sites, for the scripts that read it.
    """
    text = sample.text
    if signs.names_connection(text):
        return False
    is_named = any(each.search(text) for each in (_OF_SCRIPT, _OF_COMMANDS, GIVES_NAME))
    if is_named and signs.is_of_variables(sample.path, text):
        return True
    if not (signs.is_shell(sample.path) and "case" in text and names_dr(text)):
        return False
    from mqlint.language.script.posix.sites import given_by_site  # few files are asked

    return bool(given_by_site(text))


def _has_parameters(sample: Sample) -> bool:
    is_named = signs.is_parameters(sample.path, sample.text)
    return is_named and signs.NAMES_MQ.search(sample.text) is not None


def _has_hosts(sample: Sample) -> bool:
    """Whether a file has hosts of Ansible, and a word of MQ in its path or text, or one for DR."""
    text = sample.text
    if IS_INVENTORY.search(text) is None:
        return False
    return names_dr(text) or any(
        signs.NAMES_MQ.search(part) or _WORD_OF_MQ.search(part) for part in (sample.path, text)
    )


def _is_in_data(sample: Sample) -> bool:
    return any(f"/{folder}" in f"/{sample.path}" for folder in _DATA)


def _is_data(sample: Sample) -> bool:
    """Whether a file is data of Hiera, Chef or Salt, with a word of MQ."""
    from mqlint.language.variables.data import project_of_data  # few files are asked

    return project_of_data(sample.path, sample.text) is not None


def _is_list(sample: Sample) -> bool:
    """Whether the ending is that of a list. No hook runs for these: few have sites.

    A sign of it is a last resort, so that other lists still count as not recognised.
    """
    return sample.ending in TABLES | _JSON | _YAML


def _has_sites(sample: Sample) -> bool:
    """Whether a file is a table of sites, with a word of MQ in its path or text."""
    if not any(_OF_TABLE.search(part) for part in (sample.path, sample.text)):
        return False
    from mqlint.language.script.posix.tables import is_table  # few files are asked

    if sample.ending in TABLES:
        return is_table(sample.text)
    from mqlint.language.variables.data import rows_of_sites

    return bool(rows_of_sites(sample.path, sample.text))


_is_of_liberty = named("server.env", "bootstrap.properties")
_has_variables_of_liberty = contains(
    r"(?im)^[ \t]*[\w.-]{0,60}(?:mq|jms|queue|qmgr|channel)[\w.-]{0,60}[ \t]*="
)


def _is_variable_of_liberty(sample: Sample) -> bool:
    return signs.is_server_variable(sample.path) and _NAME_OF_MQ.search(sample.name) is not None


_has_variables_of_client = contains(
    r"(?m)^[ \t]*(?:MQSERVER|MQCCDTURL|MQCHLTAB"
    r"|IBM_MQ_(?:QUEUE_?MANAGER|CHANNEL|CONN_?NAME|CCDT_?URL)"
    r"|(?:IBM_?)?MQ_?CHANNEL(?:_?NAME)?)[ \t]*="
)
"""A variable of a client, in a file that a kustomization names below `envs`."""


_CONNECTOR_KEYS = r"mq\.(?:queue\.manager|channel\.name|connection\.name\.list)"
_has_properties_of_connector = contains(rf"(?m)^[ \t]*{_CONNECTOR_KEYS}[ \t]*[=:]")
_has_keys_of_connector = contains(rf"(?m)(?:^|[{{,])[ \t]*[\"']?{_CONNECTOR_KEYS}[\"']?[ \t]*:")


_has_resource = contains(
    rf"<properties\.wmqJms\b|{signs.ADAPTER}"
    r"|[ ](?:policyT|t)ype[ \t]*=[ \t]*[\"']MQEndpoint[\"']"
    r"|<CHANNELS>\s*<add\s|<dnetxa>"
    r"|<add\s+key=\"[\w.:-]{0,30}(?:Queue[_-]?Manager|QMgr)(?:[_-]?Name)?\""
    r"|com\.ibm\.mq\.(?:(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory[\"']"
    r"|(?:jakarta\.)?connector\.outbound\.ManagedConnectionFactoryImpl)"
    r"|<ibm-mq:client\s"
    r"|[ ]xmi:type=[\"']resources\.jms\.mqseries:MQ\w{0,20}ConnectionFactory[\"']"
    rf"|[ ]resource-adapter-name[ \t]*=[ \t]*[\"']{signs.POOL_ADAPTER}[\"']"
    rf"|{signs.MFT_CREDENTIALS}"
    r"|<(?:\w{1,20}:)?activation-config-property-name>\s*queueManager\s*<"
    rf"|{signs.TRANSFERS.pattern}"
    r"|\sCHAN=[\"'][^\"']{1,20}[\"']\s"
)
_has_variable_of_server = contains(
    r"<server\b",
    r"(?i)<variable\s[^>]{0,80}\bname=[\"'][\w.-]{0,60}(?:mq|jms|queue|qmgr|channel)",
)
_has_web_server = contains(
    r"com\.ibm\.mq\.(?:console|rest)\b|basicAuthenticationMQ|\bMQWeb(?:Admin|User)"
    r"|[\"']mqRest[A-Z]"
)


_has_factory = contains(signs.FACTORY)
_has_bound_factory = contains(signs.BOUND)


_is_bindings = name_ends(".bindings")
_is_python = name_ends(".py")
"""The name of a file of Python. No hook runs for this ending: few are of wsadmin."""


def _creates_objects(sample: Sample) -> bool:
    """Whether a script of wsadmin writes out what it creates; its reader decides."""
    if "createWMQ" not in sample.text:
        return False
    from mqlint.language.client import wsadmin  # here, as few files have them

    return wsadmin.creates_objects(sample.text)


_has_agent = contains(
    r"(?m)^[ \t]*(?:agent|connection|coordination)QMgr(?:Host|Port|Channel)?[ \t]*[=:]"
)
_has_agent_in_json = contains(r"\"(?:coordination|commands?)QMgr\"\s*:\s*\{")
_has_route = contains(
    r"(?im)^[ \t]*\[[ \t]*route[ \t]*\]",
    r"(?m)^[ \t]*(?:Destination|Listener)Port[ \t]*=",
)
_has_exporter = contains(
    r"(?m)^connection:[ \t]*(?:#[^\n]*)?\r?\n(?:(?![ \t]+queueManager:)(?:[ \t#][^\n]*"
    r"|\r?)\n)*+[ \t]+queueManager:"
)
_has_keystore = contains(r"(?m)^[ \t]*(?:cms|pkcs11|pem|jks|jceks|jceracfks)\.\w+[ \t]*=")


_has_endpoints = contains(r"\"MQ_ENDPOINTS\"\s*:")
_has_policy = contains(signs.POLICY)
_OWN_CHANNEL = later(rf"(?i)\"{_OWN_PREFIX}Channel(?:[_-]?Name)?\"\s*:")
_OWN_SECTION = later(rf"(?i)\"{_OWN_MANAGER}\"\s*:")
_OWN_HOST = later(
    rf"(?i)(?:^|[\s{{,])\"?{_OWN_PREFIX}(?:Host(?:[_-]?Name)?|Conn(?:ection)?[_-]?Name(?:[_-]?List)?)\"?\s*:"
)
_OF_MQ = later(r"(?i)\"(?:(?:IBM|WebSphere|W)[_.:-]?)?MQ\w{0,40}\"\s*:")
_OF_KUBERNETES = later(r"(?m)^kind:[ \t]*\w")
_is_configuration = named_as(
    r"(?:config|settings|default|local|dev|development|test|staging|prod|production)(?:[.-][\w-]+)?"
    r"\.(?:json|ya?ml)"
)
"""Names of files in which applications of Node, Python or Go keep their settings."""


_is_settings = named_as(signs.SETTINGS.pattern)


def _has_own_keys(sample: Sample) -> bool:
    """Whether settings have a section of MQ, or the keys of a connection."""
    text = sample.text
    if _OF_MQ.search(text) is not None:
        return True
    return _OWN_SECTION.search(text) is not None and _OWN_CHANNEL.search(text) is not None


def _has_whole_connection(sample: Sample) -> bool:
    """Whether settings have the keys of a queue manager, of a channel and of a host.

    A resource of Kubernetes has them only in the text of an entry.
    """
    text = sample.text
    if _OF_KUBERNETES.search(text) is not None:
        return False
    of_yaml = (_KEY_OF_MANAGER, _KEY_OF_CHANNEL)
    keys = (_OWN_SECTION, _OWN_CHANNEL) if sample.ending == "json" else of_yaml
    return all(key.search(text) is not None for key in (*keys, _OWN_HOST))


_is_of_datadog = contains(
    r"(?m)^instances:[ \t]*\r?$",
    r"(?m)^(?:[ \t]+|[ \t]*- +)queue_manager:[ \t]",
)


# -- languages -------------------------------------------------------------------------------------


_JSON = frozenset("json json_template".split())
_PROPERTIES = frozenset("properties properties_template".split())
_YAML = frozenset("yaml yml yaml_template yml_template".split())
_SCRIPTS = frozenset("bash bat cmd ksh sh".split())


_HERE = "mqlint.language.client"
_client = partial(Language, ownership="declared")
"""A language of applications; its declarations are for the folder's queue manager."""

CCDT = _client(
    "ccdt", (Sign(30, _JSON, looks_like=_is_table),), f"{_HERE}.ccdt:read", comments=False
)
LANGUAGES = (
    _client(
        "environment",
        (
            Sign(29, named=of_path(signs.is_environment), looks_like=_has_variables),
            Sign(18, READ_BY_SCRIPTS | _SCRIPTS | {""}, looks_like=_sets_variables),
            Sign(29, {"tfvars", "json"}, looks_like=_has_parameters),
            Sign(29, named=of_path(is_inventory), looks_like=_has_hosts),
            Sign(29, named=_is_in_data, looks_like=_is_data),
            Sign(29, named=_is_list, looks_like=_has_sites, last_resort=True),
            Sign(29, named=_is_of_liberty, looks_like=_has_variables_of_liberty),
            Sign(200, named=_is_variable_of_liberty, looks_like=_is_value),
            Sign(41, _PROPERTIES, looks_like=_has_variables_of_client),
        ),
        f"{_HERE}.dotenv:read",
        settings=True,
        by_path=True,
    ),
    CCDT,
    _client(
        "client-properties",
        (
            Sign(30, _PROPERTIES, looks_like=_has_properties_of_boot),
            Sign(40, _PROPERTIES, looks_like=_is_of_application),
        ),
        f"{_HERE}.settings:read_properties",
        settings=True,
    ),
    _client(
        "client-yaml",
        (
            Sign(32, _YAML, looks_like=_has_settings_of_boot),
            Sign(40, _YAML, looks_like=_is_of_application),
        ),
        f"{_HERE}.settings:read_spring",
    ),
    _client(
        "connector-properties",
        (Sign(33, _PROPERTIES, looks_like=_has_properties_of_connector),),
        f"{_HERE}.kafka:read_properties",
        settings=True,
    ),
    _client(
        "connector",
        (Sign(33, _JSON | _YAML, looks_like=_has_keys_of_connector),),
        f"{_HERE}.kafka:read_tree",
        comments=False,
    ),
    _client(
        "client-xml",
        (
            Sign(34, set("xml policyxml xml_template config".split()), looks_like=_has_resource),
            Sign(34, {"xml"}, looks_like=_has_variable_of_server),
        ),
        f"{_HERE}.xml:read",
        comments=False,
    ),
    _client(
        "web-server",
        (Sign(31, {"xml", "xml_template"}, looks_like=_has_web_server),),
        f"{_HERE}.web:read",
        comments=False,
    ),
    _client(
        "jms-objects",
        (
            Sign(36, TEXT_ENDINGS | {"scp"}, looks_like=_has_factory),
            Sign(36, named=_is_bindings, looks_like=_has_bound_factory),
            Sign(36, TEXT_ENDINGS | set("scp jy jython jacl".split()), looks_like=_creates_objects),
            Sign(36, named=_is_python, looks_like=_creates_objects),
        ),
        f"{_HERE}.jmsadmin:read",
    ),
    _client(
        "transfer-properties",
        (Sign(35, _PROPERTIES, looks_like=_has_agent),),
        f"{_HERE}.transfer:read",
        settings=True,
    ),
    _client(
        "transfer-json",
        (Sign(35, _JSON, looks_like=_has_agent_in_json),),
        f"{_HERE}.transfer:read_json",
        comments=False,
    ),
    _client(
        "routes",
        (Sign(37, {"conf"}, looks_like=_has_route),),
        f"{_HERE}.passthru:read",
        settings=True,
    ),
    _client("exporter", (Sign(38, _YAML, looks_like=_has_exporter),), f"{_HERE}.exporter:read"),
    _client(
        "keystore",
        (Sign(39, {"conf"}, looks_like=_has_keystore),),
        f"{_HERE}.keystore:read",
        settings=True,
    ),
    _client(
        "client-keys",
        (
            Sign(41, _JSON, looks_like=_has_endpoints),
            Sign(42, named=_is_settings, looks_like=_has_own_keys),
            Sign(43, _YAML, looks_like=_is_of_datadog),
            Sign(44, named=_is_configuration, looks_like=_has_whole_connection),
            Sign(45, _YAML, looks_like=_has_policy),
        ),
        f"{_HERE}.mapped:read",
        settings=True,
    ),
)
