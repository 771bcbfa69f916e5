"""Write a convention as a policy: YAML with cases."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mqlint.config.errors import shortened
from mqlint.config.node import Plain
from mqlint.config.settings_text import flow, printable
from mqlint.engine.learn import QUEUE_MANAGER, ComparedGroup, Convention
from mqlint.model.change.mqsc import quoted
from mqlint.model.core.queue_manager import MQObject

_LISTED = 20
"""Limit of the deviating objects that a policy lists."""
_SUMMARY = 70
_FILE = f"{QUEUE_MANAGER}/q.mqsc"


def label(group: ComparedGroup) -> str:
    kind = "queue manager" if group.type == "qmgr" else group.type.upper()
    if group.part is not None:
        kind = f"{kind} {group.part[0]}({group.part[1]})"
    return f"{kind} at {group.role} sites" if group.role else kind


def deviation(found: MQObject, key: str) -> str:
    """Return an object with its place, and with its value of `key`, for a person to read."""
    where = found.where(None if key == "name" else key)
    value = found.value(key) if key != "name" else None
    has = f": {key}({value.strip()})" if isinstance(value, str) else ""
    manager = "" if found.manager.key.anonymous else f"{found.manager.key.name} "
    return f"{manager}{found.name} ({where.line_text}){has}"


def policy_of(convention: Convention, rule: str) -> str:
    return "\n".join(_lines(convention, rule)) + "\n"


def _lines(convention: Convention, rule: str) -> Iterator[str]:
    group, key = convention.group, convention.key
    sure = f"{convention.followed:,} of {convention.number:,}, certainty {convention.certainty:.2f}"
    yield f"# Found in your files: {sure}."
    for found in convention.deviants[:_LISTED]:
        yield f"# deviates: {printable(deviation(found, key))}"
    if len(convention.deviants) > _LISTED:
        yield f"# and {len(convention.deviants) - _LISTED:,} more"
    yield f"id: {rule}"
    words = (group.type, *(group.part or ())[1:], group.role, key)
    yield f"name: {'-'.join(_word(word) for word in words if word)}"
    summary = printable(f"{label(group)}: {key} differs from other objects")
    yield f"summary: {flow(shortened(summary, _SUMMARY))}"
    yield "severity: {default: note}"
    yield "confidence: medium"
    yield "why: |"
    yield "  The object differs from nearly all others of its kind. If the difference is not"
    yield "  intended, the object does not do what its owner expects."
    yield "fix: |"
    yield "  If the difference is intended, suppress this finding with the reason. If not, set the"
    yield "  value that the other objects have."
    yield f"match: {flow(group.match)}"
    yield f"check: {flow({'attributes': {key: convention.test}})}"
    has = "the name {name} breaks" if key == "name" else f"{{name}} has {key}({{{key}}}), against"
    description = convention.description.replace("{", "").replace("}", "")
    yield f"message: {flow(f'{has} the convention: {description}')}"
    yield "cases:"
    for name, value, flagged in (
        ("like the others", convention.example, False),
        ("different", convention.other, True),
        ("a template sets the value", None, False),
    ):
        text = _define(convention, value)
        config: dict[str, Plain] = {"queue_managers": "{queue_manager}/*"}
        if group.role:
            config["sites"] = {"one": {"role": group.role, "paths": ["**"]}}
        yield f"  - name: {name}"
        yield f"    files: {{{_FILE}: {json.dumps(text)}}}"
        yield f"    config: {flow(config)}"
        yield f"    flagged: {flow([f'{_FILE}:1'] if flagged else [])}"


def _define(convention: Convention, value: str | None) -> str:
    """Return a command that defines an object with a value, or with a template for None."""
    group, key = convention.group, convention.key
    written = "{{ value }}" if value is None else quoted(value)
    name = written if key == "name" else quoted("APP.A")
    words = ["ALTER QMGR" if group.type == "qmgr" else f"DEFINE {group.type.upper()}({name})"]
    if group.part is not None:
        words.append(f"{group.part[0]}({group.part[1]})")
    if key != "name":
        words.append(f"{key}({written})")
    return " ".join(words) + "\n"


def _word(text: str) -> str:
    """Return a text as a word of a policy name: lower-case letters and digits."""
    return "".join(sign for sign in text.lower() if sign.isascii() and sign.isalnum()) or "x"
