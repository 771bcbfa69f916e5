"""One option of a control command: a typo, an unknown one, or a wrong value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic
from mqlint.language.mqsc.value import Secret
from mqlint.language.text.templates import is_known
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance

if TYPE_CHECKING:
    from mqlint.language.script.step import StepOption

_ALIKE = str.maketrans("10", "lo")
_LONG_OPTION = 5
"""How many characters an option must have for another to be a typo of it."""
_LONGEST_OPTION = 20
"""How many characters an option has at most, its hyphen too."""
HELP = frozenset({"?", "h", "help", "-help", "version", "-version"})
"""What people write to see how a command is called."""


def option_fault(option: StepOption, spec: ControlSpec, cased: bool) -> Diagnostic | None:
    """Return the fault of an option: a typo of a known one, or a value that it cannot have.

    `cased` is true if capitals make another option.
    """
    return _value_fault(option, spec) if option.known else _unknown(option, spec, cased)


def _unknown(option: StepOption, spec: ControlSpec, cased: bool) -> Diagnostic | None:
    meant = meant_option(option.name, spec, cased)
    data = {"option": f"-{option.name[:40]}", "command": spec.name}
    if not meant and spec.evidence == "recall":  # there may be options that are not known
        return None
    if meant in spec.flags and spec.action == "authorise":
        return None  # an authority to remove, which is judged as in SET AUTHREC
    if meant:
        return Diagnostic("control-option", *option.span, {**data, "meant": f"-{meant}"})
    if not cased and option.name.lower() in spec.values | spec.flags:
        return None
    if option.name in HELP or not is_known(option.name) or not spec.values | spec.flags:
        return None
    if _are_joined(option.name, spec):
        return None
    return Diagnostic("control-option-unknown", *option.span, data)


def _value_fault(option: StepOption, spec: ControlSpec) -> Diagnostic | None:
    data = {"option": f"-{option.name}", "command": spec.name}
    place, value = option.value_span or option.span, option.value
    lacks = lacks_value(option, spec)
    if lacks:
        data |= {"value": lacks, "expected": "a value"}
        return Diagnostic("control-value", *option.span, data)
    if isinstance(value, Secret) and option.name in spec.secret and not value.encoded:
        return Diagnostic("control-password", *place, data)
    if not isinstance(value, str):
        return None
    expected = _expected(option.name, value, spec)
    if expected is None:
        return None
    data |= {"value": value[:80], "expected": expected}
    return Diagnostic("control-value", *place, data)


def _expected(name: str, value: str, spec: ControlSpec) -> str | None:
    """What an option takes, if that is not `value`."""
    if name in spec.inserts and "=" not in value:
        return "NAME=VALUE"
    domain = spec.takes.get(name)
    return None if domain is None or domain.accepts(value) else domain.expected(value)


def _are_joined(name: str, spec: ControlSpec) -> bool:
    """Whether a word has the letters of several options, the last with its value (`-ir`, `-wt 9`).

    No page says whether the commands accept that.
    """
    return spec.flags.issuperset(name[:-1]) and name[-1] in spec.flags | spec.values


def lacks_value(option: StepOption, spec: ControlSpec) -> str:
    """What follows an option that must have a value: an option, or nothing; blank for a value.

    The command takes the next word for the value, whatever it is.
    """
    if option.name not in spec.values or option.name in spec.flags:
        return ""
    if option.value is None and option.value_span is None:
        return "" if spec.evidence == "recall" else "the end of the command"
    value = option.value
    if not isinstance(value, str) or not value.startswith("-") or len(value) > _LONGEST_OPTION:
        return ""
    return value if value[1:] in spec.flags | spec.values else ""


def meant_option(name: str, spec: ControlSpec, cased: bool) -> str:
    """The option that is meant: with letters for digits that look alike, without capitals.

    An option that is a word may also have a typing error. Options that are only recalled are not
    all known, so that one in capitals may be another.
    """
    options = spec.flags | spec.values
    others = [name.translate(_ALIKE), *([name.lower()] if cased else [])]
    meant = next((other for other in others if other != name and other in options), "")
    if meant and spec.evidence != "recall":
        return meant
    if not is_known(name) or len(name) < _LONG_OPTION:
        return ""
    long = (option for option in sorted(options) if len(option) >= _LONG_OPTION)
    return next((option for option in long if distance(name, option, 1) <= 1), "")
