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
from mqlint.policy.condition import COMBINING, FACT_OPERATORS, OPERATORS, PolicyError
from mqlint.policy.kinds.grouped import GROUPS, SCOPES
from mqlint.policy.message import placeholders
from mqlint.policy.pattern import PatternError, compile_pattern
from mqlint.policy.reading import DERIVED, SUFFIXES
from mqlint.vocabulary import Vocabulary

HEADER = (
    "id name summary severity confidence evidence why fix see messages covers aliases ignorable "
    "match check unless message cases"
).split()
REQUIRED = "id name summary severity confidence why fix check message cases".split()
PROFILES = (
    "default production dr-test new-queue-manager cluster-review migration audit legacy".split()
)
KINDS = ("attributes", "related", "grouped", "diagnostic")
OBJECTS = (
    "qmgr queue qlocal qalias qremote qmodel channel namelist process topic sub listener service "
    "authinfo comminfo chlauth authrec policy stgclass cfstruct psid buffpool cluster "
    "stanza step document"
).split()

_ID = re.compile(r"[A-Z]{2,4}\d{3}\Z")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_DERIVED_HEADS = ("others", "related")
DERIVED_WORDS = {
    "attributes": (),
    "related": ("related.name", "related.site", "related.queue_manager"),
    "grouped": (
        "size",
        *("others.site", "others.queue_manager", "others.name"),
        *("others.value", "others.path", "others.group"),
    ),
}
"""What a message may say beyond the fact itself, by kind."""


def check_policy(text: str, path: str, group: str, vocabulary: Vocabulary) -> dict[str, Plain]:
    """Return the compiled form of the policy in `text`, without its cases.

    `group` is the theme, `path` is for messages. Raises ConfigError at the first thing that is
    wrong.
    """
    return _Checker(read_yaml(text, path), group, vocabulary).policy()


