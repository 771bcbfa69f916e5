"""Faults of services of Compose: what containers of a queue manager do not read or keep.

Source: the reference of Compose files, and the environment that the container of
ibm-messaging/mq-container takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.feeding import CONFIGURATION_ENDINGS
from mqlint.language.kubernetes.compose.files import keeps_nothing, mounts_of
from mqlint.language.kubernetes.compose.services import (
    environment_of_service,
    has_image_of_mq,
    is_gitlab,
    is_run,
    services_of,
)
from mqlint.language.kubernetes.container import environment_faults, is_of_mq, is_root
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.kubernetes.faults.check import MOST_COMPARED, missing_of_key, word_faults
from mqlint.language.kubernetes.probe import health_faults
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import (
    CONFIGURATION_FOLDER,
    DATA_FOLDER,
    IGNORED_FOLDERS,
    PROGRAM_FOLDER,
    has_misspelt_ending,
    is_ignored_certificate,
    keeps_data,
)
from mqlint.vocabulary.distance import nearest, nearest_in_any_case, same_but_for_tag

_NAMED_VOLUME = later(r"[A-Za-z0-9][\w.-]{1,100}")
_OF_MQ = later(r"(?i)mq|qm\d|qmgr")
_GIVES_NAME = frozenset({"hostname", "env_file", "extends", "command", "entrypoint", "<<"})
"""Keys of a service with which the queue manager may have a fixed name."""
_RUNS_COMMANDS = frozenset({"build", "command", "entrypoint", "extends", "post_start", "<<"})
"""Keys of a service whose own commands may read MQSC from any folder."""
_KEYS = f"{CONFIGURATION_FOLDER}/pki/keys"
_FOR_COMMANDS = ("conf", "config")
"""Names of folders below /etc/mqm that may hold other files than MQSC too."""
_SECONDS = later(r"(\d{1,6})s")
_SYS = later(r"(?<!\$)\$SYS(?=/)")
_CONDITIONS = ("service_started", "service_healthy", "service_completed_successfully")
_RESTARTS = ("no", "always", "on-failure", "unless-stopped")
_TIMES_OF_HEALTH = ("interval", "timeout", "start_period", "start_interval")
_GRACE_SECONDS = 10
"""The default of `stop_grace_period`."""


def faults_of_compose(document: Node) -> Iterator[Diagnostic]:
    """Yield the faults of the services of a document that run a queue manager."""
    if not is_gitlab(document):
        yield from _interpolated(document)
    of_mq: list[Node] = []
    for _, service in services_of(document):
        environment, is_image = environment_of_service(service), has_image_of_mq(service)
        is_licensed = "LICENSE" in environment
        has_variables = any(key.startswith("MQ_") for key in environment)
        if not (is_image or is_of_mq(environment)):
            if is_licensed and has_variables:
                yield from environment_faults(environment)
            continue
        has_data = any(mount.target == DATA_FOLDER for mount, _ in mounts_of(service))
        if is_image or is_licensed or has_data:
            yield from environment_faults(environment)
            for faults in _OF_SERVICES:
                yield from faults(service)
            of_mq.append(service)
        if is_image and is_run(service):
            own = environment.get("MQ_QMGR_NAME")
            name = own.value if own is not None else None
            yield from health_faults(service.get("healthcheck", "test"), name)
            yield from _name(service, environment)
    yield from _conditions(document, of_mq)
    yield from _volumes_missing(document, of_mq)
    yield from _volume_unused(document, of_mq)
    for kind in ("secret", "config"):
        yield from _granted(document, of_mq, kind)


def _interpolated(document: Node) -> Iterator[Diagnostic]:
    """Yield $SYS in topic strings, which Compose takes as a variable of the environment.

    Documentation of Compose, "Interpolation": two dollar signs stand for one.
    """
    for node in document.walk():
        mapped = node.mapped if node.kind == "scalar" and "$SYS/" in node.text else None
        for found in _SYS.finditer(mapped.text) if mapped is not None else ():
            start = mapped.host(found.start()) if mapped is not None else 0
            fault = "Compose removes it, because only $$ is a dollar sign"
            yield diagnostic("expansion", (start, start + 4), word="$SYS", fault=fault)


def _volumes(service: Node) -> Iterator[Diagnostic]:
    """Named volumes of a service, unless one is mounted where MQ's container keeps its data."""
    volumes = service.child("volumes")
    if volumes is None or volumes.open:
        return
    targets: list[tuple[str, Node]] = []
    for volume in volumes.items:
        if volume.kind == "mapping":
            target = volume.child("target")
            is_named = volume.word("type") in ("", "volume")
            if target is not None and (is_named or _is_almost_data(target.word())):
                targets.append((target.word(), target))
        else:
            source, _, target_path = volume.word().partition(":")
            path = target_path.partition(":")[0]
            if _NAMED_VOLUME.fullmatch(source) or _is_almost_data(path):
                targets.append((path, volume))
            elif keeps_data(path):
                return
    if any(not path or keeps_data(path) for path, _ in targets):
        return
    for path, node in targets[:1]:
        yield diagnostic("mount-path", node.span, path=path, meant=DATA_FOLDER)


