"""The queue managers of MQSC in a complete inventory that does not name them.

With `inventory: {objects: complete}` and without `queue_managers:`, the one queue manager that the
other files of a folder name is that of its MQSC, and a single text of MQSC is a queue manager.
"""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import dirname

from mqlint.engine.assemble import Assembly, Owners
from mqlint.engine.links import Links


def find_owners(links: Mapping[str, Links], assembly: Assembly) -> Owners:
    """Return the queue managers of MQSC that `assembly` does not assign."""
    settings = assembly.settings
    if not settings.inventory.objects or settings.queue_managers:
        return Owners()
    names: dict[str, set[str]] = {}
    nameless: list[str] = []
    models: set[tuple[str, str]] = set()
    for path in sorted(links):
        found = assembly.keys(path, links[path].addresses)
        named = {key.name for key in found if not key.anonymous}
        names.setdefault(dirname(path), set()).update(named)
        texts = links[path].texts
        if texts and not named:
            nameless.append(path)
            models.update((path, model) for model in texts)
    everywhere = set().union(*names.values())
    if len(models) == 1 and not everywhere:
        return Owners(sole=nameless[0])
    near = {path: names[dirname(path)] or everywhere for path in nameless}
    obvious = {path: min(found) for path, found in near.items() if len(found) == 1}
    return Owners(obvious, left_open=_left([path for path in nameless if path not in obvious]))


def _left(paths: list[str]) -> list[str]:
    if not paths:
        return []
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return [
        f"`inventory: {{objects: complete}}` has no effect on {paths[0]}{more}: no file says which "
        "queue manager it is of; set `queue_managers:`"
    ]
