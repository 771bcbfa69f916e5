"""Ciphers of the two ends of a connection: whether a TLS session is possible."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later

_SUITE = later(r"(?:TLS|SSL)_(?=\w{1,80}_WITH_)|(?<=_)WITH_|\s")
_COMPARED = later(
    r"(?:(?:ECDHE_(?:RSA|ECDSA)|RSA)_)?AES_(?:128|256)_(?:GCM|CBC|CCM|CCM_8)_SHA(?:256|384)?"
    r"|(?:ECDHE_(?:RSA|ECDSA)|RSA)_3DES_EDE_CBC_SHA(?:256)?|CHACHA20_POLY1305_SHA256"
)
_TLS_10 = later(r"RSA_(?:AES_(?:128|256)|3DES_EDE|DES)_CBC_SHA")
_TLS_12 = later(r"(?:ECDHE_(?:RSA|ECDSA)|RSA)_AES_(?:128|256)_(?:GCM|CBC)_SHA(?:256|384)")
_TLS_13 = later(r"AES_(?:128|256)_(?:GCM|CCM|CCM_8)_SHA(?:256|384)|CHACHA20_POLY1305_SHA256")
_NEGOTIATED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("ANY_TLS12", "*TLS12"), frozenset({"1.2"})),
    **dict.fromkeys(("ANY_TLS12_OR_HIGHER", "*TLS12ORHIGHER"), frozenset({"1.2", "1.3"})),
    **dict.fromkeys(
        ("ANY_TLS13", "ANY_TLS13_OR_HIGHER", "*TLS13", "*TLS13ORHIGHER"), frozenset({"1.3"})
    ),
}
"""The versions of TLS that an alias negotiates, as a CipherSpec and as a CipherSuite.

(IBM MQ documentation, "Enabling CipherSpecs", "Deprecated CipherSpecs" and "TLS CipherSpecs and
CipherSuites in IBM MQ classes for JMS".)
"""


def server_cipher(client: MQObject) -> Value:
    """Return SSLCIPH of the server-connection channel that a client-connection channel names."""
    if client.subtype != "CLNTCONN":
        return ABSENT
    server = client.manager.find("channel", client.name)
    if server is None or server.subtype != "SVRCONN":
        return ABSENT
    return server.value("SSLCIPH")


def client_cipher(client: MQObject) -> Value:
    """Return how SSLCIPH of a client-connection channel fits its server, by `cipher_state`."""
    theirs, own = server_cipher(client), client.value("SSLCIPH")
    if theirs is ABSENT:
        return ABSENT
    if not isinstance(theirs, str) or not isinstance(own, str):
        return UNKNOWN
    return cipher_state(theirs, own) or UNKNOWN


def cipher_state(theirs: str, own: str) -> str | None:
    """Return how the cipher of a client fits that of the queue manager.

    `missing`, `unexpected`, `equal` or `different`; None if that is not known.
    """
    if not theirs.strip() or not own.strip():
        if bool(theirs.strip()) == bool(own.strip()):
            return "equal"
        return "missing" if theirs.strip() else "unexpected"
    first, second = _cipher(theirs), _cipher(own)
    if first == second:
        return "equal"
    if _COMPARED.fullmatch(first) and _COMPARED.fullmatch(second):
        return "different"
    versions = _versions(first), _versions(second)
    return "different" if all(versions) and versions[0].isdisjoint(versions[1]) else None


def _cipher(text: str) -> str:
    """A CipherSpec, or a CipherSuite of Java, without the words in which the two forms differ."""
    return _SUITE.sub("", text.strip().upper()).removeprefix("TLS_")


def _versions(cipher: str) -> frozenset[str]:
    """The versions of TLS that a cipher can have, none if they are not known."""
    if _TLS_10.fullmatch(cipher):
        return frozenset({"1.0"})
    if _TLS_12.fullmatch(cipher):
        return frozenset({"1.2"})
    if _TLS_13.fullmatch(cipher):
        return frozenset({"1.3"})
    return _NEGOTIATED.get(cipher, frozenset())
