"""Services of Compose that several files of a project describe, which may be read as one.

Source: "Merge Compose files" in the documentation of Docker Compose: `-f` or COMPOSE_FILE names the
files, which no file need show. A service without an image is a part of one in another file.
"""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import dirname

from mqlint.grouping import grouped
from mqlint.language.client.signs import is_tree
from mqlint.language.kubernetes import is_compose_default, is_override
from mqlint.language.kubernetes.compose.merged import has_tags
from mqlint.language.kubernetes.compose.services import is_pipeline, services_of
from mqlint.language.yaml.reader import read_documents
from mqlint.source.checkout import folders_above

_WHOLE = ("image", "build", "extends", "<<")
"""Keys of a service of which one is in each that needs no other file."""


class SharedServices:
    """The services of each file of Compose that other files of its project may change.

    An override that Compose reads by itself is known, unless it removes or replaces lists.
    """

    def __init__(self, texts: Mapping[str, str], most: int) -> None:
        """`most` is the limit of the characters of a file that is read."""
        trees = [
            path
            for path, text in texts.items()
            if "services:" in text and len(text) <= most and is_tree(path)
        ]
        self._services = {
            path: {
                name: any(map(service.child, _WHOLE))
                for document in read_documents(texts[path])
                if not is_pipeline(document)
                for name, service in services_of(document)
            }
            for path in (trees if len(trees) > 1 else ())
        }
        self._tagged = {path for path in self._services if has_tags(texts[path])}
        self._in_folder = grouped(
            ((dirname(path), name), path)
            for path, services in self._services.items()
            for name in services
        )
        self._anywhere: set[str] = set()
        self._around: set[tuple[str, str]] = set()
        for folder, name in self._in_folder:
            if not self._has_whole(folder, name):
                around = (each for each in folders_above(folder) if self._has_whole(each, name))
                nearest = next(around, None) if folder else None
                if nearest is None:
                    self._anywhere.add(name)
                else:
                    self._around.add((nearest, name))

    def _has_whole(self, folder: str, name: str) -> bool:
        return any(self._services[path][name] for path in self._in_folder.get((folder, name), ()))

    def of(self, path: str) -> frozenset[str]:
        services, folder = self._services.get(path, {}), dirname(path)
        return frozenset(
            name
            for name in services
            if name in self._anywhere
            or (folder, name) in self._around
            or any(self._changes(path, other) for other in self._in_folder[folder, name])
        )

    def _changes(self, path: str, other: str) -> bool:
        is_merged = is_compose_default(path) and is_override(other) and other not in self._tagged
        return other != path and not is_merged
