"""The queue managers that get the entries of ConfigMaps and Secrets of their folder."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.engine.relations import fed_path


class Wiring:
    """The queue managers that manifests make with an entry of another file of the same folder."""

    def __init__(self, wired: Iterable[tuple[str, str, str]]) -> None:
        """`wired` are (manifest, entry, queue manager); the entry `name/*` is all of one holder."""
        self._names: dict[str, set[str]] = {}
        for manifest, entry, queue_manager in wired:
            self._names.setdefault(fed_path(manifest, entry), set()).add(queue_manager)

    def queue_managers(self, path: str, entry: str) -> list[str]:
        """Return the names of the queue managers that get an entry of the file at `path`."""
        if not entry or not self._names:
            return []
        whole = f"{entry.partition('/')[0]}/*"
        found = (self._names.get(fed_path(path, name), ()) for name in (entry, whole))
        return sorted(set().union(*found))

    def queue_manager(self, path: str, entry: str) -> str | None:
        """Return the only queue manager that gets an entry; None for none, or for several."""
        names = self.queue_managers(path, entry)
        return names[0] if len(names) == 1 else None
