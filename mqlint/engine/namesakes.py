"""Different queue managers with one name: projects side by side, each with its own.

A queue manager is created once. If folders beside each other each create one of the same name
(crtmqm, a container, a manifest), they are different queue managers, and one folder says nothing
about that of another: QM1 of ten sample projects is ten queue managers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import dirname

from mqlint.engine.assemble import Assembly, branch
from mqlint.engine.links import Links
from mqlint.model.core.key import QueueManagerKey

Namesakes = Mapping[QueueManagerKey, str]
"""For a name and site, the parent of the folders that each have such a queue manager."""


def find_namesakes(links: Mapping[str, Links], assembly: Assembly) -> Namesakes:
    """Return the queue managers of documents that share only their name, and perhaps site.

    A configuration that assigns files (`queue_managers:`) or sites decides. A file beside the
    folders that names the queue manager too makes them one project with one queue manager.
    """
    if assembly.settings.queue_managers:
        return {}
    created: dict[QueueManagerKey, set[str]] = {}
    for path, found in links.items():
        for name in found.creates:
            key = assembly.key(path, name)
            if key.repository == assembly.repository and _is_guess(assembly, path):
                created.setdefault(key, set()).add(dirname(path))
    several = {key: folders for key, folders in created.items() if len(folders) > 1}
    if not several:
        return {}
    about: dict[QueueManagerKey, set[str]] = {key: set() for key in several}
    for path, found in links.items():
        for key in assembly.keys(path, found.addresses):
            if key in about:
                about[key].add(dirname(path))
    namesakes = {}
    for key, folders in several.items():
        parent = _common(about[key] | folders)
        branches = {branch(folder, parent) for folder in folders}
        if len(branches) > 1 and parent not in about[key]:
            namesakes[key] = parent
    return namesakes


def _is_guess(assembly: Assembly, path: str) -> bool:
    """Whether the configuration leaves open to which site a file belongs."""
    place = assembly.placement.site_of(path)
    return place is None or place.guessed


def _common(folders: Iterable[str]) -> str:
    """The innermost folder that all of `folders` are or lie in."""
    parts = [folder.split("/") for folder in folders]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)
