"""What a DISPLAY asks for: its types, and the filter of WHERE.

IBM's pages of the DISPLAY commands. A type is reported only if it is a typo of one of its command.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mqlint.language.mqsc import Command
from mqlint.validity.chlauth_command import word_of
from mqlint.validity.suggestions import suggest
from mqlint.vocabulary.distance import nearest

_QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QCLUSTER", "ALL")
_CHANNELS = (
    *("SDR", "SVR", "RCVR", "RQSTR", "SVRCONN", "CLNTCONN", "CLUSSDR", "CLUSRCVR"),
    *("AMQP", "MQTT", "ALL"),
)
_SUBSCRIPTIONS = ("ADMIN", "API", "PROXY", "USER", "ALL")
_TYPES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "CHANNEL": {"CHLTYPE": _CHANNELS, "TYPE": _CHANNELS},
    "CONN": {"TYPE": ("CONN", "HANDLE", "ALL")},
    "QSTATUS": {"TYPE": ("QUEUE", "HANDLE")},
    "QUEUE": {"TYPE": _QUEUES},
    "SBSTATUS": {"SUBTYPE": _SUBSCRIPTIONS},
    "SUB": {"SUBTYPE": _SUBSCRIPTIONS},
    "TPSTATUS": {"TYPE": ("TOPIC", "SUB", "PUB")},
}
_OPERATORS = ("LT", "GT", "EQ", "NE", "LE", "GE", "LK", "NK", "CT", "EX", "CTG", "EXG")


def check_display(
    command: Command, *, words: Collection[str]
) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield a code, the word at fault and data, for types and filters that DISPLAY rejects.

    `words` are the attributes that the command knows.
    """
    text = f"DISPLAY {command.noun}"
    for word, types in _TYPES.get(command.noun or "", {}).items():
        value = word_of(command, word, "") or ""
        meant = "" if value in types else nearest(value, types)
        if meant:
            yield _fault(text, word, f"{word}({value})", f" (did you mean {meant}?)")
    condition = (word_of(command, "WHERE", "") or "").split(None, 2)
    meant = "" if not condition or condition[0] in words else nearest(condition[0], words)
    if meant:
        yield _fault(text, "WHERE", f"{condition[0]} in WHERE", f" (did you mean {meant}?)")
    if len(condition) > 1 and condition[1] not in _OPERATORS:
        shown = f"the operator {condition[1]} of WHERE"
        yield _fault(text, "WHERE", shown, suggest("", _OPERATORS)["hint"])


def _fault(command: str, word: str, shown: str, hint: str) -> tuple[str, str, dict[str, str]]:
    data = {"command": command, "word": shown, "hint": hint, "suggestion": ""}
    return "unknown-display-word", word, data