def _security(service: Node) -> Iterator[Diagnostic]:
    """A user with the rights of root, or a privileged container."""
    user, privileged = service.child("user"), service.child("privileged")
    if user is not None and is_root(user.word()):
        yield diagnostic("runs-as-root", user.span, how=f"user is {user.word()[:60]}")
    if privileged is not None and privileged.word().lower() == "true":
        yield diagnostic("runs-as-root", privileged.span, how="privileged is true")


def _restart(service: Node) -> Iterator[Diagnostic]:
    """A policy of restarts that Docker refuses: all but on-failure:N are single words."""
    policy = service.child("restart")
    if policy is not None and not policy.word().startswith("on-failure:"):
        yield from word_faults(policy, "restart", _RESTARTS)


def _conditions(document: Node, of_mq: Sequence[Node]) -> Iterator[Diagnostic]:
    """Yield conditions, of services that wait for a queue manager, that Compose does not accept."""
    own = {*map(id, of_mq)}
    names = {name for name, service in services_of(document) if id(service) in own}
    for _, service in services_of(document) if names else ():
        for name, _, awaited in service.members("depends_on"):
            condition = awaited.child("condition") if name in names else None
            if condition is not None:
                yield from word_faults(condition, "condition", _CONDITIONS)


def _volumes_missing(document: Node, services: Iterable[Node]) -> Iterator[Diagnostic]:
    """Named volumes that are a typo of one of the file, which no service mounts."""
    volumes = document.child("volumes")
    if volumes is None or volumes.open:
        return
    defined = set(volumes.pairs.names())
    mounted = {source for _, other in services_of(document) for source, _ in _sources(other)}
    free = defined - mounted
    for source, node in (found for service in services for found in _sources(service)):
        if source not in defined and len(free) <= MOST_COMPARED and nearest(source, free):
            yield diagnostic("volume-missing", node.span, name=source)


def _volume_unused(document: Node, of_mq: Sequence[Node]) -> Iterator[Diagnostic]:
    """The only named volume that no service mounts, beside a queue manager without a volume.

    Beside other services, the volume is for the queue manager if its name has a word of MQ.
    """
    volumes, services = document.child("volumes"), services_of(document)
    if volumes is None or volumes.open or document.child("include") is not None or len(of_mq) != 1:
        return
    if any(service.open or "extends" in service.pairs.names() for _, service in services):
        return
    mounted = {source for _, service in services for source, _ in _sources(service)}
    free = [name for name in volumes.pairs.names() if name not in mounted]
    is_meant = len(services) == 1 or (len(free) == 1 and _OF_MQ.search(free[0]) is not None)
    image = of_mq[0].child("image")
    if len(free) == 1 and is_meant and image is not None and keeps_nothing(of_mq[0]):
        yield diagnostic("volume-unused", volumes.key_span(free[0]), name=free[0], path=DATA_FOLDER)


def _granted(document: Node, services: Iterable[Node], kind: str) -> Iterator[Diagnostic]:
    """Secrets or configs that the file does not define, if one of a similar name is defined."""
    defined = document.child(f"{kind}s")
    if defined is None or defined.open or document.child("include") is not None:
        return
    names = set(defined.pairs.names())
    for entry in (entry for service in services for entry in service.entries(f"{kind}s")):
        place = entry.child("source") or entry
        word = place.word()
        near = nearest_in_any_case(word, names) if word not in names else ""
        if near and not same_but_for_tag(near, word):
            yield diagnostic("source-missing", place.span, word=word, kind=kind, nearest=near)


def _sources(service: Node) -> Iterator[tuple[str, Node]]:
    """Yield the named volumes that a service mounts."""
    for mount, volume in mounts_of(service):
        if _NAMED_VOLUME.fullmatch(mount.source):
            yield mount.source, volume.child("source") or volume


def _is_almost_data(path: str) -> bool:
    """Whether a path is a typo of the folder in which the container keeps its data."""
    return path not in (DATA_FOLDER, PROGRAM_FOLDER) and bool(nearest(path, (DATA_FOLDER,)))


