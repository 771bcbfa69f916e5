"""Diagnostics and declarations of an embedded text, moved to their places in the file."""

from __future__ import annotations

from dataclasses import replace

from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared
from mqlint.language.text.mapped import MappedText
from mqlint.source.lines import Span


def reported_in(fault: Diagnostic, outer: MappedText) -> Diagnostic:
    end = _end(outer, *fault.span)
    return replace(fault, start=outer.host(fault.start), end=end)


def declared_in(declared: Declared, outer: MappedText) -> Declared:
    return replace(
        declared,
        span=span_in(declared.span, outer),
        fields=tuple(replace(field, span=span_in(field.span, outer)) for field in declared.fields),
        model=model_in(declared.model, outer),
    )


def span_in(span: Span, outer: MappedText) -> Span:
    return outer.host(span[0]), _end(outer, *span)


def _end(outer: MappedText, start: int, end: int) -> int:
    """Where a stretch ends in the file: after its last character."""
    return outer.host(max(end - 1, start)) + (end > start)


def model_in(model: str, outer: MappedText) -> str:
    """Return the model of a text at its place in the file: apart from other texts there."""
    return f"{outer.host(0)}{model}" if model else ""
