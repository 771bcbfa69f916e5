"""What the attributes of one command ask of one another.

The vocabulary says it of most. What SET and DISPLAY CHLAUTH ask is IBM's q086630, q086070 and the
reasons 3339 to 3350. The types and filters of other DISPLAY commands are those of IBM's pages; a
type is reported only if it is a typo of one of its command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode, items
from mqlint.validity.address_pattern import crossing, is_host
from mqlint.validity.suggestions import suggest
from mqlint.vocabulary import UNKNOWN, AttributeSpec, CommandSpec
from mqlint.vocabulary.authorities import AUTHORITIES, OF_TYPE
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.vocabulary import MAPPING_TYPES

Fault = tuple[str, str, dict[str, str]]
"""A code, the attribute at fault ('' for the noun), and data."""

Further = Callable[[Command], Iterable[Fault]]

_SHIPPED = "SYSTEM.DEF"
"""The default objects of the product, whose attributes are blank until they are copied."""


def relations_of(
    command: CommandSpec, shape: Shape, subtype: str | None, waived: bool
) -> Iterator[Further]:
    """Yield what is to be asked of the values of each command of `shape`.

    `waived` says that another object supplies what the command does not write (LIKE).
    """
    if command.is_display:
        return
    is_whole = command.verb != "ALTER" and not waived and not shape.open
    for spec in command.attributes:
        is_written = spec.word in shape.words
        if is_written and spec.only_with:
            yield partial(_only_with, command, spec, spec.only_with, "attribute-conflict", is_whole)
        if is_written and spec.idle_without:
            yield partial(_only_with, command, spec, spec.idle_without, "attribute-idle", is_whole)
        if is_written and subtype is not None and subtype in spec.filled:
            yield partial(_filled, command, spec, f" {command.subtype_word}({subtype})")
        if is_whole and spec.needed_with:
            yield partial(_needed_with, command, spec)


def _only_with(
    command: CommandSpec,
    spec: AttributeSpec,
    conditions: Mapping[str, frozenset[str]],
    code: str,
    is_whole: bool,
    written: Command,
) -> Iterator[Fault]:
    """A value that another attribute excludes; a blank and the default exclude nothing."""
    raw = written.get(spec.word)
    if raw is None or isinstance(raw, Templated):
        return
    if not isinstance(raw, Secret) and decode(raw) in ("", spec.default):
        return
    if spec.confined and decode(raw).upper() not in spec.confined:
        return
    for other, allowed in conditions.items():
        value = _value(command, other, is_whole, written)
        if value is not None and value not in allowed:
            shown = f"with {other}({', '.join(sorted(allowed))})"
            data = {"other": f"{other}({value})", "allowed": shown}
            yield code, spec.word, {"command": command.text, **data}


def _filled(
    command: CommandSpec, spec: AttributeSpec, subtype: str, written: Command
) -> Iterator[Fault]:
    raw = written.get(spec.word)
    is_blank = raw is not None and not isinstance(raw, Templated | Secret) and not decode(raw)
    if is_blank and not (written.name or "").startswith(_SHIPPED):
        yield "blank-attribute", spec.word, {"command": command.text + subtype}


def _needed_with(command: CommandSpec, spec: AttributeSpec, written: Command) -> Iterator[Fault]:
    raw = written.get(spec.word)
    if isinstance(raw, Templated | Secret) or (raw is not None and decode(raw)):
        return
    if (written.name or "").startswith(_SHIPPED):
        return
    for other, values in spec.needed_with.items():
        value = _value(command, other, True, written)
        if value is not None and value in values:
            text = f"{command.text} with {other}({value})"
            if written.get(other) is None:
                text += ", its default,"
            if raw is None:
                yield "missing-attribute", "", {"command": text, "word": spec.word}
            else:
                yield "blank-attribute", spec.word, {"command": text}


def _value(command: CommandSpec, word: str, is_whole: bool, written: Command) -> str | None:
    """The value of an attribute in upper case, its default if it is not written; None if unknown.

    A default that depends on the platform, the type or an installation is unknown.
    """
    spec = command.attribute(word)
    names = [word, *(name for name in command.words if command.attribute(name) is spec)]
    word = next((name for name in names if name in written.shape.words), word)
    raw = written.get(word)
    if raw is not None:
        if isinstance(raw, Templated):
            return None
        value = decode(raw).upper()
    elif word in written.shape.words or not is_whole:
        return None
    else:
        default = None if spec is None else spec.default
        value = default if isinstance(default, str) and default != UNKNOWN.value else ""
    return value or None


# -- channel authentication records ----------------------------------------------------------------


NOUN, NAME = "", "name"
"""The parameters of faults of the noun, and of the profile."""
_SETTING = ("ADD", "REPLACE")
_EFFECTS = ("CHCKCLNT", "MCAUSER", "USERSRC", "WARN")
"""What says what a record does."""
_KEYS = ("ADDRESS", "ADDRLIST", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER", "USERLIST")
"""What picks one record of a profile out."""
_NOT_TAKEN = {"REMOVE": _EFFECTS, "REMOVEALL": (*_KEYS, *_EFFECTS)}
"""The parameters that an action refuses (table in q086630, reason 3339)."""


def check_chlauth(command: Command) -> Iterator[Fault]:
    """Yield what does not go together in a SET CHLAUTH; a value not yet known proves nothing."""
    kind = word_of(command, "TYPE", "")
    if kind == "BLOCKADDR" and command.known_name not in (None, "*"):
        yield "chlauth-profile", NAME, {"value": command.name or ""}
    action = word_of(command, "ACTION", "ADD")
    not_taken = _NOT_TAKEN.get(action or "", ())
    for word in command.shape.words:
        if word in not_taken:
            yield "chlauth-removal", word, {"action": action or ""}
    if action not in _SETTING:
        return
    if kind in MAPPING_TYPES:
        yield from _user_source(command, kind)
    if kind == "BLOCKADDR":
        yield from _blocked(command)
    if kind == "USERMAP" and "*" in (command.known("CLNTUSER") or ""):
        yield "chlauth-client-user", "CLNTUSER", {"value": command.known("CLNTUSER") or ""}
    if kind == "SSLPEERMAP":
        yield from check_peer(command)


def check_runcheck(command: Command) -> Iterator[Fault]:
    """Yield why MATCH(RUNCHECK) does not ask about one connection (q086070, reason 3350)."""
    if word_of(command, "MATCH", "") != "RUNCHECK":
        return
    text, other = f"{command.verb} {command.noun}", "MATCH(RUNCHECK)"
    data = {"command": text, "other": other}
    if "*" in (command.known_name or ""):
        word = f"the generic name {command.name}"
        yield "attribute-conflict", NAME, {**data, "word": word, "allowed": "the name of a channel"}
    address = command.known("ADDRESS") or ""
    if "*" in address or "-" in address or (address and is_host(address)):
        word = f"ADDRESS({address})"
        yield "attribute-conflict", "ADDRESS", {**data, "word": word, "allowed": "one IP address"}
    words = command.shape.words
    if "CLNTUSER" in words and "QMNAME" in words:
        yield "exclusive-attributes", "QMNAME", {"command": f"{text} {other}", "other": "CLNTUSER"}
    if not command.shape.open:
        if "ADDRESS" not in words:
            yield "missing-attribute", NOUN, {"command": f"{text} with {other}", "word": "ADDRESS"}
        if "CLNTUSER" not in words and "QMNAME" not in words:
            word = "CLNTUSER or QMNAME"
            yield "missing-attribute", NOUN, {"command": f"{text} with {other}", "word": word}


def check_authrec(command: Command) -> Iterator[Fault]:
    """Yield the authorities that objects of the type do not have (q083500_, its tables)."""
    kind, raw = word_of(command, "OBJTYPE", "") or "", command.get("AUTHADD")
    if kind not in OF_TYPE or raw is None or isinstance(raw, Templated | Secret):
        return
    given = [word.upper() for word in items(raw)]
    refused = [word for word in given if word in AUTHORITIES and word not in OF_TYPE[kind]]
    if refused:
        shown = "queue manager" if kind == "QMGR" else kind
        yield "authority-inapplicable", "AUTHADD", {"value": ", ".join(refused), "type": shown}


def check_peer(command: Command) -> Iterator[Fault]:
    """Yield the filters of a record or a channel that are no distinguished names."""
    for word in ("SSLPEER", "SSLCERTI"):
        text = command.known(word) or ""
        fault = _fault_of_filter(text) if text else None
        if fault is not None:
            yield "chlauth-peer-name", word, {"value": text, "fault": fault}


def _fault_of_filter(text: str) -> str | None:
    from mqlint.validity.distinguished_name import fault_of_filter  # here, as few commands have one

    return fault_of_filter(text)


def _user_source(command: Command, kind: str) -> Iterator[Fault]:
    source = word_of(command, "USERSRC", "MAP")
    has_user = "MCAUSER" in command.shape.words
    text = f"{command.verb} {command.noun}"
    if source == "MAP" and not has_user and not command.shape.open:
        why = "" if "USERSRC" in command.shape.words else ", its default,"
        text += f" TYPE({kind}) with USERSRC(MAP){why}"
        yield "missing-attribute", NOUN, {"command": text, "word": "MCAUSER"}
    if source in ("NOACCESS", "CHANNEL") and has_user:
        yield "chlauth-source", "MCAUSER", {"source": source, "allowed": "USERSRC(MAP)"}
    if source in ("MAP", "CHANNEL") and word_of(command, "WARN", "NO") == "YES":
        allowed = "USERSRC(NOACCESS) and the blocking types"
        yield "chlauth-source", "WARN", {"source": source, "allowed": allowed}


def _blocked(command: Command) -> Iterator[Fault]:
    raw = command.get("ADDRLIST")
    found = None if raw is None or isinstance(raw, Templated) else crossing(items(raw))
    if found is not None:
        yield "address-overlap", "ADDRLIST", {"value": found[0], "other": found[1]}


def word_of(command: Command, word: str, absent: str) -> str | None:
    """The value of a parameter in upper case, `absent` without one, None when not known."""
    raw = command.get(word)
    if raw is None:
        return absent if word not in command.shape.words and not command.shape.open else None
    return None if isinstance(raw, Templated) else decode(raw).upper()


# -- DISPLAY ---------------------------------------------------------------------------------------


_QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QCLUSTER", "ALL")
_CHANNELS = (
    *("SDR", "SVR", "RCVR", "RQSTR", "SVRCONN", "CLNTCONN", "CLUSSDR", "CLUSRCVR"),
    *("AMQP", "MQTT", "ALL"),
)
_SUBSCRIPTIONS = ("ADMIN", "API", "PROXY", "USER", "ALL")
_DISPLAY_TYPES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "CHANNEL": {"CHLTYPE": _CHANNELS, "TYPE": _CHANNELS},
    "CONN": {"TYPE": ("CONN", "HANDLE", "ALL")},
    "QSTATUS": {"TYPE": ("QUEUE", "HANDLE")},
    "QUEUE": {"TYPE": _QUEUES},
    "SBSTATUS": {"SUBTYPE": _SUBSCRIPTIONS},
    "SUB": {"SUBTYPE": _SUBSCRIPTIONS},
    "TPSTATUS": {"TYPE": ("TOPIC", "SUB", "PUB")},
}
_OPERATORS = ("LT", "GT", "EQ", "NE", "LE", "GE", "LK", "NK", "CT", "EX", "CTG", "EXG")


def check_display(command: Command, *, words: Collection[str]) -> Iterator[Fault]:
    """Yield a code, the word at fault and data, for types and filters that DISPLAY rejects.

    `words` are the attributes that the command knows.
    """
    text = f"DISPLAY {command.noun}"
    for word, types in _DISPLAY_TYPES.get(command.noun or "", {}).items():
        value = word_of(command, word, "") or ""
        meant = "" if value in types else nearest(value, types)
        if meant:
            yield _display_fault(text, word, f"{word}({value})", f" (did you mean {meant}?)")
    condition = (word_of(command, "WHERE", "") or "").split(None, 2)
    meant = "" if not condition or condition[0] in words else nearest(condition[0], words)
    if meant:
        yield _display_fault(text, "WHERE", f"{condition[0]} in WHERE", f" (did you mean {meant}?)")
    if len(condition) > 1 and condition[1] not in _OPERATORS:
        shown = f"the operator {condition[1]} of WHERE"
        yield _display_fault(text, "WHERE", shown, suggest("", _OPERATORS)["hint"])


def _display_fault(command: str, word: str, shown: str, hint: str) -> Fault:
    data = {"command": command, "word": shown, "hint": hint, "suggestion": ""}
    return "unknown-display-word", word, data
