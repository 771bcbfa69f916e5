"""Channel tables that containers and services mount, by the variables that name them.

Source: "Connecting client applications to queue managers using environment variables" (q027450_):
MQCCDTURL has the whole address, otherwise MQCHLLIB the folder and MQCHLTAB the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from posixpath import basename, dirname, join, normpath

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import NamedFile
from mqlint.language.kubernetes.compose.files import mounts_of
from mqlint.language.kubernetes.compose.services import environment_of_service, services_of
from mqlint.language.kubernetes.environment import Variable, environment_of
from mqlint.language.kubernetes.pod import pod_of
from mqlint.language.yaml.tree import Node
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import nearest

_MOST_COMPARED = 100
"""Limit of the names in a ConfigMap of which the nearest one is searched."""
_USUAL_NAME = "AMQCLCHL.TAB"


def table_faults(documents: Sequence[Node]) -> Iterator[Diagnostic]:
    """Yield the names of channel tables that are not in the ConfigMap which a container mounts."""
    keys = {
        document.word("metadata", "name"): set(_keys(document))
        for document in documents
        if document.word("kind") == "ConfigMap" and not document.open
    }
    for document in documents:
        pod = pod_of(document)
        if pod is None or pod.open:
            continue
        volumes: dict[str, _Volume] = {}
        for container in pod.entries("containers"):
            path, span = table_path(environment_of(container.child("env")))
            if path.startswith("/") and not container.open:
                volumes = volumes or _volumes(pod, keys)
                yield from _unmounted(path, span, container, volumes)


class _Volume(NamedTuple):
    """The ConfigMap of a volume, and the names of its files; None if they are not known."""

    holder: str
    files: Set[str] | None


def _volumes(pod: Node, keys: Mapping[str, set[str]]) -> dict[str, _Volume]:
    """The volumes of a pod by name; `keys` are those of each ConfigMap that is here."""
    found: dict[str, _Volume] = {}
    for volume in pod.entries("volumes"):
        holder = volume.word("configMap", "name")
        items = {item.word("path") for item in volume.entries("configMap", "items")}
        files = (items or keys[holder]) if holder and holder in keys else None
        found[volume.word("name")] = _Volume(holder, files)
    return found


def _keys(holder: Node) -> Iterator[str]:
    for part in ("data", "binaryData"):
        entries = holder.child(part)
        yield from entries.pairs.names() if entries is not None else ()


def table_path(environment: Mapping[str, Variable]) -> tuple[str, Span]:
    """The path of the table that a container uses, and its place; blank if it is not known."""

    def value(name: str, default: str = "") -> str:
        variable = environment.get(name)
        known = variable.value if variable is not None else default
        return known if isinstance(known, str) else ""

    key = next((name for name in ("MQCCDTURL", "MQCHLTAB", "MQCHLLIB") if name in environment), "")
    if not key or "MQSERVER" in environment:
        return "", (0, 0)
    folder, name = value("MQCHLLIB").rstrip("/"), value("MQCHLTAB", _USUAL_NAME)
    joined = f"{folder}/{name}" if folder and name and "/" not in name else ""
    path = value("MQCCDTURL") if key == "MQCCDTURL" else joined
    return path.removeprefix("file://").removeprefix("file:"), environment[key].value_span


def _unmounted(
    path: str, span: Span, container: Node, volumes: Mapping[str, _Volume]
) -> Iterator[Diagnostic]:
    """Yield the name of a table that a mounted ConfigMap lacks, unless another mount has it."""
    folder, _, name = path.rpartition("/")
    mounts = {
        mount.word("mountPath").rstrip("/"): mount for mount in container.entries("volumeMounts")
    }
    mount = mounts.get(path) or mounts.get(folder)
    volume = volumes.get(mount.word("name")) if mount is not None else None
    if mount is None or volume is None:
        return
    holder, files = volume
    part = mount.child("subPath")
    if part is not None:
        is_whole = mount.word("mountPath").rstrip("/") == path
        name, span = (part.word(), part.span) if is_whole else ("", span)
    if files is None or not name or name in files:
        return
    meant = nearest(name, sorted(files)) if len(files) <= _MOST_COMPARED else ""
    hint = f", and the nearest is {meant}" if meant else ""
    yield diagnostic("table-not-mounted", span, file=name, holder=holder, hint=hint)


def files_of_services(document: Node) -> Iterator[NamedFile]:
    """Yield the files beside a Compose file that services mount: channel tables, MQSC, stanzas.

    A service may mount the folder of its table, the table, or a table of another name. Docker makes
    a folder of a file that is not there.
    """
    for _, service in services_of(document):
        for mount, volume in mounts_of(service):
            if mount.is_file and mount.source.startswith("./"):
                yield NamedFile(normpath(mount.source), volume.span)
        path, span = table_path(environment_of_service(service))
        mounts = [mount for mount, _ in mounts_of(service)] if path.startswith("/") else []
        targets = {mount.target.rstrip("/") for mount in mounts}
        for source, target in mounts:
            inside = path.removeprefix(target.rstrip("/"))
            if not source.startswith("./"):
                continue
            if not inside or (inside != path and inside[0] == "/"):
                yield NamedFile(normpath(source + inside), span)
            elif (
                path not in targets
                and basename(source) == basename(target)
                and dirname(path) == dirname(target)
            ):
                yield NamedFile(normpath(join(dirname(source), basename(path))), span)
