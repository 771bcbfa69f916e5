"""Templates in a text, which are covered before the syntax of the text is read.

Templates are found before quotes, because a template may hold quotes. Each is replaced by as many
characters of one private-use code point, so that no offset moves; a scanner then sees an ordinary
word whose text is unknown. Time is linear whatever is in the text: a named form is short, and the
next closing sign of each kind is looked for once.

`{NAME}` is a template only where that is asked for: MQSC has no other use for it, but YAML and
shells have. Forms that count in MQSC by their place are in `mqlint.language.mqsc.templates`.
`<NAME>` is one, unless the form in which IBM MQ writes encrypted passwords follows
(`<MQI>!2!...`). `--NAME--` is one if it is a whole value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mqlint.patterns import later
from mqlint.source.lines import without_repeated_lines
from mqlint.source.masking import HIDDEN

CHOSEN = "?"
"""The key of an entry of a list or mapping that another variable chooses."""
PLACEHOLDER = "\ue000"
"""Replaces each character of a template, and of anything else not known before a run."""


def is_known(text: str) -> bool:
    """Return whether `text` holds no template, no secret and nothing else that a run decides."""
    return PLACEHOLDER not in text and HIDDEN not in text


FILLED_IN = (
    r"(?:\{(?:\{[^{}\n]{1,200}\}|%[^{}\n]{1,200}%)\}|<%[^%\n]{1,200}%>"
    r"|#\{[A-Za-z_][\w.:-]{0,80}\}#?)"
)
"""A pattern of what Ansible, Helm, Puppet and Octopus fill in, which is one piece of a word."""
_BY_TOOL = later(
    r"\{\{|\{%|<%|#\{\w|@@?[A-Za-z_][\w.-]{0,63}@@?"
    r"|\A(?:__\w{1,60}__|%\w{1,60}%|\{\w{1,60}\}|\$\{[\w.]{1,60}\}|\$\(\w{1,60}\))\Z"
)


def is_filled_in(text: str) -> bool:
    """Return whether a tool fills in a word of a script, or a part of it, before it runs."""
    return _BY_TOOL.search(text) is not None


def is_template_line(line: str) -> bool:
    """Return whether a covered line has nothing but templates, so that it may render to no line."""
    return PLACEHOLDER in line and not line.replace(PLACEHOLDER, "").strip()


_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}", "${": "}", "#{": "}", "<%": "%>"}
_OPENER = later(r"\{\{|\{%|\{#|\$\{|#\{|<%")
_NAMED = later(
    r"""(?x)
      \$\( [A-Za-z_][\w.]{0,63} \)                # make, Kubernetes
    | @@?[A-Za-z_][\w.-]{0,63} @@?                # autoconf, Maven resources
    | <[A-Za-z][\w.\ -]{0,63} > (?!!\d!)          # "fill this in"
    """
)
_DASHES = later(r"(?:(?<=\()|(?<=\([\"']))--[A-Za-z][\w.()-]{0,60}--(?=[\"']?\))")
"""`--NAME--` as a whole value, as documents have it: no name of MQ may have such characters."""
_IN_ATTRIBUTE = later(
    r"=[ \t\r\n]*+(?:\"[^\"<>]*+(?:<[A-Za-z][\w.-]{0,63}>[^\"<>]*+)++\""
    r"|'[^'<>]*+(?:<[A-Za-z][\w.-]{0,63}>[^'<>]*+)++')"
)
"""A value of an attribute of XML with `<NAME>`: XML itself never allows the sign `<` there."""
_BRACES = later(r"(?<![{$#%@])\{\w[\w.-]{0,63}\}(?!\})")


def with_placeholders(text: str, *, braces: bool = False) -> str:
    """Return `text` with placeholders for every template, at the same length.

    `braces` asks for `{NAME}` as well.
    """
    lines = without_repeated_lines(text)
    if braces and "{" in lines:
        text = _BRACES.sub(_covered, text)
    if "(--" in lines or "('--" in lines or '("--' in lines:
        text = _DASHES.sub(_covered, text)
    if _has_named(lines):
        text = _NAMED.sub(_covered, text)
    if not ("{" in text or "<" in text) or _OPENER.search(text) is None:
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _spans(text):
        pieces.append(text[done:start])
        is_left_out = text.startswith("{#", start) and _begins_word(text, start, end)
        pieces.append(" " * (end - start) if is_left_out else _placeholders(end - start))
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _begins_word(text: str, start: int, end: int) -> bool:
    """Whether a word begins after a comment of Jinja, which renders to nothing."""
    return text[end : end + 1].isalnum() and (not start or text[start - 1].isspace())


def with_attribute_placeholders(text: str) -> str:
    """Return XML with placeholders for `<NAME>` in the values of attributes, at the same length."""
    return _IN_ATTRIBUTE.sub(lambda value: _NAMED.sub(_covered, value[0]), text)


def _covered(match: re.Match[str]) -> str:
    return _placeholders(len(match.group()))


@lru_cache(maxsize=256)
def _placeholders(length: int) -> str:
    """The cover of a template. Equal lengths share a text: a file may have a million templates."""
    return PLACEHOLDER * length


def _has_named(text: str) -> bool:
    """Return whether `text` may have a template of a named form: a fast check for most texts."""
    for sign in ("$(", "@", "<"):
        at = text.find(sign)
        while at >= 0:
            if _NAMED.match(text, at) is not None:
                return True
            at = text.find(sign, at + 1)
    return False


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of templates with a closing sign; none goes beyond its line."""
    closing: dict[str, int] = {}
    newline = -1
    opener = _OPENER.search(text)
    while opener is not None:
        inside = opener.end()
        sign = _CLOSERS[opener.group()]
        at = closing.get(sign, -1)
        if at < inside:
            at = closing[sign] = _find(text, sign, inside)
        if newline < inside:
            newline = _find(text, "\n", inside)
        if at < newline:
            yield opener.start(), at + len(sign)
            inside = at + len(sign)
        opener = _OPENER.search(text, inside)


def _find(text: str, sign: str, start: int) -> int:
    """Return where `sign` is next, the length of the text plus the sign's when nowhere."""
    at = text.find(sign, start)
    return at if at >= 0 else len(text) + (sign != "\n")
