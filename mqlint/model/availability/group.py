"""Groups of nodes in ini files: RDQM in rdqm.ini, Native HA in qm.ini.

Several stanzas of one file describe a group: the nodes that a node replicates to, in its own group
and at the other site.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address
from typing import TYPE_CHECKING

from mqlint.grouping import grouped
from mqlint.model.core.fact import NamedStatement, Statement, stated_type
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.patterns import later
from mqlint.source.lines import Span

if TYPE_CHECKING:
    from mqlint.language.ini.parser import IniEntry, Stanza

_ADDRESSES = ("HA_Primary", "HA_Alternate", "HA_Replication", "DR_Replication")
_NUMERIC = later(r"[0-9.]{1,40}")
_IN_MANIFEST = (
    *(("group", "group.name"), ("group.role", "group.role"), ("partners", "group.partners")),
    ("endpoints", "group.addresses"),
)

_ABSENT: tuple[Value, Span | None] = (ABSENT, None)
GroupValues = Mapping[str, tuple[Value, Span | None]]
"""Values, each with the first place that has it."""


def _statement(found: GroupValues, place: Span, origin: Origin) -> Statement:
    """Return the values of a group or a node; `place` is the first place in the file about it."""
    values = {attribute: value for attribute, (value, _) in found.items()}
    places = {word: origin.location(span) for word, (_, span) in found.items() if span}
    return Statement(values, origin.location(place), places)


def link_of(first: Iterable[str], second: Iterable[str]) -> str:
    """Return one text for two sides, whichever of them is named first."""
    return " - ".join(sorted((",".join(sorted(first)), ",".join(sorted(second)))))


def _rdqm_groups(manager: QueueManager) -> Iterator[NamedStatement]:
    """Return the group of each rdqm.ini.

    `nodes` are the names of its nodes, or their addresses for replication if they have no name;
    `local` are the addresses by which they replicate to the other site, `sending` the number of
    nodes that have one, `remote` those of the other site, `repeated` names and addresses that
    several nodes have, `link` both sides as one text, `lowest` the first of all these addresses, by
    which the files of both sides meet. With several DR groups, or templates, they are not known.
    """
    for origin, stanzas in _files(manager, ("node", "drgroup")):
        nodes = [stanza for stanza in stanzas if stanza.name.lower() == "node"]
        groups = [stanza for stanza in stanzas if stanza.name.lower() == "drgroup"]
        names = [entry.value for node in nodes for entry in _all(node, "Name")]
        name = names[0] if names else "rdqm.ini"
        yield name, _statement(_rdqm(nodes, groups), stanzas[0].span, origin)


def _rdqm(nodes: list[Stanza], groups: list[Stanza]) -> GroupValues:
    local = [entry for node in nodes for entry in _all(node, "DR_Replication")]
    remote = [entry for group in groups for entry in _all(group, "DR_Replication")]
    named = [_all(node, "Name") or _all(node, "HA_Replication")[:1] for node in nodes]
    names = [entry for entries in named for entry in entries]
    open_ = any(node.conditional for node in (*nodes, *groups)) or len(groups) > 1
    sending = sum(1 for node in nodes if _all(node, "DR_Replication"))
    known: dict[str, tuple[Value, Span | None]] = {"nodes": (_values(names, open_), None)}
    known["repeated"] = _repeated(nodes, open_)
    known["local"] = (_values(local, open_), _first(local))
    known["remote"] = (_values(remote, open_), _first(remote))
    known["sending"] = (UNKNOWN if open_ else str(sending), _first(local))
    here, there = known["local"][0], known["remote"][0]
    if isinstance(here, tuple) and isinstance(there, tuple):
        known["link"] = (link_of(here, there), _first(remote))
        known["lowest"] = (min(*here, *there), _first(remote))
    return known


def _repeated(nodes: Sequence[Stanza], open_: bool) -> tuple[Value, Span | None]:
    """Names and addresses that several nodes have, with the place of the second of them."""
    seen: dict[str, Stanza] = {}
    repeated: dict[str, Span] = {}
    for node in nodes:
        for word in ("Name", *_ADDRESSES):
            for entry in _all(node, word):
                if seen.setdefault(entry.value.lower(), node) is not node and not entry.templated:
                    repeated.setdefault(entry.value, entry.value_span)
    if open_ or not repeated:
        return (UNKNOWN if open_ else ABSENT), None
    return tuple(repeated), next(iter(repeated.values()))


def _rdqm_members(manager: QueueManager) -> Iterator[NamedStatement]:
    """Return each node of each rdqm.ini, with its addresses.

    `addresses` are all of them, `invalid` those of digits and dots that are not valid. Which
    addresses a node has whose name comes twice in a file is not known.
    """
    for origin, stanzas in _files(manager, ("node",)):
        names = Counter(entry.value for stanza in stanzas for entry in _all(stanza, "Name"))
        for stanza in stanzas:
            open_ = stanza.conditional or any(names[e.value] > 1 for e in _all(stanza, "Name"))
            values: dict[str, tuple[Value, Span | None]] = {}
            for word in _ADDRESSES:
                entries = _all(stanza, word)
                addresses = _values(entries, open_)
                if addresses is not ABSENT:
                    values[word.lower()] = (addresses, _first(entries))
            entries = [entry for word in _ADDRESSES for entry in _all(stanza, word)]
            values["addresses"] = (_values(entries, stanza.conditional), _first(entries))
            invalid = [entry for entry in entries if not _is_address(entry)]
            if invalid:
                values["invalid"] = (tuple(entry.value for entry in invalid), _first(invalid))
            name = stanza.get("Name")
            if name is not None and not name.templated:
                yield name.value, _statement(values, stanza.span, origin)


def _native_groups(manager: QueueManager) -> Iterator[NamedStatement]:
    """Return the group of Native HA of each qm.ini, and of each manifest that tells its role.

    `instance` is the name of the local instance, `instances` are those of all; `repeated` are names
    and addresses that are there twice. `group` and `group.role` are those of this group among the
    regions, `partners` the names of the others, `link` both sides as one text. `mirrored` is false
    if one of two groups here names the other, which names only further ones.
    """
    found: list[tuple[dict[str, tuple[Value, Span | None]], Span, Origin]] = []
    for origin, stanzas in _files(
        manager, ("nativehalocalinstance", "nativehainstance", "nativeharecoverygroup")
    ):
        found.append(({**_native(stanzas)}, stanzas[0].span, origin))
    for manifest, origin in manager.declarations("manifest"):
        values: dict[str, tuple[Value, Span | None]] = {}
        for key, word in _IN_MANIFEST:
            field = manifest.field(word)
            if field is not None:
                values[key] = (_lower(field.value), field.span)
        if values:
            found.append((values, manifest.span, origin))
    named: dict[str, set[str]] = {}
    for values, _, _ in found:
        group, (others, place) = values.get("group", _ABSENT)[0], values.get("partners", _ABSENT)
        if isinstance(group, str) and isinstance(others, tuple):
            values["link"] = (link_of([group], others), place)
            named.setdefault(group, set()).update(others)
    for values, _, _ in found:
        if "link" in values:
            values["mirrored"] = (flag(_is_mirrored(str(values["group"][0]), named)), None)
    _forget_roles_of_a_switchover([values for values, _, _ in found])
    return ((manager.key.name, _statement(*each)) for each in found)


def _is_mirrored(group: str, named: Mapping[str, set[str]]) -> bool:
    """Whether each group that is here, and names this one or is named by it, does both."""
    own = named[group]
    return all((other in own) is (group in others) for other, others in named.items())


def _forget_roles_of_a_switchover(found: Sequence[dict[str, tuple[Value, Span | None]]]) -> None:
    """Make the role of a group unknown if files have both, before and after a switchover."""
    roles = defaultdict[Value, set[Value]](set)
    for values in found:
        roles[values.get("group", _ABSENT)[0]].add(values.get("group.role", _ABSENT)[0])
    for values in found:
        group = values.get("group", _ABSENT)[0]
        if isinstance(group, str) and {"live", "recovery"} <= roles[group]:
            values["group.role"] = (UNKNOWN, None)


RDQM_GROUP = stated_type(
    "rdqm_group",
    _rdqm_groups,
    ("nodes", "local", "remote", "link", "lowest", "sending", "repeated"),
)
RDQM_MEMBER = stated_type(
    "rdqm_member", _rdqm_members, (*map(str.lower, _ADDRESSES), "addresses", "invalid")
)
NATIVE_HA = stated_type(
    "native_ha",
    _native_groups,
    (
        *("instance", "instances", "repeated", "group", "group.role"),
        *("partners", "endpoints", "link", "mirrored"),
    ),
)


def _is_address(entry: IniEntry) -> bool:
    """Whether a value may be an address: a host name, or digits and dots that are valid."""
    return entry.templated or may_be_address(entry.value)


def may_be_address(text: str) -> bool:
    """Return whether a text may be an address: other than digits and dots, or valid ones."""
    if _NUMERIC.fullmatch(text) is None:
        return True
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def _joined(values: Value) -> Value:
    """Return addresses as one text."""
    return ", ".join(sorted(values)).lower() if isinstance(values, tuple) else values


def _lower(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(part.lower() for part in value)
    return value.lower() if isinstance(value, str) else value


def _native(stanzas: list[Stanza]) -> GroupValues:
    def entries(stanza: str, *words: str) -> list[IniEntry]:
        named = [each for each in stanzas if each.name.lower() == stanza]
        return [entry for each in named for word in words for entry in _all(each, word)]

    open_ = any(stanza.conditional for stanza in stanzas)
    local = "nativehalocalinstance"
    instances = entries("nativehainstance", "Name")
    repeated = _twice(instances) + _twice(entries("nativehainstance", "ReplicationAddress"))
    partners = entries("nativeharecoverygroup", "GroupName")
    known: dict[str, tuple[Value, Span | None]] = {}
    for key, words in (
        ("instance", ("Name", "LocalName")),
        ("group", ("GroupName",)),
        ("group.role", ("GroupRole",)),
    ):
        written = entries(local, *words)
        if written or open_:
            known[key] = (_last(written, open_), _first(written[-1:]))
    known["instances"] = (_values(instances, open_), _first(instances))
    known["repeated"] = (_values(repeated, open_), _first(repeated))
    known["partners"] = (_values(partners, open_), _first(partners))
    addresses = entries("nativeharecoverygroup", "ReplicationAddress")
    known["endpoints"] = (_joined(_values(addresses, open_)), _first(addresses))
    if "group.role" in known:
        known["group.role"] = (_lower(known["group.role"][0]), known["group.role"][1])
    return known


def _first(entries: list[IniEntry]) -> Span | None:
    return entries[0].value_span if entries else None


def _twice(entries: list[IniEntry]) -> list[IniEntry]:
    """The entries whose value, in any case, was there before."""
    counts = Counter(entry.value.lower() for entry in entries)
    seen: set[str] = set()
    found = []
    for entry in entries:
        value = entry.value.lower()
        if counts[value] > 1 and value in seen and not entry.templated:
            found.append(entry)
        seen.add(value)
    return found


def _last(entries: list[IniEntry], open_: bool) -> Value:
    """The value of the entry in force, which is the last one."""
    if open_ or any(entry.templated for entry in entries):
        return UNKNOWN
    return entries[-1].value if entries else ABSENT


def _values(entries: list[IniEntry], open_: bool) -> Value:
    """The values of entries as a list; absent if there are none."""
    if open_ or any(entry.templated for entry in entries):
        return UNKNOWN
    return tuple(entry.value for entry in entries) or ABSENT


def _all(stanza: Stanza, key: str) -> list[IniEntry]:
    wanted = key.lower()
    return [entry for entry in stanza.entries if entry.key.lower() == wanted and entry.value]


def _files(manager: QueueManager, names: tuple[str, ...]) -> Iterator[tuple[Origin, list[Stanza]]]:
    yield from grouped(
        (origin, stanza) for stanza, origin in manager.stanzas if stanza.name.lower() in names
    ).items()
