"""What manifests say that are composed of several files; modules for it are loaded late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from posixpath import dirname
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.addressing import Address, calling
from mqlint.source.checkout import folders_above
from mqlint.source.lines import LineMap, Span

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.kubernetes.composed import Composed, Composition
    from mqlint.language.kubernetes.deployments import Deployed
    from mqlint.language.script.step import Embedded
    from mqlint.language.variables.inventory import Inventories

Fault = tuple[str, int, int]
"""The code and the place of a fault of one file."""


class Compositions(NamedTuple):
    """What files say together, and no file alone.

    `made` are the compositions by the path of the file that names the others. `settled` has each
    file that is part of one, with the faults that it has only alone. `texts` has the root and the
    queue manager of MQSC, by its path, and by its offset there (see `Composed`). `replaced` are the
    places of variables that a more specific file sets too, by path. `inventories` are the variables
    of each site, by the folder that they are for. `deployed` are folders and scripts that are
    applied at several sites, by path. `undecided` says what is not followed.
    """

    made: Mapping[str, tuple[Composition, ...]] = {}
    settled: Mapping[str, tuple[Fault, ...]] = {}
    texts: Mapping[str, Mapping[int, tuple[tuple[str, str], ...]]] = {}
    undecided: tuple[str, ...] = ()
    replaced: Mapping[str, frozenset[Span]] = {}
    inventories: Mapping[str, Inventories] = {}
    deployed: Mapping[str, Deployed] = {}

    def roots_of(self, path: str) -> tuple[str, ...]:
        """Return a path of each of the sites at which a file is applied; none unless several."""
        if not self.deployed:
            return ()
        beside = self.deployed.get(path) or self.deployed.get(dirname(path))
        above = (self.deployed.get(folder) for folder in folders_above(dirname(path)))
        deep = (each for each in above if each is not None and each.is_deep)
        found = beside or next(deep, None)
        return () if found is None else found.roots

    def about(self, path: str) -> str:
        """Return a text that differs if compositions say something else of a file."""
        about: list[object] = [self.made.get(path), self.settled.get(path)]
        about.append(self.texts.get(path))
        about.append(sorted(self.replaced[path]) if path in self.replaced else None)
        if self.inventories:
            from mqlint.language.variables.inventory import inventories_around  # few have any

            about += (each.digest for each in inventories_around(self.inventories, path))
        return repr(about) if any(part is not None for part in about) else ""


@lru_cache(maxsize=256)  # a project has fewer, and each is asked for several times
def read_composition(composition: Composition) -> tuple[Composed | None, set[str], str]:
    """Return what a composition says, the files used for it, and why it is undecided."""
    from mqlint.language.kubernetes.composed import composed

    return composed(composition)


def address_of(declared: Declared) -> Address:
    """Return the queue manager that a declaration of a composition is for."""
    name = declared.queue_manager
    own = Address(name, "" if name else declared.model, open_to="all")
    return calling(declared, None) or own


def declared_by(composition: Composition) -> tuple[Declared, ...]:
    result, _, _ = read_composition(composition)
    return () if result is None else tuple(result.declared)


def rendered_by(composition: Composition) -> Sequence[Embedded]:
    """Return the MQSC that the templates of a chart make of its values."""
    result, _, _ = read_composition(composition)
    return () if result is None else result.rendered


def files_of(composition: Composition) -> tuple[tuple[int, str, LineMap], ...]:
    """Return where each file begins among the places of a composition, its path and its lines."""
    result, _, _ = read_composition(composition)
    if result is None:
        return ()
    texts = dict(composition.files)
    return tuple(
        (start, path, LineMap.of(texts[path]))
        for start, path in zip(result.starts, result.paths, strict=True)
    )
