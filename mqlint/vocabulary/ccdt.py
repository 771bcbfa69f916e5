"""The keys of a client channel definition table in JSON, and the MQSC attributes they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.vocabulary.load import compiled_table
from mqlint.vocabulary.shape import (
    BOUNDS,
    NUMBER,
    PAIRS,
    TEXT,
    TEXTS,
    entries,
    optional,
    required,
    shape_of,
    table_of,
)

_INTEGER = later(r"-?[0-9]{1,12}")


@frozen
class CcdtKey:
    """One key of an object, with the values that it takes; ccdt.yaml describes the fields."""

    name: str
    attribute: str = optional(TEXT, "")
    number: tuple[int, ...] = optional(BOUNDS, ())
    words: tuple[str, ...] = optional(TEXTS, ())
    text: int = optional(NUMBER, 0)
    kind: str = optional(TEXT, "a text")
    form: str = optional(TEXT, "")

    @property
    def has_values(self) -> bool:
        return bool(self.number or self.words or self.text)

    def accepts(self, value: str, *, quoted: bool) -> bool:
        """Return whether it takes a value of JSON, which is in quotes or not."""
        if self.number:
            low, high = self.number
            is_number = not quoted and _INTEGER.fullmatch(value) is not None
            return is_number and low <= int(value) <= high
        if self.words:
            return quoted and value in self.words
        fits = not self.form or re.fullmatch(self.form, value) is not None
        return quoted and len(value) <= self.text and fits

    @property
    def expected(self) -> str:
        if self.number:
            low, high = self.number
            return f"a number without quotes, from {low} to {high}"
        if self.words:
            return " or ".join(f'"{word}"' for word in self.words)
        return f"{self.kind} in quotes, of at most {self.text} characters"


@frozen
class CcdtVocabulary:
    """The keys of each object, and what is known of all; ccdt.yaml describes the fields."""

    objects: Mapping[str, Mapping[str, CcdtKey]] = required(table_of(entries(CcdtKey)))
    mistaken: Mapping[str, str] = required(PAIRS)
    defaults: Mapping[str, str] = required(PAIRS)
    needed: tuple[str, ...] = required(TEXTS, "required")


SHAPE: Final = shape_of(CcdtVocabulary)


@cache
def ccdt_vocabulary() -> CcdtVocabulary:
    return SHAPE.load(compiled_table("ccdt"))
