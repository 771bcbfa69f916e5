"""Sets of IP addresses, exactly: patterns of channel authentication records and networks.

A set is a list of boxes that do not overlap. A box has a range for each part of an address: four
octets of IPv4, eight groups of IPv6. Patterns, networks and all that can be made of them by
intersection and subtraction are such sets, so nothing is sampled. An IPv6 address that maps an
IPv4 address is that IPv4 address, as the product has it.
(IBM: q086080, "Generic IP addresses for channel authentication records".)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import islice
from math import prod

from mqlint.chlauth.wildcard import name_specificity
from mqlint.dataclass import frozen
from mqlint.number import whole_number
from mqlint.source.budget import Budget

Range = tuple[int, int]
Box = tuple[Range, ...]

_FULL = {4: (0, 255), 8: (0, 0xFFFF)}
_ALL = tuple((_FULL[size],) * size for size in (4, 8))
_MAPPED: Box = ((0, 0),) * 5 + ((0xFFFF, 0xFFFF),)
MOST_BOXES = 20_000
_PAIRS = 4
"""Pairs of boxes that are compared for one character of a budget."""


class NoAddressError(ValueError):
    """A text that is neither an address nor a pattern of addresses; it may name a host."""


class TooManyError(ValueError):
    """A set that falls into more parts than can be worked with."""


@frozen
class AddressSet:
    """A set of addresses, as boxes that do not overlap.

    `budget` pays for comparing it with others, and so do the sets that are made of it. Without one
    the number of its boxes alone is limited.
    """

    boxes: tuple[Box, ...] = ()
    budget: Budget | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def __and__(self, other: AddressSet) -> AddressSet:
        self._spend(len(self.boxes) * len(other.boxes))
        found = (_common(box, two) for box in self.boxes for two in other.boxes)
        return self._bounded(box for box in found if box is not None)

    def __sub__(self, other: AddressSet) -> AddressSet:
        left = self
        for taken in other.boxes:
            self._spend(len(left.boxes))
            left = self._bounded(piece for box in left.boxes for piece in _without(box, taken))
        return left

    def is_apart(self, other: AddressSet) -> bool:
        self._spend(len(self.boxes) * len(other.boxes))
        return all(_common(box, two) is None for box in self.boxes for two in other.boxes)

    def split(self, other: AddressSet) -> tuple[AddressSet, AddressSet]:
        """Return the addresses that are in both, and those that are in this one alone."""
        inside: list[Box] = []
        left = self
        for taken in other.boxes:
            self._spend(len(left.boxes))
            outside: list[Box] = []
            for box in left.boxes:
                inner = _common(box, taken)
                if inner is None:
                    outside.append(box)
                else:
                    inside.append(inner)
                    outside.extend(_around(box, inner))
            left = self._bounded(outside)
        return self._bounded(inside), left

    def _spend(self, pairs: int) -> None:
        if self.budget is not None and not self.budget.spend(-(-pairs // _PAIRS), 0):
            raise TooManyError("too many addresses to compare for the number of commands")

    def _bounded(self, boxes: Iterable[Box]) -> AddressSet:
        few = tuple(islice(boxes, MOST_BOXES + 1))
        if len(few) > MOST_BOXES:
            raise TooManyError(f"the addresses fall into more than {MOST_BOXES} parts")
        return AddressSet(few, self.budget)

    def __or__(self, other: AddressSet) -> AddressSet:
        return AddressSet(self.boxes + (other - self).boxes)

    def __le__(self, other: AddressSet) -> bool:
        """Whether all its addresses are in `other`: as boxes do not overlap, they are counted."""
        self._spend(len(self.boxes) * len(other.boxes))
        common = (_common(box, two) for box in self.boxes for two in other.boxes)
        return sum(_size(box) for box in common if box) == sum(map(_size, self.boxes))

    def is_same_as(self, other: AddressSet) -> bool:
        """Whether both have the same addresses; sets of one box are equal without subtraction."""
        if len(self.boxes) == len(other.boxes) == 1:
            return self.boxes == other.boxes
        return self <= other <= self

    def __contains__(self, address: str) -> bool:
        parts = _parts_of(address)
        return any(
            len(box) == len(parts)
            and all(low <= part <= high for part, (low, high) in zip(parts, box, strict=True))
            for box in self.boxes
        )

    def witness(self) -> str:
        """Return the smallest of its addresses, IPv4 first; it must have one."""
        box = min(self.boxes, key=lambda box: (len(box), box))
        return _written([low for low, _ in box])

    def written(self) -> list[str]:
        return [_pattern(box) for box in sorted(self.boxes, key=lambda box: (len(box), box))]


def everything() -> AddressSet:
    return AddressSet(_ALL)


def network(text: str) -> AddressSet:
    """Return the addresses of a network such as 10.20.0.0/16, or of one address.

    Raises NoAddressError when it is neither.
    """
    try:
        found = ip_network(text, strict=False)
    except ValueError:
        raise NoAddressError(f"{text} is not a network") from None
    ends = found.network_address, found.broadcast_address
    low, high = (tuple(_split(end)) for end in ends)
    return _unmapped(tuple(zip(low, high, strict=True)))


def pattern(text: str) -> AddressSet:
    """Return the addresses that an ADDRESS or ADDRLIST pattern fits; blank fits all.

    Raises NoAddressError for any other text: a host name, or a mistake.
    """
    if text in ("", "*"):
        return everything()
    base, separator, size = (16, ":", 8) if ":" in text else (10, ".", 4)
    pieces = _pieces(text, separator, size)
    ranges = [None if sign == "*" else _range(sign, base, size, text) for sign in pieces]
    found = AddressSet()
    for box in _expanded(ranges, size, text):
        found |= _unmapped(box)
    return found


def union(sets: Iterable[AddressSet]) -> AddressSet:
    """Return the addresses that are in one of many sets.

    Most are single addresses or small networks, so a box is compared with those only that begin
    with the same two parts, and with wide ones.
    """
    boxes: list[Box] = []
    wide: list[int] = []
    narrow: dict[Box, list[int]] = {}
    for address_set in sets:
        added: list[Box] = []
        for box in address_set.boxes:
            near = [*wide, *narrow.get(box[:2], ())] if _is_narrow(box) else range(len(boxes))
            others = tuple(boxes[at] for at in sorted(near))
            added += (AddressSet((box,)) - AddressSet(others)).boxes
        for box in added:
            group = narrow.setdefault(box[:2], []) if _is_narrow(box) else wide
            group.append(len(boxes))
            boxes.append(box)
    return AddressSet(tuple(boxes))


def _is_narrow(box: Box) -> bool:
    """Whether all its addresses have the same first two parts."""
    return all(low == high for low, high in box[:2])


def specificity(text: str) -> tuple[tuple[int, int], ...]:
    """Return how specific a pattern is: of two that fit an address the smaller wins.

    From left to right a number comes before a range, a narrow range before a wide one, a range
    before an asterisk; of two asterisks the one with more parts after it comes first. Names of
    hosts come after every address, no address at all last.
    (IBM: q010250, "Channel authentication records".)
    """
    if text in ("", "*"):
        return ((4, 0),)
    base, separator, size = (16, ":", 8) if ":" in text else (10, ".", 4)
    try:
        pieces = _pieces(text, separator, size)
        found = []
        for at, sign in enumerate(pieces):
            if sign == "*":
                found.append((2, at - len(pieces)))
            else:
                low, high = _range(sign, base, size, text)
                found.append((1, high - low) if high > low else (0, 0))
        return tuple(found)
    except NoAddressError:
        return ((3, 0), *name_specificity(text.upper()))


def is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _common(box: Box, two: Box) -> Box | None:
    """What is in both boxes; most boxes are apart, which is seen at their first parts."""
    if len(box) != len(two):
        return None
    for (a, b), (c, d) in zip(box, two, strict=False):
        if b < c or d < a:
            return None
    return tuple(
        (a if a > c else c, b if b < d else d) for (a, b), (c, d) in zip(box, two, strict=False)
    )


def _size(box: Box) -> int:
    return prod(high - low + 1 for low, high in box)


def _without(box: Box, taken: Box) -> Iterable[Box]:
    inner = _common(box, taken)
    return (box,) if inner is None else _around(box, inner)


def _around(box: Box, inner: Box) -> Iterator[Box]:
    """The pieces of a box around one in it, two at most for each part of an address."""
    for at, ((low, high), (first, last)) in enumerate(zip(box, inner, strict=True)):
        for piece in ((low, first - 1), (last + 1, high)):
            if piece[0] <= piece[1]:
                yield (*inner[:at], piece, *box[at + 1 :])


def _unmapped(box: Box) -> AddressSet:
    """A box as a set: what maps IPv4 addresses in it becomes those."""
    mapped = _common(box[:6], _MAPPED) if len(box) == 8 else None
    if mapped is None:
        return AddressSet((box,))
    octets = AddressSet(tuple((*a, *b) for a in _octets(box[6]) for b in _octets(box[7])))
    return (AddressSet((box,)) - AddressSet(((*_MAPPED, *((_FULL[8],) * 2)),))) | octets


def _octets(group: Range) -> Iterator[tuple[Range, Range]]:
    """A range of 16 bits as ranges of two octets."""
    (high_low, low_low), (high_high, low_high) = divmod(group[0], 256), divmod(group[1], 256)
    if high_low == high_high:
        yield (high_low, high_low), (low_low, low_high)
        return
    first = high_low if low_low == 0 else high_low + 1
    last = high_high if low_high == 255 else high_high - 1
    if first > high_low:
        yield (high_low, high_low), (low_low, 255)
    if first <= last:
        yield (first, last), (0, 255)
    if last < high_high:
        yield (high_high, high_high), (0, low_high)


def _parts_of(address: str) -> tuple[int, ...]:
    try:
        found = ip_address(address)
    except ValueError:
        raise NoAddressError(f"{address} is not an address") from None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return tuple(_split(found))


def _split(address: IPv4Address | IPv6Address) -> Iterator[int]:
    width = 1 if isinstance(address, IPv4Address) else 2
    packed = address.packed
    for at in range(0, len(packed), width):
        yield int.from_bytes(packed[at : at + width], "big")


def _pieces(text: str, separator: str, size: int) -> list[str]:
    """The parts of a pattern; `::` is written out."""
    if separator == ":" and "." in text:
        head, _, tail = text.rpartition(":")
        octets = [
            number
            for octet in tail.split(".")
            if (number := whole_number(octet)) is not None and number <= 255
        ]
        if len(octets) != 4 or tail.count(".") != 3:
            raise NoAddressError(f"{text} is not an address")
        a, b, c, d = octets
        text = f"{head}:{a * 256 + b:x}:{c * 256 + d:x}"
    if "::" not in text:
        return text.split(separator)
    head, _, tail = text.partition("::")
    before = head.split(":") if head else []
    after = tail.split(":") if tail else []
    if "*" in (*before, *after) and len(before) + len(after) >= size:
        raise NoAddressError(f"{text} is not an address")
    return [*before, *["0"] * (size - len(before) - len(after)), *after]


def _range(sign: str, base: int, size: int, text: str) -> Range:
    low, dash, high = sign.partition("-")
    ends = (low, high) if dash else (low, low)
    digits = "0123456789abcdef"[:base]
    for end in ends:
        if not end or len(end) > 4 or end.lower().strip(digits):
            raise NoAddressError(f"{text} is not an address")
    first, last = int(ends[0], base), int(ends[1], base)
    if first > last or last > _FULL[size][1]:
        raise NoAddressError(f"{text} is not an address")
    return first, last


def _expanded(ranges: list[Range | None], size: int, text: str) -> Iterator[Box]:
    """Every way of letting each asterisk (None) stand for one or more parts."""
    stars = ranges.count(None)
    spare = size - len(ranges)
    if spare < 0 or (spare and not stars):
        raise NoAddressError(f"{text} is not an address")

    def fill(at: int, spare: int, stars: int) -> Iterator[Box]:
        if at == len(ranges):
            yield ()
            return
        found = ranges[at]
        if found is not None:
            yield from ((found, *rest) for rest in fill(at + 1, spare, stars))
            return
        for more in range(spare if stars == 1 else 0, spare + 1):
            rests = fill(at + 1, spare - more, stars - 1)
            yield from (((_FULL[size],) * (more + 1)) + rest for rest in rests)

    yield from fill(0, spare, stars)


def _written(parts: list[int]) -> str:
    if len(parts) == 4:
        return ".".join(map(str, parts))
    return str(IPv6Address(b"".join(part.to_bytes(2, "big") for part in parts)))


def _pattern(box: Box) -> str:
    full, base, separator = (_FULL[4], "d", ".") if len(box) == 4 else (_FULL[8], "X", ":")
    parts = []
    for low, high in box:
        if (low, high) == full:
            parts.append("*")
        else:
            parts.append(f"{low:{base}}" if low == high else f"{low:{base}}-{high:{base}}")
    last = max((at for at, part in enumerate(parts) if part != "*"), default=-1) + 1
    if "*" not in parts[:last]:  # else either asterisk could stand for more than one part
        parts = [*parts[:last], *parts[last : last + 1]]
    if parts == ["*"]:  # alone it would stand for the addresses of both kinds
        parts = [f"0-{full[1]:{base}}", "*"]
    return separator.join(parts)
