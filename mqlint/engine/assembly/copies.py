"""Copies of files: `a.mqsc.bak`, `a.mqsc.20261130`, `old/a.mqsc`, and what a build made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from posixpath import basename, dirname

from mqlint.config.estate.placement import Placement
from mqlint.patterns import later
from mqlint.source.checkout import path_beside

_WORD = r"(?:bak|backup|bkp|old|orig|prev|previous|sav|saved?)(?:[._-]?[0-9]{1,14})?"
_DATE = r"20[0-9]{2}-?[01][0-9]-?[0-3][0-9](?:[._T-]?[0-9]{2}(?:[:.-]?[0-9]{2}){1,2})?"
_AFTER = later(
    rf"([^/]+?)(?:~|[._-](?i:{_WORD}))\Z|([^/]+?\.[A-Za-z][A-Za-z0-9]{{0,11}})[._-]{_DATE}\Z"
)
_INSIDE = later(rf"([^/]+?)(?:[._-](?i:{_WORD})| - Copy| \(copy\))(\.[A-Za-z0-9]{{1,12}})\Z")
_BUILT = later(r"(?<![^/])(?:target/(?:test-)?classes|build/resources/(?:main|test)|bin/main)/")
"""Folders of what Maven, Gradle and Eclipse make of the resources of a program."""
_SIGNS = ("~", "bak", "backup", "bkp", "old", "orig", "prev", "sav", "copy", "20")
"""One of these is in the name of each copy."""
_FOLDERS = frozenset("bak backup backups old orig archive archived previous prev".split())


def find_copies(
    paths: Collection[str], fed: Iterable[tuple[str, str, str]], placement: Placement
) -> Mapping[str, str]:
    """Return the copies among the paths of a project, each with the file that it is a copy of.

    `fed` are the paths of scripts, each with the name of a file that it feeds to a queue manager:
    such a file is in use whatever its name, unless the script is a copy itself.
    If the configuration names queue managers by paths, that file need not be among them, but its
    path must name one; and what is in a folder for copies is what the configuration says.
    """
    named = placement.settings.queue_managers
    found: dict[str, str] = {}
    for path in paths:
        by_name, by_folder = live_by_name(path), _live_by_folder(path) or _source_of(path)
        if by_name and (by_name in paths or placement.queue_manager_of(by_name) is not None):
            found[path] = by_name
        elif by_folder in paths and not named:
            found[path] = by_folder
    used = {path_beside(path, name) for path, name, _ in fed if path not in found} if found else ()
    return {path: live for path, live in found.items() if path not in used}


def live_by_name(path: str) -> str:
    """The path of which `path` is a copy by the name of its file; blank for none."""
    name = basename(path)
    folded = name.casefold()
    if not any(sign in folded for sign in _SIGNS):  # most names: no pattern is compiled
        return ""
    found = _AFTER.fullmatch(name) or _INSIDE.fullmatch(name)
    return path_beside(path, "".join(found.groups(""))) if found is not None else ""


def _source_of(path: str) -> str:
    """The file of which Maven or Gradle made `path` by a copy; blank for none."""
    found = _BUILT.search(path)
    if found is None:
        return ""
    of = "test" if "test" in found[0] else "main"
    return f"{path[: found.start()]}src/{of}/resources/{path[found.end() :]}"


def _live_by_folder(path: str) -> str:
    folder = dirname(path)
    is_for_copies = basename(folder).lower() in _FOLDERS
    return path_beside(folder, basename(path)) if is_for_copies else ""
