"""Services of Docker Compose that run a queue manager: image, environment, files of /etc/mqm.

Jobs of GitHub Actions have services too, with `env` instead of `environment`. Sources: the
reference of Compose files, "Workflow syntax for GitHub Actions" (`jobs.<job_id>.services`), and the
environment that the container of ibm-messaging/mq-container takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.language.declaration import PUBLISHED, Declared, Field
from mqlint.language.kubernetes.compose.files import entries_of, keeps_nothing, mounts_of
from mqlint.language.kubernetes.container import (
    PASSWORDS,
    PORT,
    container,
    is_for_production,
    is_mq_image,
    is_of_mq,
)
from mqlint.language.kubernetes.environment import Variable, variables_in
from mqlint.language.kubernetes.merge import mapping
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import CONTAINER_PORTS, METRICS_PORT, MQ_PORT, REPLICATION_PORT
from mqlint.vocabulary.unknown import UNKNOWN

_MOST_COMPARED = 50
"""Of how many services of a file the published ports are compared."""
_NAME = later(r"[A-Za-z_]\w{0,100}")
_OF_OTHERS = later(
    r"(?!(?:[\w-]{1,60}\.){0,3}icr\.io/|ibmcom/)[^/$]{1,200}/(?:[^$]{0,200}/)?mq(?:[:@].{1,200})?"
)
_OWN_VARIABLE = later(r"MQ|LICEN[CS]E|AMQ")
_PORTS_OF_MQ = frozenset(map(str, (MQ_PORT, REPLICATION_PORT, METRICS_PORT, 9443)))
"""Ports of the container that other brokers do not use, unlike those of AMQP and MQTT."""


def has_image_of_mq(service: Node) -> bool:
    """Return whether a service names an image of MQ.

    `mq` of another registry than IBM's may be another product. It is one if the service has ports
    or volumes, and none of them nor a variable is of MQ.
    """
    image = service.child("image")
    if image is None or not is_mq_image(image.text):
        return False
    places = [mount.target for mount, _ in mounts_of(service)]
    ports = {inner for _, inner, _ in ports_of(service)}
    is_open = service.open or service.child("env_file") is not None
    if is_open or not (places or ports) or _OF_OTHERS.fullmatch(image.text) is None:
        return True
    is_of_folder = any("mqm" in place or "$" in place for place in places)
    is_of_port = any(port in _PORTS_OF_MQ or not is_digits(port) for port in ports)
    names = environment_of_service(service)
    return is_of_folder or is_of_port or any(_OWN_VARIABLE.match(name) for name in names)


def is_compose(document: Node) -> bool:
    return bool(services_of(document))


def queue_manager_of(name: str, service: Node, *, is_for_job: bool) -> Declared | None:
    """Return the queue manager that a service runs, None if it runs none.

    One that lives as long as a job of a pipeline (`is_for_job`) has no password to protect.
    """
    environment, image = environment_of_service(service), service.child("image")
    is_image = has_image_of_mq(service)
    if not (is_image or is_of_mq(environment)):
        return None
    kind = Field("kind", "Compose", service.span)
    run = Field("image", image.value, image.span) if image and is_run(service) else None
    if is_for_job:
        environment = {key: of for key, of in environment.items() if key not in PASSWORDS}
    declared = container(kind, name, run, environment, service.span, f"#{service.start}")
    ports = tuple(port for port, inner, _ in ports_of(service) if port and inner == str(MQ_PORT))
    if ports:
        published = Field(PUBLISHED, ports, service.span)
        declared = replace(declared, fields=(*declared.fields, published))
    if is_image and is_run(service):
        declared = replace(declared, fields=(*declared.fields, *entries_of(service)))
        is_lasting = not is_for_job and is_for_production(service.word("image"), environment)
        if is_lasting and keeps_nothing(service):
            storage = Field("storage.type", "ephemeral", service.key_span("image"))
            declared = replace(declared, fields=(*declared.fields, storage))
    return declared


def published_beside(service: Node, services: Sequence[Node]) -> tuple[str, ...] | None:
    """Return the ports of the host that other services publish, None if not all are known.

    A port of its own container that the image does not use may be that of another listener.
    """
    found: list[str] = []
    for other in services if len(services) <= _MOST_COMPARED else ():
        entries = other.entries("ports")
        ports = [*ports_of(other)][: len(entries)]
        is_clear = not other.open and other.child("network_mode") is None
        if not is_clear or len(ports) < len(entries) or not all(inner for _, inner, _ in ports):
            return None
        found += [
            port
            for port, inner, _ in ports
            if port and (other is not service or inner not in map(str, CONTAINER_PORTS))
        ]
    return tuple(found) if len(services) <= _MOST_COMPARED else None


def is_run(service: Node) -> bool:
    """Whether a service runs the image that it names, and does not build one."""
    image = service.child("image")
    return image is not None and image.kind == "scalar" and service.child("build") is None


def taken_from_elsewhere(service: Node) -> Iterator[int]:
    """Yield where a service may be one of MQ by what an alias of YAML gives it.

    That is all of it or, with a merge key, its image; of a service of MQ also its variables.
    """
    if service.kind == "scalar" and service.open:
        yield service.start
    elif service.child("<<") is not None and not (service.child("image") or service.child("build")):
        yield service.key_span("<<")[0]
    image = service.child("image")
    is_of_image = image is not None and is_mq_image(image.text)
    variables = service.child("environment") if is_of_image else None
    if variables is not None and variables.kind == "scalar" and variables.open:
        yield variables.start
    elif variables is not None and variables.child("<<") is not None:
        yield variables.key_span("<<")[0]


def services_of(document: Node) -> list[tuple[str, Node]]:
    """Return the services; in the first version of the format the document is nothing else."""
    if document.word("kind"):
        return []
    if is_gitlab(document):
        return _of_gitlab(document)
    jobs, services = document.child("jobs"), document.child("services")
    if services is not None:
        holders = [services]
    elif jobs is not None:
        children = (job.child("services") for job in jobs.pairs.values())
        holders = [child for child in children if child is not None]
    else:
        holders = (
            [document] if any(_is_old_service(node) for node in document.pairs.values()) else []
        )
    return [(name, node) for holder in holders for name, node in holder.pairs.items()]


def is_pipeline(document: Node) -> bool:
    """Whether the services of a document live as long as a job of a pipeline."""
    is_of_jobs = document.child("services") is None and document.child("jobs") is not None
    return is_of_jobs or is_gitlab(document)


def is_gitlab(document: Node) -> bool:
    """Whether a document is a pipeline of GitLab with services, which are a list of images."""
    holders = (document, *document.pairs.values())
    return any(
        is_mq_image(_image_of(item).text)
        for holder in holders
        for item in holder.entries("services")
    )


def _image_of(service: Node) -> Node:
    """The image of a service of GitLab: an item of the list, or its `name`."""
    return service.child("name") or service


def _of_gitlab(document: Node) -> list[tuple[str, Node]]:
    """The services of a pipeline of GitLab with their variables, and its jobs.

    A service has the variables of the whole file and of its job too, unless it sets them
    ("Services" in the documentation of GitLab CI/CD). Its name is its alias, or is made of its
    image. If jobs have several services of MQ, a name may stand for any, and no job is returned.
    """
    found: list[tuple[str, Node]] = []
    jobs: list[tuple[str, Node]] = []
    general = document.child("variables")
    own = document.entries("services") or document.entries("default", "services")
    number = 0
    for name, job in document.pairs.items():
        services = job.entries("services") or (own if job.child("script") is not None else ())
        if job.kind != "mapping" or name in ("default", "variables"):
            continue
        variables = _gathered(general, job.child("variables"))
        for service in services:
            image, alias = _image_of(service), service.word("alias")
            if not is_mq_image(image.text):
                continue
            number += 1
            inside = _gathered(service.child("variables"))
            names = {key for key, _ in inside}
            inside += [pair for pair in variables if pair[0] not in names and _is_own(pair[0])]
            path = re.split(r":(?=[^/]*$)", image.text)[0]
            pairs = [("image", image), ("environment", mapping(inside, service.span))]
            node = mapping(pairs, service.span)
            is_included = document.child("include") is not None
            node.open = is_included or any(map(job.child, ("extends", "<<")))
            found.append((alias or path.replace("/", "-"), node))
        if services:
            other = [pair for pair in variables if not _is_own(pair[0])]
            jobs.append((name, mapping([("environment", mapping(other, job.span))], job.span)))
    return [*found, *(jobs if number == 1 else ())]


def _is_own(name: str) -> bool:
    """Whether a variable of a job is one of MQ's image, not of the application."""
    return name == "LICENSE" or name.startswith("MQ_")


