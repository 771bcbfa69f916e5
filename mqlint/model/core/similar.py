"""Names that differ by one typing error, and are not two names of one series.

`APP.REQEUST` is a misspelt `APP.REQUEST`, and so is `APP_REQUEST`; `APP.Q` is `APP.QUEUE`.
`QM1` and `QM2`, `APP.REQ` and `APP.RES`, `QMGRA` and `QMGRB`, `PAYP1` and `PAYD1` are different
names on purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from mqlint.grouping import grouped
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.distance import deletions

_NO_DIGITS = later(r"[^1-9]+")
"""What a typing error may change: of the digits only 0, which is taken for O."""
_ALIKE_SIGNS = {"0", "O"}
_LONGEST = 64
"""Longer names are not compared: no object has one."""
_FEW = 24
"""So many names are compared one by one: an index of them costs more than it saves."""
_SHORTEST = 4
"""In a shorter part of a name one letter is often a meaning (REQ, RES; IN, ON)."""
_END, _LONG = 3, 8
"""Letters of an end that is compared first, and of a name so long that an error leaves one end."""
_SEPARATORS = "._-/%"
_ONE_SEPARATOR = str.maketrans(_SEPARATORS, _SEPARATORS[0] * len(_SEPARATORS))
_ENDS = frozenset({"", *_SEPARATORS})
"""What follows the last letter of a part of a name."""
_PAIR = 2
"""In a part of two equal letters the second one is often a meaning (A, AA)."""
_ROMAN = frozenset("IX")
"""Letters that are often digits of a Roman numeral (II, III)."""
_SERIES = frozenset("ABCDEFG")
_STAGES = frozenset("DPSTU")
"""Letters for development, production, staging, test, user acceptance."""


class SimilarNames:
    """Names that can be looked up by a misspelt form."""

    def __init__(self, names: Collection[str], others: SimilarNames | None = None) -> None:
        self._names = names
        self._others = others

    def find(self, wanted: str) -> str:
        """Return a name of which `wanted` is a misspelt form; blank if none is, or several are."""
        if len(wanted) > _LONGEST:
            return ""
        upper = wanted.upper()
        near = {name: other for name, other in self._near(upper) if name != wanted}
        if not near:
            return ""
        by_case = {name for name, other in near.items() if other == upper}
        form = _form(upper)
        by_form = {name for name, other in near.items() if _form(other) == form}
        found = (
            by_case or by_form or {name for name, other in near.items() if _is_typo(upper, other)}
        )
        return found.pop() if len(found) == 1 else ""

    def _near(self, wanted: str) -> Iterator[tuple[str, str]]:
        """The names that may be one typing error away, each with its upper case."""
        digits = _NO_DIGITS.sub("", wanted)
        if len(self._names) <= _FEW:
            lengths, form = range(len(wanted) - 1, len(wanted) + 2), _form(wanted)
            for name in self._names:
                upper = name.upper()
                if _NO_DIGITS.sub("", upper) == digits and (
                    len(upper) in lengths or _form(upper) == form
                ):
                    yield name, upper
        elif (group := self._by_digits.get(digits)) is not None:
            yield from group.near(wanted)
        if self._others is not None:
            yield from self._others._near(wanted)

    @cached_property
    def _by_digits(self) -> Mapping[str, _Group]:
        """The names by their digits, which no typing error changes."""
        found: dict[str, _Group] = {}
        for name in self._names:
            if len(name) <= _LONGEST:
                upper = name.upper()
                digits = _NO_DIGITS.sub("", upper)
                group = found.get(digits) or found.setdefault(digits, _Group())
                group.names[name] = upper
        return found


class _Group:
    """Names with the same digits, each with its upper case."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def near(self, wanted: str) -> Iterable[tuple[str, str]]:
        """Return those that may be one typing error away from a name in upper case."""
        if len(self.names) <= _FEW:
            lengths, form = range(len(wanted) - 1, len(wanted) + 2), _form(wanted)
            return [
                pair
                for pair in self.names.items()
                if len(pair[1]) in lengths or _form(pair[1]) == form
            ]
        near = [*self._forms.get(_form(wanted), ())]
        if self._has_an_end_of(wanted):
            near += (name for key in deletions(wanted) for name in self._index.get(key, ()))
        return ((name, self.names[name]) for name in near)

    def _has_an_end_of(self, wanted: str) -> bool:
        """Whether a name may be near: no typing error changes both ends of a longer name."""
        if len(wanted) < _LONG:
            return True
        beginnings, ends = self._ends
        return wanted[:_END] in beginnings or wanted[-_END:] in ends

    @cached_property
    def _ends(self) -> tuple[frozenset[str], frozenset[str]]:
        names = self.names.values()
        return frozenset(name[:_END] for name in names), frozenset(name[-_END:] for name in names)

    @cached_property
    def _forms(self) -> Mapping[str, list[str]]:
        return grouped((_form(upper), name) for name, upper in self.names.items())

    @cached_property
    def _index(self) -> Mapping[str, list[str]]:
        """Each name, in upper case, by itself and by itself less any one character."""
        return grouped(
            (key, name) for name, upper in self.names.items() for key in deletions(upper)
        )


