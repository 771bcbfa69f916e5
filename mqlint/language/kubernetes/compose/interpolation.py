"""Variables in files of Compose, with the values of `.env` or of a file for each site.

Source: "Interpolation" in the reference of Compose files, and "Set, use, and manage variables in a
Compose file": `.env` beside the file, or the file of `--env-file`, gives the values. The shell may
override them, so they are the intended ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mqlint.language.kubernetes.merge import changed, scalar
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_VARIABLE = later(
    r"\$(?:(?P<sign>\$)|(?P<plain>[A-Za-z_]\w{0,100})"
    r"|\{(?P<name>[A-Za-z_]\w{0,100})(?:(?P<blank>:?)(?:-(?P<default>[^${}\n]*)|\?[^{}\n]*))?\})"
)


def variables_of_compose(text: str) -> set[str]:
    found = (each["plain"] or each["name"] for each in _VARIABLE.finditer(text))
    return {name for name in found if name}


def interpolated(node: Node, values: Mapping[str, str], budget: Budget) -> Node:
    """Return a tree with the values of variables; a text with another one stays as it is."""
    if node.kind == "scalar":
        text = _replaced(node.text, values, budget) if "$" in node.text else None
        return node if text is None else scalar(text, node.span)
    pairs = [(name, span, interpolated(value, values, budget)) for name, span, value in node.pairs]
    items = [interpolated(item, values, budget) for item in node.items]
    old = [*(value for _, _, value in node.pairs), *node.items]
    new = [*(value for _, _, value in pairs), *items]
    is_same = all(before is after for before, after in zip(old, new, strict=True))
    return node if is_same else changed(node, pairs=pairs, items=items)


def _replaced(text: str, values: Mapping[str, str], budget: Budget) -> str | None:
    found = [*_VARIABLE.finditer(text)]
    if not found or "$" in _VARIABLE.sub("", text):
        return None
    texts = [_value(each, values) for each in found]
    if None in texts or not budget.spend(sum(len(value or "") for value in texts)):
        return None
    given = iter(texts)
    return _VARIABLE.sub(lambda _: next(given) or "", text)


def _value(found: re.Match[str], values: Mapping[str, str]) -> str | None:
    if found["sign"]:
        return "$"
    value = values.get(found["plain"] or found["name"])
    return found["default"] if value is None or (found["blank"] and not value) else value
