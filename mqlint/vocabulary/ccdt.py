"""The keys of a client channel definition table in JSON, and the MQSC attributes they stand for.

Source: "Channel attributes supported by the JSON CCDT" (q132910_, 9.2). That page prints
`heartInterval`, IBM's samples `heartbeatInterval`: both are taken. Keys have a case, and what a
client does not know it passes over ("Configuring a JSON format CCDT", q132890_).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Keys = Mapping[str, str | None]

CCDT_OBJECTS: Final[Mapping[str, Keys]] = MappingProxyType(
    {
        "channel": {
            "name": "CHANNEL",
            "type": "CHLTYPE",
            **dict.fromkeys(
                (
                    *("clientConnection", "compression", "connectionManagement", "exits"),
                    *("general", "transmissionSecurity"),
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
        },
    }
)
"""The keys of each object, None where no single attribute is meant."""

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
