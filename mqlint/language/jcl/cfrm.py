"""Policies of coupling facilities in jobs that run IXCMIAPU.

"Setting Up a Sysplex", "CFRM parameters for administrative data utility": a structure needs a NAME,
a SIZE and a PREFLIST. "Setting up the coupling facility" of IBM MQ: the names of its structures
begin with the four characters of the queue-sharing group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.jcl.statements import READ, Operand, blanks_for, operands
from mqlint.language.text.mapped import mapped_slice
from mqlint.patterns import headed, later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import typo_of
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_IGNORED = later(rf"(?ms)/\*.*?(?:\*/|\Z)|(?<=^[^\n]{{{READ - 1}}})[^\n]+")
"""Comments, and what follows the columns that are read."""
_POLICY = later(r"(?i)\bDEF(?:INE)?\s+POLICY\b")
_ITEM = later(r"(?i)\b(CF|STRUCTURE)\s+(?=NAME\b)")
_SIZE = later(r"(?i)(\d{1,12})([KMGT]?)")
_UNITS = {"": 1, "K": 1, "M": 1 << 10, "G": 1 << 20, "T": 1 << 30}
_PREFIX = 4
"""Characters of a structure's name that are those of the queue-sharing group."""
_OWN = ("CSQ_ADMIN", "CSQSYSAPPL")
"""The structures that each queue-sharing group has."""
_NEEDED = ("SIZE", "PREFLIST")
_SWITCHES = ("ALLOWAUTOALT", "ENFORCEORDER", "ALLOWREALLOCATE", "ENCRYPT")
_KEYS = frozenset(
    "NAME INITSIZE MINSIZE SCMMAXSIZE SCMALGORITHM FULLTHRESHOLD EXCLLIST REBUILDPERCENT DUPLEX"
    " RECPRTY SUBNOTIFYDELAY LISTNOTIFYDELAY KEYRNOTIFYDELAY".split()
).union(_NEEDED, _SWITCHES)


_ELEMENT = later(r"(?i)\bELEMENT(?:_NAME)?\(\s*(SYS[A-Z]{2,5}[A-Z0-9@#$_*?.]*)\s*\)")
_MANAGER, _INITIATOR = "SYSMQMGR", "SYSMQCH"
"""How the automatic restart manager calls a queue manager and its channel initiator, before their
name (q022670_)."""
_LONGEST = 4
"""Characters of the name of a queue manager."""


def arm_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield elements of an ARM policy that only look like those of queue managers."""
    bare = _IGNORED.sub(blanks_for, text[start:end])
    for element in _ELEMENT.finditer(bare):
        name = element[1].upper()
        prefix = _INITIATOR if name.startswith(_INITIATOR) else _MANAGER
        begin, own = name[: len(prefix)], name[len(prefix) :]
        is_typo = begin != prefix and typo_of(begin, (prefix,)) == prefix
        is_long = begin == prefix and len(own.rstrip("*")) > _LONGEST
        if is_typo or is_long:
            place = start + element.start(1), start + element.end(1)
            yield diagnostic("arm-element", place, element=name, prefix=prefix)


def cfrm_faults(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield what is wrong in the policies between two offsets of a job."""
    bare = _IGNORED.sub(blanks_for, text[start:end])
    for policy, stop in headed(_POLICY, bare):
        for (first, last), fault in _policy_faults(bare[policy.start() : stop]):
            at = start + policy.start()
            yield diagnostic("cfrm-policy", (at + first, at + last), fault=fault)


def _policy_faults(text: str) -> Iterator[tuple[Span, str]]:
    facilities: set[str] | None = set()
    structures = []
    heads = [*headed(_ITEM, text)]
    for match, end in heads:
        found = operands(mapped_slice(text, match.end(), end), "words")
        items = {operand.key: operand for operand in found or ()}
        name = items["NAME"].plain if "NAME" in items else ""
        if match[1].upper() == "STRUCTURE":
            if "NAME" in items and isinstance(name, str):
                structures.append((name.upper(), items))
        elif isinstance(name, Unknown) or not found:
            facilities = None
        elif facilities is not None:
            facilities.add(name.upper())
    for name, items in structures:
        yield from _structure_faults(name, items, facilities or None)
    if len(structures) == sum(match[1].upper() == "STRUCTURE" for match, _ in heads):
        yield from _missing_structures(dict(structures))


def _missing_structures(
    structures: Mapping[str, Mapping[str, Operand]],
) -> Iterator[tuple[Span, str]]:
    """Yield the groups that have their system structure and lack that for administration."""
    administration, system = _OWN
    groups = {name[:_PREFIX] for name in structures if name[_PREFIX:] == administration}
    groups |= {name[:_PREFIX] for name in structures if typo_of(name[_PREFIX:], _OWN)}
    for name, items in structures.items():
        if name[_PREFIX:] == system and name[:_PREFIX] not in groups:
            fault = f"the policy lacks structure {name[:_PREFIX]}{administration}"
            yield items["NAME"].span, fault


def _structure_faults(
    name: str, items: Mapping[str, Operand], facilities: set[str] | None
) -> Iterator[tuple[Span, str]]:
    own = items["NAME"].span
    meant = typo_of(name[_PREFIX:], _OWN)
    if meant:
        yield own, f"{name} is not a structure of MQ, the nearest is {name[:_PREFIX]}{meant}"
    misspelt = {key: meant for key in items if (meant := typo_of(key, _KEYS))}
    for key, nearest in misspelt.items():
        yield items[key].span, f"{key} is not a keyword of STRUCTURE, the nearest is {nearest}"
    for key in _NEEDED:
        if key not in items and key not in misspelt.values():
            yield own, f"structure {name} has no {key}"
    for key in _SWITCHES:
        if key in items and items[key].plain not in ("YES", "NO", UNKNOWN):
            yield items[key].span, f"{key} of structure {name} is not YES or NO"
    yield from _size_faults(name, items)
    yield from _list_faults(name, items, facilities)


def _size_faults(name: str, items: Mapping[str, Operand]) -> Iterator[tuple[Span, str]]:
    sizes = {key: _size(items[key]) for key in ("SIZE", "INITSIZE", "MINSIZE") if key in items}
    for small, large in (("INITSIZE", "SIZE"), ("MINSIZE", "SIZE"), ("MINSIZE", "INITSIZE")):
        less, more = sizes.get(small), sizes.get(large)
        if less is not None and more is not None and less > more:
            yield items[small].span, f"{small} of structure {name} is larger than {large}"
            break


def _list_faults(
    name: str, items: Mapping[str, Operand], facilities: set[str] | None
) -> Iterator[tuple[Span, str]]:
    listed = items["PREFLIST"].items if "PREFLIST" in items else ()
    if facilities is None or isinstance(listed, Unknown):
        return
    for facility in listed:
        if facility.upper() not in facilities:
            fault = f"PREFLIST of structure {name} names {facility}, which the policy does not have"
            yield items["PREFLIST"].span, fault


def _size(operand: Operand) -> int | None:
    """A size in kilobytes, the default unit."""
    match = _SIZE.fullmatch(operand.plain) if isinstance(operand.plain, str) else None
    return None if match is None else int(match[1]) * _UNITS[match[2].upper()]
