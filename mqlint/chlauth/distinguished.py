"""Distinguished names: whether the name in a certificate fits a filter, and how specific that is.

(IBM: q049310, "IBM MQ rules for SSLPEER values"; q010250 for the order of attributes.)
"""

from __future__ import annotations

from contextlib import suppress

from mqlint.patterns import later
from mqlint.validity.distinguished_name import ATTRIBUTES, Name, NoNameError, parse

__all__ = ["NoNameError", "fits", "needed", "parse", "specificity", "values_of"]

_PLACES = {attribute: place for place, attribute in enumerate(ATTRIBUTES)}
_NO_MORE = (len(ATTRIBUTES),)
_REPEATED = frozenset({"OU", "DC"})
_MAIL = {"E": "MAIL", "MAIL": "E"}
"""Two names of an address of mail, of which a certificate may have either (IBM: q009860)."""
_SERIAL = "SERIALNUMBER"
"""The queue manager adds it to the subject, so most tools do not show it (IBM: q001380)."""
_QUOTED = later(r'"[^"]*+"|\\.')
_JOINED = later(r"\+\s*+[A-Za-z][A-Za-z0-9.]*+\s*+=")


class UndecidedError(NoNameError):
    """No source says whether a name fits a filter."""


def fits(pattern: str, name: str) -> bool:
    """Whether the name in a certificate fits a filter: all it names must be there and fit.

    Several OU of a filter stand for the first ones of the name, several DC for the last ones: each
    list leaves out its low end. Of another attribute the name may have one value only.
    Raises NoNameError when one of them is not a distinguished name, UndecidedError when all that is
    known fits, but an attribute may be in the certificate under another name or not be shown.
    """
    if pattern in ("", "*"):
        return True
    actual = _certified(name)
    doubts = []
    for attribute, wanted in parse(pattern).items():
        if _values_fit(attribute, wanted, actual.get(attribute, ())):
            continue
        doubt = _doubt(attribute, wanted, actual)
        if not doubt:
            return False
        doubts.append(doubt)
    if doubts:
        raise UndecidedError(doubts[0])
    return True


def _certified(name: str) -> Name:
    """Return the attributes of the name in a certificate; NoNameError if they are not known."""
    if _JOINED.search(_QUOTED.sub("", name)):
        raise UndecidedError(f"no source says how {name}, which joins attributes by +, is compared")
    return parse(name)


def _doubt(attribute: str, wanted: tuple[str, ...], actual: Name) -> str:
    """Return why an attribute that does not fit may do so; blank if it does not."""
    if attribute == _SERIAL and attribute not in actual:
        return "the serial number of the certificate is not given"
    other = _MAIL.get(attribute, "")
    if _values_fit(other, wanted, actual.get(other, ())):
        return f"no source says whether {attribute} matches {other} of a certificate"
    return ""


def needed(pattern: str) -> tuple[str, str] | None:
    """Return an attribute and a value that each name which may fit a filter has; None without."""
    with suppress(NoNameError):
        for attribute, wanted in parse(pattern).items():
            if "*" not in wanted[0] and attribute != _SERIAL and attribute not in _MAIL:
                return attribute, wanted[0]
    return None


def values_of(name: str) -> list[tuple[str, str]] | None:
    """Return each attribute and value of a name; None if it is not a distinguished name."""
    with suppress(NoNameError):
        named = _certified(name).items()
        return [(attribute, value) for attribute, values in named for value in values]
    return None


def example(*filters: str) -> str:
    """Return a name that fits the last filter, and the others in what it leaves open."""
    named: dict[str, tuple[str, ...]] = {}
    for pattern in filters:
        with suppress(NoNameError):
            named |= parse(pattern) if pattern not in ("", "*") else {}
    return ",".join(
        f'{attribute}="{value.replace("*", "x")}"'
        for attribute, values in named.items()
        for value in values
    )


def _values_fit(attribute: str, wanted: tuple[str, ...], values: tuple[str, ...]) -> bool:
    if len(values) < len(wanted) or (attribute not in _REPEATED and len(values) != 1):
        return False
    compared = values[-len(wanted) :] if attribute == "DC" else values[: len(wanted)]
    return all(_value_fits(*pair) for pair in zip(wanted, compared, strict=True))


def _value_fits(wanted: str, value: str) -> bool:
    r"""Whether a value fits; an asterisk is a wildcard at either end only, and not as `\*`."""
    start, middle, end = _split(wanted)
    literal = middle.replace("\\*", "*")
    value = value.replace("\\*", "*")
    if start and end:
        return literal in value
    if start:
        return value.endswith(literal)
    return value.startswith(literal) if end else value == literal


def _split(wanted: str) -> tuple[bool, str, bool]:
    """Whether a value begins with a wildcard, what it has beside wildcards, whether it ends so."""
    if wanted == "*":
        return True, "", True
    start = wanted.startswith("*")
    end = wanted.endswith("*") and not wanted.endswith("\\*")
    return start, wanted[start : len(wanted) - end], end


def specificity(pattern: str) -> tuple[tuple[object, ...], ...]:
    """Return how specific a filter is: of two that fit a name the smaller wins.

    Attribute after attribute: a filter that names it comes before one that does not, more values
    before fewer, a value with fewer wildcards before one with more, then a longer before a
    shorter one, then the order of the alphabet. Domain components are compared from the last.
    """
    try:
        values = {} if pattern in ("", "*") else parse(pattern)
    except NoNameError:
        values = {}
    named = sorted(_PLACES[attribute] for attribute in values if attribute in _PLACES)
    return (*(_of_values(place, values[ATTRIBUTES[place]]) for place in named), _NO_MORE)


def _of_values(place: int, values: tuple[str, ...]) -> tuple[object, ...]:
    compared = values[::-1] if ATTRIBUTES[place] == "DC" else values
    return (place, -len(compared), tuple(map(_of_value, compared)))


def _of_value(value: str) -> tuple[int, int, str]:
    if value == "*":
        return (3, 0, "")
    start, middle, end = _split(value)
    return (start + end, -len(value), middle)
