"""Patterns of addresses in channel authentication records (IBM: q086080, reasons 3345 and 3346).

A pattern is blank, `*`, an IPv4 or an IPv6 address, in which a part may be `*` (one or more parts)
or a range `2-9`, or the name of a host, in which `*` stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.grouping import grouped
from mqlint.patterns import later

_IPV4 = later(r"[0-9.*-]+")
_IPV6 = later(r"[0-9A-Fa-f.*-]*+:[0-9A-Fa-f:.*-]*+")
_HOST = later(r"[A-Za-z0-9._*-]+")
_DECIMAL = later(r"[0-9]{1,3}")
_HEXADECIMAL = later(r"[0-9A-Fa-f]{1,4}")
_ALL_IPV4, _ALL_IPV6 = 4, 8
_BYTE = 255
# A queue manager at 9.2 accepts *.*.*.* (AMQ8877), although q086080 refuses 192.0.*.*
_EVERY_IPV4 = frozenset(".".join("*" * count) for count in range(1, _ALL_IPV4 + 1))


class BadRangeError(ValueError):
    """A range whose first number is not below its second one."""


def fault_of_pattern(pattern: str) -> str | None:
    """Return what is wrong with an address pattern, in words; None when nothing is.

    Raises BadRangeError, whose text says it, where only a range is wrong: the product has a
    reason code of its own for that.
    """
    if pattern in ("", *_EVERY_IPV4):
        return None
    if "/" in pattern:
        return "prefix lengths are not valid, write 10.1.* or a range"
    if _IPV4.fullmatch(pattern):
        return _ipv4(pattern)
    if _IPV6.fullmatch(pattern):
        return _ipv6(pattern)
    if _HOST.fullmatch(pattern) is None:
        return "it is not an IP address or a host name"
    return None


def crossing(patterns: Iterable[str]) -> tuple[str, str] | None:
    """Return two patterns of which each holds a part of the other but not all; None without.

    Only those are compared that differ in one range of numbers alone (IBM: reason 3343).
    """
    ranges = grouped(
        (key, (low, -high, pattern))
        for pattern in patterns
        for key, low, high in ranges_of(pattern)
    )
    for found in ranges.values():
        outer: list[tuple[int, str]] = []
        for low, minus_high, pattern in sorted(found):
            while outer and outer[-1][0] < low:
                outer.pop()
            if outer and outer[-1][0] < -minus_high:
                return outer[-1][1], pattern
            outer.append((-minus_high, pattern))
    return None


def ranges_of(pattern: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield each range of a pattern: the pattern around it, its first and its last number.

    Only two ranges that have the same pattern around them can cross.
    """
    base, separator = (16, ":") if ":" in pattern else (10, ".")
    if "::" in pattern or not (_IPV4.fullmatch(pattern) or _IPV6.fullmatch(pattern)):
        return
    fields = pattern.upper().split(separator)
    for index, part in enumerate(fields):
        low, _, high = part.partition("-")
        try:
            ends = int(low, base), int(high, base)
        except ValueError:
            continue
        yield (separator, *fields[:index], "-", *fields[index + 1 :]), *ends


def is_host(pattern: str) -> bool:
    return pattern not in ("", "*") and not (_IPV4.fullmatch(pattern) or _IPV6.fullmatch(pattern))


def _ipv4(pattern: str) -> str | None:
    fields = pattern.split(".")
    for part in fields:
        fault = _part(part, _DECIMAL, 10)
        if fault is not None:
            return fault
    if len(fields) > _ALL_IPV4:
        return f"an IPv4 address has {_ALL_IPV4} parts, this has {len(fields)}"
    if len(fields) < _ALL_IPV4 and "*" not in fields:
        return f"an IPv4 address has {_ALL_IPV4} parts, unless one of them is *"
    return _stars(fields)


def _ipv6(pattern: str) -> str | None:
    head, _, last = pattern.rpartition(":")
    if "." in last:
        fault = _ipv4(last)
        if fault is not None or "*" in last:
            return fault or "the last part is not an address"
        pattern = f"{head}:0:0"
    if pattern.count("::") > 1 or ":::" in pattern:
        return "an IPv6 address has :: at most once"
    if "::" in pattern and pattern.endswith("*"):
        return "an IPv6 pattern has either :: or a * at its end"
    fields = [part for part in pattern.replace("::", ":").strip(":").split(":") if part]
    for part in fields:
        fault = _part(part, _HEXADECIMAL, 16)
        if fault is not None:
            return fault
    is_short = "::" not in pattern and "*" not in fields
    if len(fields) > _ALL_IPV6 or (is_short and len(fields) < _ALL_IPV6):
        return f"an IPv6 address has {_ALL_IPV6} parts, this has {len(fields)}"
    return _stars(fields)


def _part(part: str, number: re.Pattern[str], base: int) -> str | None:
    """What is wrong with one part: a number, a range of numbers, or an asterisk."""
    if part == "*":
        return None
    if "*" in part:
        return f"* replaces whole parts of an address, but not {part}"
    ends = part.split("-")
    limit = _BYTE if base == 10 else 0xFFFF
    for end in ends:
        if number.fullmatch(end) is None or int(end, base) > limit:
            is_empty = "a part of the address is empty"
            return f"{end} is not a valid part of an address" if end else is_empty
    if len(ends) > 2:
        return f"{part} is not a range"
    if len(ends) == 2 and int(ends[0], base) >= int(ends[1], base):
        raise BadRangeError(f"{ends[0]} is not below {ends[1]}")
    return None


def _stars(fields: list[str]) -> str | None:
    if fields[-2:] == ["*", "*"]:
        return "one * at the end replaces all further parts"
    return None
