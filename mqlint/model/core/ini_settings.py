"""Settings of ini files, looked up by the names of their stanza and key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mqlint.model.core.value import UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.finding import Location
    from mqlint.language.ini.parser import Entry, Stanza
    from mqlint.model.core.origin import Origin


def setting(stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str) -> Entry | None:
    """Return the setting `key` of a stanza called `name` (in lower case), None where none is."""
    found = _placed(stanzas, name, key)
    return None if found is None else found[0]


def setting_place(stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str) -> Location | None:
    """Return where such a setting stands."""
    found = _placed(stanzas, name, key)
    return None if found is None else found[1].location(found[0].value_span)


def stanza_place(stanzas: Iterable[tuple[Stanza, Origin]], *names: str) -> Location | None:
    """Return where the first stanza stands that is called one of `names`, in order of these."""
    for name in names:
        for stanza, origin in stanzas:
            if stanza.name.lower() == name:
                return origin.location(stanza.span)
    return None


def written(entry: Entry | None) -> Value | None:
    """Return a setting's value, unknown where a template gives it; None without a setting."""
    if entry is None:
        return None
    return UNKNOWN if entry.templated else entry.value


def has_stanza(stanzas: Iterable[tuple[Stanza, Origin]], name: str) -> bool:
    """Whether a stanza called `name` (in lower case) is there, whatever a template makes of it."""
    return any(one.name.lower() == name and not one.conditional for one, _ in stanzas)


def _placed(
    stanzas: Iterable[tuple[Stanza, Origin]], name: str, key: str
) -> tuple[Entry, Origin] | None:
    for stanza, origin in stanzas:
        entry = stanza.get(key) if stanza.name.lower() == name else None
        if entry is not None:
            return entry, origin
    return None
