"""Faults of workloads that run a queue manager, and of services that lead to them.

These are read: Deployments, StatefulSets and Pods whose container has an image of MQ, or the
licence and a variable of MQ. Settings that another file may add (`envFrom`, a template) are not
missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.feeding import CONFIGURATION_ENDINGS
from mqlint.language.kubernetes.container import (
    is_mq_image,
    is_of_mq,
    is_root,
    runs_image_of_mq,
)
from mqlint.language.kubernetes.faults.check import (
    grace_faults,
    key_faults,
    keys_of_other_levels,
    missing_of_key,
    word_faults,
)
from mqlint.language.kubernetes.faults.instances import budget_faults, instance_faults
from mqlint.language.kubernetes.faults.services import policy_faults, service_faults
from mqlint.language.kubernetes.faults.variables import variable_faults
from mqlint.language.kubernetes.pod import (
    TASK,
    is_set,
    keeps_data_of,
    may_have_more_variables,
    may_have_more_volumes,
    number_of,
    pod_of,
)
from mqlint.language.kubernetes.probe import command_faults, port_faults, program_faults
from mqlint.language.kubernetes.quantity import quantity_faults, resource_faults
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import (
    CONFIGURATION_FOLDER,
    CONTAINER_PORTS,
    DATA_FOLDER,
    IGNORED_FOLDERS,
    MQ_PORT,
    PROGRAM_FOLDER,
    SECRETS_FOLDER,
    keeps_data,
    may_bring_mqsc,
)
from mqlint.vocabulary.distance import distance, nearest, nearest_in_any_case
from mqlint.vocabulary.kubernetes import Path, kubernetes_vocabulary
from mqlint.vocabulary.limits import PORT

_REMOVED = frozenset({"extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"})
"""Versions of the API of workloads that Kubernetes 1.16 removed ("Deprecated API Migration Guide").
"""
_PKI = f"{CONFIGURATION_FOLDER}/pki"
_OF_PKI = ("keys", "trust")
_FOLDERS = (DATA_FOLDER, CONFIGURATION_FOLDER)
_TRUE = frozenset({"true", "1"})


def workload_faults(documents: Sequence[Node], text: str) -> Iterator[Diagnostic]:
    """Yield the faults of the workloads among the documents of a file, and of its services."""
    workloads: list[Node] = []
    others: list[Node] = []
    for document in documents:
        (workloads if kind_meant(document) in WORKLOADS else others).append(document)
    served: list[tuple[Node, Node]] = []
    claims = {
        (claim.word("metadata", "namespace"), claim.word("metadata", "name")): claim
        for claim in documents
        if claim.word("kind") == "PersistentVolumeClaim"
    }
    for workload in workloads:
        pod = pod_of(workload)
        containers = pod.entries("containers") if pod is not None else ()
        for container in containers:
            if pod is not None and _runs_queue_manager(container):
                yield from _container(workload, pod, container)
                if workload.word("kind") == TASK:
                    yield from _mapped_ports(container)
                yield from _access_modes(_claims_of(workload, pod, claims), container)
                served.append((workload, container))
    of_mq = {workload.start: workload for workload, _ in served}.values()
    for workload in of_mq:
        if workload.word("kind") == TASK:
            continue
        version = workload.child("apiVersion")
        if version is not None and version.value in _REMOVED:
            yield diagnostic("api-removed", version.span, version=version.text)
        yield from kind_faults(workload)
        pod = pod_of(workload)
        if pod is not None:
            yield from workload_schema_faults(workload, pod)
    if served:
        for document in others:
            yield from beside_faults(document)
        yield from service_faults(documents, workloads, served, text)
        yield from instance_faults(documents, served)
    managers = [document for document in others if document.word("kind") == "QueueManager"]
    yield from policy_faults(documents, [*(own for own, _ in served), *managers], text)
    yield from budget_faults(documents, managers)


def _runs_queue_manager(container: Node) -> bool:
    """Whether a container is one of MQ: by its image, or by a variable and another sign.

    The other sign is the licence, or a volume for the data.
    """
    if runs_image_of_mq(container):
        return True
    names = {item.word("name") for item in container.entries("env")}
    paths = (mount.word("mountPath") for mount in container.entries("volumeMounts"))
    is_shown = "LICENSE" in names or is_mq_image(container.word("image")) or DATA_FOLDER in paths
    return is_shown and is_of_mq(names)


def _container(workload: Node, pod: Node, container: Node) -> Iterator[Diagnostic]:
    yield from _variables(container)
    yield from _volumes(workload, pod, container)
    yield from _name(workload, pod, container)
    yield from _replicas(workload, container)
    yield from _probes(workload, container)
    yield from _security(pod, container)
    yield from resource_faults(container.child("resources"))
    yield from grace_faults(pod.child("terminationGracePeriodSeconds"))
    yield from _labels(workload)


def _mapped_ports(container: Node) -> Iterator[Diagnostic]:
    """The ports of a task, if they leave out that of the listener; MQSC may define others."""
    ports = {number_of(port.child("containerPort")): port for port in container.entries("ports")}
    folders = {mount.word("mountPath") for mount in container.entries("volumeMounts")}
    is_plain = runs_image_of_mq(container) and not any(map(may_bring_mqsc, folders))
    if not is_plain or container.open or ports.keys() & {None, MQ_PORT}:
        return
    for number, port in ports.items():
        if number not in CONTAINER_PORTS:
            fault = f"the queue manager listens at {MQ_PORT}"
            yield diagnostic("service-port", port.span, port=str(number), fault=fault)


def _variables(container: Node) -> Iterator[Diagnostic]:
    """Misspelt variables, values that are no texts, the licence that is missing."""
    variables = {}
    for item in container.entries("env"):
        name, value = item.child("name"), item.child("value")
        if name is None or not isinstance(name.value, str):
            continue
        if name.value in variables and not item.maybe:
            yield diagnostic("container-again", name.span, name=name.value)
        place = value if value is not None else name
        known = value.value if value is not None and value.kind == "scalar" else None
        variables[name.value] = (known or "", name.span, place.span)
        if value is not None and _is_no_text(value):
            yield diagnostic("container-no-text", value.span, name=name.value, value=value.text)
    yield from variable_faults(
        {name: found for name, found in variables.items() if found[0] or name != "MQ_QMGR_NAME"}
    )
    if may_have_more_variables(container) or "LICENSE" in variables:
        return
    if not any(distance(name, "LICENSE", 2) <= 2 for name in variables):
        yield diagnostic("container-license", container.key_span("env"))


def _is_no_text(value: Node) -> bool:
    """Whether YAML reads a value as a boolean or a number, which a variable cannot be."""
    if value.kind != "scalar" or not isinstance(value.value, str) or value.file is None:
        return False
    word = value.text
    is_other = word in ("true", "false", "True", "False") or re.fullmatch(r"-?\d+", word)
    return bool(is_other) and not value.is_quoted


def _volumes(workload: Node, pod: Node, container: Node) -> Iterator[Diagnostic]:
    """Mounts of volumes that there are not, and paths that are a typo of those of the container."""
    claims = workload.entries("spec", "volumeClaimTemplates")
    names = {volume.word("name") for volume in pod.entries("volumes")}
    names |= {claim.word("metadata", "name") for claim in claims}
    is_whole = not may_have_more_volumes(workload, pod)
    persistent = {claim.word("metadata", "name") for claim in claims}
    persistent |= {
        volume.word("name")
        for volume in pod.entries("volumes")
        if volume.child("persistentVolumeClaim") is not None
    }
    mounts = container.child("volumeMounts")
    paths = [mount.word("mountPath").rstrip("/") for mount in container.entries("volumeMounts")]
    keeps = any(map(keeps_data, paths))
    for mount, path in zip(container.entries("volumeMounts"), paths, strict=True):
        name, where = mount.child("name"), mount.child("mountPath")
        mounted = name.value if name is not None else None
        if is_whole and name is not None and isinstance(mounted, str) and not names & {"", mounted}:
            yield diagnostic("volume-missing", name.span, name=mounted)
        if where is None or not path:
            continue
        folder = path.rpartition("/")[0] if path.endswith(CONFIGURATION_ENDINGS) else path
        near = _near_folder(path)
        if not near and (near := _ignored_folder(folder, container)):
            path = folder
        known = mounts is not None and not mounts.open
        if near:
            yield diagnostic("mount-path", where.span, path=path, meant=near)
        elif known and not keeps and mount.word("name") in persistent:
            yield diagnostic("mount-path", where.span, path=path, meant=DATA_FOLDER)


def _name(workload: Node, pod: Node, container: Node) -> Iterator[Diagnostic]:
    """A queue manager that is named after its pod, although its data outlives that.

    The pods of a StatefulSet keep their names.
    """
    names = {item.word("name") for item in container.entries("env")}
    is_named = "MQ_QMGR_NAME" in names
    is_open = workload.is_partial or pod.is_partial or may_have_more_variables(container)
    if kind_meant(workload) != "Deployment" or is_named or is_open or pod.child("hostname"):
        return
    if runs_image_of_mq(container) and keeps_data_of(pod, container):
        yield diagnostic("name-of-container", container.key_span("image"))


def _near_folder(path: str) -> str:
    """The folder of the container of which a path, or the folder of a file, is a typo."""
    if distance(path, SECRETS_FOLDER, 1) == 1:
        return SECRETS_FOLDER
    head, _, rest = path.partition(f"{_PKI}/")
    kind, slash, below = rest.partition("/")
    meant = nearest(kind, _OF_PKI) if not head and kind not in _OF_PKI else ""
    if meant:
        return f"{_PKI}/{meant}{slash}{below}"
    for folder in _FOLDERS:
        head = "/".join(path.split("/")[:3])
        is_own = head in (*_FOLDERS, PROGRAM_FOLDER) or head.startswith(f"{folder}-")
        if not is_own and "mq" in head and distance(head, folder, 2) <= 2:
            return folder
    return ""


def _ignored_folder(path: str, container: Node) -> str:
    """The folder of the container below which a path is, if nothing reads what is in it."""
    above, _, name = path.rpartition("/")
    if above != CONFIGURATION_FOLDER or name not in IGNORED_FOLDERS:
        return ""
    naming = [node for node in container.walk() if node.kind == "scalar" and path in node.text]
    is_own = container.child("command") or container.child("args") or len(naming) > 1
    return above if not is_own and runs_image_of_mq(container) else ""


def _replicas(workload: Node, container: Node) -> Iterator[Diagnostic]:
    """More than one replica of a queue manager that has no instances."""
    replicas = workload.get("spec", "replicas")
    count = number_of(replicas)
    if replicas is None or count is None or count < 2:
        return
    for item in container.entries("env"):
        if item.word("name") in ("MQ_NATIVE_HA", "MQ_MULTI_INSTANCE"):
            value = item.child("value")
            if value is None or value.word() == "" or value.word().lower() in _TRUE:
                return
    if may_have_more_variables(container):
        return
    yield diagnostic("replicas-alone", replicas.span, replicas=str(count))


def _probes(workload: Node, container: Node) -> Iterator[Diagnostic]:
    """Probes that are missing or that run a program which the image does not have."""
    kinds = ("livenessProbe", "readinessProbe", "startupProbe")
    probes = [(kind, container.child(kind)) for kind in kinds]
    missing = [kind for kind, probe in probes[:2] if probe is None]
    if missing and not container.is_partial and not workload.is_partial:
        yield diagnostic("probe-missing", container.key_span("name"), probe=" and ".join(missing))
    for kind, probe in probes:
        words = probe.entries("exec", "command") if probe is not None else ()
        if probe is not None:
            yield from port_faults(probe, container)
        yield from program_faults(words)
        for word in words:
            program = word.value.rpartition("/")[2] if isinstance(word.value, str) else ""
            is_liveness = kind == "livenessProbe" and program == "chkmqready"
            if is_liveness:
                yield diagnostic("probe-ready", word.span)
            elif word is not words[0] and program.startswith("chk"):
                yield from command_faults(word, program)


def _security(pod: Node, container: Node) -> Iterator[Diagnostic]:
    """A user with the rights of root, or a privileged container."""
    for holder in (container, pod):
        user = holder.get("securityContext", "runAsUser")
        if user is not None and user.word() == "0":
            yield diagnostic("runs-as-root", user.span, how="runAsUser is 0")
            break
        if user is not None:
            break
    user = container.child("user")  # of a task of Amazon ECS, as those of privileged
    if user is not None and is_root(user.word()):
        yield diagnostic("runs-as-root", user.span, how=f"user is {user.word()[:60]}")
    privileged = container.get("securityContext", "privileged") or container.child("privileged")
    if privileged is not None and privileged.word().lower() == "true":
        yield diagnostic("runs-as-root", privileged.span, how="privileged is true")


def _claims_of(
    workload: Node, pod: Node, claims: Mapping[tuple[str, str], Node]
) -> Iterator[tuple[str, Node]]:
    """Yield the claims of a workload with the names of their volumes: its templates, and others."""
    for claim in workload.entries("spec", "volumeClaimTemplates"):
        yield claim.word("metadata", "name"), claim
    namespace = workload.word("metadata", "namespace")
    for volume in pod.entries("volumes"):
        claimed = claims.get((namespace, volume.word("persistentVolumeClaim", "claimName")))
        if claimed is not None:
            yield volume.word("name"), claimed


def _access_modes(claims: Iterable[tuple[str, Node]], container: Node) -> Iterator[Diagnostic]:
    """Claims that only read, or that only one node may write while instances share them."""
    shares = is_set(container, "MQ_MULTI_INSTANCE")
    folders = {
        mount.word("name"): mount.word("mountPath") for mount in container.entries("volumeMounts")
    }
    for name, claim in claims:
        path = folders.get(name, "")
        modes = claim.entries("spec", "accessModes")
        words = {mode.word() for mode in modes}
        if not path.startswith(DATA_FOLDER) or not words or "" in words:
            continue
        wrong = {"ReadOnlyMany"} if not shares else {"ReadOnlyMany", "ReadWriteOnce"}
        if words <= wrong:
            yield diagnostic("access-mode", modes[0].span, mode=modes[0].text)


def _labels(workload: Node) -> Iterator[Diagnostic]:
    """A selector that does not fit the labels of the pods."""
    wanted = workload.get("spec", "selector", "matchLabels")
    labels = workload.get("spec", "template", "metadata", "labels")
    if wanted is None or labels is None or labels.is_partial:
        return
    for key, value in wanted.pairs.items():
        label = labels.child(key)
        mine = label.value if label is not None else ""
        if not isinstance(mine, str) or not isinstance(value.value, str):
            continue
        if mine != value.value:
            yield diagnostic("selector-fits-not", value.span, key=key, value=value.value)


# -- keys, words and numbers -----------------------------------------------------------------------


_KNOWN = kubernetes_vocabulary().workload
_CLAIM = "PersistentVolumeClaim"
_NAMED = frozenset({"ConfigMap", "Secret", "Service", _CLAIM})
_NAME = later(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")
_NAMES = "names of lower-case letters, digits, - and ."
_APPS = ("Deployment", "StatefulSet", "ReplicaSet", "DaemonSet")
WORKLOADS = frozenset({*_APPS, "Pod", TASK})


def kind_meant(document: Node) -> str:
    """Return the kind of workload that a document is of, or whose name it misspells."""
    kind = document.word("kind")
    if kind in WORKLOADS or document.word("apiVersion").partition("/")[0] != "apps":
        return kind
    return nearest_in_any_case(kind, _APPS) or kind


def kind_faults(workload: Node) -> Iterator[Diagnostic]:
    """Yield a kind in another case or with a typo, and the version of the API of other kinds.

    Groups of other products may have kinds of the same name.
    """
    kind, version = workload.child("kind"), workload.child("apiVersion")
    meant, api = kind_meant(workload), workload.word("apiVersion")
    if kind is not None:
        yield from word_faults(kind, "kind", (meant,))
    wanted = "apps/v1" if meant in _APPS else "v1"
    is_other = "/" not in api or (meant not in _APPS and api.startswith("apps/"))
    if version is not None and api and is_other:
        yield from word_faults(version, "apiVersion", (wanted,))


def workload_schema_faults(workload: Node, pod: Node) -> Iterator[Diagnostic]:
    yield from _faults(pod, "pod")
    yield from beside_faults(workload)
    for claim in workload.entries("spec", "volumeClaimTemplates"):
        yield from _faults(claim, _CLAIM)


def beside_faults(document: Node) -> Iterator[Diagnostic]:
    """Yield the faults of a claim, a service or another resource beside a queue manager."""
    kind, name = kind_meant(document), document.get("metadata", "name")
    yield from _faults(document, kind)
    written = document.word("metadata", "name")
    if document.word("type") == "kubernetes.io/tls":
        yield from _tls_secret_faults(document)
    if name is None or not written or kind not in WORKLOADS | _NAMED:
        return
    if not _NAME.fullmatch(written):
        yield from word_faults(name, "name", (_NAMES,))


def _tls_secret_faults(secret: Node) -> Iterator[Diagnostic]:
    """Yield the place of a Secret for TLS that lacks one of its two entries.

    The API server refuses it (Kubernetes, "Secrets", "TLS Secrets").
    """
    parts = [part for key in ("data", "stringData") if (part := secret.child(key)) is not None]
    if secret.open or not parts or any(part.open or not part.pairs for part in parts):
        return
    names = [name for part in parts for name in part.pairs.names()]
    missing = missing_of_key(names)
    if missing:
        key = next(key for key in ("data", "stringData") if secret.child(key) is not None)
        yield diagnostic("certificate-part", secret.key_span(key), missing=missing)


def _faults(root: Node, kind: str) -> Iterator[Diagnostic]:
    for path, known in _KNOWN.keys.items():
        for node in _at(root, kind, path):
            yield from key_faults(node, known)
            yield from keys_of_other_levels(node, path, _KNOWN, "Kubernetes")
    for path, words in _KNOWN.words.items():
        for node in _at(root, kind, path):
            yield from word_faults(node, path[-1], words)
    for path in _KNOWN.ports:
        for node in _at(root, kind, path):
            number = number_of(node)
            if number is not None and not 1 <= number <= PORT:
                yield from word_faults(node, path[-1], (f"1 to {PORT}",))
    for path in _KNOWN.sizes:
        for node in _at(root, kind, path):
            yield from quantity_faults(node, path[-1])


def _at(root: Node, kind: str, path: Path) -> Iterator[Node]:
    """Yield the nodes at a path of a kind; of a list, it goes on in each entry."""
    if path[0] != kind:
        return
    nodes = [root]
    for key in path[1:]:
        nodes = [entry for node in nodes for entry in node.entries_or_value(key)]
    yield from nodes
