"""Values written out in HCL, as YAML in brackets; an expression of any other form is unknown.

(Terraform, "Types and Values".)
"""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.language.text.hcl import Call, Expression, Items, Object, Text
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span

INTERPOLATION = later(r"[$%]\{[^}\n]{0,400}\}")
_NOTHING: Mapping[str, str] = {}


def as_yaml(text: str, value: Expression, known: Mapping[str, str] = _NOTHING) -> MappedText:
    """Return a value of a text as YAML; `known` has YAML by the references that stand for it."""
    builder = MappedTextBuilder()
    add_value(builder, text, value, known)
    return builder.finish(value.span[1])


def add_value(
    builder: MappedTextBuilder, text: str, value: Expression, known: Mapping[str, str]
) -> None:
    """Append a value as YAML."""
    start, end = value.span
    if isinstance(value, Object) and value.is_whole:
        builder.add("{", start)
        for _, place, inner in value.entries:
            at, after = _with_quotes(text, place)
            builder.add(text[at:after], at)
            builder.add(": ", after, 0)
            add_value(builder, text, inner, known)
            builder.add(", ", inner.span[1], 0)
        builder.add("}", end - 1)
    elif isinstance(value, Items):
        builder.add("[", start)
        for item in value.items:
            add_value(builder, text, item, known)
            builder.add(", ", item.span[1], 0)
        builder.add("]", end - 1)
    elif isinstance(value, Call) and value.function == "jsonencode" and value.arguments:
        add_value(builder, text, value.arguments[0], known)
    elif isinstance(value, Text):
        at, after = _with_quotes(text, value.span)
        written = INTERPOLATION.sub(lambda found: PLACEHOLDER * len(found[0]), text[at:after])
        builder.add(written, at)
    else:
        builder.add(known.get(text[start:end], PLACEHOLDER), start, end - start)


def _with_quotes(text: str, span: Span) -> Span:
    start, end = span
    is_quoted = text[max(start - 1, 0) : start] == '"'
    return start - is_quoted, end + is_quoted
