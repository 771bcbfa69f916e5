"""Connections that variables of the environment describe.

MQSERVER ("MQSERVER", q016990_), MQCCDTURL, or MQCHLLIB and MQCHLTAB ("Connecting client
applications to queue managers using environment variables", q027450_), `IBM_MQ_*` of Spring Boot
(README.md of ibm-messaging/mq-jms-spring, "Binding from Environment Variables" of Spring Boot), the
same as arguments `-Dibm.mq...` of Java or `--ibm.mq...` ("Externalized Configuration"), and
`IBMMQ_CONNECTION_*` of metric exporters (README.md of ibm-messaging/mq-metric-samples: the name of
a variable follows the keys of the YAML). SPRING_APPLICATION_JSON has settings of Spring Boot
("Externalized Configuration"). Scripts create connectors with the REST interface of Kafka
Connect. Variables that an application names itself are a connection if they
have a queue manager and a channel. Commands of Managed File Transfer say the same as options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl

from mqlint.finding import Diagnostic
from mqlint.language.client.connection import (
    Setting,
    Settings,
    SettingText,
    connection,
    has_hidden_password,
    password_fault,
    server_connection,
    setting_of,
)
from mqlint.language.client.kafka import connectors_of_script
from mqlint.language.client.mapped import (
    connections_of_own_keys,
    is_of_other_broker,
    names_queue,
    own_attribute,
)
from mqlint.language.client.spring import OF_VARIABLES, connections_of_json, folded
from mqlint.language.client.transfer import connections_of_commands
from mqlint.language.declaration import Declared
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.container import MQ_PORT
from mqlint.vocabulary.unknown import UNKNOWN

_FORMATS = application_formats()
_OF_SPRING = "IBM_MQ_"
_OF_EXPORTER = "IBMMQ_CONNECTION_"
_PREFIXES = {
    _OF_SPRING: ("environment", OF_VARIABLES),
    _OF_EXPORTER: (
        "exporter",
        {key.lower(): attribute for key, attribute in _FORMATS["exporter"].attributes.items()},
    ),
}
"""The source and the attributes of the variables of each prefix."""
_TABLE = ("MQCCDTURL", "MQCHLTAB", "MQCHLLIB")
"""Variables that name a channel table, or its folder, best first."""
_PASSWORDS = frozenset(
    "IBM_MQ_PASSWORD IBMMQ_CONNECTION_PASSWORD MQ_ADMIN_PASSWORD MQ_APP_PASSWORD".split()
)
_TARGETS = frozenset({"QMNAME", "channel", "CONNAME", "ccdt"})
_WHOLE_LINE = later(r"(?:(?<=\n)|\A)[ \t]*\S[^\n]*")
_COMMENTS = ("#", "rem ", "REM ", "::")
_OWN_NAME = later(
    r"(?i)(?:(?:IBM|WEBSPHERE|WS)_?)?W?MQ[_.]?[A-Z]|(?:QUEUE_?MANAGER|QMGR|QM)(?:_?NAME)?\Z"
)
"""How names of variables of MQ begin that an application chooses itself."""
_OF_APPLICATION = later(
    r"(?!(?:IBM|IBMMQ|W|WS|WEBSPHERE|RABBIT|ACTIVE|AMAZON|ROCKET|ZERO|NANO|EMQ|KUBE)_)"
    r"([A-Z][A-Z0-9]{1,19}_)MQ_"
)
"""A variable of MQ with the name of an application before it; of other products none."""
_SETTING = later(
    r"(?m)(?<![\w$.{-])(?:\$env:)?(MQSERVER|MQCHLLIB|MQCHLTAB|MQCCDTURL|(?:IBM_MQ|IBMMQ_CONNECTION)_[A-Z_]{1,60})"
    r"(=|:[ \t]++|[ \t]++=?[ \t]*+)"
    r"((?:'[^'\n]*'|\"[^\"\n]*\"|[^\s;\"'])+)"
)
_ARGUMENT = later(
    r"(?<![\w$.{-])(?:-D|--)ibm\.mq\.(?P<key>[A-Za-z][A-Za-z.-]{1,40})="
    r"(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^\s;\"']*[^\s;,\"'])(?P<more>[\"'][^\s,;)\]}\"'])?"
)
"""A setting of Spring Boot as an argument of Java or of the application."""
_ARGUMENT_SIGN = later(r"-(?:ibmmq\.|-?D?ibm\.mq\.)")
_EXPORTER_ARGUMENT = later(
    r"(?<![\w$.{-])--?ibmmq\.(?P<key>queueManager|channel|connName|ccdtUrl|user|password)(?:[iI]d)?"
    r"(?:=|[ \t]++)(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^\s;\"']*[^\s;,\"'])"
    r"(?P<more>[\"'][^\s,;)\]}\"'])?"
)
"""A flag of a metric exporter (README.md of ibm-messaging/mq-metric-samples)."""
_ARGUMENTS = ((_OF_SPRING, _ARGUMENT), (_OF_EXPORTER, _EXPORTER_ARGUMENT))
_URI = later(
    r"mq://(?:(?P<user>[^:@/\s]{0,100})(?::(?P<password>[^@/\s]{0,200}))?@)?(?P<host>[\w.-]{1,200})"
    r"(?::(?P<port>\d{1,5}))?/(?P<manager>[\w.%]{0,48})\?(?P<options>\S{1,800})"
)
"""A connection string of NServiceBus ("ServiceControl transports", "IBM MQ")."""
_OF_SERVICE_CONTROL = "QM1"
"""The queue manager of a connection string that names none."""
_OF_URI = {
    "channel": "channel",
    "cipherspec": "SSLCIPH",
    "sslpeername": "SSLPEER",
    "appname": "application",
}
_OF_SAMPLE = frozenset({"QMGR", "CHANNEL"})
"""Variables of IBM's samples, which others without the name of MQ stand beside."""
_VARIABLE = later(r"[$%`]")
_SETS_WITHOUT_SIGN = ("env", "setenv", "setx", "env:")
"""Ends of the word before a variable whose value follows without `=`."""
_QUOTES = later(r"['\"]|\\(?=[()])")
_STAGE = later(r"(?m)^FROM[ \t]+\S")
"""A stage of a Dockerfile; of several, each has variables of its own."""
_EXPORTED = later(
    r"(?m)^(?:export[ \t]+|@?(?i:set)[ \t]+\"?|\$(?i:env):)"
    r"(MQSERVER|MQCHLLIB|MQCHLTAB|MQCCDTURL)[ \t]*="
)
_CONNECTING = later(r"\b(?:MQSERVER|MQCHLLIB|MQCHLTAB|MQCCDTURL)\b")
_UNIT_VARIABLE = "environment="
_UNIT_FILE = later(r"(?m)^EnvironmentFile=[ \t]*\S")
"""Its variables replace those that a unit of systemd sets ("systemd.exec", EnvironmentFile=)."""
_READS_SERVER = later(r"(?i)(?:\$\{?|%|\$env:)MQSERVER\b")


