"""Symbols of JCL: those that SET gives a value, and the defaults of a started procedure.

z/OS MVS JCL Reference, "Using system symbols and JCL symbols": a SET statement has effect on what
follows it, regardless of IF. A period after a symbol ends its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.jcl.cards import Card
from mqlint.language.jcl.statements import operands
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import deletions, is_of_series, typo_of
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_SYMBOL = later(r"(?<!&)&(?!&)([A-Z@#$][A-Z0-9@#$]{0,7})\.?")
_LONGEST = 255
"""Characters of the value of a symbol."""


@mutable
class Symbols:
    """The values of symbols at a place of a job; a symbol without a value is not known.

    `own` are the defaults of the procedure around the place, None outside of one. Who calls a
    procedure may give its symbols other values; an operator starts a queue manager without any.
    `exported` are the values that in-stream data gets: an EXPORT statement has to precede the SET.
    """

    budget: Budget
    values: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] | None = None
    is_started: bool = False
    exported: dict[str, str] = field(default_factory=dict)
    exports: bool = False
    named: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    """Those that calls of procedures set, and the keywords of EXEC."""
    unset: dict[str, int] = field(default_factory=dict)
    """Those without a value, each with the offset of its first use."""

    def note(self, card: Card) -> None:
        """Take the values that a SET or PROC statement gives."""
        if card.operation == "PROC":
            self.own, self.is_started = self._given(card), False
        elif card.operation == "PEND":
            self.own = None
        elif card.operation == "SET":
            given = self._given(card)
            (self.values if self.own is None else self.own).update(given)
            if self.exports:
                self.exported.update(given)
        elif card.operation == "EXPORT":
            self.exports = True
        elif card.operation == "EXEC":
            found = operands(card.operands) or ()
            self.passed.update(operand.key for operand in found)

    def _given(self, card: Card) -> dict[str, str]:
        found = operands(card.operands) or ()
        plain = [(operand.key, operand.plain) for operand in found if operand.key]
        self.named.update(key for key, _ in plain)
        return {key: "&" if isinstance(value, Unknown) else value for key, value in plain}

    def of(self, data: str) -> dict[str, str]:
        """Return the values of the symbols in in-stream data."""
        found = {name: self.exported.get(name, "&") for name in _SYMBOL.findall(data)}
        return {name: value for name, value in found.items() if "&" not in value}

    def value(self, name: str) -> str | None:
        """Return the value of a symbol; None if it is not known, or too long to be one."""
        if self.own is not None and name in self.own:
            found = self.own[name] if self.is_started else None
        else:
            found = self.values.get(name)
        is_usable = found is not None and "&" not in found and len(found) <= _LONGEST
        return found if is_usable and self.budget.spend(len(found or "")) else None

    def replaced(self, text: MappedText) -> MappedText:
        """Return the operands of a statement with the symbols that are known replaced."""

        def written(found: re.Match[str]) -> str:
            value = self.value(found[1])
            if found[1] not in self.named:
                self.unset.setdefault(found[1], text.host(found.start()))
            return found[0] if value is None else value

        return text.sub(_SYMBOL, written) if "&" in text.text else text

    def misspelt(self) -> Iterator[tuple[str, str, Span]]:
        """Yield symbols that nothing in the text sets, and that are a typo of one that it sets.

        Names of a series (&LIB1, &LIB2) are different symbols, which a caller may set. z/OS sets
        those that begin with SYS.
        """
        index = {part: name for name in sorted(self.named) for part in deletions(name)}
        given = self.named | self.passed
        for name, at in self.unset.items():
            near = {index[part] for part in deletions(name) if part in index}
            is_given = name in given or name.startswith("SYS")
            meant = "" if is_given else typo_of(name, near)
            if meant and not is_of_series(name, meant):
                yield name, meant, (at, at + len(name) + 1)


def in_stream(
    data: MappedText, exported: frozenset[str] | None, values: Mapping[str, str]
) -> MappedText:
    """Return in-stream data with the symbols that SYMBOLS= replaces in it.

    They are those that EXPORT names, all of them if `exported` is None. Without a value in `values`
    they are covered.
    """

    def written(found: re.Match[str]) -> str:
        if exported is not None and found[1] not in exported:
            return found[0]
        return values.get(found[1], PLACEHOLDER * len(found[0]))

    return data.sub(_SYMBOL, written)


def exported(card: Card) -> frozenset[str] | None:
    """Return the symbols that an EXPORT statement names, None for all of them."""
    listed = next((item for item in operands(card.operands) or () if item.key == "SYMLIST"), None)
    names = UNKNOWN if listed is None else listed.items
    return None if isinstance(names, Unknown) or "*" in names else frozenset(names)
