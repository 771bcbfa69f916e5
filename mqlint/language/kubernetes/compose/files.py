"""The files of /etc/mqm of a service of Compose: those of its volumes, configs and image.

Source: the reference of Compose files ("volumes", "configs", "secrets" and "build" of a service).
The container runs the files in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from mqlint.language.declaration import ENTRIES, Field
from mqlint.language.feeding import CONFIGURATION_ENDINGS, Mount, built_from
from mqlint.language.script.step import Embedded
from mqlint.language.yaml.embedded_mqsc import lines_of
from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.container import CONFIGURATION_FOLDER, may_bring_mqsc

_BRINGS_MORE = frozenset({"extends", "command", "entrypoint", "<<", "configs", "volumes_from"})
"""Keys of a service with which other files may make objects."""

_BRINGS_VOLUMES = frozenset({"extends", "<<", "volumes_from", "tmpfs", "command", "entrypoint"})
"""Keys of a service that may mount, or use, other folders than `volumes` shows."""


def mounts_of(service: Node) -> Iterator[tuple[Mount, Node]]:
    for volume in service.entries("volumes"):
        if volume.kind == "mapping":
            yield Mount(volume.word("source"), volume.word("target")), volume
        else:
            yield Mount.of(volume.text), volume


def mounts_configuration(service: Node) -> Iterator[Mount]:
    return (mount for mount, _ in mounts_of(service) if CONFIGURATION_FOLDER in mount.target)


def entries_of(service: Node) -> Iterator[Field]:
    """How many files of MQSC make the objects, if everything that is mounted is known."""
    if service.open or any(key in _BRINGS_MORE for key in service.pairs.names()):
        return
    mounts = [mount for mount, _ in mounts_of(service) if may_bring_mqsc(mount.target)]
    if all(mount.is_file for mount in mounts):
        count = sum(1 for mount in mounts if mount.target.endswith(".mqsc"))
        yield Field(ENTRIES, str(count), service.span)


def keeps_nothing(service: Node) -> bool:
    """Whether nothing is mounted in which an image of MQ keeps a queue manager.

    A volume may be mounted at a folder above, and an image of one's own may use another folder.
    """
    volumes = service.child("volumes")
    if service.open or any(key in _BRINGS_VOLUMES for key in service.pairs.names()):
        return False
    if volumes is not None and (volumes.open or volumes.kind == "scalar"):
        return False
    return all(
        mount.source.startswith((".", "/", "~")) and mount.target.startswith(CONFIGURATION_FOLDER)
        for mount, _ in mounts_of(service)
    )


def files_of(document: Node, service: Node) -> Iterator[str]:
    """Yield the files and folders that a service has in /etc/mqm, and the file of its image."""
    mounts = [mount for mount, _ in mounts_of(service)]
    for key in ("configs", "secrets"):
        for item in service.entries(key):
            file = document.word(key, item.word("source"), "file")
            mounts.append(Mount(file, item.word("target")))
    for mount in sorted(mounts, key=itemgetter(1)):
        yield from mount.files()
    build = service.child("build")
    if build is None or build.child("dockerfile_inline") is not None:
        return
    name = built_from(
        service.word("build") or service.word("build", "context") or ".",
        service.word("build", "dockerfile") or "Dockerfile",
    )
    if "$" not in name and ":" not in name:
        yield name


def texts_of(document: Node, service: Node, queue_manager: str | None) -> Iterator[Embedded]:
    """Yield the MQSC and stanzas that `configs` of the file hold and a service has in /etc/mqm."""
    for item in service.entries("configs"):
        folder, _, name = item.word("target").rpartition("/")
        content = document.get("configs", item.word("source"), "content")
        text = lines_of(content) if content is not None else None
        ending = next((end for end in CONFIGURATION_ENDINGS if name.endswith(end)), "")
        if folder == CONFIGURATION_FOLDER and ending and text is not None:
            model = f"#{service.start}"
            yield Embedded.of(ending[1:], text, queue_manager, maybe=False, model=model)
