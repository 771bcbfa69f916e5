"""Settings beside a workload of MQ by which too few of its instances run, or more than it can have.

Sources: the templates of ibm-messaging/mq-helm, chkmqready of ibm-messaging/mq-container, and
"StatefulSets", "Deployments" and "Specifying a Disruption Budget" of Kubernetes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.kubernetes.pod import (
    is_set,
    keeps_data_of,
    may_share_namespace,
    number_of,
    pod_entries,
    pod_labels,
    pod_of,
    selects,
)
from mqlint.language.yaml.tree import Node

_INSTANCES = 3
"""Those of a Native HA group, of which two must run."""


def instance_faults(
    documents: Sequence[Node], served: Sequence[tuple[Node, Node]]
) -> Iterator[Diagnostic]:
    """Report budgets, autoscalers and orders of start that fit no queue manager of a workload."""
    scalers = grouped(
        ((target.word("kind"), target.word("name")), document)
        for document in documents
        if document.word("kind") == "HorizontalPodAutoscaler"
        and (target := document.get("spec", "scaleTargetRef")) is not None
    )
    budgets = [each for each in documents if each.word("kind") == "PodDisruptionBudget"]
    for workload, container in served:
        own = workload.word("kind"), workload.word("metadata", "name")
        yield from _autoscalers(scalers.get(own, ()), workload)
        if is_set(container, "MQ_NATIVE_HA"):
            yield from _order(workload, container)
            yield from _readiness(container)
            yield from _budgets(budgets, workload)
        elif is_set(container, "MQ_MULTI_INSTANCE"):
            yield from _readiness(container)
        else:
            yield from _strategy(workload, container)


def budget_faults(documents: Sequence[Node], managers: Iterable[Node]) -> Iterator[Diagnostic]:
    """Report budgets that let the instances of a QueueManager with Native HA stop."""
    for manager in filter(has_native_ha, managers):
        yield from _budgets(documents, manager)


def has_native_ha(workload: Node) -> bool:
    """Return whether a QueueManager or a container of a workload certainly has Native HA."""
    if workload.word("kind") == "QueueManager":
        return workload.word("spec", "queueManager", "availability", "type") == "NativeHA"
    return any(is_set(each, "MQ_NATIVE_HA") for each in pod_entries(workload, "containers"))


def _runs(probe: Node | None, program: str) -> bool:
    words = probe.entries("exec", "command") if probe is not None else ()
    return any(program in word.word() for word in words)


def _order(workload: Node, container: Node) -> Iterator[Diagnostic]:
    """A StatefulSet that waits for its first pod, which is not ready before the second runs."""
    policy = workload.get("spec", "podManagementPolicy")
    written = policy.word() if policy is not None else "OrderedReady"
    spec = workload.child("spec")
    is_partial = workload.is_partial or spec is None or spec.is_partial
    is_known = workload.word("kind") == "StatefulSet" and not is_partial
    if is_known and written == "OrderedReady" and _runs(container.child("readinessProbe"), "ready"):
        place = policy.span if policy is not None else workload.key_span("spec")
        yield diagnostic("pods-in-order", place)


def _readiness(container: Node) -> Iterator[Diagnostic]:
    """A readiness probe that succeeds in instances which accept no connection.

    A line of a shell with a second command may check the port too.
    """
    probe = container.child("readinessProbe")
    if not _runs(probe, "chkmqready"):
        for word in probe.entries("exec", "command") if probe is not None else ():
            if re.fullmatch(r"\s*(\S*/)?chkmqhealthy\s*", word.word()):
                yield diagnostic("probe-healthy", word.span)


def _strategy(workload: Node, container: Node) -> Iterator[Diagnostic]:
    """A Deployment whose new pod waits for the data that the old one uses, and the old for it."""
    kind = workload.get("spec", "strategy", "type")
    surge = workload.get("spec", "strategy", "rollingUpdate", "maxSurge")
    pod = pod_of(workload)
    if workload.word("kind") != "Deployment" or kind is None or kind.word() != "RollingUpdate":
        return
    if pod is None or (surge is not None and surge.word() in ("0", "0%", "")):
        return
    fewer = workload.get("spec", "strategy", "rollingUpdate", "maxUnavailable")
    if fewer is not None and re.fullmatch(r"0|\d{1,2}%", fewer.word()) is None:
        return  # the old pod may stop first; of one pod, shares below 100% are none
    if keeps_data_of(pod, container):
        yield diagnostic("rolling-on-one-volume", kind.span)


def _budgets(documents: Iterable[Node], workload: Node) -> Iterator[Diagnostic]:
    """Disruption budgets that admit the loss of the majority of a Native HA group.

    They count ready pods, which replicas are not: a replica can be evicted if the number of ready
    pods is what the budget wants ("PodDisruptionBudget", unhealthyPodEvictionPolicy).
    """
    labels = pod_labels(workload)
    for budget in documents:
        selector = budget.get("spec", "selector", "matchLabels")
        if budget.word("kind") != "PodDisruptionBudget" or labels is None or selector is None:
            continue
        if not selects(selector, labels) or not may_share_namespace(budget, workload):
            continue
        for key in ("minAvailable", "maxUnavailable"):
            value = budget.get("spec", key)
            count = _of_instances(value)
            if value is None or count is None:
                continue
            lost = count if key == "maxUnavailable" else _INSTANCES - count
            if lost > 1:
                yield diagnostic(
                    "budget-of-majority", value.span, key=key, value=value.text, lost=str(lost)
                )


def _of_instances(value: Node | None) -> int | None:
    """The number of instances that a number or a share is; Kubernetes rounds shares up."""
    share = re.fullmatch(r"(\d{1,3})%", value.word()) if value is not None else None
    count = -(-_INSTANCES * int(share[1]) // 100) if share is not None else number_of(value)
    return min(count, _INSTANCES) if count is not None else None


def _autoscalers(scalers: Iterable[Node], workload: Node) -> Iterator[Diagnostic]:
    """Autoscalers of the workload: each pod is a queue manager or an instance of one."""
    for scaler in scalers:
        target = scaler.get("spec", "scaleTargetRef")
        most = number_of(scaler.get("spec", "maxReplicas"))
        least = scaler.get("spec", "minReplicas")
        fewest = number_of(least) if least is not None else 1
        changes = None not in (most, fewest) and most != fewest
        is_own = target is not None and target.word("name") and changes
        if target is not None and is_own and may_share_namespace(scaler, workload):
            yield diagnostic("autoscaled", target.span, name=target.word("name"))
