"""The keys of a client channel definition table in JSON, and the MQSC attributes they stand for.

Source: "Channel attributes supported by the JSON CCDT" (q132910_, 9.2). That page prints
`heartInterval`, IBM's samples `heartbeatInterval`: both are taken. Only samples of IBM have
`timestamps`, and `requirePartnerCertificate`. Keys have a case, and what a
client does not know it passes over ("Configuring a JSON format CCDT", q132890_).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mqlint.dataclass import frozen
from mqlint.patterns import later

Keys = Mapping[str, str | None]

CCDT_OBJECTS: Final[Mapping[str, Keys]] = MappingProxyType(
    {
        "table": {"channel": None},
        "channel": {
            "name": "CHANNEL",
            "type": "CHLTYPE",
            **dict.fromkeys(
                (
                    *("clientConnection", "compression", "connectionManagement", "exits"),
                    *("general", "timestamps", "transmissionSecurity"),
                )
            ),
        },
        "clientConnection": {"queueManager": "QMNAME", "connection": None},
        "connection": {"host": None, "port": None},
        "compression": {"header": None, "message": None},
        "connectionManagement": {
            "affinity": "AFFINITY",
            "clientWeight": "CLNTWGHT",
            "defaultReconnect": "DEFRECON",
            "disconnectInterval": "DISCINT",
            "heartInterval": "HBINT",
            "heartbeatInterval": "HBINT",
            "keepAliveInterval": "KAINT",
            "localAddress": None,
            "sharingConversations": "SHARECNV",
        },
        "general": {"description": "DESCR", "maximumMessageLength": "MAXMSGL"},
        "transmissionSecurity": {
            "certificateLabel": "CERTLABL",
            "certificatePeerName": "SSLPEER",
            "cipherSpecification": "SSLCIPH",
            "requirePartnerCertificate": None,
        },
    }
)
"""The keys of each object, None if no single attribute is meant."""

CCDT_MISTAKEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "queueManagerName": "queueManager",
        "qmgrName": "queueManager",
        "hostname": "host",
        "sharedConversations": "sharingConversations",
        "sharingConversation": "sharingConversations",
        "reconnect": "defaultReconnect",
        "weight": "clientWeight",
        "channelWeight": "clientWeight",
        "cipherSpec": "cipherSpecification",
        "cipherSuite": "cipherSpecification",
        "certLabel": "certificateLabel",
        "peerName": "certificatePeerName",
        "maxMessageLength": "maximumMessageLength",
    }
)
"""Words that people write for a key; they are no typos of it."""

CCDT_DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "AFFINITY": "PREFERRED",
        "CLNTWGHT": "0",
        "DEFRECON": "NO",
        "SHARECNV": "10",
        "SSLCIPH": "",
        "SSLPEER": "",
        "CERTLABL": "",
        "QMNAME": "",
        "HBINT": "300",
    }
)
"""What a client-connection channel has where nothing is written (DEFINE CHANNEL, CLNTCONN)."""


@frozen
class CcdtNumber:
    """A JSON number without quotes, from `low` to `high`."""

    low: int
    high: int

    def accepts(self, text: str, *, quoted: bool) -> bool:
        is_number = not quoted and _INTEGER.fullmatch(text) is not None
        return is_number and self.low <= int(text) <= self.high

    @property
    def expected(self) -> str:
        return f"a number without quotes, from {self.low} to {self.high}"


@frozen
class CcdtText:
    """A JSON string of at most `longest` characters that has the `form`; `kind` says what it is."""

    longest: int
    kind: str = "a text"
    form: str = ""

    def accepts(self, text: str, *, quoted: bool) -> bool:
        if not quoted or len(text) > self.longest:
            return False
        return not self.form or re.fullmatch(self.form, text) is not None

    @property
    def expected(self) -> str:
        return f"{self.kind} in quotes, of at most {self.longest} characters"


@frozen
class CcdtWord:
    """A JSON string that is one of `words`, in this case."""

    words: tuple[str, ...]

    def accepts(self, text: str, *, quoted: bool) -> bool:
        return quoted and text in self.words

    @property
    def expected(self) -> str:
        return " or ".join(f'"{word}"' for word in self.words)


CcdtValues = CcdtNumber | CcdtText | CcdtWord
_INTEGER = later(r"-?[0-9]{1,12}")
_NAME = r"[A-Za-z0-9._/%]*"
_HEADERS = CcdtWord(("none", "system"))
_MESSAGES = CcdtWord(("none", "rle", "zlibfast", "zlibhigh", "lz4fast", "lz4high"))

CCDT_VALUES: Final[Mapping[tuple[str, str], CcdtValues]] = MappingProxyType(
    {
        ("channel", "name"): CcdtText(20, "the name of a channel", f"{_NAME[:-1]}+"),
        ("channel", "type"): CcdtWord(("clientConnection",)),
        ("clientConnection", "queueManager"): CcdtText(
            48, "the name of a queue manager", rf"\*?{_NAME}"
        ),
        ("connection", "host"): CcdtText(
            264, "a host name or an address without a port", r"[^()\s,:]+|[0-9A-Fa-f:.]+(?:%\w+)?"
        ),
        ("connection", "port"): CcdtNumber(1, 65535),
        ("compression", "header"): _HEADERS,
        ("compression", "message"): _MESSAGES,
        ("connectionManagement", "affinity"): CcdtWord(("preferred", "none")),
        ("connectionManagement", "clientWeight"): CcdtNumber(0, 99),
        ("connectionManagement", "defaultReconnect"): CcdtWord(
            ("no", "yes", "queueManager", "disabled")
        ),
        ("connectionManagement", "disconnectInterval"): CcdtNumber(0, 999_999),
        ("connectionManagement", "heartInterval"): CcdtNumber(0, 999_999),
        ("connectionManagement", "heartbeatInterval"): CcdtNumber(0, 999_999),
        ("connectionManagement", "keepAliveInterval"): CcdtNumber(-1, 99_999),
        ("connectionManagement", "sharingConversations"): CcdtNumber(0, 999_999_999),
        ("general", "description"): CcdtText(64),
        ("general", "maximumMessageLength"): CcdtNumber(0, 104_857_600),
        ("transmissionSecurity", "certificateLabel"): CcdtText(64),
        ("transmissionSecurity", "certificatePeerName"): CcdtText(1024),
        ("transmissionSecurity", "cipherSpecification"): CcdtText(
            32, "a CipherSpec", r"[A-Za-z0-9_*+]*"
        ),
    }
)
"""The values that a key of an object takes.

Sources: the types are those of "Channel attributes supported by the JSON CCDT" (q132910_), ranges,
lengths and words those of the MQSC attributes that this page names (DEFINE CHANNEL, CLNTCONN).
"Configuring a JSON format CCDT" (q132890_) says that values must be exactly as in the schema.
"""

CCDT_REQUIRED: Final = ("name", "type")
"""The keys that each channel must have (q132910_)."""
