"""Finds the manifests of a project that are composed of several files, from their links.

What an overlay, or an override, makes of its files is a contribution of the file that names the
others; each value keeps the place where it is set. The files themselves then say nothing alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, pairwise
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from mqlint.config.estate.placement import Placement
from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.composed import (
    Compositions,
    Fault,
    address_of,
    read_composition,
)
from mqlint.engine.assembly.links import Links
from mqlint.finding import Diagnostic
from mqlint.grouping import grouped
from mqlint.language.kubernetes import KUSTOMIZATIONS, has_values
from mqlint.language.text.mapped import MappedText
from mqlint.language.unsupported import unsupported

if TYPE_CHECKING:
    from mqlint.language.kubernetes.composed import Composed, Composition
    from mqlint.language.script.step import Embedded

_MISSING = "source-missing"


class ComposedProject(NamedTuple):
    """The compositions of a project, the faults that they show by path, and the links of all."""

    compositions: Compositions
    faults: Mapping[str, tuple[Diagnostic, ...]]
    links: Mapping[str, Links]


Judge = Callable[[str, str], Iterable[Diagnostic]]
"""Judges the words of a text of MQSC, for the target of a path."""


def compose(links: Mapping[str, Links], placement: Placement, judge: Judge) -> ComposedProject:
    """Compose the manifests of a project; `judge` is for MQSC with values in it."""
    texts = {path: found.resources for path, found in links.items() if found.resources}
    if not texts:
        return ComposedProject(Compositions(), {}, links)
    from mqlint.language.kubernetes.composed import raw_faults  # few projects have manifests
    from mqlint.language.kubernetes.deployed import replaced_in_maps
    from mqlint.language.kubernetes.deployments import deployed_of
    from mqlint.language.kubernetes.images import replaced_by_containers
    from mqlint.language.variables.inventories import inventories_of
    from mqlint.language.variables.sources import replaced_variables

    files = _Files(texts, judge)
    made, undecided = _made(texts, placement, files)
    replaced = replaced_variables(texts) | replaced_by_containers(texts) | replaced_in_maps(texts)
    undecided += (
        f"connections in {path} are not judged: a more specific file replaces variables"
        for path in replaced
    )
    inventories, not_followed = inventories_of(
        texts,
        placement.site_name_of,
        {path: found.named_by for path, found in links.items() if found.named_by},
        {path: found.mentions for path, found in links.items()},
        {path: found.parameters for path, found in links.items() if found.parameters},
    )
    alone = {
        path: {fault.place for fault in raw_faults(path, texts[path])}
        for path in files.shown
        if path in texts
    }
    compositions = Compositions(
        made,
        {path: tuple(sorted(own - files.shown[path].keys())) for path, own in alone.items()},
        {
            path: {offset: tuple(found) for offset, found in by_offset.items()}
            for path, by_offset in files.owners.items()
        },
        (*undecided, *not_followed),
        replaced,
        inventories,
        deployed_of(texts, placement.site_name_of),
    )
    faults = {
        path: tuple(fault for place, fault in found.items() if place not in alone.get(path, ()))
        for path, found in files.shown.items()
    }
    for path, in_values in files.in_values.items():
        faults[path] = (*faults.get(path, ()), *in_values.values())
    faults = {path: found for path, found in faults.items() if found}
    return ComposedProject(compositions, faults, dict(_linked(links, compositions)))


def _made(
    texts: Mapping[str, str], placement: Placement, files: _Files
) -> tuple[dict[str, tuple[Composition, ...]], list[str]]:
    """The compositions by the file that names the others, added to `files`; what is undecided."""
    from mqlint.language.kubernetes.composed import compositions_of

    made: dict[str, list[Composition]] = {}
    compositions, undecided = compositions_of(texts, placement.site_name_of)
    for composition in compositions:
        result, used, why = read_composition(composition)
        if result is not None:
            made.setdefault(composition.root, []).append(composition)
            files.add(composition.place, result, used)
        elif why and any(basename(path) not in KUSTOMIZATIONS for path, _ in composition.files):
            undecided.append(f"{composition.root} and its files are judged each alone: {why}")
    releases = (each.release for found in made.values() for each in found)
    used = files.used.union(*(release.files for release in releases if release is not None))
    undecided += (
        f"{path} has {kind}"
        for path, text in texts.items()
        if has_values(path) and path not in used
        if (kind := unsupported(path, text)) is not None
    )
    return {root: tuple(found) for root, found in made.items()}, undecided


class _Files:
    """What compositions say of the files of a project that they use, each by its path.

    `shown` are the faults, `owners` the roots of compositions and the queue managers for which a
    text at an offset is. `in_values` are faults of MQSC that values make.
    """

    def __init__(self, texts: Mapping[str, str], judge: Judge) -> None:
        self._texts = texts
        self._judge = judge
        self.in_values: dict[str, dict[Fault, Diagnostic]] = {}
        self._folders = grouped((dirname(path), path) for path in texts)
        self.used: set[str] = set()
        self.shown: dict[str, dict[Fault, Diagnostic]] = {}
        self.owners: dict[str, dict[int, dict[tuple[str, str], None]]] = {}

    def add(self, root: str, result: Composed, used: set[str]) -> None:
        """Add what one composition says; `used` are the paths of its files."""
        self.used |= used
        for path in used:
            self.shown.setdefault(path, {})
        beside = [
            self._texts[path]
            for folder in {dirname(path) for path in used}
            for path in self._folders.get(folder, ())
            if path not in used
        ]
        for fault in result.diagnostics:
            path, start = result.place(fault.start)
            if fault.code == _MISSING and any(fault.data["nearest"] in text for text in beside):
                continue  # another manifest of the folder takes the resource that is meant
            own = replace(fault, start=fault.start - start, end=fault.end - start)
            self.shown.setdefault(path, {})[own.place] = own
        for fault in chain.from_iterable(
            self._judged(root, result, each) for each in result.rendered
        ):
            path, start = result.place(fault.start)
            own = replace(fault, start=fault.start - start, end=fault.end - start)
            self.in_values.setdefault(path, {})[own.place] = own
        for path, offset, name in result.texts:
            self.owners.setdefault(path, {}).setdefault(offset, {})[root, name] = None

    def _judged(self, root: str, result: Composed, inner: Embedded) -> Iterator[Diagnostic]:
        """Yield the faults of values in MQSC, each at the first value that it is about.

        Those of the text around values are found in the template itself.
        """
        around, _ = result.place(inner.segments[0][1])
        for fault in self._judge(inner.text, root):
            part = MappedText(inner.text, inner.segments, inner.end).part(fault.start, fault.end)
            hosts = [*part.segments, (len(part.text), part.end)]
            for (at, host), (after, _) in pairwise(hosts):
                if result.place(host)[0] != around:
                    yield replace(fault, start=host, end=host + after - at)
                    break


def _linked(links: Mapping[str, Links], compositions: Compositions) -> Iterator[tuple[str, Links]]:
    """Yield the links of all documents; those of a composition belong to the file that names it."""
    by_offset = chain.from_iterable(found.values() for found in compositions.texts.values())
    holders = {root for owners in by_offset for root, name in owners if name}
    for path, found in links.items():
        if -1 in compositions.texts.get(path, ()):
            found = replace(found, texts=())
        if path in compositions.settled:
            own = (address for address in found.addresses if address.open_to != "server")
            nameless = tuple(address._replace(name=None) for address in own)
            found = replace(found, wired=(), texts=(), creates=(), addresses=nameless, receives=())
        if path in compositions.made:
            own_compositions = compositions.made[path]
            results = [result for each in own_compositions if (result := read_composition(each)[0])]
            declared = chain.from_iterable(result.declared for result in results)
            addresses = tuple(dict.fromkeys(map(address_of, declared)))
            names = tuple(dict.fromkeys(address.name for address in addresses if address.name))
            inner = chain.from_iterable(result.rendered for result in results)
            places = {each.place for each in own_compositions}
            holds = not holders.isdisjoint(places) or any(each.queue_manager for each in inner)
            texts: tuple[str, ...] = ("",) if holds else ()
            if path not in compositions.settled:  # what it says alone counts too
                names, texts = found.creates, found.texts
            addresses = (*found.addresses, *addresses)
            fed = tuple(
                dict.fromkeys((*found.fed, *chain.from_iterable(each.fed for each in results)))
            )
            found = replace(found, addresses=addresses, creates=names, texts=texts, fed=fed)
        yield path, found
