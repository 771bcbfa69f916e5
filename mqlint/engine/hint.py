"""The level and the platform of a queue manager, by its dump or manifest.

This is only a hint, for a target that the configuration does not set.
"""

from __future__ import annotations

from collections.abc import Iterable
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


def hinted_by_manifests(
    target: Target, declared: Iterable[Declared], queue_manager: str | None
) -> Target:
    """Return `target`, with missing parts taken from the manifest of a queue manager.

    The Operator runs Linux, at the version of the resource (9.4.2.0-r1).
    """
    if target.level is not None:
        return target
    for manifest in declared:
        field = manifest.field("version") if manifest.type == "manifest" else None
        match = _OPERAND.match(str(field.value)) if field is not None else None
        if match is not None and manifest.queue_manager == queue_manager:
            level = (int(match[1]), int(match[2]), int(match[3]))
            platform = target.platform or "linux"
            return replace(target, level=level, platform=platform, source="version in the manifest")
    return target


def _version(commands: Iterable[Command]) -> Level | None:
    """The level in VERSION(09030002), which is a fact of the queue manager."""
    for command in commands:
        if command.noun == "QMGR":
            match = _VERSION.fullmatch(command.fact("VERSION") or "")
            return None if match is None else (int(match[1]), int(match[2]), int(match[3]))
    return None