def _name(service: Node, environment: Mapping[str, Variable]) -> Iterator[Diagnostic]:
    """A queue manager that is named after its container, although its data outlives that."""
    keys = set(service.pairs.names())
    if "MQ_QMGR_NAME" in environment or service.open or keys & _GIVES_NAME:
        return
    variables = service.child("environment")
    if variables is not None and (variables.open or variables.child("<<") is not None):
        return
    if any(item.text.strip() == "MQ_QMGR_NAME" for item in service.entries("environment")):
        return  # its value is that of the variable on the host
    for mount, _ in mounts_of(service):
        if mount.target.rstrip("/") in (DATA_FOLDER, "/var/mqm"):
            yield diagnostic("name-of-container", service.key_span("image"))
            return


def _grace(service: Node) -> Iterator[Diagnostic]:
    """A time to stop below the default, and times without a unit, which Compose refuses."""
    period = service.child("stop_grace_period")
    for key in _TIMES_OF_HEALTH:
        yield from _without_unit(key, service.get("healthcheck", key))
    yield from _without_unit("stop_grace_period", period)
    time = _SECONDS.fullmatch(period.text) if period is not None else None
    if period is not None and time is not None and int(time[1]) < _GRACE_SECONDS:
        yield diagnostic("grace-short", period.span, seconds=time[1], least=str(_GRACE_SECONDS))


def _without_unit(key: str, time: Node | None) -> Iterator[Diagnostic]:
    if time is not None and is_digits(time.word()) and time.word() != "0":
        yield from word_faults(time, key, (f"{time.word()}s",))


def _configuration(service: Node) -> Iterator[Diagnostic]:
    """Files of MQSC or stanzas under a name, or in a folder, that the container does not read."""
    is_image = _runs_image(service)
    for (source, target), node in mounts_of(service):
        ending = next((end for end in CONFIGURATION_ENDINGS if source.endswith(end)), "")
        ending = ending or (".mqsc" if has_misspelt_ending(source) else "")
        folder, _, name = target.rstrip("/").rpartition("/")
        if is_ignored_certificate(folder, name):
            yield diagnostic("mount-path", node.span, path=target, meant=f"{folder}/NAME")
            continue
        is_ignored = folder == CONFIGURATION_FOLDER and name in IGNORED_FOLDERS
        if is_ignored and not ending and source.startswith((".", "/", "~")):
            yield diagnostic("mount-path", node.span, path=target, meant=CONFIGURATION_FOLDER)
            continue
        if ending == ".mqsc" and is_image and _is_ignored(folder):
            yield diagnostic("mount-path", node.span, path=folder, meant=CONFIGURATION_FOLDER)
            continue
        if not ending or not name:
            continue
        if target.rstrip("/") == CONFIGURATION_FOLDER:  # a file cannot be mounted over a folder
            meant = f"{CONFIGURATION_FOLDER}/{basename(source)}"
            yield diagnostic("mount-path", node.span, path=target, meant=meant)
        elif folder == CONFIGURATION_FOLDER and not name.endswith(CONFIGURATION_ENDINGS):
            yield diagnostic("image-entry-not-applied", node.span, word=name, ending=ending)
        elif folder != CONFIGURATION_FOLDER and nearest(folder, (CONFIGURATION_FOLDER,)):
            yield diagnostic("mount-path", node.span, path=folder, meant=CONFIGURATION_FOLDER)


def _runs_image(service: Node) -> bool:
    """Whether a service runs the image of MQ without commands of its own."""
    return has_image_of_mq(service) and not set(service.pairs.names()) & _RUNS_COMMANDS


def _certificates(service: Node) -> Iterator[Diagnostic]:
    """Files mounted for a key that lack its private key or certificate, if all are known."""
    mounts = [*mounts_of(service)]
    is_known = all(mount.target and "$" not in mount.target for mount, _ in mounts)
    brings_more = any(service.child(name) for name in ("configs", "secrets", "volumes_from"))
    if service.open or brings_more or not is_known or not _runs_image(service):
        return
    targets = {mount.target.rstrip("/") for mount, _ in mounts}
    keys: dict[str, list[tuple[str, Node]]] = {}
    for target, node in ((mount.target, node) for mount, node in mounts):
        folder, _, name = target.rpartition("/")
        if folder.rpartition("/")[0] == _KEYS and name:
            keys.setdefault(folder, []).append((name, node))
    for folder, files in keys.items():
        if not targets.isdisjoint((folder, _KEYS, "/etc/mqm/pki", CONFIGURATION_FOLDER)):
            continue
        missing = missing_of_key([name for name, _ in files])
        if missing:
            yield diagnostic("certificate-part", files[0][1].span, missing=missing)


def _is_ignored(folder: str) -> bool:
    """Whether a folder is below /etc/mqm and has a name for commands that run at the start."""
    above, _, name = folder.rpartition("/")
    return above == CONFIGURATION_FOLDER and (name in IGNORED_FOLDERS or name in _FOR_COMMANDS)


_OF_SERVICES = (_volumes, _configuration, _certificates, _grace, _restart, _security)
"""What yields the faults of one service."""
