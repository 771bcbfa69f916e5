"""The MQSC command that does the same as a command of CL."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mqlint.language.cl.bound import BoundCommand
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import Unknown

_HOLE = later(r"\{(\?|[A-Z0-9]+)\}")
_BLANKS = frozenset({"*NONE", "*BLANK"})
"""Special values that set an attribute to blank."""
_DEFAULT = "*SYSDFT"
"""How the special values begin that take an attribute from the default object."""


def as_mqsc(bound: BoundCommand) -> MappedText | None:
    """Return the MQSC that does the same, None if a value is missing or ends a string.

    An unknown LIKE makes attributes unknown if some parameters are not in the MQSC.
    """
    builder = MappedTextBuilder()
    start = bound.leaf.command.name_span[0]
    at = 0
    for hole in _HOLE.finditer(bound.spec.mqsc):
        builder.add(bound.spec.mqsc[at : hole.start()], start, 0)
        at = hole.end()
        if hole[1] == "?":
            builder.add(PLACEHOLDER * 3, start, 0)
            continue
        value, span = _filled(bound, hole[1])
        if value is None or "'" in value or "\n" in value:
            return None
        builder.add(value, span[0], span[1] - span[0])
    builder.add(bound.spec.mqsc[at:], start, 0)
    attributes = dict(_attributes(bound))
    for key, words in attributes.items():
        place = bound.places[key]
        builder.add(" ", place[0], 0)
        builder.add(words, place[0], place[1] - place[0])
    if bound.spec.attributes and not _says_all(bound, attributes):
        builder.add(f" LIKE({PLACEHOLDER * 3})", start, 0)
    return builder.finish(bound.leaf.command.span[1])


def _filled(bound: BoundCommand, key: str) -> tuple[str | None, Span]:
    """The value of a parameter in MQSC, and its place."""
    place = bound.leaf.command.name_span
    found = bound.values.get(key, ())
    if isinstance(found, Unknown) or len(found) > 1:
        return PLACEHOLDER * 3, place
    if found:
        written, place = found[0].value, found[0].span
        if isinstance(written, Unknown):
            return PLACEHOLDER * 3, place
    else:
        written = bound.spec.defaults.get(key, "")
    words = bound.spec.words.get(key)
    return (words.get(written) if words else written) or None, place


def _says_all(bound: BoundCommand, attributes: Collection[str]) -> bool:
    """Whether the MQSC sets all that the parameters of a command set, or has a LIKE already."""
    holes = _HOLE.findall(bound.spec.mqsc)
    if "?" in holes:
        return True
    in_mqsc = {bound.spec.queue_manager, "REPLACE", "FORCE", *holes, *attributes}
    others = [bound.text(key) for key in bound.values if key not in in_mqsc]
    return all(isinstance(value, str) and value.startswith(_DEFAULT) for value in others)


def _attributes(bound: BoundCommand) -> Iterator[tuple[str, str]]:
    """Yield the parameters that set an attribute, with that attribute in MQSC."""
    kind = next((bound.text(key) for key in bound.spec.words if key in bound.values), "")
    for kinds, attributes in bound.spec.attributes.items():
        if kinds != "*ALL" and kind not in kinds.split():
            continue
        for key in bound.values:
            words = attributes.get(f"{key} {bound.text(key)}")
            if words is None and key in attributes:
                value = _value(bound, key)
                words = value and f"{attributes[key]}({value})"
            if words:
                yield key, words


def _value(bound: BoundCommand, key: str) -> str | None:
    """The values of a parameter in MQSC; None for special, refused and unknown values."""
    found = bound.values[key]
    texts = [] if isinstance(found, Unknown) else [value.value for value in found]
    if len(texts) == 1 and texts[0] in _BLANKS:
        return "' '"
    items = []
    for text in texts:
        if isinstance(text, Unknown) or text[:1] in ("", "*") or "'" in text or "\n" in text:
            return None
        if not bound.spec.accepts(key, text):
            return None
        items.append(text if text.isascii() and text.isdigit() else f"'{text}'")
    return ",".join(items) or None
