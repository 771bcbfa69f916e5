"""Connections of applications to queue managers, in the declarations that all formats give.

A connection is a `connection`, with a `use` for each queue that the format names. A value that a
template, a variable or another file decides is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import (
    CONNECTION,
    LOOPBACK,
    TOPIC_USE,
    USE,
    Declared,
    Field,
    FieldValue,
)
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.tree import VARIABLE, Node
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.masking import HIDDEN, is_hidden, is_hidden_default, is_mask
from mqlint.vocabulary.applications import ApplicationFormat
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.limits import PORT
from mqlint.vocabulary.unknown import UNKNOWN

_RECONNECT = {
    **dict.fromkeys(("YES", "TRUE", "ANY", "ENABLED"), "YES"),
    **dict.fromkeys(("QMGR", "Q_MGR", "QUEUEMANAGER"), "QMGR"),
    **dict.fromkeys(("NO", "FALSE", "DEFAULT", "ASDEF"), "NO"),
    "DISABLED": "DISABLED",
}
_TARGETS = ("QMNAME", "channel", "CONNAME", "ccdt", "parameters")
"""The attributes that say whom an application calls."""
_WRITTEN_OUT = ("QMNAME", "channel", "CONNAME")
_AROUND = " \t\r\n\"'"
_ENCRYPTED = later(r"(?:ENC[(\[]|\{(?!xor\})\w+\}|!|<)")
"""How an encrypted password begins: of Jasypt, SOPS, Spring or Liberty, a tag of YAML, of MQ."""
_KEY_BEFORE = later(r"(?<![\w.-])([\w.-]++)[\"']?[ \t]*+[:=][ \t]*+[\"']?\Z")
_LONGEST_KEY = 80
_SHORTEST = 5
"""Characters of a key for another to be a typo of it."""
_SHOWN = 60
_ON_TOPICS = {"get": "subscribe", "put": "publish", "open": "open"}
"""What the actions on queues are on topics."""
_ENCODED = "{xor}"
"""How Liberty marks a password that everybody can decode ("securityUtility command")."""


class Setting(NamedTuple):
    value: FieldValue
    span: Span

    @property
    def text(self) -> str:
        """The value, blank if it is not known."""
        return self.value if isinstance(self.value, str) else ""


_DISABLED = Setting("false", (0, 0))
Settings = Mapping[str, Setting]
"""Settings by attribute: those of MQSC in capitals, others in lower case (see `connection`)."""


_NULL = ("null", "Null", "NULL", "~")
"""How YAML and JSON write that a key has no value."""


_REQUEST = later(
    r"(?i)(?:^|[^a-z])(?:change|enter|insert|missing|must|overrid(?:e|den)|placeholder|provided?"
    r"|replace|required|set|todo|undefined|unset|your)(?:me)?(?![a-z])"
)
"""A word of a default that says that it must be replaced: `CHANGE_ME`, `must-be-set-by-env`."""


def asks_for_value(default: str) -> bool:
    """Whether a default only says that a value is needed."""
    return _REQUEST.search(default) is not None


def is_port(value: str) -> bool:
    """Return whether a value is a port that can be given, or blank."""
    text = value.strip()
    return not text or 0 < (whole_number(text) or 0) <= PORT


_SECRET_IN_URI = later(rf"mq://[\w.-]{{0,100}}:{HIDDEN}{{1,200}}@[\w.:/?&=*-]{{1,800}}")


def setting_of(text: str, span: Span, *, is_plain: bool) -> Setting:
    """Return a value; unknown if it is not plain text, or has a variable or a continuation sign.

    A secret stays as it is, so that its presence is known.
    """
    if is_hidden(text.strip(_AROUND).removeprefix(_ENCODED)) or is_hidden_default(text):
        return Setting(text, span)
    if has_hidden_password(text.strip()):
        return Setting(text.strip(), span)
    is_plain = is_plain and VARIABLE.search(text) is None and not text.endswith("\\")
    return Setting(text.strip() if is_plain else UNKNOWN, span)


def has_hidden_password(text: str) -> bool:
    """Return whether a text is an address of MQ of which only the password is hidden."""
    return text.startswith("mq://") and _SECRET_IN_URI.fullmatch(text) is not None


class SettingText:
    """A text of settings, of which a value with a template is unknown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._covered = with_placeholders(text)

    def is_known(self, span: Span) -> bool:
        return is_known(self._covered[slice(*span)])

    def setting(self, span: Span, *, is_plain: bool = True) -> Setting:
        """Return the value at a place; unknown if it is not plain text."""
        is_plain = is_plain and self.is_known(span)
        return setting_of(self.text[slice(*span)], span, is_plain=is_plain)


