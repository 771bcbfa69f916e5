"""Quantities of Kubernetes: what a container may use of memory and processors."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import LEAST_MEMORY

_QUANTITY = later(
    r"(\d{1,15}(?:\.\d{0,9})?|\.\d{1,9})(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d{1,2})?"
)
_BINARY = "KMGTPE"
_DECIMAL = {"n": -3, "u": -2, "m": -1, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def quantity(text: str) -> Fraction | None:
    """Return a quantity as a number, None for a text that is none.

    Source: "Quantity" of the Kubernetes API.
    """
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    number, suffix = Fraction(found[1]), found[2] or ""
    if suffix.endswith("i"):
        return number * Fraction(1024 ** (_BINARY.index(suffix[0]) + 1))
    if suffix in _DECIMAL:
        return number * _power(1000, _DECIMAL[suffix])
    return number * _power(10, int(suffix[1:])) if suffix else number


def _power(base: int, exponent: int) -> Fraction:
    """A power with a whole exponent, which may be negative."""
    return Fraction(base**exponent) if exponent >= 0 else Fraction(1, base**-exponent)


def resource_faults(resources: Node | None) -> Iterator[Diagnostic]:
    """Yield quantities that Kubernetes refuses, and memory that is too little for MQ."""
    if resources is None:
        return
    limits, requests = resources.child("limits"), resources.child("requests")
    for part in (limits, requests):
        for key, value in part.pairs.items() if part is not None else ():
            yield from quantity_faults(value, key)
    for key in ("cpu", "memory"):
        most, asked = _of(limits, key), _of(requests, key)
        if most is not None and asked is not None and asked[0] > most[0]:
            words = {"key": key, "request": asked[1].text, "limit": most[1].text}
            yield diagnostic("request-above-limit", asked[1].span, **words)
    memory = _of(limits, "memory")
    if memory is not None and 1 <= memory[0] < LEAST_MEMORY:
        yield diagnostic("memory-small", memory[1].span, memory=memory[1].text)


def quantity_faults(value: Node, key: str) -> Iterator[Diagnostic]:
    """Yield a value that is not a valid quantity, or is less than a byte."""
    text = value.value
    if value.kind != "scalar" or not isinstance(text, str) or not text:
        return
    number = quantity(text)
    if number is None or (key in ("memory", "size", "storage") and number > 0 and "m" in text):
        yield diagnostic("quantity", value.span, key=key, value=text)


def _of(part: Node | None, key: str) -> tuple[Fraction, Node] | None:
    node = part.child(key) if part is not None else None
    number = quantity(node.word()) if node is not None else None
    return None if number is None or node is None else (number, node)
