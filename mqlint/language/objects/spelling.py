"""Messages about MQSC in the terms of the file: `maxdepth: 5000` for MAXDEPTH(5000)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from mqlint.language.mqsc.command_line import NAMED, VERBS
from mqlint.patterns import later

JSON = "json"
YAML = "yaml"
PUPPET = "puppet"
MQDEF = "mqdef"
SETMQAUT = "setmqaut"

_PAIR = later(
    rf"(?i)(?<![\w.'/&-])(?P<verb>(?:{VERBS})[ ])?(?P<word>[A-Z][A-Z0-9]{{1,11}})"
    r"\((?P<value>(?:[^()\n]|\([^()\n]*\))*+)\)"
)
_BARE = later(r"(?<![\w.'/&(-])[A-Z][A-Z0-9_]{1,20}(?![\w.('-])")
_NOUNS = frozenset(NAMED.split("|")) - {"chlauth", "cluster", "process", "topic", "channel"}
_SIGNS = {"AUTHADD": "+", "AUTHRMV": "-"}
_OPTIONS = {"PROFILE": "-n", "OBJTYPE": "-t", "PRINCIPAL": "-p", "GROUP": "-g", "SERVCOMP": "-s"}
_TYPES = frozenset("blockuser blockaddr addressmap sslpeermap usermap qmgrmap".split())
"""Types of channel authentication records, which messages write like attributes."""


def _of_json(word: str, value: str | None) -> str:
    key = word.lower()
    return f'"{key}"' if value is None else f'"{key}": "{_bare(value)}"'


def _of_yaml(word: str, value: str | None) -> str:
    key = word.lower()
    return key if value is None else f"{key}: {_bare(value)}"


def _of_puppet(word: str, value: str | None) -> str:
    key = word.lower()
    return key if value is None else f"{key} => '{_bare(value)}'"


def _of_mqdef(word: str, value: str | None) -> str:
    from mqlint.vocabulary.urbancode import key_of_word  # for such a file only

    key = key_of_word(word)
    if key is None:
        return word if value is None else f"{word}({value})"
    return key if value is None else f"{key}: {_bare(value)}"


def _of_setmqaut(word: str, value: str | None) -> str:
    lead = _SIGNS.get(word) or _OPTIONS.get(word)
    if lead is None:
        return word if value is None else f"{word}({value})"
    if value is None or word in _OPTIONS:
        return lead if value is None else f"{lead} {_bare(value)}"
    return " ".join(lead + authority.strip().lower() for authority in value.split(","))


def as_setmqaut(data: Mapping[str, str]) -> Mapping[str, str]:
    """Return the data of a message about SET AUTHREC in words of setmqaut: `+get` for GET."""
    found = {**data, "command": SETMQAUT}
    sign, suggestion = _SIGNS.get(data.get("word", "")), data.get("suggestion")
    if sign is None or "allowed" not in data:
        return found
    found["allowed"] = data["allowed"].lower()
    if suggestion:
        found["suggestion"] = sign + suggestion.lower()
        found["hint"] = data["hint"].replace(suggestion, found["suggestion"])
    return found


def _bare(value: str) -> str:
    """A value without the quotes that MQSC needs."""
    text = value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


_FORMS: Mapping[str, Callable[[str, str | None], str]] = {
    JSON: _of_json,
    YAML: _of_yaml,
    PUPPET: _of_puppet,
    MQDEF: _of_mqdef,
    SETMQAUT: _of_setmqaut,
}


def spelled(message: str, form: str, words: Iterable[str]) -> str:
    """Return a message with attributes in the spelling of a file.

    Attributes with a value in parentheses are found by these, others by `words`. Names of objects
    in parentheses, and full commands, are unchanged.
    """
    write = _FORMS[form]
    spelt = frozenset(words)

    def pair(match: re.Match[str]) -> str:
        word = match["word"]
        if match["verb"] or word != word.upper() or word.lower() in _NOUNS | _TYPES:
            return match[0]
        return write(word, match["value"])

    def bare(match: re.Match[str]) -> str:
        return write(match[0], None) if match[0] in spelt else match[0]

    return _BARE.sub(bare, _PAIR.sub(pair, message))
