"""Pods of workloads: where their specification and their labels are, and what selects them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.container import keeps_data

_LASTING = ("persistentVolumeClaim", "hostPath", "nfs")
"""Volumes that outlive a pod."""

INSTANCE = "app.kubernetes.io/instance"
"""The label with the name of the QueueManager that the Operator gives to its pods."""
OPERATED = "app.kubernetes.io/name"
"""The label that the Operator gives to the pods of all queue managers; its value is `ibm-mq`."""


TASK = "Task"
"""The kind that a task definition of Amazon ECS has as a workload."""


def pod_labels(workload: Node) -> Mapping[str, object] | None:
    """Return the labels of the pods of a workload, None if more of them may be elsewhere.

    Of the labels that the Operator gives to the pods of a QueueManager, two are documented.
    """
    if workload.word("kind") == "QueueManager":
        return {OPERATED: "ibm-mq", INSTANCE: workload.word("metadata", "name")}
    is_pod = workload.word("kind") == "Pod"
    template = workload if is_pod else workload.get("spec", "template")
    labels = template.get("metadata", "labels") if template is not None else None
    if labels is None or labels.open:
        return None
    return {key: value.value for key, value in labels.pairs.items()}


def selects(selector: Node, labels: Mapping[str, object]) -> bool:
    """Return whether a selector chooses pods with these labels."""
    return all(labels.get(key) == value.value for key, value in selector.pairs.items())


def may_be_same(namespace: str, other: str) -> bool:
    """Return whether two namespaces may be one; a blank one is not stated."""
    return namespace == other or not (namespace and other)


def may_share_namespace(*resources: Node) -> bool:
    """Return whether no two resources name different namespaces."""
    namespaces = {resource.word("metadata", "namespace") for resource in resources}
    return len(namespaces - {""}) <= 1


def pod_of(workload: Node) -> Node | None:
    if workload.word("kind") == "Pod":
        return workload.get("spec")
    return workload.get("spec", "template", "spec")


def pod_entries(workload: Node, key: str) -> Sequence[Node]:
    """Return the containers or volumes of the pods of a workload, none for another document."""
    pod = pod_of(workload)
    return pod.entries(key) if pod is not None else ()


def is_set(container: Node, *names: str) -> bool:
    """Return whether a variable of a container with one of these names certainly is true."""
    items = (item for item in container.entries("env") if item.word("name") in names)
    return any(item.word("value").lower() in ("true", "1") for item in items)


def may_have_more_variables(container: Node) -> bool:
    """Return whether a container may have variables that are not written, or are not named."""
    env = container.child("env")
    if env is None or env.is_partial or container.is_partial or container.child("envFrom"):
        return True
    return not all(item.word("name") for item in env.items)


def may_have_more_volumes(workload: Node, pod: Node) -> bool:
    """Return whether a pod may have volumes that are not written."""
    lists = pod.child("volumes"), workload.get("spec", "volumeClaimTemplates")
    around = workload, workload.child("spec"), pod, *lists
    return any(each is not None and each.is_partial for each in around)


def keeps_data_of(pod: Node, container: Node) -> bool:
    """Return whether a volume that outlives the pod has the data of a container of MQ."""
    lasting = {
        volume.word("name") for volume in pod.entries("volumes") if any(map(volume.child, _LASTING))
    }
    return any(
        mount.word("name") in lasting and keeps_data(mount.word("mountPath").rstrip("/"))
        for mount in container.entries("volumeMounts")
    )


def number_of(node: Node | None) -> int | None:
    """The number that a value is, None for one that is none or is not known."""
    word = node.word() if node is not None else ""
    return int(word) if re.fullmatch(r"\d{1,9}", word) else None
