"""Queue managers as the contributions of documents describe them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from mqlint.config.estate.placement import SiteMatch
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.contribution import (
    Contribution,
    Description,
    descriptions,
    fill,
    in_order,
    stated_target,
    suppositions,
)
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.queue_manager.wholeness import is_made_whole
from mqlint.model.facts.registry import Facts
from mqlint.vocabulary import Target


def describe(assembly: Assembly, key: QueueManagerKey, given: list[Contribution]) -> list[Facts]:
    """Build the queue manager `key`: as its scripts leave it, and as its dump shows it.

    With a dump and scripts there are two descriptions, the scripts' first, otherwise one.
    Output of DISPLAY is one more: its time is not known, and neither is what it omits.
    """
    given = in_order(given)
    found = [
        (chosen, _filled(assembly, key, chosen, given, _stated(assembly, key, chosen.dumps, given)))
        for chosen in descriptions(given)
    ]
    (_, first), *others = found
    first.manager.displayed = [facts.manager for each, facts in others if each.is_partial]
    return [facts for _, facts in found]


@contextmanager
def described(
    assembly: Assembly, key: QueueManagerKey, given: list[Contribution]
) -> Iterator[list[Facts]]:
    """Build the queue manager `key` for a block, and free it at the end."""
    found = describe(assembly, key, given)
    try:
        yield found
    finally:
        for facts in found:
            facts.manager.release()


def suppose(assembly: Assembly, key: QueueManagerKey, given: list[Contribution]) -> Iterator[Facts]:
    """Yield it as each text that may not run describes it; what the text omits is unknown."""
    given = in_order(given)
    dumps = [contribution for contribution in given if contribution.is_dump]
    target: Target | None = None
    for supposed in suppositions(given):
        if target is None:  # here, as few queue managers have such a text
            target = _stated(assembly, key, dumps, given)
        chosen = Description(scripts=[supposed], supposed=True)
        yield _filled(assembly, key, chosen, [supposed], target)


def _stated(
    assembly: Assembly,
    key: QueueManagerKey,
    dumps: Iterable[Contribution],
    given: Sequence[Contribution],
) -> Target:
    target = assembly.target(given[0].path)
    return stated_target(target, key, dumps, given, assembly.vocabulary)


def _home(assembly: Assembly, key: QueueManagerKey, given: Sequence[Contribution]) -> str:
    """The path that says where a queue manager is; files of other sites may be part of it."""
    paths = dict.fromkeys(each.root or each.path for each in given if key.site)
    paths |= {key.name: None} if key.anonymous else {}
    at_site = (path for path in paths if assembly.placement.site_name_of(path) == key.site)
    default = assembly.applying.get(key.site, given[0].path) if paths else given[0].path
    return next(at_site, default)


def _place(assembly: Assembly, key: QueueManagerKey, path: str) -> SiteMatch | None:
    """How the site of a queue manager is known: by a path, or by its name."""
    known = assembly.placement.site_of(path), assembly.placement.site_named(key.name)
    return next((place for place in known if place and place.site.name == key.site), None)


def _filled(
    assembly: Assembly,
    key: QueueManagerKey,
    chosen: Description,
    given: Sequence[Contribution],
    target: Target,
) -> Facts:
    path = _home(assembly, key, given)
    is_nameless = key.anonymous and (key.name != assembly.relations.owners.sole or key.model != "")
    has_all = assembly.settings.inventory.objects and not (is_nameless or chosen.is_partial)
    manager = QueueManager(
        key,
        assembly.vocabulary,
        target,
        assembly.settings,
        _place(assembly, key, path),
        profiles=assembly.profiles_of(path),
        complete=has_all,
        shared=assembly.relations.shared,
        is_in_parts=key.anonymous and key.name in assembly.relations.owners.beside,
    )
    fill(manager, chosen, given)
    if not (manager.complete or assembly.relations.owners.has_unowned):
        manager.complete = is_made_whole(manager)
    return Facts(manager)
