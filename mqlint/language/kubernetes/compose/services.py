"""Services of Docker Compose that run a queue manager: image, environment, files of /etc/mqm.

Jobs of GitHub Actions have services too, with `env` instead of `environment`. Sources: the
reference of Compose files, "Workflow syntax for GitHub Actions" (`jobs.<job_id>.services`), and the
environment that the container of ibm-messaging/mq-container takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import Declared, Field
from mqlint.language.feeding import CONFIGURATION_ENDINGS
from mqlint.language.kubernetes.compose.files import (
    entries_of,
    files_of,
    mounts_of,
    texts_of,
)
from mqlint.language.kubernetes.container import (
    container,
    environment_faults,
    is_mq_image,
    is_of_mq,
    is_root,
)
from mqlint.language.kubernetes.environment import Variable, variables_in
from mqlint.language.kubernetes.faults.check import MOST_COMPARED, missing_of_key, word_faults
from mqlint.language.kubernetes.merge import mapping
from mqlint.language.kubernetes.probe import health_faults
from mqlint.language.script.step import Embedded
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import (
    CONFIGURATION_FOLDER,
    DATA_FOLDER,
    IGNORED_FOLDERS,
    keeps_data,
)
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.unknown import UNKNOWN

_NAMED_VOLUME = later(r"[A-Za-z0-9][\w.-]{1,100}")


@mutable
class Compose:
    """The content of a Compose file: queue managers, files of their configuration, and faults.

    `unfollowed` are the places of what an alias stands for.
    """

    declared: list[Declared] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    unfollowed: list[int] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


_GIVES_NAME = frozenset({"hostname", "env_file", "extends", "command", "entrypoint", "<<"})
"""Keys of a service with which the queue manager may have a fixed name."""
_RUNS_COMMANDS = frozenset({"build", "command", "entrypoint", "extends", "post_start", "<<"})
"""Keys of a service whose own commands may read MQSC from any folder."""
_KEYS = f"{CONFIGURATION_FOLDER}/pki/keys"
_FOR_COMMANDS = ("conf", "config")
"""Names of folders below /etc/mqm that may hold other files than MQSC too."""
_NAME = later(r"[A-Za-z_]\w{0,100}")
_SECONDS = later(r"(\d{1,6})s")
_SYS = later(r"(?<!\$)\$SYS(?=/)")
_RESTARTS = ("no", "always", "on-failure", "unless-stopped")
_GRACE_SECONDS = 10
"""The default of `stop_grace_period`."""


def is_compose(document: Node) -> bool:
    return bool(services_of(document))


def parse_compose(document: Node) -> Compose:
    """Return the services that run a queue manager."""
    found, of_mq = Compose(), list[Node]()
    if not is_gitlab(document):
        found.diagnostics.extend(_interpolated(document))
    for name, service in services_of(document):
        environment = environment_of_service(service)
        image = service.child("image")
        is_mq = image is not None and is_mq_image(image.text)
        found.unfollowed.extend(_taken_from_elsewhere(service, is_mq=is_mq))
        is_near = "LICENSE" in environment and any(key.startswith("MQ_") for key in environment)
        if is_near and not is_mq and not is_of_mq(environment):
            found.diagnostics.extend(environment_faults(environment))
        if is_mq or is_of_mq(environment):
            kind = Field("kind", "Compose", service.span)
            is_run = image is not None and image.kind == "scalar" and service.child("build") is None
            run = Field("image", image.value, image.span) if image is not None and is_run else None
            model = f"#{service.start}"
            declared = container(kind, name, run, environment, service.span, model)
            if is_mq and is_run:
                declared = replace(declared, fields=(*declared.fields, *entries_of(service)))
            found.declared.append(declared)
            if is_mq or "LICENSE" in environment:
                found.diagnostics.extend(environment_faults(environment))
                found.diagnostics.extend(_volumes(service))
                found.diagnostics.extend(_configuration(service))
                found.diagnostics.extend(_certificates(service))
                found.diagnostics.extend(_grace(service))
                found.diagnostics.extend(_restart(service))
                found.diagnostics.extend(_security(service))
                of_mq.append(service)
            if is_mq and is_run:
                found.diagnostics.extend(health_faults(service.get("healthcheck", "test")))
                found.diagnostics.extend(_name(service, environment))
            if declared.queue_manager is not None:
                own = declared.queue_manager
                found.fed.extend((file, own) for file in files_of(document, service))
            found.embedded.extend(texts_of(document, service, declared.queue_manager))
    found.diagnostics.extend(_volumes_missing(document, of_mq))
    return found


def _taken_from_elsewhere(service: Node, *, is_mq: bool) -> Iterator[int]:
    """Yield where a service may be one of MQ by what an alias of YAML gives it.

    That is all of it or, with a merge key, its image; of a service of MQ also its variables.
    """
    if service.kind == "scalar" and service.open:
        yield service.start
    elif service.child("<<") is not None and not (service.child("image") or service.child("build")):
        yield service.key_span("<<")[0]
    variables = service.child("environment") if is_mq else None
    if variables is not None and variables.kind == "scalar" and variables.open:
        yield variables.start
    elif variables is not None and variables.child("<<") is not None:
        yield variables.key_span("<<")[0]


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


def _sources(service: Node) -> Iterator[tuple[str, Node]]:
    """Yield the named volumes that a service mounts."""
    for mount, volume in mounts_of(service):
        if _NAMED_VOLUME.fullmatch(mount.source):
            yield mount.source, volume.child("source") or volume


def _is_almost_data(path: str) -> bool:
    """Whether a path is a typo of the folder in which the container keeps its data."""
    return path != DATA_FOLDER and bool(nearest(path, (DATA_FOLDER,)))


def _name(service: Node, environment: dict[str, Variable]) -> Iterator[Diagnostic]:
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
    """A time to stop below the default."""
    period = service.child("stop_grace_period")
    time = _SECONDS.fullmatch(period.text) if period is not None else None
    if period is not None and time is not None and int(time[1]) < _GRACE_SECONDS:
        yield diagnostic("grace-short", period.span, seconds=time[1], least=str(_GRACE_SECONDS))


def _configuration(service: Node) -> Iterator[Diagnostic]:
    """Files of MQSC or stanzas under a name, or in a folder, that the container does not read."""
    is_image = _runs_image(service)
    for (source, target), node in mounts_of(service):
        ending = next((end for end in CONFIGURATION_ENDINGS if source.endswith(end)), "")
        folder, _, name = target.rstrip("/").rpartition("/")
        is_ignored = folder == CONFIGURATION_FOLDER and name in IGNORED_FOLDERS
        if is_ignored and not ending and source.startswith((".", "/", "~")):
            yield diagnostic("mount-path", node.span, path=target, meant=CONFIGURATION_FOLDER)
            continue
        if ending == ".mqsc" and is_image and _is_ignored(folder):
            yield diagnostic("mount-path", node.span, path=folder, meant=CONFIGURATION_FOLDER)
            continue
        if not ending or not name:
            continue
        if folder == CONFIGURATION_FOLDER and not name.endswith(CONFIGURATION_ENDINGS):
            yield diagnostic("image-entry-not-applied", node.span, word=name, ending=ending)
        elif folder != CONFIGURATION_FOLDER and nearest(folder, (CONFIGURATION_FOLDER,)):
            yield diagnostic("mount-path", node.span, path=folder, meant=CONFIGURATION_FOLDER)


def _runs_image(service: Node) -> bool:
    """Whether a service runs the image of MQ without commands of its own."""
    image = service.child("image")
    keys = set(service.pairs.names())
    return image is not None and is_mq_image(image.text) and not keys & _RUNS_COMMANDS


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
