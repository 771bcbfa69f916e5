"""The queue managers that get files, and entries of ConfigMaps and Secrets of their folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from mqlint.engine.relations import Feed, fed_path


def direct_feeds(fed: Iterable[tuple[str, str, str]]) -> dict[str, Sequence[Feed]]:
    """Return how files are fed, by path; `fed` are (script, file, queue manager)."""
    number = Counter[str]()
    found: dict[str, list[Feed]] = {}
    for script, name, queue_manager in fed:
        feed = Feed(script, number[script], queue_manager)
        found.setdefault(fed_path(script, name), []).append(feed)
        number[script] += 1
    return {**found}


def all_feeds(
    direct: Mapping[str, Sequence[Feed]],
    indirect: Mapping[str, Sequence[Feed]],
    site_of: Callable[[str], str],
) -> dict[str, tuple[Feed, ...]]:
    """Return the first feed of each queue manager, by path: one at another site is another one.

    What an image is built with is for one without a name only if nothing names a queue manager.
    """
    found: dict[str, tuple[Feed, ...]] = {}
    for path in direct.keys() | indirect.keys():
        feeds = (*direct.get(path, ()), *indirect.get(path, ()))
        first: dict[tuple[str, str], Feed] = {}
        for feed in [feed for feed in feeds if feed.queue_manager] or feeds:
            first.setdefault((site_of(feed.script), feed.queue_manager or feed.script), feed)
        found[path] = tuple(first.values())
    return found


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
