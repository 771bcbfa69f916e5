"""What the parameters of SET and DISPLAY CHLAUTH ask of one another.

IBM: q086630, q086070, reasons 3339 to 3350.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.mqsc import Command, Templated, decode, items
from mqlint.validity.address_pattern import crossing, is_host
from mqlint.validity.distinguished_name import fault_of_filter
from mqlint.validity.relations import Fault
from mqlint.vocabulary.vocabulary import MAPPING_TYPES

NOUN, NAME = "", "name"
"""The parameters of faults of the noun, and of the profile."""
_SETTING = ("ADD", "REPLACE")
_KEYS = (
    *("ADDRESS", "ADDRLIST", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER", "USERLIST"),
    *("CHCKCLNT", "MCAUSER", "USERSRC", "WARN"),
)
"""What picks one record of a profile out, or says what it does."""


def check_chlauth(command: Command) -> Iterator[Fault]:
    """Yield what does not go together in a SET CHLAUTH; a value not yet known proves nothing."""
    kind = word_of(command, "TYPE", "")
    if kind == "BLOCKADDR" and command.known_name not in (None, "*"):
        yield "chlauth-profile", NAME, {"value": command.name or ""}
    action = word_of(command, "ACTION", "ADD")
    if action == "REMOVEALL":
        yield from (
            ("chlauth-removeall", word, {}) for word in command.shape.words if word in _KEYS
        )
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


def check_peer(command: Command) -> Iterator[Fault]:
    """Yield the filters of a record or a channel that are no distinguished names."""
    for word in ("SSLPEER", "SSLCERTI"):
        text = command.known(word) or ""
        fault = fault_of_filter(text)
        if fault is not None:
            yield "chlauth-peer-name", word, {"value": text, "fault": fault}


def _user_source(command: Command, kind: str) -> Iterator[Fault]:
    source = word_of(command, "USERSRC", "MAP")
    has_user = "MCAUSER" in command.shape.words
    text = f"{command.verb} {command.noun}"
    if source == "MAP" and not has_user and not command.shape.open:
        why = "" if "USERSRC" in command.shape.words else ", its default,"
        yield (
            "missing-attribute",
            NOUN,
            {"command": f"{text} TYPE({kind}) with USERSRC(MAP){why}", "word": "MCAUSER"},
        )
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