def setting_at(node: Node) -> Setting:
    """Return the value of a scalar of YAML or JSON; null is nothing."""
    if node.text in _NULL and not node.is_quoted:
        return Setting("", node.span)
    return setting_of(node.text, node.span, is_plain=isinstance(node.value, str))


def by_attribute(settings: Mapping[str, Setting], names: Mapping[str, str]) -> dict[str, Setting]:
    return {names[key]: setting for key, setting in settings.items() if key in names}


def add_address(settings: dict[str, Setting], addresses: Settings, host: str, port: str) -> None:
    """Add the connection name of a host and a port, if no list of them is given."""
    if "CONNAME" in settings or host not in addresses:
        return
    name, number = addresses[host], addresses.get(port)
    count = "1414" if number is None or number.value == "" else number.value
    are_known = isinstance(name.value, str) and isinstance(count, str)
    settings["CONNAME"] = Setting(f"{name.value}({count})" if are_known else UNKNOWN, name.span)


def key_before(text: str, setting: Setting, other: str = "password") -> str:
    """Return the key of a value as the text has it, or `other` if it is elsewhere."""
    start = setting.span[0]
    found = _KEY_BEFORE.search(text, max(0, start - _LONGEST_KEY), start)
    return other if found is None else found[1]


def password_fault(setting: Setting | None, key: str) -> Iterator[Diagnostic]:
    """Yield a password that is in the file in plain text, or only encoded."""
    if setting is not None:
        text = setting.text.strip(_AROUND)
        if text and not is_mask(text) and _ENCRYPTED.match(text) is None:
            form = f"encoded with {_ENCODED}" if text.startswith(_ENCODED) else "in plain text"
            yield diagnostic("client-password", setting.span, key=key, form=form)


def setting_faults(settings: Settings, expected: ApplicationFormat) -> Iterator[Diagnostic]:
    """Yield values that their key does not take in a format, and typos of keys not given."""
    known = expected.known
    for key, setting in settings.items():
        value = setting.value
        if key in expected.words:
            words = expected.words[key]
            accepted = {word.casefold() for word in words}
            if isinstance(value, str) and value and value.casefold() not in accepted:
                fault = f"does not accept {value[:_SHOWN]}, only {', '.join(words)}"
                yield setting_fault(key, setting, fault)
        elif (len(key) >= _SHORTEST or f"{key}Name" in known) and key not in known:
            near = (
                name
                for name in known
                if name not in settings and (distance(key, name, 1) == 1 or name == f"{key}Name")
            )
            meant = next(near, "")
            if meant and meant.casefold() != key.casefold():
                yield setting_fault(key, setting, f"is not read, and the nearest key is {meant}")


def setting_fault(key: str, setting: Setting, fault: str) -> Diagnostic:
    """Return what is wrong with a setting; `fault` is what the key does or does not do."""
    return diagnostic("connection-setting", setting.span, key=key, fault=fault)


_LOCAL = frozenset({"0", "bind", "bindings", "wmq_cm_bindings"})
"""Values of a mode in which an application calls the queue manager of its own host."""


def unused_address(
    settings: Settings, mode: str, addresses: Iterable[str], default: str = ""
) -> Iterator[Diagnostic]:
    """Yield the first address that a local connection leaves out; `default` is its mode.

    An address of the host itself agrees with the mode.
    """
    chosen = settings.get(mode)
    word = default if chosen is None else chosen.text
    if word.lower() not in _LOCAL:
        return
    found = next((key for key in addresses if key in settings and settings[key].text), None)
    if found is not None and not settings[found].text.lower().startswith(LOOPBACK):
        reason = f"{mode} is {word}" if chosen is not None else f"{mode} is {word} by default"
        yield diagnostic("unused-address", settings[found].span, key=found, reason=reason)