def connections_of_script(text: str) -> Iterator[Declared]:
    """Yield the connections that a script or a Dockerfile describes, by variables or commands."""
    is_one = len(_STAGE.findall(text)) == 1 or _exports_once(text)
    yield from connections_of_variables([*variables_of_script(text)], is_environment=is_one)
    yield from connections_of_commands(text)
    yield from connectors_of_script(text)


def variables_of_script(text: str) -> Iterator[tuple[str, Setting]]:
    """Yield the variables of clients that a script, a unit or a Dockerfile sets."""
    settings = SettingText(text)
    is_default = _UNIT_FILE.search(text) is not None
    for line in _WHOLE_LINE.finditer(text):
        if line[0].lstrip().startswith(_COMMENTS):
            continue
        for match in _SETTING.finditer(text, *line.span()):
            before = text[line.start() : match.start()].lower().rstrip()
            is_entry = match[2][0] == ":" and not before and "/" in match[3]
            if "=" not in match[2] and not is_entry and not before.endswith(_SETS_WITHOUT_SIGN):
                continue  # prose, as in a message
            value, span = _QUOTES.sub("", match[3]), match.span(3)
            is_own = match[1] == "MQSERVER" and "/" not in value
            if is_own and _READS_SERVER.search(text) is not None:
                continue  # a variable of the script, such as the name of a host
            is_plain = settings.is_known(span) and _VARIABLE.search(match[3]) is None
            is_plain = is_plain and not (is_default and before.startswith(_UNIT_VARIABLE))
            yield match[1], setting_of(value, span, is_plain=is_plain)
        for name, argument, place in _arguments_in(text, *line.span()):
            is_plain = argument is not None and settings.is_known(place)
            yield name, setting_of(argument or "", place, is_plain=is_plain)


def _exports_once(text: str) -> bool:
    """Whether a shell exports the variables of MQ once, so that all of them hold together."""
    exported = _EXPORTED.findall(text)
    return len(exported) == len({*exported}) == len(_CONNECTING.findall(text))


def _arguments_in(text: str, start: int, end: int) -> Iterator[tuple[str, str | None, Span]]:
    """Yield arguments for Spring Boot and for exporters as variables, with value and place.

    The value is None if something else is added to it, as in `host"$DOMAIN"`.
    """
    for prefix, pattern in _ARGUMENTS:
        for match in pattern.finditer(text, start, end):
            name = prefix + match["key"].replace(".", "").replace("-", "").upper()
            is_whole = match["more"] is None and _VARIABLE.search(match["value"]) is None
            yield name, _QUOTES.sub("", match["value"]) if is_whole else None, match.span("value")


def arguments_in(text: MappedText) -> Iterator[tuple[str, Setting]]:
    """Yield the arguments for Spring Boot and for exporters in a command, as variables."""
    for name, value, (start, end) in _arguments_in(text.text, 0, len(text.text)):
        span = text.host(start), text.host(end)
        yield name, setting_of(value or "", span, is_plain=value is not None and is_known(value))


