"""The queue managers of MQSC that does not name them, without `queue_managers:`.

A file that is named like a queue manager of another file, or of an application, is of that one. In
a complete inventory (`inventory: {objects: complete}`), the one queue manager that the other files
of a folder name is that of its MQSC, and a single text of MQSC is a queue manager.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname

from mqlint.engine.assemble import Assembly, Owners
from mqlint.engine.links import Links


def find_owners(links: Mapping[str, Links], assembly: Assembly) -> Owners:
    """Return the queue managers of MQSC that `assembly` does not assign."""
    settings = assembly.settings
    if settings.queue_managers:
        return Owners()
    names: dict[str, set[str]] = {}
    called: set[str] = set()
    nameless: list[str] = []
    models: set[tuple[str, str]] = set()
    for path in sorted(links):
        addresses = links[path].addresses
        found = assembly.keys(path, addresses)
        named = {key.name for key in found if not key.anonymous}
        names.setdefault(dirname(path), set()).update(named)
        called.update(address.calls for address in addresses)
        texts = links[path].texts
        if texts and not named:
            nameless.append(path)
            models.update((path, model) for model in texts)
    everywhere = set().union(*names.values())
    alike = _alike(nameless, (everywhere | called) - {""})
    if not settings.inventory.objects:
        return Owners(alike)
    if len(models) == 1 and not everywhere | {*alike}:
        return Owners(sole=nameless[0])
    near = {path: names[dirname(path)] or everywhere for path in nameless}
    obvious = {path: min(found) for path, found in near.items() if len(found) == 1} | alike
    return Owners(obvious, left_open=_left([path for path in nameless if path not in obvious]))


def _alike(paths: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """The paths whose file has the name of one queue manager; the case does not count.

    Several files, or queue managers, of one name are not assigned.
    """
    files: dict[str, list[str]] = {}
    for path in paths:
        files.setdefault(basename(path).partition(".")[0].casefold(), []).append(path)
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.casefold(), []).append(name)
    return {
        found[0]: folded[stem][0]
        for stem, found in files.items()
        if len(found) == 1 and len(folded.get(stem, ())) == 1
    }


def _left(paths: list[str]) -> list[str]:
    if not paths:
        return []
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return [
        f"`inventory: {{objects: complete}}` has no effect on {paths[0]}{more}: no file says which "
        "queue manager it is of; set `queue_managers:`"
    ]
