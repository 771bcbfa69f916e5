"""A command of CL with the values of its parameters, and the MQSC command that does the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Never

from mqlint.dataclass import frozen, mutable
from mqlint.language.cl.command import ClValue
from mqlint.language.cl.flow import Leaf, is_secret
from mqlint.language.cl.objects import About
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import (
    StepOption,
)
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.cl import ClSpec
from mqlint.vocabulary.distance import distance, nearest
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_LONG = 5
"""From this number of letters, one wrong letter means another parameter."""
NOTHING: Mapping[str, Never] = {}


@mutable
class BoundCommand:
    """A command with the values of its parameters, and their places.

    `strange` maps words that are no parameters to the ones that are meant. `about` is the subject
    of a command of the system. Most commands of a long text have neither.
    """

    leaf: Leaf
    spec: ClSpec
    values: Mapping[str, tuple[ClValue, ...] | Unknown]
    places: Mapping[str, Span]
    strange: Mapping[str, str]
    about: About | None = None

    def text(self, key: str) -> str | Unknown:
        """Return the values of a parameter joined by blanks, blank if it is not written."""
        found = self.values.get(key, ())
        if isinstance(found, Unknown):
            return UNKNOWN
        known = [value.value for value in found if isinstance(value.value, str)]
        return " ".join(known) if len(known) == len(found) else UNKNOWN

    @property
    def named(self) -> str | None:
        """The queue manager that its own parameter names."""
        value = self.text(self.spec.queue_manager) if self.spec.queue_manager else ""
        special = isinstance(value, Unknown) or value.startswith("*")
        return None if special or not value else str(value)


@frozen
class ProgramCoverage:
    """The objects that a program as a whole saves and records: see `_saved` and `_imaged`."""

    journals: str | Unknown
    files: str | Unknown
    images: str | Unknown


def meant_parameter(key: str, spec: ClSpec) -> str:
    """Return the parameter that a word is a typo of, blank if it may be a newer parameter."""
    if key in spec.instead:
        return spec.instead[key]
    if key in spec.parameters:
        return ""
    if spec.complete:
        return nearest(key, spec.parameters)
    if spec.evidence != "document" or len(key) < _LONG:
        return ""
    meant = nearest(key, spec.parameters)
    return meant if meant and distance(key, meant, 1) == 1 else ""


def has_value(bound: BoundCommand, key: str, word: str) -> bool:
    return bool(key) and bound.text(key) == word


def action_of(bound: BoundCommand) -> str:
    """Return the class of a command: MQSC that is only verified is not run."""
    option = bound.text("OPTION")
    if bound.spec.action == "mqsc" and option not in ("", "*RUN"):
        return "verify"
    return bound.spec.action


def options_of(bound: BoundCommand, coverage: ProgramCoverage) -> Iterator[StepOption]:
    """The parameters of a command, and what follows from them."""
    span = bound.leaf.command.span
    for key in bound.values:
        where, value = bound.places[key], bound.text(key)
        if is_secret(key) and isinstance(value, str):
            yield StepOption(key, Secret.of(value), where, where)
            continue
        yield StepOption(key, value, where, where)
        option = bound.spec.same.get(f"{key} {value}") if isinstance(value, str) else None
        if option is not None:
            yield StepOption(option, None, where)
    for key, text in (bound.about.facts if bound.about is not None else {}).items():
        yield StepOption(key, text, span, span)
    refused = next(_refused(bound), None)
    if refused is not None:
        key, argument = refused
        yield StepOption("refused", f"{key}({argument.value})", argument.span, argument.span)
        allowed = ", ".join(_allowed(bound, key))
        yield StepOption("allowed", allowed, span, span)
    lacking = _lacking(bound)
    if lacking:
        yield StepOption("lacks", lacking, span, span)
    for strange, meant in list(bound.strange.items())[:1]:
        yield StepOption("strange", strange, bound.places[strange], bound.places[strange])
        yield StepOption("meant", meant, span, span)
    if bound.spec.name == "ENDMQM" and bound.text("ENDCCTJOB") == "*YES":
        image = bound.text("RCDMQMIMG")
        yield StepOption(
            "images", image if isinstance(image, Unknown) else _yes(image != "*NO"), span, span
        )
    if bound.spec.action == "image":
        yield StepOption("all", coverage.images, span, span)
    if bound.spec.action == "copy":
        yield StepOption("journals", coverage.journals, span, span)
        yield StepOption("files", coverage.files, span, span)


def _refused(bound: BoundCommand) -> Iterator[tuple[str, ClValue]]:
    """Yield the values that parameters do not take, with the parameter."""
    for key, found in bound.values.items():
        if isinstance(found, Unknown):
            continue
        for value in found:
            if isinstance(value.value, str) and (
                value.value in _ruled_out(bound, key) or not bound.spec.accepts(key, value.value)
            ):
                yield key, value


def _ruled_out(bound: BoundCommand, key: str) -> Collection[str]:
    """The values of a parameter that the value of another one rules out."""
    for condition, values in bound.spec.refuses.items():
        other, value, parameter = condition.split()
        if parameter == key and bound.text(other) == value:
            return values
    return ()


def _allowed(bound: BoundCommand, key: str) -> Iterator[str]:
    ruled_out = _ruled_out(bound, key)
    return (value for value in bound.spec.takes[key] if value not in ruled_out)


def _lacking(bound: BoundCommand) -> str:
    """The first parameter that the command needs and that is not written, blank for none."""
    spec = bound.spec
    if not bound.values or bound.strange or bound.leaf.command.prompted:
        return ""
    needed = [*spec.requires]
    for condition, others in spec.after.items():
        key, _, value = condition.partition(" ")
        needed += others if bound.text(key) == value else ()
    return next((key for key in needed if key not in bound.values), "")


def _yes(true: bool) -> str:
    return "true" if true else "false"


_HOLE = later(r"\{(\?|[A-Z0-9]+)\}")
_BLANKS = frozenset({"*NONE", "*BLANK"})
"""Special values that set an attribute to blank."""
_KEYWORD = later(r"\*[A-Z0-9_]+")
_KEPT = "*SAME"
"""The special value that leaves an attribute as it is."""
_DEFAULT = "*SYSDFT"
"""How the special values begin that take an attribute from the default object."""


def as_mqsc(bound: BoundCommand) -> MappedText | None:
    """Return the MQSC that does the same, None if a value is missing or ends a string.

    An unknown LIKE makes attributes unknown if some parameters are not in the MQSC, or if one that
    is required is missing, which is a fault of the command of CL.
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
    is_definition = bound.spec.mqsc.startswith("DEFINE ")
    is_open = _lacking(bound) or not _says_all(bound, attributes)
    if is_definition and bound.spec.attributes and is_open:
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
            for name, is_special in (key, False), (f"{key} *", True):
                if words is None and name in attributes:
                    value = _value(bound, key, is_special)
                    words = value and f"{attributes[name]}({value})"
            if words:
                yield key, words


def _value(bound: BoundCommand, key: str, is_special: bool) -> str | None:
    """The values of a parameter in MQSC; None for refused, unknown and other values.

    Values are special if they begin with an asterisk, which MQSC does not have.
    """
    found = bound.values[key]
    texts = [] if isinstance(found, Unknown) else [value.value for value in found]
    if is_special:
        return _special(bound, key, texts)
    if len(texts) == 1 and texts[0] in _BLANKS:
        return "' '"
    items = []
    for text in texts:
        if isinstance(text, Unknown) or text[:1] in ("", "*") or "'" in text or "\n" in text:
            return None
        if not bound.spec.accepts(key, text):
            return None
        items.append(text if is_digits(text) else f"'{text}'")
    return ",".join(items) or None


def _special(bound: BoundCommand, key: str, texts: Sequence[str | Unknown]) -> str | None:
    """The special values of a parameter as keywords of MQSC."""
    items = []
    for text in texts:
        if not isinstance(text, str) or not _KEYWORD.fullmatch(text) or text == _KEPT:
            return None
        if text.startswith(_DEFAULT) or not bound.spec.accepts(key, text):
            return None
        items.append(text[1:])
    return ",".join(items) or None
