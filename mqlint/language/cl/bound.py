"""A command of CL with the values of its parameters, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Never

from mqlint.dataclass import frozen, mutable
from mqlint.language.cl.command import ClValue
from mqlint.language.cl.flow import Leaf, is_secret
from mqlint.language.cl.objects import About
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import (
    StepOption,
)
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
        key, given = refused
        yield StepOption("refused", f"{key}({given.value})", given.span, given.span)
        yield StepOption("allowed", ", ".join(bound.spec.takes[key]), span, span)
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


def _refused(bound: BoundCommand) -> Iterator[tuple[str, ClValue]]:
    """Yield the values that parameters do not take, with the parameter."""
    for key, found in bound.values.items():
        if isinstance(found, Unknown):
            continue
        for value in found:
            if isinstance(value.value, str) and not bound.spec.accepts(key, value.value):
                yield key, value


def _lacking(bound: BoundCommand) -> str:
    """The first parameter that the command needs and that is not written, blank for none."""
    spec = bound.spec
    if not bound.values or bound.strange or bound.leaf.command.prompted:
        return ""
    needed = [*spec.requires]
    for given, others in spec.after.items():
        key, _, value = given.partition(" ")
        needed += others if bound.text(key) == value else ()
    return next((key for key in needed if key not in bound.values), "")


def _yes(true: bool) -> str:
    return "true" if true else "false"
