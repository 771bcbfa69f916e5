"""JMS objects of MQ that scripts of wsadmin create in WebSphere Application Server.

Only values that a call writes out are read: `createWMQConnectionFactory`, `createWMQQueue`,
`createWMQTopic` and `createWMQActivationSpec` of AdminTask, in Jython and in Jacl. A value that a
variable, a format or a concatenation gives is unknown. Source: the pages of these commands in the
documentation of WebSphere Application Server (rmj_wmq_jmscf_create and others).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mqlint.language.client.connection import Setting, SettingText
from mqlint.patterns import headed, later
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

CALL = later(
    r"(?m)^[^#\n\"']*?(?:\bAdminTask\.|\$AdminTask[ \t]+)"
    r"createWMQ(?P<kind>ConnectionFactory|Queue|Topic|ActivationSpec)\b"
)
_OPTION = later(r"(?<![\w.)\]])-(?P<key>[A-Za-z]\w{1,40})")
_IN_TEXT = later(r"\s++(?P<value>[^\s\"'\[\]{}+%$]*+)[\s\"',\]}]*+\Z")
"""What follows an option inside a text: `-qmgrName QM1`."""
_IN_LIST = later(
    r"[\"'][ \t]*,\s*+[uU]?[\"'](?P<value>[^\"'\n+%$]*)[\"']\s*+(?:,\s*+[uU]?[\"']?|\]\s*+)?\Z"
)
"""What follows one that is an item of a list: `'-qmgrName', 'QM1'`."""
_LONGEST = 4_000
"""Characters of one call."""
KINDS: Final[Mapping[str, str]] = {
    "ConnectionFactory": "CF",
    "ActivationSpec": "ASCF",
    "Queue": "Q",
    "Topic": "T",
}
"""The types of objects, as those of JMSAdmin; that of an activation specification ends like it."""
WSADMIN = application_formats()["wsadmin"]

Found = tuple[str, Setting, dict[str, Setting]]
"""The type of an object, where its command is, and its properties by the names of JMSAdmin."""


def objects_of_calls(text: str) -> Iterator[Found]:
    settings = SettingText(text)
    for call, end in headed(CALL, text):
        at = _end_of_call(text, call.end(), min(end, call.end() + _LONGEST))
        properties: dict[str, Setting] = {}
        for option, stop in headed(_OPTION, text, call.end(), at):
            key = WSADMIN.synonyms.get(option["key"])
            setting = _value(settings, option.end(), stop)
            if key is not None and setting.value != "":
                properties[key] = setting
        yield KINDS[call["kind"]], Setting("", call.span("kind")), properties


def creates_objects(text: str) -> bool:
    """Return whether a script writes out a queue manager, a channel, a queue or a topic."""
    words = ("QMANAGER", "CHANNEL", "QUEUE", "TOPIC")
    return any(
        isinstance(properties[word].value, str)
        for _, _, properties in objects_of_calls(text)
        for word in words
        if word in properties
    )


def _end_of_call(text: str, start: int, limit: int) -> int:
    """Return where the arguments of a call end: with its parenthesis, or for Jacl with its line."""
    is_jython = text.startswith("(", start)
    depth, quote = 0, ""
    for at in range(start, limit):
        sign = text[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and is_jython:
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth == 0 and is_jython:
                return at
        elif sign == "\n" and depth <= 0 and text[at - 1] != "\\":
            return at
    return limit


def _value(settings: SettingText, start: int, stop: int) -> Setting:
    is_item = settings.text.startswith(("'", '"'), start)
    found = (_IN_LIST.match if is_item else _IN_TEXT.match)(settings.text, start, stop)
    return (
        Setting(UNKNOWN, (start, start)) if found is None else settings.setting(found.span("value"))
    )