def connection(
    source: str,
    settings: Settings,
    *,
    whole: bool = False,
    queues: Iterable[tuple[str, Setting]] = (),
    topics: Iterable[tuple[str, Setting]] = (),
) -> Iterator[Declared]:
    """Yield the connection that `settings` describe; nothing if they say nothing of its target.

    After it come the `queues` and `topics` that are opened over it, as of `uses`.

    `source` is the format. The attributes are QMNAME, CONNAME, SSLCIPH, SSLPEER, CERTLABL,
    DEFRECON, SHARECNV and HBINT as in MQSC, and `channel`, `ccdt`, `ccdt.folder`, `ccdt.ignored`
    (a table that MQSERVER overrides), `user`, `password`, `application`, `client.id`,
    `key.store`, `parameters`, `pool`, or `pool.size` with `pool.enabled`. Of a password only its
    presence is stored. With `whole` no other file adds settings: what it omits has the default.
    """
    target = [settings[key] for key in _TARGETS if key in settings]
    if not target:
        return
    fields = [Field("source", source, target[0].span)]
    for name, setting in settings.items():
        if name == "password":
            fields.append(Field("password", _presence(setting), setting.span))
        elif name == "pool.size":  # counts only if the pool is enabled
            enabled = settings.get("pool.enabled", _DISABLED).text
            if enabled.lower() == "true":
                fields.append(Field("pool", setting.value, setting.span))
        elif name == "pool.enabled":
            continue
        elif name == "DEFRECON":
            fields.append(Field(name, reconnection(setting.value), setting.span))
        elif isinstance(setting.value, str):
            fields.append(Field(name, setting.value.strip(), setting.span))
        else:
            fields.append(Field(name, setting.value, setting.span))
    place = settings.get("channel", target[0])
    name = place.text if "channel" in settings else ""
    over = Declared(CONNECTION, name.strip(), tuple(fields), place.span, open=not whole)
    yield over
    yield from uses(over, queues)
    yield from topic_uses(over, topics)


def is_written_out(settings: Settings) -> bool:
    """Return whether settings name queue manager, channel and address in plain text.

    Such settings are not spread over the environment: what they omit is not set.
    """
    return all(key in settings and settings[key].text.strip() for key in _WRITTEN_OUT)


def uses(over: Declared, queues: Iterable[tuple[str, Setting]]) -> Iterator[Declared]:
    """Yield the queues that an application opens, each with `get`, `put` or `open`.

    `over` is the connection that it opens them over; its values are those of a use too. A name may
    be a URI of JMS, such as `queue://QM1/Q1?priority=5` or `topic://prices/eu`; a queue at another
    queue manager is left out ("Creating destinations in a JMS application", q032240_).
    """
    managers = {"", *(field.value for field in over.fields if field.name == "QMNAME")}
    for action, queue in queues:
        name = queue.text.strip()
        if "://" in name:
            scheme, _, path = name.partition("?")[0].partition("://")
            if scheme == "topic":
                yield from topic_uses(over, [(action, Setting(path, queue.span))])
            manager, _, name = path.rpartition("/")
            name = name if scheme == "queue" and manager in managers else ""
        if name:
            yield _use(USE, action, name, queue.span, over)


def topic_uses(over: Declared, topics: Iterable[tuple[str, Setting]]) -> Iterator[Declared]:
    """Yield the topics that an application uses, with the actions of `uses`."""
    for action, topic in topics:
        name = topic.text.strip()
        name = name.partition("?")[0].removeprefix("topic://") if "://" in name else name
        if name and ":" not in name:
            yield _use(TOPIC_USE, _ON_TOPICS[action], name, topic.span, over)


def topic_uri(setting: Setting | None) -> Setting | None:
    """Return the name of a topic as the URI that `uses` takes; None if it is not known."""
    if setting is None or not setting.text.strip():
        return None
    return Setting(f"topic://{setting.text}", setting.span)


def _use(kind: str, action: str, name: str, span: Span, over: Declared) -> Declared:
    fields = (Field("action", action, span), *over.fields)
    return Declared(kind, name, fields, span, open=over.open)


def reconnection(value: FieldValue) -> FieldValue:
    """Return what DEFRECON would be for a word of another format."""
    return _RECONNECT.get(value.strip().upper(), "NO") if isinstance(value, str) else value


def server_connection(
    source: str, setting: Setting, more: Settings | None = None
) -> Iterator[Declared]:
    """Yield the connection of a text like MQSERVER, which can have no cipher, with `more` settings.

    The form is CHANNEL/TransportType/ConnectionName (IBM MQ documentation, "MQSERVER"). A text of
    another form gives a connection with nothing but the text, in `parameters`.
    """
    value = setting.text.strip(_AROUND)
    if not value:
        return
    settings = {"parameters": Setting(value, setting.span)}
    channel, first, rest = value.partition("/")
    transport, second, name = rest.partition("/")
    if first and second and transport.strip().upper() == "TCP" and name.strip():
        parts = {"channel": channel.strip(), "CONNAME": name.strip()}
        settings |= {key: Setting(value, setting.span) for key, value in parts.items()}
        settings |= more or {}
    yield from connection(source, settings, whole=True)


def _presence(password: Setting) -> FieldValue:
    """Whether a password is given; unknown if only running decides it."""
    value = password.value
    if not isinstance(value, str):
        return value
    return "given" if is_hidden(value) or value.strip() else "none"
