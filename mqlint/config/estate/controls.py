"""Controls of a standard and the rules that help to show them, as an organisation maps them.

mqlint comes with no mapping: which rule bears out the text of which control is for the organisation
and its auditor to say.
"""

from __future__ import annotations

from collections.abc import Callable

from mqlint.config.node import Node
from mqlint.dataclass import frozen

KEYS = ("framework", "controls")
"""The keys of a mapping of controls."""


@frozen
class Control:
    """A control of a framework, and the ids of its rules."""

    framework: str
    id: str
    title: str
    rules: tuple[str, ...]


def controls_from(root: Node, rule_of: Callable[[Node], str]) -> tuple[Control, ...]:
    """Return the controls that a YAML value describes; ConfigError at the first fault.

    `rule_of` returns the id of the rule that is named, or raises ConfigError.
    """
    root.keys_allowed(KEYS)
    framework = root.require("framework").text()
    return tuple(
        _control(framework, name, node, rule_of)
        for name, node in root.require("controls").mapping().items()
    )


def _control(framework: str, name: str, node: Node, rule_of: Callable[[Node], str]) -> Control:
    node.keys_allowed(("title", "rules"))
    title, rules = node.get("title"), node.require("rules").sequence()
    if not rules:
        raise node.key_error(f"the control {name!r} has no rules")
    ids = tuple(dict.fromkeys(map(rule_of, rules)))
    return Control(framework, name, "" if title is None else title.text(), ids)