def _in_options(setting: Setting) -> Iterator[tuple[str, Setting]]:
    """Yield the settings in arguments that a value has, as JAVA_TOOL_OPTIONS."""
    text = setting.text
    for name, value, _ in _arguments_in(text, 0, len(text)) if _ARGUMENT_SIGN.search(text) else ():
        yield name, setting_of(value or "", setting.span, is_plain=value is not None)


def connections_of_variables(
    variables: Iterable[tuple[str, Setting]],
    more: Settings | None = None,
    *,
    is_environment: bool = True,
) -> Iterator[Declared]:
    """Yield the connections of variables by name.

    `is_environment`: one process has all of them, so that MQSERVER takes precedence over a table.

    The value of a variable that is set twice is unknown. `more` are settings that the variables do
    not have.
    """
    variables = tuple(variables)
    arguments = tuple(found for _, setting in variables for found in _in_options(setting))
    names = {name for name, _ in arguments}  # they take precedence over variables
    variables = (*(found for found in variables if found[0] not in names), *arguments)
    is_sample = {name for name, _ in variables} >= _OF_SAMPLE
    own = {name: setting for name, setting in variables if is_sample or _OWN_NAME.match(name)}
    own |= _of_application(variables, own)
    for name, setting in variables:
        if name == "SPRING_APPLICATION_JSON":
            yield from connections_of_json(setting)
        yield from _of_uri(setting, more)
    servers = [setting for name, setting in variables if name == "MQSERVER"]
    tables = {name: setting for name, setting in variables if name in _TABLE}
    table = next((tables[name] for name in _TABLE if name in tables), None)
    beside = {"ccdt.ignored": table} if table is not None and is_environment else {}
    for server in servers:
        yield from server_connection("MQSERVER", server, {**(more or {}), **beside})
    if table is not None and table.value != "":
        folder = {"ccdt.folder": tables["MQCHLLIB"]} if "MQCHLLIB" in tables else {}
        yield from connection("environment", {"ccdt": table, **folder, **(more or {})})
    of_own = connections_of_own_keys(own, "keys", more).declared
    attributes = {own_attribute(name) for name in own}
    found = _by_prefix(variables)
    is_own = not attributes.isdisjoint(("host", "CONNAME"))
    if of_own and is_own and "CONNAME" not in found[_OF_SPRING]:
        found.pop(_OF_SPRING)  # the starter has no such key: the application reads them itself
    is_documented = False
    has_other_broker = any(is_of_other_broker(name) for name, _ in variables)
    queues = [
        ("open", setting)
        for name, setting in (() if has_other_broker else variables)
        if name not in own and names_queue(name, setting)
    ]
    for prefix, settings in found.items():
        if _TARGETS & settings.keys():
            is_documented = True
            given = {**settings, **(more or {})}
            opened = queues if prefix == _OF_SPRING else ()
            yield from connection(_PREFIXES[prefix][0], given, queues=opened)
    if not is_documented:
        yield from of_own


def _of_application(variables: Iterable[tuple[str, Setting]], own: Settings) -> dict[str, Setting]:
    """Variables after the one word that an application puts before them, as APP_MQ_HOST.

    None if several words are used, or if a variable is there without it too.
    """
    found: dict[str, Setting] = {}
    prefixes = set[str]()
    for name, setting in variables:
        match = _OF_APPLICATION.match(name)
        if match is not None:
            prefixes.add(match[1])
            found[name[match.end(1) :]] = setting
    return found if len(prefixes) == 1 and not found.keys() & own.keys() else {}


def _by_prefix(variables: Iterable[tuple[str, Setting]]) -> dict[str, dict[str, Setting]]:
    """The attributes that variables set, by the prefix of their names."""
    found: dict[str, dict[str, Setting]] = {prefix: {} for prefix in _PREFIXES}
    for name, setting in variables:
        for prefix, settings in found.items():
            attribute = _PREFIXES[prefix][1].get(folded(name.removeprefix(prefix)))
            if attribute is not None and name.startswith(prefix):
                known = settings.get(attribute)
                is_same = known is None or known.value == setting.value
                settings[attribute] = setting if is_same else Setting(UNKNOWN, setting.span)
    return found


def _of_uri(setting: Setting, more: Settings | None) -> Iterator[Declared]:
    """Yield the connection of a string `mq://user@host:1414/QM1?channel=APP`.

    Open Message Queue has addresses `mq://` too, but no channels.
    """
    match = _URI.fullmatch(setting.text)
    options = parse_qsl(match["options"]) if match is not None else ()
    given = {_OF_URI.get(name.lower(), ""): value for name, value in options}
    if match is None or "channel" not in given:
        return
    values = {
        **{name: value for name, value in given.items() if name},
        "QMNAME": match["manager"] or _OF_SERVICE_CONTROL,
        "CONNAME": f"{match['host']}({match['port'] or MQ_PORT})",
        **{name: match[name] for name in ("user", "password") if match[name] is not None},
    }
    settings = {name: Setting(value, setting.span) for name, value in values.items()}
    yield from connection("nservicebus", {**settings, **(more or {})}, whole=True)


def variable_password_fault(name: str, setting: Setting) -> Iterator[Diagnostic]:
    if name in _PASSWORDS or has_hidden_password(setting.text):
        yield from password_fault(setting, name)
