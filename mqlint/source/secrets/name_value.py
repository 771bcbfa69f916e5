"""A name and a value, each after a word of its own: `name: PASSWORD`, `value: x`."""

from __future__ import annotations

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.values import option_value, value_after

_IS_NAME = later(
    r"(?i)(?:(?:name|key|id|option)[\"']?[ \t]*[:=][ \t]*[\"']?(?:[\w./-]{1,80}[:/])?|/@"
    r"|regexp[\"']?[ \t]*[:=][ \t]*[\"']?[@%^_{]{0,3}"
    r"|(?:-n|-k|-name|--name)[ \t]+\S*|VAR\([&'\"]?|env:"
    r"|<(?:[\w-]{0,40}name|key)>[ \t]*"
    r"|\bvariable[ \t]+[\"']?|add_argument\([ \t]*[\"'](?:-\w[\"'],[ \t]*[\"'])?--?)\Z"
)
_ITS_VALUE = later(
    r"(?i)[\"']?[)]?(?:[ \t]*+\#[^\n]{0,1000}+)?,?[^\n]{0,120}?"
    r"(?:\n[ \t]*+(?:(?:(?:\#|(?:type|sensitive|description|nullable|ephemeral)[ \t]*[=:])"
    r"[^\n]*+)?\n[ \t]*+){0,40}+)?(?:--?|<(?:\w{1,20}-){0,3})?"
    r"(?<![\w])(?:Parameter)?(?P<value>value|default(?:value)?|v|replace(?=[:=]))"
    r"(?=[\"']?[ \t]*[:=(>]|[ \t])"
)
_VALUE_BEFORE = later(
    r"(?i)(?P<value>\b(?:default)?value)[\"']?[ \t]*[:=](?:(?!\bvalue\b)[^\n])*?"
    r"(?:\r?\n[ \t]*|,\s*|[\"'][ \t]+)"
    r"[\"']?(?:name|key)[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
)


def paired_value(text: str, start: int, end: int) -> Span | None:
    """Return the span of the value beside the name at `start` to `end`, if there is one."""
    before = _IS_NAME.search(text, max(start - 80, 0), start)
    if before is None:
        return None
    found = _ITS_VALUE.match(text, end)
    if found is None:
        found = _VALUE_BEFORE.search(text, max(start - 300, 0), start)
    if found is None:
        return None
    return value_after(text, *found.span("value")) or option_value(text, found.end("value"))