def _form(name: str) -> str:
    """Return what is left of a name without its kind of separators and of the word for a queue."""
    return f"{name.translate(_ONE_SEPARATOR)}.".replace("QUEUE.", "Q.")


def _is_typo(first: str, second: str) -> bool:
    """Whether one typing error makes one of two names from the other."""
    shorter, longer = (second, first) if len(second) < len(first) else (first, second)
    if len(longer) - len(shorter) > 1:
        return False
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    if len(shorter) < len(longer):
        return shorter[start:] == longer[start + 1 :] and _is_one_letter(longer, start)
    if shorter[start + 1 :] == longer[start + 1 :]:
        return _is_other_letter(shorter, longer, start)
    pair = shorter[start : start + 2]
    is_swapped = pair[::-1] == longer[start : start + 2]
    return is_swapped and pair.isalpha() and shorter[start + 2 :] == longer[start + 2 :]


def _is_one_letter(longer: str, at: int) -> bool:
    """Whether the character at a place of the longer name is one too many, or omitted elsewhere."""
    letter = longer[at]
    if is_digits(letter):
        return False
    part = _part(longer, at)
    is_doubled = letter == longer[at - 1 : at] and letter not in _ROMAN and len(longer) > _LONG
    is_plural = letter == "S" and len(part) == _SHORTEST and longer[at + 1 : at + 2] in _ENDS
    return (
        letter in _SEPARATORS
        or is_plural
        or len(part) > _SHORTEST
        or (is_doubled and len(part) > _PAIR and part.isalpha())
    )


def _is_other_letter(first: str, second: str, at: int) -> bool:
    """Whether two names have a wrong letter at a place, and not the letters of a series."""
    letters = {first[at], second[at]}
    if letters == _ALIKE_SIGNS:
        return len(_part(first, at)) > 1
    if any(is_digits(letter) for letter in letters):
        return False
    if letters <= set(_SEPARATORS):
        return True
    if letters & set(_SEPARATORS):
        return False
    part = _part(first, at)
    is_at_edge = at in (0, len(first) - 1) or not (first[at - 1] + first[at + 1]).isalpha()
    is_series = letters <= _SERIES or letters <= _STAGES
    return len(part) >= _SHORTEST and not (is_at_edge and is_series)


def _part(name: str, at: int) -> str:
    """The part of a name between separators that has the character at a place."""
    start = max(name.rfind(separator, 0, at) for separator in _SEPARATORS) + 1
    ends = [end for separator in _SEPARATORS if (end := name.find(separator, at)) >= 0]
    return name[start : min(ends, default=len(name))]
