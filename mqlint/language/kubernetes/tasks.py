"""Task definitions of Amazon ECS as workloads: their containers share a network and volumes.

They are documents of their own, resources of CloudFormation, whose keys begin with a capital, or
of Terraform ("Task definition parameters" of Amazon ECS, "AWS::ECS::TaskDefinition").
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.kubernetes.merge import mapping, scalar, with_child
from mqlint.language.kubernetes.pod import TASK
from mqlint.language.yaml.tree import Keys, Node

_TYPE = "AWS::ECS::TaskDefinition"
_DEEPEST = 8
"""Levels of a task definition that are read: a variable of a container is five below."""
_KEPT = dict.fromkeys(
    ("efsVolumeConfiguration", "eFSVolumeConfiguration", "configuredAtLaunch"),
    "persistentVolumeClaim",
)
"""Volumes that outlive a task, by the key that says so."""
_KEYS = {
    "environment": "env",
    "portMappings": "ports",
    "mountPoints": "volumeMounts",
    "sourceVolume": "name",
    "containerPath": "mountPath",
    "environmentFiles": "envFrom",
    **_KEPT,
}
"""What containers and volumes of Kubernetes call the same."""


def tasks_of(document: Node) -> Iterator[Node]:
    """Yield the task definitions of a document as workloads, with the words of Kubernetes."""
    for _, _, resource in document.members("Resources"):
        own = resource.child("Properties")
        if resource.word("Type") == _TYPE and own is not None:
            yield from _task(_translated(own))
    if document.entries("containerDefinitions"):
        yield from _task(_translated(document))


def _task(task: Node) -> Iterator[Node]:
    """Yield the workload; what it does not say, such as probes, is unknown."""
    containers, volumes = task.child("containerDefinitions"), task.child("volumes")
    if containers is None:
        return
    containers.become("list", [*map(_with_secrets, containers.items)])
    parts = [("containers", containers), *([("volumes", volumes)] if volumes is not None else [])]
    pod = mapping(parts, containers.span)
    template = mapping([("spec", pod)], pod.span)
    name = task.child("family")
    pairs = [
        ("kind", scalar(TASK, (task.start, task.start))),
        ("metadata", mapping([("name", name)] if name is not None else [], task.span)),
        ("spec", mapping([("template", template)], pod.span)),
    ]
    workload = mapping(pairs, task.span)
    workload.open = True
    yield workload


def _with_secrets(container: Node) -> Node:
    """Return a container whose variables are also those that are secrets: without a value."""
    secrets, env = container.child("secrets"), container.child("env")
    if secrets is None:
        return container
    held = [
        mapping([("name", name)], name.span)
        for item in secrets.items
        if (name := item.child("name")) is not None
    ]
    items = [*(env.items if env is not None else ()), *held]
    is_open = secrets.open or (env is not None and env.open)
    every = Node(*(env or secrets).span, "list", open=is_open, items=items)
    return with_child(container, "env", every)


def _translated(node: Node, depth: int = 0) -> Node:
    """Return a copy with the keys of Kubernetes; values keep their places."""
    if depth > _DEEPEST:
        return node
    if node.kind == "mapping":
        pairs = Keys()
        for key, span, value in node.pairs:
            camel = key[:1].lower() + key[1:]
            pairs.append(_KEYS.get(camel, camel), span, _translated(value, depth + 1))
        return Node(*node.span, "mapping", maybe=node.maybe, open=node.open, pairs=pairs)
    if node.kind == "list":
        items = [_translated(item, depth + 1) for item in node.items]
        return Node(*node.span, "list", maybe=node.maybe, open=node.open, items=items)
    return node
