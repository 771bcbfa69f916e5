"""Reads one policy file strictly: every key, attribute, operator and placeholder must be known.

What comes out is plain JSON (see `mqlint.policy.compile.build`), so that it can be kept in a cache
and sent to other machines; positions matter only here, for messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.forms import names, read_keys, required
from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_kind
from mqlint.policy.language.conditions import Conditions
from mqlint.policy.language.kinds import CHECKS, placeholders_of
from mqlint.policy.language.parameters import fault
from mqlint.policy.language.repair import repair_of
from mqlint.policy.language.table import (
    HEADER,
    KINDS,
    PARAMETER,
    PARAMETER_NAME,
)
from mqlint.policy.run.message import placeholders
from mqlint.vocabulary import Vocabulary

_PLAIN = (
    *("id", "name", "summary", "severity", "confidence", "evidence", "why", "fix", "more", "see"),
    *("messages", "covers", "aliases", "habit", "ignorable", "message", "yields"),
)
"""Keys that are compiled without knowing the facts."""
_DERIVED_HEADS = ("others", "related", "param", "reach")


def check_policy(text: str, path: str, group: str, vocabulary: Vocabulary) -> dict[str, Plain]:
    """Return the compiled form of the policy in `text`, without its cases.

    `group` is the theme, `path` is for messages. Raises ConfigError at the first thing that is
    wrong.
    """
    root = read_kind(text, path, required(HEADER))
    root.keys_allowed(names(HEADER))
    root.require_all(required(HEADER))
    if not root.require("cases").sequence():
        raise root.require("cases").error("a policy needs cases: one flagged, one clean")
    return {**_header(root, group), **_judging(root, vocabulary), **_repair(root, vocabulary)}


def _repair(root: Node, vocabulary: Vocabulary) -> dict[str, Plain]:
    """The edit that removes a finding; a case must show what it makes of a file."""
    repair = root.get("repair")
    cases = [case for case in root.require("cases").sequence() if case.kind == "mapping"]
    shown = [case for case in cases if case.get("fixed") is not None]
    if repair is None:
        if shown:
            raise shown[0].require("fixed").key_error("fixed is for a policy with a repair")
        return {"repair": None}
    if cases and not shown:
        raise repair.key_error("a repair needs a case with the files as they are fixed")
    kind = next(iter(root.require("check").mapping()))
    match = root.get("match")
    key = None if match is None else Conditions(vocabulary, "", {}).of(match).key
    return {"repair": repair_of(repair, kind, key)}


def _judging(root: Node, vocabulary: Vocabulary) -> dict[str, Plain]:
    """The facts that the policy is about, and its check."""
    check = root.require("check")
    check.keys_allowed(KINDS)
    if len(check.mapping()) != 1:
        raise check.error(f"a policy has one check, of one kind: {', '.join(KINDS)}")
    kind, body = next(iter(check.mapping().items()))
    if kind == "diagnostic":
        return {"kind": kind, "check": body.string()}
    match, unless = root.require("match"), root.get("unless")
    parameters = _parameters(root)
    types = {
        name: cast("dict[str, str]", parameter)["type"] for name, parameter in parameters.items()
    }
    about = Conditions(vocabulary, "", types).of(match)
    condition = about.condition(match, skip=("object",))
    exempt = about.condition(unless) if unless is not None else None
    compiled = CHECKS[kind](body, about)
    _require_used(root)
    words = (*placeholders_of(kind, compiled), *(f"param.{name}" for name in parameters))
    _placeholders(root.require("message"), about, words, kind)
    return {
        "kind": kind,
        "object": about.object,
        "match": condition,
        "unless": exempt,
        "check": compiled,
        **({"parameters": parameters} if parameters else {}),
    }


def _parameters(root: Node) -> dict[str, Plain]:
    declared = root.get("parameters")
    if declared is None:
        return {}
    parameters: dict[str, Plain] = {}
    for name, node in declared.mapping().items():
        if PARAMETER_NAME.match(name) is None:
            raise node.key_error("expected lower-case words joined by underscores")
        parameter: dict[str, Plain] = PARAMETER.read(node)
        wrong = fault(str(parameter["type"]), parameter["default"])
        if wrong is not None:
            raise node.require("default").error(wrong)
        says = " ".join(str(parameter["says"]).split())
        parameters[name] = {**parameter, "says": says}
    return parameters


def _require_used(root: Node) -> None:
    """Refuse a parameter that no condition uses: setting it would have no effect."""
    nodes = [root.get(key) for key in ("match", "check", "unless")]
    used = {name for node in nodes if node is not None for name in _used(node)}
    for name, node in root.section("parameters").items():
        if name not in used:
            raise node.key_error(f"the parameter {name!r} is used nowhere: {{param: {name}}}")


def _used(node: Node) -> Iterator[str]:
    """The names of the parameters that a part of a policy uses."""
    if node.kind == "sequence":
        for item in node.sequence():
            yield from _used(item)
    elif node.kind == "mapping":
        for key, value in node.mapping().items():
            if key == "param" and value.kind in ("plain", "quoted"):
                yield value.raw
            yield from _used(value)


def _header(root: Node, group: str) -> dict[str, Plain]:
    values = read_keys(root, (key for key in HEADER if key.name in _PLAIN))
    if not values["severity"]:
        raise root.require("severity").error("a rule must run in at least one profile")
    prose = {key: " ".join(values[key].split()) for key in ("summary", "why", "message")}
    lists: dict[str, Plain] = {
        key: [*values.get(key, ())] for key in ("see", "messages", "covers", "aliases")
    }
    header: dict[str, Plain] = {
        "group": group,
        "evidence": "",
        "habit": False,
        "yields": None,
        "ignorable": True,
        **values,
        **prose,
        **lists,
        "fix": _flowing(values["fix"]),
        "more": _flowing(values.get("more", "")),
    }
    _recall_is_weak(header, root.require("severity"))
    return header


def _flowing(text: str) -> str:
    """Prose with each paragraph on one line; blank lines part them, indented lines stay."""
    lines: list[str] = []
    prose: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip() and not line.startswith(" "):
            prose += line.split()
            continue
        if prose:
            lines.append(" ".join(prose))
            prose = []
        lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")


def _recall_is_weak(header: Mapping[str, Plain], severity: Node) -> None:
    """A policy whose source is only recalled is at most a warning of medium confidence."""
    if header["evidence"] != "recall":
        return
    severities = cast("dict[str, Plain]", header["severity"])
    if header["confidence"] == "high" or "error" in severities.values():
        raise severity.error("evidence: recall allows at most a warning of medium confidence")


def _placeholders(message: Node, about: Conditions, derived: tuple[str, ...], kind: str) -> None:
    """Each placeholder must be a key of the fact, or a word that the kind fills in."""
    for word in placeholders(message.string()):
        if word.split(".")[0] not in _DERIVED_HEADS and word != "size":
            about.key(message, word)
        elif word not in derived:
            wanted = not_among(word, derived) if derived else f"{kind} compare with nothing"
            raise message.error(f"{{{word}}} is not known here: {wanted}")
