"""Managed File Transfer: how agents and commands connect, and the queues that an agent reads.

Sources: "The MFT agent.properties file" (properties), "The MFT command.properties file"
(props_command), "The MFT coordination.properties file", "SSL properties for MFT" (props_ssl),
"MFT Agent queue settings" (agent_queue_config). `fteCreateAgent`, `fteSetupCommands` and
`fteSetupCoordination` take the same names as options, and write these files. The container of
ibm-messaging/mq-container-mft makes them from JSON (agentconfig.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    SettingText,
    add_address,
    by_attribute,
    connection,
    is_port,
    setting_at,
    uses,
)
from mqlint.language.client.elements import Element, parts
from mqlint.language.client.properties import properties
from mqlint.language.declaration import AGENT, Declared, Field, FieldValue
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.applications import AGENT_QUEUES, application_formats
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.limits import PORT
from mqlint.vocabulary.unknown import UNKNOWN

_OWNERS = ("agent", "connection", "coordination")
_DEFAULT_CHANNEL = "SYSTEM.DEF.SVRCONN"
_MFT = application_formats()["mft"]
_HOLDERS = {
    "coordinationQMgr": "coordination",
    **dict.fromkeys(("commandQMgr", "commandsQMgr"), "connection"),
}
"""The keys of JSON with a connection. Older containers call that of commands `commandsQMgr`, and
have one `agent`.
"""
_PASSWORD = "mqPassword"  # noqa: S105 a key
"""The key of the container. It may be in base64. What is beside it is hidden, also the user."""
_AGENT_NAME = later(r"[A-Za-z0-9._/%]{1,28}")
_AGENT_FOLDER = later(r"/config/[^/]+/agents/([A-Za-z0-9._]+)/agent\.properties\Z")
_LONGEST_CHANNEL = 20
_REST = r"(?P<rest>(?:[ \t]+|(?:\\|\^|`)\r?\n)(?:[^\n\\^`;|&<>]|[\\^`](?:\r?\n)?)*)"
"""A pattern of the words after a command, also in continued lines."""
_COMMAND = later(
    r"(?<![\w.-])fte(?:Create(?:CD|Bridge|Web)?Agent|SetupCommands|SetupCoordination)"
    r"(?:\.cmd|\.bat|\.sh)?" + _REST
)
_OPTION = later(
    r"(?i)(?<![\w-])-(?P<key>(?:agent|connection|coordination)(?:Name|QMgr(?:Host|Port|Channel)?))"
    r"[ \t]+"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"']+)(?P=quote)(?=[\s;]|\Z)"
)
_VARIABLE = later(r"[$%`]")
_DEFINING = later(r"(?<![\w.-])fteCreate(?:Transfer|Monitor|Template)(?:\.cmd|\.bat|\.sh)?" + _REST)
_SHORT_OPTION = later(
    r"(?<![\w-])-(?P<key>[sdm][amq])[ \t]+"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"']+)(?P=quote)(?=[\s;]|\Z)"
)
_ENDS = {"sq": ("sm", "get"), "dq": ("dm", "put"), "mq": ("mm", "get")}
"""The queues of a transfer or a monitor, each with the option of its queue manager.

