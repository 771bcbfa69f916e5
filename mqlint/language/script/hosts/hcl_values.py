"""Values written out in HCL, as YAML in brackets; an expression of any other form is unknown.

(Terraform, "Types and Values".)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

TOKEN = later(
    r"(?s)(?P<line>\n)|(?P<blank>[ \t\r]+|#[^\n]*|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
    r"|(?P<text>\"(?:\$\{[^}\n]{0,400}\}|[^\"\\\n]|\\.)*+\"?)|(?P<word>[\w.-]{1,200})"
    r"|<<-?(?P<mark>[A-Za-z_]\w{0,60})|(?P<sign>.)"
)
_LITERAL = later(r"true|false|null|-?\d[\d.]*")
INTERPOLATION = later(r"[$%]\{[^}\n]{0,400}\}")
_LONE_WORD = later(r"(?m)^[ \t]*([A-Za-z_]\w{0,60})[ \t\r]*$")
"""The last line of a heredoc."""
_SIGN = later(r"[ \t]*[=:](?!=)")
_CLOSING: Final = {"{": "}", "[": "]", "(": ")"}
_MOST_OPEN: Final = 100


_NOTHING: Mapping[str, str] = {}


def flow(
    text: str, start: int, end: int, known: Mapping[str, str] = _NOTHING
) -> tuple[MappedText | None, int]:
    """Return an object of HCL, before `end`, as YAML in brackets, and where it ends.

    None for what is not written out as keys and values, such as a `for`. `known` has literals by
    the references that stand for them.
    """
    builder, scopes, at = MappedTextBuilder(), "", start
    has_key = needs_comma = False
    while (token := TOKEN.match(text, at, end)) is not None:
        written, at = token[0], token.end()
        if token.lastgroup in ("line", "blank") or written == ",":
            continue
        if scopes and written == _CLOSING[scopes[-1]]:
            scopes, has_key, needs_comma = scopes[:-1], False, True
            builder.add(written, token.start())
            if not scopes:
                return builder.finish(at), at
            continue
        is_value = has_key or scopes[-1:] != "{"
        if needs_comma:
            builder.add(", ", token.start(), 0)
        needs_comma = False
        if not is_value:
            sign = _SIGN.match(text, at)
            if token.lastgroup not in ("word", "text") or sign is None:
                return None, at
            builder.add(written, token.start())
            builder.add(": ", sign.start(), 0)
            has_key, at = True, sign.end()
        elif written in "{[":
            if len(scopes) >= _MOST_OPEN:
                return None, at
            builder.add(written, token.start())
            scopes, has_key = scopes + written, False
        else:
            at = end_of_value(text, token.start(), end)
            value = text[token.start() : at]
            builder.add(literal(known.get(value, value)), token.start(), len(value))
            has_key, needs_comma = False, True
    return None, end


def end_of_value(text: str, start: int, end: int) -> int:
    """Where an expression ends: before a comma, a bracket that it does not open, or a new line."""
    scopes, at = "", start
    while (token := TOKEN.match(text, at, end)) is not None:
        written = token[0]
        if token["mark"]:
            lines = _LONE_WORD.finditer(text, token.end(), end)
            return next((line.end() for line in lines if line[1] == token["mark"]), end)
        is_comment = token.lastgroup == "blank" and written[:1] in "#/"
        if not scopes and (token["line"] or written in ",}])" or is_comment):
            break
        if token["sign"] and written in _CLOSING:
            scopes += written
        elif scopes and written == _CLOSING[scopes[-1]]:
            scopes = scopes[:-1]
        at = token.end()
    return max(at - (len(text[start:at]) - len(text[start:at].rstrip())), start + 1)


def literal(value: str) -> str:
    """A literal as YAML has it, with what is interpolated covered; any other value is unknown."""
    token = TOKEN.fullmatch(value)
    if token is not None and token["text"]:
        return INTERPOLATION.sub(lambda found: PLACEHOLDER * len(found[0]), value)
    return value if _LITERAL.fullmatch(value) is not None else PLACEHOLDER