class _Checker:
    """Checks one policy file."""

    def __init__(self, root: Node, group: str, vocabulary: Vocabulary) -> None:
        self.root = root
        self.group = group
        self.vocabulary = vocabulary
        self.object = ""
        self.related: list[str] = []

    def policy(self) -> dict[str, Plain]:
        """Return the compiled policy."""
        root = self.root
        root.keys_allowed(HEADER)
        for key in REQUIRED:
            root.require(key)
        if not root.require("cases").sequence():
            raise root.require("cases").error("a policy needs cases: one flagged, one clean")
        compiled = self._header()
        check = root.require("check")
        check.keys_allowed(KINDS)
        if len(check.mapping()) != 1:
            raise check.error(f"a policy has one check, of one kind: {', '.join(KINDS)}")
        kind, body = next(iter(check.mapping().items()))
        compiled["kind"] = kind
        if kind == "diagnostic":
            compiled["check"] = body.string()
            return compiled
        match = root.require("match")
        compiled["object"] = self._object(match)
        compiled["match"] = self._condition(match, skip=("object",))
        unless = root.get("unless")
        compiled["unless"] = self._condition(unless) if unless is not None else None
        checks = {
            "attributes": self._attributes,
            "related": self._related,
            "grouped": self._grouped,
        }
        compiled["check"] = checks[kind](body)
        self._placeholders(root.require("message"), kind)
        return compiled

    def _header(self) -> dict[str, Plain]:
        root = self.root
        header: dict[str, Plain] = {"group": self.group}
        for key in ("summary", "why", "fix", "message"):
            header[key] = " ".join(root.require(key).string().split())
        header["id"] = self._formed(root.require("id"), _ID, "letters and three digits: DR001")
        header["name"] = self._formed(root.require("name"), _NAME, "words joined by hyphens")
        header["confidence"] = root.require("confidence").one_of(("high", "medium", "low"))
        evidence = root.get("evidence")
        header["evidence"] = (
            "document" if evidence is None else evidence.one_of(("product", "document", "recall"))
        )
        header["severity"] = self._severity(root.require("severity"))
        for key in ("see", "messages", "covers", "aliases"):
            node = root.get(key)
            header[key] = [] if node is None else list(node.strings())
        ignorable = root.get("ignorable")
        header["ignorable"] = True if ignorable is None else ignorable.boolean()
        self._recall_is_weak(header)
        return header

    def _recall_is_weak(self, header: Mapping[str, Plain]) -> None:
        """What is only recalled is at most a warning of medium confidence."""
        if header["evidence"] != "recall":
            return
        severities = cast("dict[str, Plain]", header["severity"])
        if header["confidence"] == "high" or "error" in severities.values():
            raise self.root.require("severity").error(
                "evidence: recall allows at most a warning of medium confidence"
            )

    def _severity(self, node: Node) -> dict[str, Plain]:
        node.keys_allowed(PROFILES)
        if not node.mapping():
            raise node.error("a rule must run in at least one profile")
        words = ("note", "warning", "error")
        return {profile: word.one_of(words) for profile, word in node.mapping().items()}

    @staticmethod
    def _formed(node: Node, form: re.Pattern[str], wanted: str) -> str:
        if form.match(node.string()) is None:
            raise node.error(f"expected {wanted}")
        return node.string()

    def _object(self, match: Node) -> str:
        self.object = match.require("object").one_of(OBJECTS)
        return self.object

    # -- conditions -------------------------------------------------------------------------

    def _condition(self, node: Node, skip: tuple[str, ...] = ()) -> dict[str, Plain]:
        condition: dict[str, Plain] = {}
        for key, value in node.mapping().items():
            if key in skip:
                continue
            if key == "not":
                condition[key] = self._condition(value)
            elif key in COMBINING:
                condition[key] = [self._condition(one) for one in _some(value)]
            else:
                self._key(value, key)
                condition[key] = self._test(value, top=True)
        if not condition and not skip:
            raise node.error("an empty condition holds for everything: leave it out")
        return condition

    def _key(self, node: Node, key: str) -> None:
        """A key must be derived, or an attribute of the objects the policy is about."""
        word = key.removeprefix("qmgr.")
        of = "qmgr" if word != key else self.object
        for suffix in SUFFIXES:
            word = word.removesuffix(suffix)
        if word in DERIVED or of == "stanza" or (of == "step" and word.startswith("option.")):
            return
        attributes = self._known(of)
        if word not in attributes:
            known = [*DERIVED, *attributes]
            near = not_among(word, known).split(" allowed:")[0]
            message = f"{of} has no attribute {word!r}: {near}".rstrip(": ")
            raise node.error(message) if node.raw == key else node.key_error(message)

    def _known(self, object_type: str) -> frozenset[str]:
        types = ("qlocal", "qalias", "qremote", "qmodel")
        found: set[str] = set()
        for one in types if object_type == "queue" else (object_type,):
            found |= self.vocabulary.attributes_of(one)
        if object_type == "chlauth":
            found.add("ACTION")  # an option, but it decides what becomes of a list
        return frozenset(found)

    def _test(self, node: Node, *, top: bool = False) -> Plain:
        if node.kind == "sequence":
            return [_word(one) for one in _some(node)]
        if node.kind != "mapping":
            return _word(node)
        allowed = (*OPERATORS, *FACT_OPERATORS) if top else tuple(OPERATORS)
        node.keys_allowed(allowed)
        if not node.mapping():
            raise node.error("an empty test holds for everything: leave it out")
        for name in FACT_OPERATORS:
            if name in node.mapping() and len(node.mapping()) > 1:
                raise node.mapping()[name].key_error(f"{name} stands alone: use all of conditions")
        return {name: self._operand(name, value) for name, value in node.mapping().items()}

    def _operand(self, name: str, node: Node) -> Plain:
        if name in ("blank", "known"):
            return node.boolean()
        if name in ("lt", "le", "gt", "ge", "longer_than"):
            return node.integer()
        if name == "same":
            self._key(node, node.string())
            return node.string()
        if name == "matches":
            try:
                compile_pattern(node.string())
            except PatternError as error:
                raise node.error(f"not a pattern mqlint can match: {error}") from None
            return node.string()
        if name in ("not", "is"):
            return self._test(node)
        if name in ("all", "any"):
            return [self._test(one) for one in _some(node)]
        return self._patterns(name, node)

    @staticmethod
    def _patterns(name: str, node: Node) -> Plain:
        """The operand of like and in_network: one text or a list of them."""
        if node.kind == "sequence":
            _some(node)
        try:
            OPERATORS[name](cast("str", node.plain()))
        except (ValueError, PolicyError) as error:
            raise node.error(str(error)) from None
        return node.plain()

    # -- check kinds ------------------------------------------------------------------------

    def _attributes(self, body: Node) -> dict[str, Plain]:
        condition = self._condition(body, skip=("at",))
        first = next((key for key in condition if key not in COMBINING), None)
        return {"required": condition, "at": self._at(body) or first}

    def _at(self, body: Node) -> str | None:
        """The attribute to point at."""
        at = body.get("at")
        if at is None:
            return None
        self._key(at, at.string())
        return at.string()

    def _related(self, body: Node) -> dict[str, Plain]:
        body.keys_allowed(("to", "by", "must", "where", "agree", "differ", "across"))
        by = body.require("by").mapping()
        if not by:
            raise body.require("by").error("expected pairs: their key and this fact's key")
        for mine in by.values():
            self._key(mine, mine.string())
        own = self.object
        to = body.require("to")
        other = self._object(to)
        compiled: dict[str, Plain] = {
            "object": other,
            "to": self._condition(to, skip=("object",)),
            "theirs": list(by),
            "mine": [mine.string() for mine in by.values()],
            "must": body.require("must").one_of(("exist", "not-exist")) == "exist",
        }
        for theirs, mine in by.items():
            self._key(mine, theirs)
        where, across = body.get("where"), body.get("across")
        compiled["where"] = self._condition(where) if where is not None else None
        compiled["across"] = across.boolean() if across is not None else False
        if compiled["across"] and compiled["must"] and list(by) != ["name"]:
            raise body.require("by").error("what must exist somewhere is looked for by its name")
        for key in ("agree", "differ"):
            keys = self._keys(body.get(key))
            compiled[key] = [*keys]
            self.related += [f"related.{one}" for one in keys]
        self.object = own
        for key in ("agree", "differ"):
            self._keys(body.get(key))
        return compiled

    def _keys(self, node: Node | None) -> list[str]:
        """A list of keys of the object that is spoken of."""
        if node is None:
            return []
        for key in _some(node):
            self._key(key, key.string())
        return list(node.strings())

    def _grouped(self, body: Node) -> dict[str, Plain]:
        body.keys_allowed(("by", "within", "between", "distinct", "agree", "size", "at"))
        by = body.require("by")
        keys = _some(by) if by.kind == "sequence" else [by]
        for key in keys:
            self._key(key, key.string())
        within, between = body.get("within"), body.get("between")
        group = "queue_manager" if between is None else between.one_of(tuple(GROUPS))
        compiled: dict[str, Plain] = {
            "by": [key.string() for key in keys],
            "within": "estate" if within is None else within.one_of(SCOPES),
            "between": group,
            "agree": [*self._keys(body.get("agree"))],
        }
        self._bounds(body, group, compiled)
        compiled["at"] = self._at(body)
        return compiled

    @staticmethod
    def _bounds(body: Node, group: str, compiled: dict[str, Plain]) -> None:
        distinct, size = body.get("distinct"), body.get("size")
        if distinct is not None:
            distinct.keys_allowed((group,))
            bound = distinct.require(group)
            bound.keys_allowed(("max",))
            compiled["most_groups"] = bound.require("max").integer()
        if size is not None:
            size.keys_allowed(("min", "max"))
            for key, name in (("min", "size_least"), ("max", "size_most")):
                found = size.get(key)
                if found is not None:
                    compiled[name] = found.integer()
            if not size.mapping():
                raise size.error("expected min, max or both")
        if distinct is None and size is None and not compiled["agree"]:
            raise body.error("a group needs a bound: distinct, agree or size")

    # -- message ----------------------------------------------------------------------------

    def _placeholders(self, message: Node, kind: str) -> None:
        """Each placeholder must be a key of the fact, or a word that the kind fills in."""
        derived = (*DERIVED_WORDS[kind], *self.related)
        for word in placeholders(message.string()):
            if word.split(".")[0] not in _DERIVED_HEADS and word != "size":
                self._key(message, word)
            elif word not in derived:
                wanted = not_among(word, derived) if derived else f"{kind} compare with nothing"
                raise message.error(f"{{{word}}} stands for nothing: {wanted}")


def _some(node: Node) -> list[Node]:
    """The elements of a list that must not be empty."""
    if not node.sequence():
        raise node.error("an empty list says nothing: leave it out")
    return node.sequence()


def _word(node: Node) -> Plain:
    """A word, number or truth value to compare with."""
    node.text()
    return node.plain()
