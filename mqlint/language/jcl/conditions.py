"""Constructs IF/THEN/ELSE/ENDIF of a job, and the steps that IF and COND name.

"z/OS MVS JCL Reference": IF needs THEN and ENDIF. What is tested about a step that did not start is
false, and COND names an earlier step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.jcl.cards import THEN, Card
from mqlint.language.jcl.guards import DEEPEST
from mqlint.language.jcl.statements import operands
from mqlint.language.text.templates import PLACEHOLDER, is_known, is_template_line
from mqlint.patterns import later
from mqlint.vocabulary.distance import typo_of

_NAME = r"[A-Z@#$][A-Z0-9@#$]{0,7}"
_TESTED = later(
    rf"(?<![A-Z0-9@#$&.])({_NAME})(?:\.{_NAME})?\.(?:RC|ABEND|ABENDCC|RUN)(?![A-Z0-9@#$.])"
)
_COMPARED = later(rf"\(\s*\d+\s*,\s*(?:GT|GE|EQ|LT|LE|NE)\s*,\s*({_NAME})(?=\s*[.)])")


@mutable
class Conditions:
    """What the cards up to now say; `whole` if all cards of the job are known."""

    rendered: bool
    whole: bool = False
    steps: set[str] = field(default_factory=set)
    opened: list[Card] = field(default_factory=list)
    with_else: list[bool] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    @staticmethod
    def of(text: str) -> Conditions:
        """Begin those of a text, whose lines that are templates may render to statements."""
        lines = text.splitlines() if PLACEHOLDER in text else ()
        return Conditions(any(is_template_line(line) for line in lines))

    def note(self, card: Card) -> None:
        if card.operation == "JOB":
            self.finish()
            self.whole, self.steps = not self.rendered, set()
        elif card.operation in ("INCLUDE", "XMIT"):
            self.whole = False
        self.faults += (
            diagnostic("job-condition", card.span, fault=fault) for fault in self.wrong(card)
        )

    def branches(self) -> tuple[tuple[str, bool], ...] | None:
        """Return the open IFs, as `Guards` has them."""
        if len(self.opened) > DEEPEST:
            return None
        return tuple(
            (card.rest, is_else) for card, is_else in zip(self.opened, self.with_else, strict=True)
        )

    def finish(self) -> None:
        """Report each IF that is open at the end of a job."""
        for card in self.opened if self.whole else ():
            self.faults.append(diagnostic("job-condition", card.span, fault="IF has no ENDIF"))
        self.opened.clear()
        self.with_else.clear()

    def wrong(self, card: Card) -> Iterator[str]:
        if card.operation == "EXEC":
            for operand in operands(card.operands) or ():
                if operand.key == "COND" and isinstance(operand.value, str):
                    yield from self.unknown("COND", _COMPARED.findall(operand.value.upper()))
            self.whole &= is_known(card.name) and "&" not in card.name
            self.steps.add(card.name.upper())
        elif card.operation == "IF":
            self.opened.append(card)
            self.with_else.append(False)
            if is_known(card.rest) and "&" not in card.rest:
                if THEN.search(card.rest) is None:
                    yield "IF has no THEN"
                yield from self.unknown("IF", _TESTED.findall(card.rest.upper()))
        elif card.operation in ("ELSE", "ENDIF") and not self.opened:
            if self.whole:
                yield f"{card.operation} has no IF"
        elif card.operation == "ELSE":
            if self.with_else[-1] and self.whole:
                yield "IF has two ELSE statements"
            self.with_else[-1] = True
        elif card.operation == "ENDIF":
            self.opened.pop()
            self.with_else.pop()

    def unknown(self, word: str, names: list[str]) -> Iterator[str]:
        """Yield the names that no step before has, if all of them are known."""
        for name in dict.fromkeys(names) if self.whole else ():
            if name not in self.steps:
                nearest = typo_of(name, self.steps)
                hint = f": the nearest is {nearest}" if nearest else ""
                yield f"{word} names step {name}, and no earlier step has this name{hint}"
