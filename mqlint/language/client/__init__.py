"""Settings of client applications, and client channel definition tables: their languages."""

from __future__ import annotations

from functools import partial

from mqlint.language.base import TEXT_ENDINGS, Language, Sign
from mqlint.language.client import recognised
from mqlint.language.client.signs import READ_BY_SCRIPTS

_JSON = frozenset("json json_template".split())
_PROPERTIES = frozenset("properties properties_template".split())
_YAML = frozenset("yaml yml yaml_template yml_template".split())
_SCRIPTS = frozenset("bash bat cmd ksh sh".split())


_HERE = "mqlint.language.client"
_client = partial(Language, ownership="declared", variables=False)
"""A language of applications; its declarations are for the folder's queue manager."""

CCDT = _client(
    "ccdt", (Sign(30, _JSON, looks_like=recognised.is_table),), f"{_HERE}.ccdt:read", comments=False
)
LANGUAGES = (
    _client(
        "environment",
        (
            Sign(29, named=recognised.is_environment, looks_like=recognised.has_variables),
            Sign(18, READ_BY_SCRIPTS | _SCRIPTS, looks_like=recognised.sets_variables),
            Sign(29, frozenset({"tfvars", "json"}), looks_like=recognised.has_parameters),
            Sign(29, named=recognised.is_inventory, looks_like=recognised.has_hosts),
            Sign(
                29, named=recognised.is_of_liberty, looks_like=recognised.has_variables_of_liberty
            ),
            Sign(200, named=recognised.is_variable_of_liberty, looks_like=recognised.is_value),
            Sign(41, _PROPERTIES, looks_like=recognised.has_variables_of_client),
        ),
        f"{_HERE}.dotenv:read",
        settings=True,
        by_path=True,
    ),
    CCDT,
    _client(
        "client-properties",
        (
            Sign(30, _PROPERTIES, looks_like=recognised.has_properties_of_boot),
            Sign(40, _PROPERTIES, looks_like=recognised.is_of_application),
        ),
        f"{_HERE}.settings:read_properties",
        settings=True,
    ),
    _client(
        "client-yaml",
        (
            Sign(32, _YAML, looks_like=recognised.has_settings_of_boot),
            Sign(40, _YAML, looks_like=recognised.is_of_application),
        ),
        f"{_HERE}.settings:read_spring",
    ),
    _client(
        "connector-properties",
        (Sign(33, _PROPERTIES, looks_like=recognised.has_properties_of_connector),),
        f"{_HERE}.kafka:read_properties",
        settings=True,
    ),
    _client(
        "connector",
        (Sign(33, _JSON | _YAML, looks_like=recognised.has_keys_of_connector),),
        f"{_HERE}.kafka:read_tree",
        comments=False,
    ),
    _client(
        "client-xml",
        (
            Sign(
                34,
                frozenset("xml policyxml xml_template config".split()),
                looks_like=recognised.has_resource,
            ),
            Sign(34, frozenset({"xml"}), looks_like=recognised.has_variable_of_server),
        ),
        f"{_HERE}.xml:read",
        comments=False,
    ),
    _client(
        "web-server",
        (Sign(31, frozenset({"xml", "xml_template"}), looks_like=recognised.has_web_server),),
        f"{_HERE}.web:read",
        comments=False,
    ),
    _client(
        "jms-objects",
        (
            Sign(36, TEXT_ENDINGS | {"scp"}, looks_like=recognised.has_factory),
            Sign(36, named=recognised.is_bindings, looks_like=recognised.has_bound_factory),
            Sign(
                36,
                TEXT_ENDINGS | set("scp jy jython jacl".split()),
                looks_like=recognised.creates_objects,
            ),
            Sign(36, named=recognised.is_python, looks_like=recognised.creates_objects),
        ),
        f"{_HERE}.jmsadmin:read",
    ),
    _client(
        "transfer-properties",
        (Sign(35, _PROPERTIES, looks_like=recognised.has_agent),),
        f"{_HERE}.transfer:read",
        settings=True,
    ),
    _client(
        "transfer-json",
        (Sign(35, _JSON, looks_like=recognised.has_agent_in_json),),
        f"{_HERE}.transfer:read_json",
        comments=False,
    ),
    _client(
        "routes",
        (Sign(37, frozenset({"conf"}), looks_like=recognised.has_route),),
        f"{_HERE}.passthru:read",
        settings=True,
    ),
    _client(
        "exporter", (Sign(38, _YAML, looks_like=recognised.has_exporter),), f"{_HERE}.exporter:read"
    ),
    _client(
        "keystore",
        (Sign(39, frozenset({"conf"}), looks_like=recognised.has_keystore),),
        f"{_HERE}.keystore:read",
        settings=True,
    ),
    _client(
        "client-keys",
        (
            Sign(41, _JSON, looks_like=recognised.has_endpoints),
            Sign(42, named=recognised.is_settings, looks_like=recognised.has_own_keys),
            Sign(43, _YAML, looks_like=recognised.is_of_datadog),
            Sign(44, named=recognised.is_configuration, looks_like=recognised.has_whole_connection),
            Sign(45, _YAML, looks_like=recognised.has_policy),
        ),
        f"{_HERE}.mapped:read",
        settings=True,
    ),
)
