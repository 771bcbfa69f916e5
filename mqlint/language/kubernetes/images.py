"""Variables of Dockerfiles that the container of the image replaces.

A container runs the image that `build` of Compose names, or the image that has the name of the
folder of one Dockerfile. An image that has the name of a folder around the container's file is
made elsewhere, if no Dockerfile has a similar name. What else a file in the folder of one
Dockerfile says is for that image, but `docker run` may be of any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, dirname, join, normpath

from mqlint.grouping import grouped, single
from mqlint.language.client.environment import variables_of_script
from mqlint.language.client.signs import is_image, is_shell, is_tree, variables_set
from mqlint.language.kubernetes.compose.services import services_of
from mqlint.language.kubernetes.pod import pod_entries
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.checkout import folders_above
from mqlint.source.lines import Span

_NAME = later(r"\b[A-Z][A-Z0-9_]{3,60}\b")
_CONTAINERS = ("image", "build:")


def replaced_by_containers(texts: Mapping[str, str]) -> dict[str, frozenset[Span]]:
    """Return the places of variables of Dockerfiles that a file of containers sets too, by path.

    If it is not known which image the variables are for, they count for each.
    """
    set_in_image = {
        path: variables
        for path, text in texts.items()
        if is_image(path) and (variables := [*variables_of_script(text)])
    }
    if not set_in_image:
        return {}
    images = _Images(path for path in texts if is_image(path))
    names = grouped(
        (target, name)
        for path, text in texts.items()
        if path not in images.paths
        for target, part in images.parts(path, text)
        for name in _NAME.findall(part)
    )
    of_any = frozenset(names.get("", ()))
    found = {
        path: frozenset(
            value.span
            for own in [of_any.union(names.get(path, ()))]
            for name, value in variables
            if name in own
        )
        for path, variables in set_in_image.items()
    }
    return {path: places for path, places in found.items() if places}


class _Images:
    """The Dockerfiles of a project by path, and those that are alone in their folder."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self._alone = single((dirname(path), path) for path in self.paths)
        self._named = single((basename(folder), path) for folder, path in self._alone.items())

    def parts(self, path: str, text: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of a text, each with its Dockerfile, blank if that is not known."""
        if is_shell(path):
            yield "", " ".join(variables_set(text))
            return
        if path.lower().endswith(".tf"):  # the task that runs an image is seldom in its folder
            yield "", text
            return
        own, at = self._of_folder(dirname(path)), 0
        is_read = is_tree(path) and any(word in text for word in _CONTAINERS)
        for document in read_documents(text) if is_read else ():
            for container in _containers(document):
                target = self._run_by(container, dirname(path))
                if (target or own) and container.start >= at:
                    yield own, text[at : container.start]
                    at = max(node.end for node in container.walk())
                    yield target, text[container.start : at]
        yield own, text[at:]

    def _of_folder(self, folder: str) -> str:
        """The only Dockerfile of the nearest folder around a file that has any."""
        around = (at for at in (folder, *folders_above(folder)) if at in self._alone)
        nearest = next(around, "")
        return self._alone[nearest] if nearest else ""

    def _run_by(self, container: Node, folder: str) -> str:
        """The Dockerfile of a container of a file in a folder, blank if that is not known."""
        build = container.child("build")
        if build is not None:
            context = build.word() or build.word("context")
            file = build.word("dockerfile") or "Dockerfile"
            return normpath(join(folder, context, file)) if context else ""
        name = basename(container.word("image").partition("@")[0]).partition(":")[0]
        if name in self._named:
            return self._named[name]
        around = (at for at in (folder, *folders_above(folder)) if basename(at) == name)
        named = next(around, "")
        return f"{named}/Dockerfile" if named and not self._is_like(name) else ""

    def _is_like(self, name: str) -> bool:
        """Whether the path of a Dockerfile has the name of an image, or its folder a part of it."""
        image = name.casefold()
        paths = (path.casefold().replace("dockerfile", "") for path in self.paths)
        return any(image in path or basename(dirname(path)) in image for path in paths)


def _containers(document: Node) -> Iterator[Node]:
    """Yield the containers of a workload, of services of Compose or of a task of ECS, in order."""
    yield from pod_entries(document, "containers")
    yield from document.entries("containerDefinitions")
    yield from (service for _, service in services_of(document))
