"""Parameters: values of a policy that a user may set in `mqlint.yaml` without copying it.

A policy declares them under `parameters` and uses one as `{param: NAME}` in the place of an
operand. In compiled form the use remains until `settled` puts the value in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

from mqlint.config.settings import parse_level
from mqlint.dataclass import frozen
from mqlint.policy.compile.pattern import PatternError, compile_pattern

if TYPE_CHECKING:
    from mqlint.config.node import Plain

TYPES: Mapping[str, str] = {
    "integer": "a whole number",
    "boolean": "true or false",
    "text": "text (a number in quotes)",
    "texts": "a list of texts, not empty",
    "regex": "a regular expression without back-references and look-around",
    "networks": "a list of networks such as 10.20.0.0/16, not empty",
    "release": "a release such as 9.4.0, 9.4 or a command level such as 940",
}
"""The types of parameters, with the test of their values."""


@frozen
class Parameter:
    """One parameter of a policy: `value` is what holds, `says` what it is for."""

    name: str
    type: str
    default: Plain
    value: Plain
    says: str

    @property
    def is_set(self) -> bool:
        """Whether the configuration sets another value than the policy's own."""
        return self.value != self.default


def fault(type_word: str, value: Plain) -> str | None:
    """Return what is wrong with a value for a parameter of a type; None when nothing is."""
    try:
        right = _FITS[type_word](value)
    except PatternError as error:
        return f"not a pattern mqlint can match: {error}"
    except ValueError as error:
        return str(error)
    return None if right else f"expected {TYPES[type_word]}"


def _are_texts(value: Plain, fits: Callable[[str], object]) -> bool:
    """Whether a value is a list of texts, not empty, and each fits."""
    texts = value if isinstance(value, list) else []
    return bool(texts) and all(isinstance(text, str) and fits(text) for text in texts)


_FITS: Mapping[str, Callable[[Plain], bool]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "texts": lambda value: _are_texts(value, lambda text: True),
    "regex": lambda value: isinstance(value, str) and compile_pattern(value) is not None,
    "networks": lambda value: _are_texts(value, ip_network),
    "release": lambda value: parse_level(str(value)) is not None,
}


def parameters_of(compiled: Mapping[str, Any]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name,
            declared["type"],
            declared["default"],
            declared.get("value", declared["default"]),
            declared["says"],
        )
        for name, declared in compiled.get("parameters", {}).items()
    )


def with_values(compiled: Mapping[str, Any], values: Mapping[str, Plain]) -> dict[str, Any]:
    """Return a policy in compiled form whose parameters have the `values`, which must fit."""
    changed = {
        name: {**compiled["parameters"][name], "value": value} for name, value in values.items()
    }
    return {**compiled, "parameters": {**compiled["parameters"], **changed}}


def settled(compiled: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a policy in compiled form with values instead of its parameters."""
    if "parameters" not in compiled:
        return compiled
    values = {parameter.name: parameter.value for parameter in parameters_of(compiled)}
    message = compiled["message"]
    for name, value in values.items():
        message = message.replace(f"{{param.{name}}}", shown(value))
    filled = {key: _filled(compiled[key], values) for key in ("match", "unless", "check")}
    return {**compiled, **filled, "message": message}


def shown(value: Plain) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(shown, value)) if isinstance(value, list) else str(value)


def _filled(part: Any, values: Mapping[str, Plain]) -> Any:  # noqa: ANN401 plain JSON of any form
    if isinstance(part, Mapping):
        if part.keys() == {"param"}:
            return values[part["param"]]
        return {key: _filled(value, values) for key, value in part.items()}
    return [_filled(value, values) for value in part] if isinstance(part, list) else part