def _gathered(*holders: Node | None) -> list[tuple[str, Node]]:
    found: dict[str, Node] = {}
    for holder in holders:
        for key, value in holder.pairs.items() if holder is not None else ():
            found[key] = value.child("value") or value if value.kind == "mapping" else value
    return [*found.items()]


def _is_old_service(node: Node) -> bool:
    image, environment = node.child("image"), node.child("environment")
    is_run = image is not None and image.kind == "scalar"
    return is_run and is_of_mq(dict(_environment(environment)))


def ports_of(service: Node) -> Iterator[tuple[str, str, Node]]:
    """Yield each published port of the host, the port of the container, and the place."""
    for port in service.entries("ports"):
        if port.kind == "mapping":
            yield port.word("published"), port.word("target"), port
        elif (found := PORT.fullmatch(port.word())) is not None:
            yield found[2] or "", found[3], port
    for port in service.entries("expose"):
        yield "", port.word().partition("/")[0], port


def environment_of_service(service: Node) -> dict[str, Variable]:
    return dict(_environment(service.child("environment") or service.child("env")))


def _environment(node: Node | None) -> Iterator[tuple[str, Variable]]:
    """The variables, written as a mapping or as a list of `name=value`.

    A name without a value takes that of the shell that runs Compose, which is not known.
    """
    if node is None:
        return
    yield from variables_in(node)
    for key, span, value in node.pairs:
        if value.kind == "empty":
            yield key, Variable("", UNKNOWN, span, span)
    for item in node.items:
        key, sign, text = item.text.partition("=")
        if sign:
            known = item.value if not isinstance(item.value, str) else text
            yield key.strip(), Variable(text, known, item.span, item.span)
        elif item.kind == "scalar" and _NAME.fullmatch(key) is not None:
            yield key, Variable("", UNKNOWN, item.span, item.span)
