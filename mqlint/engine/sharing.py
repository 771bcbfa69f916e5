"""Objects that the members of a queue-sharing group share, as any of them defines."""

from __future__ import annotations

from mqlint.engine.reading import Reading
from mqlint.language.mqsc import decode
from mqlint.model.core.action import family

_SHARED = frozenset({"SHARED", "GROUP", "COPY"})
"""Dispositions that an object has at every member.

IBM's page "Disposition (global definitions) on z/OS": SHARED is in the shared repository, GROUP is
the master copy there from which each member makes a COPY.
"""

_ALWAYS_SHARED = frozenset({"cfstruct"})


def shared_objects(reading: Reading) -> frozenset[tuple[str, str]]:
    """Return the families and names of the objects that a document defines for whole groups."""
    found: set[tuple[str, str]] = set()
    for part in reading.parts:
        for command in part.commands if part.role != "refused" else ():
            shape = command.form.shape
            noun, slot = (command.noun or "").lower(), shape.slot_of.get("QSGDISP", -1)
            if shape.verb != "DEFINE" or command.name is None:
                continue
            disposition = decode(command.values[slot]).upper() if slot >= 0 else ""
            if disposition in _SHARED or noun in _ALWAYS_SHARED:
                found.add((family(noun), command.name))
    return frozenset(found)
