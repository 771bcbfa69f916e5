"""Services of Docker Compose that run a queue manager: image, environment, files of /etc/mqm.

Sources: the reference of Compose files, and the environment that the container of
ibm-messaging/mq-container takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.kubernetes.fields import PASSWORDS, derived_of
from mqlint.language.script.hosts.mq_image import MQ_IMAGE
from mqlint.language.yaml.tree import Node, Span
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.unknown import UNKNOWN

_IS_MQ = re.compile(MQ_IMAGE, re.IGNORECASE)
_OF_MQ = ("MQ_QMGR_NAME", "MQ_ADMIN_PASSWORD", "MQ_APP_PASSWORD", "MQ_DEV")
_MOUNT = re.compile(r"(\.{0,2}/?[^:$]+\.(?:mqsc|ini)):/etc/mqm/[^:/]+(?::\w+)*")


@dataclass(slots=True)
class Compose:
    """What a Compose file says: queue managers, and the files that each is made with."""

    declared: list[Declared] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Variable:
    value: FieldValue
    span: Span
    is_plain: bool


def is_compose(document: Node) -> bool:
    """Tell whether a document is a Compose file."""
    services = document.child("services")
    return services is not None and services.kind == "mapping" and not document.word("kind")


def parse_compose(document: Node) -> Compose:
    """Return what the services say that run a queue manager."""
    found = Compose()
    services = document.child("services")
    for name, _, service in services.pairs if services is not None else ():
        environment = dict(_environment(service.child("environment")))
        image = service.child("image")
        is_mq = image is not None and _IS_MQ.fullmatch(image.text) is not None
        if is_mq or any(variable in environment for variable in _OF_MQ):
            declared = _declared(name, service, image, environment)
            found.declared.append(declared)
            if declared.queue_manager is not None:
                for file in _files(service):
                    found.fed.append((file, declared.queue_manager))
    return found


def _declared(
    name: str, service: Node, image: Node | None, environment: dict[str, _Variable]
) -> Declared:
    fields = [Field("kind", "Compose", service.span)]
    if image is not None and image.kind == "scalar" and service.child("build") is None:
        fields.append(Field("image", image.value, image.span))
    for variable, key, true in (
        ("LICENSE", "license.accept", ("accept",)),
        ("MQ_DEV", "dev", ("true", "1")),
    ):
        setting = environment.get(variable)
        if setting is not None:
            known = isinstance(setting.value, str)
            value = str(setting.value in true).lower() if known else UNKNOWN
            fields.append(Field(key, value, setting.span))
    plain = [word for word in PASSWORDS if word in environment and environment[word].is_plain]
    if plain:
        fields.append(Field("passwords", tuple(plain), environment[plain[0]].span))
    fields.extend(derived_of(fields))
    named = environment.get("MQ_QMGR_NAME")
    owner = named.value if named is not None and isinstance(named.value, str) else ""
    span = named.span if named is not None else service.span
    return Declared("manifest", name, tuple(fields), span, owner or None, True, f"#{service.start}")


def _environment(node: Node | None) -> Iterator[tuple[str, _Variable]]:
    """The variables, written as a mapping or as a list of `name=value`."""
    if node is None:
        return
    for key, _, value in node.pairs:
        yield key, _Variable(value.value, value.span, _is_plain(value, value.text))
    for item in node.items:
        key, sign, text = item.text.partition("=")
        if sign:
            known = item.value if not isinstance(item.value, str) else text
            yield key.strip(), _Variable(known, item.span, _is_plain(item, text))


def _is_plain(node: Node, text: str) -> bool:
    return bool(text) and (is_hidden(text) or isinstance(node.value, str))


def _files(service: Node) -> Iterator[str]:
    """The files of the folder that a service has in /etc/mqm."""
    for volume in service.entries("volumes"):
        mount = _MOUNT.fullmatch(volume.text) if volume.kind == "scalar" else None
        if mount is not None:
            yield mount[1]
        elif volume.word("target").startswith("/etc/mqm/"):
            yield volume.word("source")
