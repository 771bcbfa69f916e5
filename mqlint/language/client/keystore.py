"""The keystore configuration of Advanced Message Security (keystore.conf).

Source: "Structure of the keystore configuration file (keystore.conf) for AMS" (q014770_): the
parameters of each type of keystore. Recalled, not read there: the path in
`keystore` has no file extension.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import password_fault
from mqlint.language.client.properties import properties
from mqlint.patterns import later
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.distance import nearest

_PARAMETERS = application_formats()["ams"].words
_OF_ANY = frozenset(name for names in _PARAMETERS.values() for name in names)
_SECRETS = frozenset({"keystore_pass", "key_pass", "password", "token_pin"})
_EXTENSION = later(r"\.(?:kdb|sth|jks|jceks)$")
"""Not .p12: it is not known whether AMS adds another extension to it."""


def read(text: str, _: Context) -> Parsed:
    return Parsed(diagnostics=[*keystore_faults(text)])


def keystore_faults(text: str) -> Iterator[Diagnostic]:
    """Yield settings that AMS does not use as written.

    A parameter that no type has is not reported unless it is near one: the list may be incomplete.
    MCA interception adds the name of a channel, as in `cms.certificate.channel.APP.SVRCONN`.
    """
    for line in properties(text):
        kind, _, name = line.key.partition(".")
        if kind not in _PARAMETERS:
            near = nearest(kind, _PARAMETERS)
            if near:
                yield _fault(line.span, f"{kind} is not a type of keystore (did you mean {near}?)")
        elif name not in _PARAMETERS[kind]:
            near = nearest(name, _PARAMETERS[kind]) if "." not in name else ""
            if near or name in _OF_ANY:
                hint = f"did you mean {near}?" if near else "use " + ", ".join(_PARAMETERS[kind])
                yield _fault(line.span, f"{name} is not a parameter of {kind} ({hint})")
        elif name in _SECRETS:
            yield from password_fault(line.setting, line.key)
        elif name == "keystore" and _EXTENSION.search(line.setting.text):
            yield diagnostic("keystore-extension", line.setting.span, key=line.key)


def _fault(span: tuple[int, int], fault: str) -> Diagnostic:
    return diagnostic("keystore-setting", span, fault=fault)
