"""Settings of ini files, looked up by the names of their stanza and key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mqlint.model.core.value import UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.finding import Location
    from mqlint.language.ini.parser import IniEntry, Stanza
    from mqlint.model.core.origin import Origin


def setting(stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str) -> IniEntry | None:
    """Return the setting `key` of a stanza called `name` (in lower case), None without one."""
    entry = _entry(stanzas, name, key)
    return None if entry is None else entry[0]


def setting_place(stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str) -> Location | None:
    entry = _entry(stanzas, name, key)
    return None if entry is None else entry[1].location(entry[0].value_span)


def stanza_place(stanzas: Iterable[tuple[Stanza, Origin]], *names: str) -> Location | None:
    """Return the place of the first stanza with one of `names`, in order of the names."""
    for name in names:
        for stanza, origin in stanzas:
            if stanza.name.lower() == name:
                return origin.location(stanza.span)
    return None


def written(entry: IniEntry | None) -> Value | None:
    """Return a setting's value, unknown if a template gives it; None without a setting."""
    if entry is None:
        return None
    return UNKNOWN if entry.templated else entry.value


def has_stanza(stanzas: Iterable[tuple[Stanza, Origin]], name: str) -> bool:
    """Whether the files have a stanza called `name` (in lower case) that no template may omit."""
    return any(stanza.name.lower() == name and not stanza.conditional for stanza, _ in stanzas)


def _entry(
    stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str
) -> tuple[IniEntry, Origin] | None:
    for stanza, origin in stanzas:
        entry = stanza.get(key) if stanza.name.lower() == name else None
        if entry is not None:
            return entry, origin
    return None
