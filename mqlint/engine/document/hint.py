"""The level and the platform of a queue manager, by its dump or manifest.

This is only a hint, for a target that the configuration does not set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.language.mqsc import Command, DumpHeader
from mqlint.patterns import later
from mqlint.vocabulary import Target
from mqlint.vocabulary.target import Level, level_of_number

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared

_PLATFORMS = {
    "APPLIANCE": "appliance",
    "MVS": "zos",
    "OS400": "ibmi",
    "UNIX": "unix",
    "WINDOWS": "windows",
    "WINDOWSNT": "windows",
}
_OPERAND = later(r"(\d{1,2})\.(\d{1,2})\.(\d{1,2})\.\d")
_VERSION = later(r"(\d\d)(\d\d)(\d\d)\d\d")


def hinted(target: Target, header: DumpHeader | None, commands: Iterable[Command]) -> Target:
    """Return `target`, with missing parts taken from a dump's header and facts.

    The version in a comment of ALTER QMGR is more exact than the command level. A script that was
    made from a dump has no level, as it may be for any.
    """
    if header is None or (target.level is not None and target.platform is not None):
        return target
    if target.level is None and not header.edited:
        level = _version(commands) or level_of_number(header.level or 0)
        target = replace(target, level=level, source="dump header")
    if target.platform is None:
        word = (header.platform or "").upper().replace("_", "").replace(" ", "")
        target = replace(target, platform=_PLATFORMS.get(word))
    return target


def levels_of_manifests(declared: Iterable[Declared]) -> dict[str | None, Level]:
    """Return the levels of queue managers in manifests: the first version that each has.

    (9.4.2.0-r1 of a resource of the Operator is level 9.4.2.)
    """
    levels: dict[str | None, Level] = {}
    for manifest in declared:
        if manifest.type != "manifest" or manifest.queue_manager in levels:
            continue
        match = _OPERAND.match(str(manifest.value("version")))
        if match is not None:
            levels[manifest.queue_manager] = (int(match[1]), int(match[2]), int(match[3]))
    return levels


def hinted_by_manifests(
    target: Target, levels: Mapping[str | None, Level], queue_manager: str | None
) -> Target:
    """Return `target`, with missing parts taken from the manifest of a queue manager.

    The Operator runs Linux.
    """
    level = levels.get(queue_manager)
    if target.level is not None or level is None:
        return target
    platform = target.platform or "linux"
    return replace(target, level=level, platform=platform, source="version in the manifest")


def _version(commands: Iterable[Command]) -> Level | None:
    """The level in VERSION(09030002), which is a fact of the queue manager."""
    for command in commands:
        if command.noun == "QMGR":
            match = _VERSION.fullmatch(command.fact("VERSION") or "")
            return None if match is None else (int(match[1]), int(match[2]), int(match[3]))
    return None
