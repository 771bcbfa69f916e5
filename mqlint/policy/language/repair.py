"""The key `repair:` of a policy: the edit that removes its finding, as data."""

from __future__ import annotations

import re
from collections.abc import Callable

from mqlint.config.forms import FLAG, TEXT, Form, Key, mapping, names, words
from mqlint.config.node import Node, Plain
from mqlint.patterns import later
from mqlint.policy.compile.pattern import PatternError, compile_pattern
from mqlint.policy.language.forms import SCALAR

REMOVED = ("equal-command", "equal-attribute")
STRETCHES = ("text", "line", "previous")
"""Edits that replace a match of a pattern, named after the text that they search."""

_REPLACED = Form(
    "`{PATTERN: TEXT}`",
    {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": TEXT.schema,
    },
)
_VALUES = Form(
    "`{ATTRIBUTE: VALUE, ...}`",
    {"type": "object", "minProperties": 1, "additionalProperties": SCALAR.schema},
)

EDITS = (
    Key(
        "word",
        TEXT,
        "Replaces the word at the finding by the last word of this field of the diagnostic.",
    ),
    Key(
        "text",
        _REPLACED,
        "Replaces the first match of the pattern between the finding and the end of its line; "
        "`{1}` is the first group.",
    ),
    Key(
        "line",
        _REPLACED,
        "The same for the whole line of the finding. If the line becomes empty, it is removed.",
    ),
    Key(
        "previous",
        _REPLACED,
        "The same for the last line before the finding that is neither blank nor a comment.",
    ),
    Key("set", _VALUES, "Sets these attributes in the command at the finding."),
    Key(
        "remove",
        words(*REMOVED),
        "Removes the command or attribute at the finding if an equal one comes before it.",
    ),
    Key("end", TEXT, "Adds this command at the end of the file."),
)
_EVERYWHERE = "everywhere"
REPAIR = mapping(
    Key("safe", FLAG, "Whether the effect of the script stays the same. Default: false."),
    Key(
        _EVERYWHERE,
        FLAG,
        "Whether `text` also replaces the equal values of the attribute in the other commands of "
        "the file. Default: false.",
    ),
    *EDITS,
    some=True,
)
REPAIR.schema["oneOf"] = [{"required": [name]} for name in names(EDITS)]

_GROUP = later(r"\{(\d)\}")


def repair_of(node: Node, kind: str, key: Callable[[Node, str], None] | None) -> dict[str, Plain]:
    """Return the compiled form of a repair; ConfigError if it is not one.

    `kind` is that of the check. `key` refuses attributes that objects of the policy do not have,
    None if it has no objects.
    """
    values = REPAIR.read(node)
    given = [name for name in names(EDITS) if name in values]
    if len(given) != 1:
        raise node.error(f"a repair has one edit: {', '.join(names(EDITS))}")
    (edit,) = given
    value = node.require(edit)
    compiled: dict[str, Plain] = {"safe": values.get("safe", False), "edit": edit}
    if values.get(_EVERYWHERE):
        if edit != "text":
            raise node.error("everywhere needs the edit text")
        compiled[_EVERYWHERE] = True
    if edit in STRETCHES:
        return {**compiled, **_replaced(value)}
    if edit == "set":
        return {**compiled, "values": _values(value, key)}
    if edit == "word" and kind != "diagnostic":
        raise value.key_error("word needs a check of the kind diagnostic")
    return {**compiled, "what" if edit == "remove" else edit: values[edit]}


def _replaced(node: Node) -> dict[str, Plain]:
    if len(node.mapping()) != 1:
        raise node.error("expected one pattern and its text")
    pattern, text = next(iter(node.mapping().items()))
    try:
        compile_pattern(pattern)
    except PatternError as error:
        raise text.key_error(f"not a pattern that can be used here: {error}") from None
    groups = re.compile(pattern).groups
    for group in _GROUP.findall(text.text()):
        if int(group) > groups:
            raise text.error(f"the pattern has no group {group}")
    return {"pattern": pattern, "becomes": text.text()}


def _values(node: Node, key: Callable[[Node, str], None] | None) -> dict[str, Plain]:
    if key is None:
        raise node.key_error("set needs the object of a match")
    if not node.mapping():
        raise node.error("expected an attribute and its value")
    for word, value in node.mapping().items():
        key(value, word)
    return {word: value.text() for word, value in node.mapping().items()}


def filled(template: str, match: re.Match[str]) -> str:
    return _GROUP.sub(lambda group: match[int(group[1])] or "", template)
