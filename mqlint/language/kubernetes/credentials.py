"""Passwords and private keys of MQ in Secrets, kustomizations and environments.

The names are those of the image (docs/developer-config.md of ibm-messaging/mq-container), of Spring
Boot, of connectors of Kafka Connect and of metric exporters. Values are masked before.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.client.connection import (
    Setting,
    has_hidden_password,
    password_fault,
    setting_of,
)
from mqlint.language.client.environment import variable_password_fault
from mqlint.language.client.spring import folded
from mqlint.language.kubernetes.compose.services import environment_of_service, services_of
from mqlint.language.kubernetes.container import PASSWORDS, is_of_mq
from mqlint.language.kubernetes.entries import HOLDERS
from mqlint.language.kubernetes.environment import FILLER, Variable, environment_of
from mqlint.language.kubernetes.pod import pod_entries
from mqlint.language.yaml.tree import Node
from mqlint.source.masking import HIDDEN

_PASSWORDS = frozenset(
    "mqadminpassword mqapppassword mqpassword ibmmqpassword ibm.mq.password mq.password"
    " ibmmqconnectionpassword".split()
)
"""The names of passwords, as Spring Boot compares them."""
_SHORTEST_KEY = 100
"""Characters of the shortest private key, one of Ed25519 without its first and last line."""


def password_faults(document: Node, text: str, *, is_generated: bool) -> Iterator[Diagnostic]:
    """Yield passwords of MQ that a Secret, a ConfigMap or a generator has in plain text.

    `text` is that of the file. `is_generated`: a kustomization makes the Secret, so that its values
    are not encoded.
    """
    for made in document.entries("secretGenerator"):
        for literal in made.entries("literals"):
            key, sign, value = literal.text.partition("=")
            if sign and _is_alone(literal, text):
                yield from _fault(key, value.strip("\"'"), literal)
    is_plain = is_generated or document.word("kind") == "ConfigMap"
    part = "data" if is_plain else "stringData"
    for key, node in document.members(part).items() if document.word("kind") in HOLDERS else ():
        if node.kind == "scalar" and (_is_alone(node, text) or not is_generated):
            yield from _fault(key, node.text, node)
    for environment in _environments(document):
        is_client = not is_of_mq(environment)
        for key, variable in environment.items():
            is_plain = variable.is_plain or has_hidden_password(variable.text)
            if is_plain and (is_client or key not in PASSWORDS):
                yield from variable_password_fault(key, Setting(variable.text, variable.value_span))


def private_keys(document: Node) -> Iterator[Diagnostic]:
    """Yield entries of a Secret or ConfigMap with a private key that SOPS has not encrypted."""
    kind = document.word("kind")
    if kind not in HOLDERS or document.child("sops") is not None:
        return
    for part in ("data", "stringData"):
        for key, span, node in document.members(part):
            if key.endswith(".key") and node.text.count(HIDDEN) >= _SHORTEST_KEY:
                name = document.word("metadata", "name")
                holder = f"{kind} {name}" if name else f"this {kind}"
                yield diagnostic("private-key", span, secret=holder, key=key)


def _environments(document: Node) -> Iterator[dict[str, Variable]]:
    """Yield the variables of each service of Compose and of each container of a pod."""
    for _, service in services_of(document):
        yield environment_of_service(service)
    for container in pod_entries(document, "containers"):
        yield environment_of(container.child("env"))


def _is_alone(value: Node, text: str) -> bool:
    """Whether a literal is on a line of its own: in brackets, a mask may cover what follows too."""
    before = text[text.rfind("\n", 0, value.start) + 1 : value.start].strip()
    return before == "-" or before.endswith("=")


def _fault(key: str, value: str, node: Node) -> Iterator[Diagnostic]:
    if folded(key) in _PASSWORDS and FILLER.fullmatch(value) is None:
        is_plain = isinstance(node.value, str)
        yield from password_fault(setting_of(value, node.span, is_plain=is_plain), key)
