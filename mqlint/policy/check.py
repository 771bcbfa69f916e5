"""Reads one policy file strictly: every key, attribute, operator and placeholder must be known.

What comes out is plain JSON (see `mqlint.policy.build`), so that it can be kept in a cache and
sent to other machines; positions matter only here, for messages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from mqlint.config.errors import not_among
from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from mqlint.policy.check_conditions import Conditions
from mqlint.policy.check_kinds import CHECKS, KINDS, words_of_kind
from mqlint.policy.message import placeholders
from mqlint.policy.words import CONFIDENCES, EVIDENCES, HEADER, PROFILES, REQUIRED, SEVERITIES
from mqlint.vocabulary import Vocabulary

_ID = re.compile(r"[A-Z]{2,4}\d{3}\Z")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_DERIVED_HEADS = ("others", "related")


def check_policy(text: str, path: str, group: str, vocabulary: Vocabulary) -> dict[str, Plain]:
    """Return the compiled form of the policy in `text`, without its cases.

    `group` is the theme, `path` is for messages. Raises ConfigError at the first thing that is
    wrong.
    """
    root = read_yaml(text, path)
    root.keys_allowed(HEADER)
    for key in REQUIRED:
        root.require(key)
    if not root.require("cases").sequence():
        raise root.require("cases").error("a policy needs cases: one flagged, one clean")
    return {**_header(root, group), **_judging(root, vocabulary)}


def _judging(root: Node, vocabulary: Vocabulary) -> dict[str, Plain]:
    """What the policy is about, and its check."""
    check = root.require("check")
    check.keys_allowed(KINDS)
    if len(check.mapping()) != 1:
        raise check.error(f"a policy has one check, of one kind: {', '.join(KINDS)}")
    kind, body = next(iter(check.mapping().items()))
    if kind == "diagnostic":
        return {"kind": kind, "check": body.string()}
    match, unless = root.require("match"), root.get("unless")
    about = Conditions(vocabulary, "").of(match)
    condition = about.condition(match, skip=("object",))
    exempt = about.condition(unless) if unless is not None else None
    compiled = CHECKS[kind](body, about)
    _placeholders(root.require("message"), about, words_of_kind(kind, compiled), kind)
    return {
        "kind": kind,
        "object": about.object,
        "match": condition,
        "unless": exempt,
        "check": compiled,
    }


def _header(root: Node, group: str) -> dict[str, Plain]:
    header: dict[str, Plain] = {"group": group}
    for key in ("summary", "why", "fix", "message"):
        header[key] = " ".join(root.require(key).string().split())
    header["id"] = _formed(root.require("id"), _ID, "letters and three digits: DR001")
    header["name"] = _formed(root.require("name"), _NAME, "words joined by hyphens")
    header["confidence"] = root.require("confidence").one_of(CONFIDENCES)
    evidence = root.get("evidence")
    header["evidence"] = "document" if evidence is None else evidence.one_of(EVIDENCES)
    header["severity"] = _severity(root.require("severity"))
    for key in ("see", "messages", "covers", "aliases"):
        node = root.get(key)
        header[key] = [] if node is None else list(node.strings())
    ignorable = root.get("ignorable")
    header["ignorable"] = True if ignorable is None else ignorable.boolean()
    _recall_is_weak(header, root.require("severity"))
    return header


def _recall_is_weak(header: Mapping[str, Plain], severity: Node) -> None:
    """What is only recalled is at most a warning of medium confidence."""
    if header["evidence"] != "recall":
        return
    severities = cast("dict[str, Plain]", header["severity"])
    if header["confidence"] == "high" or "error" in severities.values():
        raise severity.error("evidence: recall allows at most a warning of medium confidence")


def _severity(node: Node) -> dict[str, Plain]:
    node.keys_allowed(PROFILES)
    if not node.mapping():
        raise node.error("a rule must run in at least one profile")
    return {profile: word.one_of(SEVERITIES) for profile, word in node.mapping().items()}


def _formed(node: Node, form: re.Pattern[str], wanted: str) -> str:
    if form.match(node.string()) is None:
        raise node.error(f"expected {wanted}")
    return node.string()


def _placeholders(message: Node, about: Conditions, derived: tuple[str, ...], kind: str) -> None:
    """Each placeholder must be a key of the fact, or a word that the kind fills in."""
    for word in placeholders(message.string()):
        if word.split(".")[0] not in _DERIVED_HEADS and word != "size":
            about.key(message, word)
        elif word not in derived:
            wanted = not_among(word, derived) if derived else f"{kind} compare with nothing"
            raise message.error(f"{{{word}}} stands for nothing: {wanted}")