("fteCreateTransfer" and "fteCreateMonitor"; QUEUE@QUEUEMANAGER names another one.)
"""
_NAMED = {
    "agentName": ("agentQMgr", "own"),
    "sa": ("sm", "source"),
    "da": ("dm", "destination"),
    "ma": ("mm", "monitor"),
}
"""The options and properties that name an agent, each with that of its queue manager."""
_WORDS = {
    "item": ("mode", ("binary", "text")),
    "source": ("disposition", ("leave", "delete")),
    "destination": ("exist", ("error", "overwrite")),
}
"""Attributes of elements in requests, with all of their words (FileTransfer.xsd)."""
_WORD = later(r"[A-Za-z]{1,20}")
_AGENTS = {"sourceAgent": "source", "destinationAgent": "destination"}
_SIDES = {"source": "get", "destination": "put"}

Values = Mapping[str, Setting]


def connections_of_files(text: str) -> Iterator[Declared]:
    """Yield the connections of agent.properties, command.properties or coordination.properties.

    An agent without a host connects to a local queue manager: only its queues are yielded.
    """
    values = {key: setting for key, _, setting in properties(text)}
    yield from _connections(values, whole=True)
    yield from _agents(values)
    agent = values.get("agentName")
    if agent is not None and isinstance(agent.value, str):
        name = agent.value.upper()
        queues = [Setting(f"{prefix}{name}", agent.span) for prefix in AGENT_QUEUES]
        for over in connection(
            "mft", _settings(values, "agent"), whole=_is_client(values, "agent")
        ):
            yield from uses(over, [("get", queue) for queue in queues])


def connections_of_commands(text: str) -> Iterator[Declared]:
    """Yield the connections of commands that create an agent or set up a configuration."""
    spelling = {
        f"{owner}{rest}".lower(): f"{owner}{rest}"
        for owner in _OWNERS
        for rest in ("Name", "QMgr", "QMgrHost", "QMgrPort", "QMgrChannel")
    }
    for options in _options(text, _COMMAND, _OPTION):
        values = {spelling[key.lower()]: setting for key, setting in options.items()}
        yield from _connections(values, whole=False)
        yield from _agents(values)
    for options in _options(text, _DEFINING, _SHORT_OPTION):
        yield from _agents(options)
        for key, (owner, action) in _ENDS.items():
            if key in options:
                yield from _queue(options[key], options.get(owner), action)


def _agents(values: Values) -> Iterator[Declared]:
    """Yield the agents that are named together with a queue manager."""
    for key, (owner, part) in _NAMED.items():
        if key in values and owner in values:
            yield from _agent(values[key], values[owner], part)


def _agent(name: Setting, manager: Setting, part: str) -> Iterator[Declared]:
    if isinstance(name.value, str) and isinstance(manager.value, str):
        stated = Field("QMNAME", manager.value.strip(), manager.span)
        fields = (Field("part", part, name.span), stated)
        yield Declared(AGENT, name.value.strip().upper(), fields, manager.span)


def _options(
    text: str, commands: re.Pattern[str], options: re.Pattern[str]
) -> Iterator[dict[str, Setting]]:
    """Yield the options of each command that is not in a comment."""
    settings = SettingText(text)
    for command in commands.finditer(text):
        line = text[text.rfind("\n", 0, command.start()) + 1 : command.start()].lstrip()
        if line.startswith(("#", "::", "rem ", "REM ")):
            continue
        found = {}
        for option in options.finditer(text, *command.span("rest")):
            is_plain = _VARIABLE.search(option["value"]) is None
            found[option["key"]] = settings.setting(option.span("value"), is_plain=is_plain)
        yield found


def _queue(queue: Setting, owner: Setting | None, action: str) -> Iterator[Declared]:
    """The use of a queue at the queue manager after its `@`, otherwise at that of its agent."""
    name, _, manager = queue.text.partition("@")
    at = Setting(manager, queue.span) if manager else owner
    for over in connection("mft", {"QMNAME": at} if at is not None else {}):
        yield from uses(over, [(action, Setting(name, queue.span))])


def queues_of_definitions(elements: Iterable[Element]) -> Iterator[Declared]:
    """Yield the queues that definitions of transfers and monitors in XML name.

    A monitor names its agent only, so its queue manager is that of the transfers of this agent
    ("File transfer request message format", "MFT monitor request message formats").
    """
    managers: dict[str, Setting] = {}
    agents: dict[str, Setting] = {}
    monitored: list[Setting] = []
    agent, side, stop = Setting(UNKNOWN, (0, 0)), "", 0
    for element in elements:
        name = element.local_name
        if name in ("resources", *_SIDES):
            side, stop = name, element.stop
        elif name in _AGENTS and "QMgr" in element.attributes:
            managers[_AGENTS[name]] = element.attributes["QMgr"]
            own = element.attributes.get("agent", agent)
            agents[str(own.value)] = element.attributes["QMgr"]
            if "agent" in element.attributes:
                yield from _agent(own, element.attributes["QMgr"], _AGENTS[name])
        elif name == "monitorList":  # of fteListMonitors
            agent = element.attributes.get("agent", agent)
        elif name == "agent":
            agent = element.text
        elif name == "queue" and element.start < stop and side == "resources":
            monitored.append(element.text)
        elif name == "queue" and element.start < stop:
            yield from _queue(element.text, managers.get(side), _SIDES[side])
    for queue in monitored:
        yield from _queue(queue, agents.get(str(agent.value)), "get")


def connections_of_json(
    text: str, budget: Budget, faults: list[Diagnostic] | None = None
) -> Iterator[Declared]:
    """Yield the connections of the JSON that the container of an agent is given."""
    for document in read_documents(text, budget, faults):
        for key, owner in _HOLDERS.items():
            node = document.child(key)
            if node is not None:
                names = {"name": "QMgr", "host": "QMgrHost", "port": "QMgrPort"}
                yield from _of_node(node, owner, {**names, "channel": "QMgrChannel"})
        for agent in filter(None, [document.child("agent"), *document.entries("agents")]):
            names = {"qmgrName": "QMgr", "qmgrHost": "QMgrHost", "qmgrPort": "QMgrPort"}
            more = {"qmgrChannel": "QMgrChannel", "name": "Name"}
            yield from _of_node(agent, "agent", {**names, **more})


def _of_node(node: Node, owner: str, names: Mapping[str, str]) -> Iterator[Declared]:
    values = {
        f"{owner}{names[key]}": setting_at(value)
        for key, value in node.pairs.items()
        if key in names and value.kind == "scalar"
    }
    for key, value in node.members("additionalProperties").items():
        if value.kind == "scalar":
            values[key] = setting_at(value)
    credentials = {}
    for key, value in node.members("qmgrCredentials").items():
        if key == _PASSWORD and value.kind == "scalar":
            credentials = {"password": setting_at(value), "user": Setting(UNKNOWN, value.span)}
    yield from _connections(values, credentials, whole=False)


def _connections(values: Values, more: Values | None = None, *, whole: bool) -> Iterator[Declared]:
    for owner in _OWNERS:
        if _is_client(values, owner):
            settings = {**_settings(values, owner), **(more or {})}
            yield from connection("mft", settings, whole=whole)


def _is_client(values: Values, owner: str) -> bool:
    host = values.get(f"{owner}QMgrHost")
    return f"{owner}QMgr" in values and host is not None and host.value != ""


def _settings(values: Values, owner: str) -> dict[str, Setting]:
    names = {f"{owner}{key}": attribute for key, attribute in _MFT.attributes.items()}
    settings = by_attribute(values, {**names, "agentName": "application"})
    if f"{owner}SslCipherSpec" in values:  # is used if the CipherSuite is set too
        settings["SSLCIPH"] = values[f"{owner}SslCipherSpec"]
    if _is_client(values, owner):
        add_address(settings, values, f"{owner}QMgrHost", f"{owner}QMgrPort")
        place = values[f"{owner}QMgrHost"].span
        settings.setdefault("channel", Setting(_DEFAULT_CHANNEL, place))
    return settings


def read(text: str, context: ClientContext) -> Parsed:
    """Read the properties of an agent, of commands or of a coordination queue manager."""
    faults = [*_faults(text), *_other_folder(text, context.path)]
    return Parsed(declared=tuple(connections_of_files(text)), diagnostics=faults)


def _other_folder(text: str, path: str) -> Iterator[Diagnostic]:
    """Yield the name of an agent that is not that of its folder, by which commands find it.

    ("The MFT agent.properties file": it is in mqft/config/COORDINATION/agents/AGENT.)
    """
    folder = _AGENT_FOLDER.search(path)
    for key, _, setting in properties(text) if folder is not None else ():
        if key != "agentName" or folder is None or not isinstance(setting.value, str):
            continue
        if setting.text.strip().upper() != folder[1].upper() and "%" not in setting.text:
            yield _fault(key, setting.span, f"is not {folder[1]}, the name of its folder")


def _wrong_word(element: Element, key: str, words: tuple[str, str]) -> Iterator[Diagnostic]:
    """Yield the value of an attribute that is none of its words."""
    setting = element.attributes.get(key)
    value = setting.text.strip() if setting is not None else ""
    if setting is not None and value not in words and _WORD.fullmatch(value) is not None:
        allowed = " or ".join(words)
        yield diagnostic("transfer-word", setting.span, key=key, value=value, allowed=allowed)


def definition_faults(elements: Sequence[Element]) -> Iterator[Diagnostic]:
    """Yield words that requests do not have, and source agents other than that of the monitor.

    ("fteCreateMonitor": the agent that monitors must be the source agent of the transfer.)
    """
    for element in elements:
        if element.local_name in _WORDS:
            yield from _wrong_word(element, *_WORDS[element.local_name])
    for monitor, inside in parts(elements, lambda element: element.local_name == "monitor"):
        own = [
            each.text for each in inside if each.local_name == "agent" and each.parent is monitor
        ]
        agent = own[-1].value if own else ""
        for element in inside:
            source = (
                element.attributes.get("agent") if element.local_name == "sourceAgent" else None
            )
            names = agent, source.value if source is not None else UNKNOWN
            if source is not None and all(isinstance(each, str) and each for each in names):
                first, second = (str(each).strip() for each in names)
                if first.upper() != second.upper():
                    yield diagnostic("monitor-agent", source.span, agent=first, source=second)


def _faults(text: str) -> Iterator[Diagnostic]:
    """Yield keys that are a typo of a known one, and settings of a connection without effect."""
    written = [(key, span, setting) for key, span, setting in properties(text)]
    present = {key for key, _, _ in written}
    for key, span, setting in written:
        if fault := _fault_of_value(key, setting.value):
            yield _fault(key, setting.span, fault)
        owner = next((owner for owner in _OWNERS if key.startswith(owner)), "")
        word = key.removeprefix(owner)
        if not owner and key not in _MFT.keys:
            meant = nearest(key, (name for name in _MFT.keys if name not in present))
        elif owner and word not in _MFT.of_connection and key not in _MFT.keys:
            near = {f"{owner}{name}" for name in _MFT.of_connection}
            meant = nearest(key, near - present)
        else:
            meant = ""
        if meant:
            yield _fault(key, span, f"is not a known property, the nearest is {meant}")
        elif word == "QMgrPort" and isinstance(setting.value, str) and not is_port(setting.value):
            yield _fault(key, setting.span, f"needs a number from 1 to {PORT}")
        elif word in ("QMgrPort", "QMgrChannel") and f"{owner}QMgrHost" not in present:
            yield _fault(key, span, f"has no effect without {owner}QMgrHost")
        elif word == "QMgrHost" and f"{owner}QMgr" not in present:
            yield _fault(key, span, f"is not enough: {owner}QMgr, which is required, is missing")


def _fault_of_value(key: str, value: FieldValue) -> str:
    """Say what is wrong with a value; blank if nothing is, or if the value is not known."""
    text = value.strip() if isinstance(value, str) else ""
    words = _MFT.words.get(key, ())
    if not text:
        return ""
    if key in _MFT.numbers and not is_digits(text):
        return "needs a whole number"
    if words and text.upper() not in map(str.upper, words):
        return f"must be {', '.join(words[:-1])} or {words[-1]}"
    if key == "agentName" and not _AGENT_NAME.fullmatch(text):
        return "needs 1 to 28 letters, digits, or . _ / %"
    if key.endswith("QMgrChannel") and len(text) > _LONGEST_CHANNEL:
        return f"has a name of more than {_LONGEST_CHANNEL} characters"
    return ""


def _fault(key: str, span: tuple[int, int], fault: str) -> Diagnostic:
    return diagnostic("transfer-setting", span, key=key, fault=fault)


def read_json(text: str, context: ClientContext) -> Parsed:
    faults: list[Diagnostic] = []
    declared = tuple(connections_of_json(text, context.budget, faults))
    return Parsed(declared=declared, diagnostics=faults)
