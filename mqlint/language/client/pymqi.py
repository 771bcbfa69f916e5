"""Connections of programs in Python that use pymqi.

    cd = pymqi.CD(ChannelName=b"APP.SVRCONN", ConnectionName=b"mq1.example.com(1414)")
    manager = pymqi.connect("QM1", "APP.SVRCONN", "mq1.example.com(1414)", user, password)

Source: "Code examples" in the documentation of pymqi, and `connect` of pymqi 1.12. Only strings are
known, and variables with one string. Of several descriptors none is read: which one a connection
uses is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic
from mqlint.language.client.connection import Setting, connection, password_fault, setting_of
from mqlint.language.declaration import Declared
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

_VALUE = (
    r"(?P<value>[bru]{0,2}(?:\"[^\"\\\n]{0,200}\"|'[^'\\\n]{0,200}')(?=\s*+[,)\n#])"
    r"|[^,()\n]{1,200}+(?:\([^()\n]{0,200}\)[^,()\n]{0,200}+)?)"
)
"""A string alone, or another expression with at most one call."""
_LITERAL = later(r"[bru]{0,2}([\"'])(?P<text>.*)\1")
_ATTRIBUTES = {
    "ChannelName": "channel",
    "ConnectionName": "CONNAME",
    "SSLCipherSpec": "SSLCIPH",
    "SSLPeerName": "SSLPEER",
    "CertificateLabel": "CERTLABL",
}
_FIELD = later(
    rf"(?:(?m:^)[ \t]*\w{{1,60}}\.|[(,]\s*)(?P<key>{'|'.join(_ATTRIBUTES)})[ \t]*=(?!=)"
    rf"[ \t]*{_VALUE}"
)
_DESCRIPTOR = later(r"\bpymqi\.CD\(")
_CONNECTS = later(r"(?<![\w.])pymqi\.connect\(")
_OF_OPTIONS = later(
    rf"(?:\bpymqi\.QueueManager\(|\.connect_(?:with_options|tcp_client)\()\s*+{_VALUE}(?=\s*+[,)])"
)
_ARGUMENT = later(rf"\s*+(?:(?P<key>\w{{1,60}}+)[ \t]*+=[ \t]*+)?+{_VALUE}\s*+(?P<end>[,)])")
_ORDER = ("queue_manager", "channel", "conn_info", "user", "password")
_NAMES = dict(zip(_ORDER, ("QMNAME", "channel", "CONNAME", "user", "password"), strict=True))
_PASSWORD = later(rf"\.connect_with_options\([^\n]{{0,200}}?\bpassword[ \t]*+=[ \t]*+{_VALUE}")
_NOTHING = frozenset({"None", "''", '""'})


class Connections:
    """The connections in a program, whose `constants` are variables with one string."""

    def __init__(self, text: str, constants: Mapping[str, str]) -> None:
        self.text = text
        self.constants = constants

    def declared(self) -> Iterator[Declared]:
        for settings in self._settings():
            yield from connection("pymqi", settings)

    def passwords(self) -> Iterator[Setting]:
        """Yield the passwords that are strings."""
        for settings in self._settings():
            if "password" in settings and settings["password"].text:
                yield settings["password"]

    def faults(self) -> Iterator[Diagnostic]:
        for setting in self.passwords():
            yield from password_fault(setting, "password")

    def _settings(self) -> Iterator[dict[str, Setting]]:
        for found in _CONNECTS.finditer(self.text):
            settings = self._arguments(found.end())
            if "channel" in settings and "CONNAME" in settings:
                settings["SSLCIPH"] = Setting("", settings["channel"].span)
            yield settings
        if len(_DESCRIPTOR.findall(self.text)) == 1:
            fields = {
                _ATTRIBUTES[each["key"]]: self._value(each) for each in _FIELD.finditer(self.text)
            }
            named = [self._value(each) for each in _OF_OPTIONS.finditer(self.text)]
            named = [each for each in named if each.text not in ("", "None")]
            password = _PASSWORD.search(self.text)
            if len(named) == 1:
                fields["QMNAME"] = named[0]
            if password is not None:
                fields["password"] = self._value(password)
            yield fields

    def _arguments(self, start: int) -> dict[str, Setting]:
        settings: dict[str, Setting] = {}
        for name in _ORDER:
            found = _ARGUMENT.match(self.text, start)
            if found is None:
                break
            key = _NAMES.get(found["key"] or name)
            if key is not None and found["value"].strip() not in _NOTHING:
                settings[key] = self._value(found)
            start = found.end()
            if found["end"] == ")":
                break
        return settings

    def _value(self, found: re.Match[str]) -> Setting:
        """Return a string, or the one that a variable has; unknown for all else."""
        written, start = found["value"].strip(), found.start("value")
        literal = _LITERAL.fullmatch(written)
        if literal is not None:
            span = (start + literal.start("text"), start + literal.end("text"))
            return setting_of(literal["text"], span, is_plain=True)
        return Setting(self.constants.get(written, UNKNOWN), (start, start + len(written)))
