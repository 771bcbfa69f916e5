"""What must hold for whatever is written as an address or a distinguished name of a record."""

from __future__ import annotations

from contextlib import suppress

from mqlint.chlauth import address, distinguished
from mqlint.chlauth.address import AddressSet, NoAddressError, TooManyError
from tests.fuzz.program import refused, text_of


def addresses(data: bytes) -> None:
    """Sets of addresses obey the laws of sets, and what is written of them is read back."""
    sets = []
    for line in text_of(data).split("\n")[:3]:
        for read in (address.pattern, address.network):
            try:
                found = read(line)
            except NoAddressError as error:
                refused(error)
                continue
            sets.append(found)
            assert found.witness() in found
        assert address.specificity(line) == address.specificity(line)
    try:
        for first in sets:
            for second in sets:
                _laws(first, second)
    except TooManyError as error:
        refused(error)


def _laws(address_set: AddressSet, two: AddressSet) -> None:
    inside, outside = address_set.split(two)
    assert inside == address_set & two or (
        inside <= (address_set & two) and (address_set & two) <= inside
    )
    assert not inside & outside
    assert (inside | outside) <= address_set <= (inside | outside)
    assert address_set.is_apart(two) == (not inside)
    if inside:
        written = address.union(map(address.pattern, inside.written()))
        assert written <= inside
        rest = inside - written  # a mapped address is one of IPv4, and so is written as that
        assert not rest or rest.witness().startswith("::ffff:")


def names(data: bytes) -> None:
    """A name fits itself, and the same question has the same answer.

    Not one that repeats an attribute other than OU and DC: no certificate fits its filter. One that
    joins attributes by + is undecided.
    """
    lines = text_of(data).split("\n")
    pattern, name = lines[0], lines[-1]
    try:
        known = distinguished.parse(pattern)
    except distinguished.NoNameError:
        return
    assert distinguished.parse(pattern) == known
    is_plain = not any("*" in value for values in known.values() for value in values)
    if is_plain and all(len(known[word]) == 1 for word in known.keys() - {"OU", "DC"}):
        with suppress(distinguished.UndecidedError):
            assert distinguished.fits(pattern, pattern)
    try:
        assert distinguished.fits(pattern, name) in (True, False)
    except distinguished.NoNameError as error:
        refused(error)
    distinguished.specificity(pattern)
