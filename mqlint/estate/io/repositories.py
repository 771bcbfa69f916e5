"""The repositories of an estate: what each is read from, and how each is judged."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mqlint.config.estate.address import is_name
from mqlint.config.estate.repositories import Estate, EstateEntry, files_named
from mqlint.config.node import Node
from mqlint.config.project import CONFIG_NAMES, absolute_path
from mqlint.dataclass import frozen
from mqlint.estate.io.sources import Source, SourceKind, fixed_part, is_bare
from mqlint.grouping import grouped
from mqlint.source.archive import is_archive, stem
from mqlint.source.display import display_path

WILD = "*?["
_DEEPEST = 4
"""Levels of folders in which repositories are looked for."""


@frozen
class Repository:
    """One repository of an estate: where it is, and what ESTATE says of it."""

    source: Source
    entry: EstateEntry

    @property
    def owner(self) -> str | None:
        """Another repository whose baseline and waivers count in this one too, by its name."""
        named = self.entry.accepted_in
        return None if named == self.source.repository else named


def repositories_of(estate: Estate, base: Path, without: Path) -> dict[str, Repository]:
    """Return the repositories of an estate by their names; ConfigError where two have one name.

    Relative paths start at `base`; nothing below `without` is read. A pattern of repositories
    stands for those that are there now.
    """
    found: dict[str, Repository] = {}
    for entry in estate.entries:
        for name, at in _places(entry, base):
            if name in found:
                raise entry.place.error(
                    f"two repositories are named {name!r}: give one a `name`, "
                    f"{found[name].source.at} or {at}"
                )
            kind = "uri" if entry.is_uri else entry.kind
            named = files_named(entry)
            source = Source(name, kind, at, ref=entry.ref, without=(str(without),), named=named)
            if entry.is_uri:
                source = replace(source, archives=entry.kind == "dumps")
            found[name] = Repository(source, entry)
    _none_inside_another(found)
    _require_owners(found)
    return _less_inner(found)


def _less_inner(found: Mapping[str, Repository]) -> dict[str, Repository]:
    """The repositories, each without the folders in it that are repositories of their own.

    Those have settings of their own. Archives, dumps and folders of stores are read in both.
    """
    places = {name: found[name].source.at.rstrip("/") for name in found}
    inner = grouped(
        (str(above), place)
        for name, place in places.items()
        if found[name].source.kind == "repository" and Path(place).is_dir()
        for above in Path(place).parents
    )
    less = {}
    for name, repository in found.items():
        source = repository.source
        without = (*source.without, *inner.get(places[name], ()))
        less[name] = replace(repository, source=replace(source, without=without))
    return less


def _require_owners(found: Mapping[str, Repository]) -> None:
    """Require that each repository whose baseline and waivers count elsewhere is there."""
    for name, repository in found.items():
        owner = repository.owner
        if owner is not None and owner not in found:
            raise repository.entry.place.error(
                f"`accepted_in: {owner}` of {name!r}: that repository does not exist"
            )
        if owner is not None and found[owner].owner is not None:
            raise repository.entry.place.error(
                f"`accepted_in: {owner}` of {name!r}: that repository has an `accepted_in` too"
            )


def _places(entry: EstateEntry, base: Path) -> Iterator[tuple[str, str]]:
    """Names and places of what an entry stands for."""
    path = entry.path if entry.is_uri else str(absolute_path(base / Path(entry.path).expanduser()))
    is_pattern = any(sign in entry.path for sign in WILD)
    if entry.kind == "repository" and is_pattern:
        top = fixed_part(path)
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 an absolute pattern
        for match in matches:
            if is_repository(Path(match)):
                yield _name(display_path(match, top), entry), match
        if not matches:
            yield _name(entry.path, entry), path
        return
    last = fixed_part(path).name if is_pattern else path.rstrip("/").rpartition("/")[2]
    yield entry.name or _name(last, entry), path


def is_repository(path: Path) -> bool:
    """Say whether a path that a pattern fits is a repository: a folder, or an archive."""
    return path.is_dir() or is_archive(path.name)


def _name(shown: str, entry: EstateEntry) -> str:
    """The name that a path gives: without the ending of a mirror or an archive."""
    name = stem(shown).removesuffix(".git").strip("/ ") or "estate"
    if not is_name(name):
        name = "".join(char if char.isprintable() else "?" for char in name.replace("//", "/"))
    if not is_name(name):
        raise entry.place.error(f"the path {entry.path!r} gives no name: set its `name`")
    return name


def _none_inside_another(found: Mapping[str, Repository]) -> None:
    for name, repository in found.items():
        parts = name.split("/")
        for at in range(1, len(parts)):
            above = "/".join(parts[:at])
            if above in found:
                raise repository.entry.place.error(
                    f"the name {name!r} begins with the name {above!r} of another repository, and "
                    "so would its paths: give one of them another `name`"
                )


def repositories_in(folder: Path, without: Path) -> dict[str, Repository]:
    """Return the repositories that are in a folder, by their names.

    Those are checkouts, bare mirrors, and folders with a configuration of their own, side by side
    or in folders of them (groups of GitLab). Where there is one, what lies beside them is a
    repository each too. What a link shows of a place outside is not read. None if there is none.
    """
    found: dict[str, Repository] = {}
    for path in _side_by_side(folder, _DEEPEST):
        if not path.is_relative_to(without):
            shown = display_path(path, folder)
            entry = EstateEntry(
                "repository", str(path), Node("plain", str(path), str(folder), 1, 1)
            )
            name = _name(shown, entry)
            name = shown if name in found else name
            kind: SourceKind = "repository" if path.is_dir() else "dumps"
            if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
                kind = "link"
            found[name] = Repository(Source(name, kind, str(path), without=(str(without),)), entry)
    return found


def _side_by_side(folder: Path, depth: int) -> list[Path]:
    """The repositories in a folder and in folders of repositories in it, to a depth."""
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
    alone = {path for path in inside if _stands_alone(path)}
    groups = {
        path: _side_by_side(path, depth - 1)
        for path in inside
        if depth > 1 and path not in alone and path.is_dir() and not path.is_symlink()
    }
    if not alone and not any(groups.values()):
        return []
    return [found for path in inside for found in groups.get(path) or [path]]


def _stands_alone(path: Path) -> bool:
    try:
        marks = (".git", *CONFIG_NAMES)
        return path.is_dir() and (is_bare(path) or any((path / mark).exists() for mark in marks))
    except OSError:
        return False
