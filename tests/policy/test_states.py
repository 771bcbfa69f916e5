"""Each attribute that a policy tests is tried as written, as a default, and as left unknown.

The cases of a policy give the commands; what is tried of them is generated. A default must count
as if it were written, for each attribute that a policy tests of an object that has one. What an
ALTER leaves open must not count as if it had its default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from mqlint.engine import Analyser
from mqlint.engine.cases import run_case
from mqlint.language.mqsc import Command, Parser, decode
from mqlint.model.core.action import subtype_word
from mqlint.model.core.shipped import product_default
from mqlint.policy.compile.build import Compiled
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from mqlint.vocabulary import Target
from mqlint.vocabulary.domain import Kind
from tests.policy.making import alone
from tests.shipped import shipped_rulebook, shipped_vocabulary

VOCABULARY = shipped_vocabulary()
PARSER = Parser(VOCABULARY)
ATTRIBUTE = re.compile(r"([A-Z][A-Z0-9]*)(?:\.[a-z]+)?")
INNER = frozenset({"all", "any", "not", "required"})
FAMILIES = {"queue": ("qlocal", "qalias", "qremote", "qmodel")}
MOST = 2
"""Commands of the cases of a policy that are tried for one attribute."""

UNTRIED: Mapping[tuple[str, str], str] = {
    ("DR049", "APPLTYPE"): "the default is that of the system",
    ("NAM009", "MCAUSER"): "each of its cases is about several platforms",
    ("QUE032", "GET"): "it is about what gives queues their defaults",
    ("QUE032", "PUT"): "it is about what gives queues their defaults",
    ("QUE032", "USAGE"): "it is about what gives queues their defaults",
    ("TOP023", "DESTCORL"): "the queue manager makes one for each subscription",
    ("TOP029", "DESTCORL"): "the queue manager makes one for each subscription",
    ("TRG010", "APPLTYPE"): "the default is that of the system",
    ("TRG013", "APPLTYPE"): "the default is that of the system",
    ("ZOS079", "OFFLOAD"): "the default is that of the CFLEVEL",
}
"""Attributes of policies of which no case can be made, with the reason."""
TELLS_OMITTED = {("TOP025", "TOPICSTR"): "VOC015 reports a topic without TOPICSTR"}
"""Attributes that a policy judges only if they are written, and why."""

COUNTS_UNKNOWN: Mapping[tuple[str, str], str] = {
    ("CLU012", "SHARE"): "an instance that ALTER puts into the cluster counts as one",
    ("CHN037", "TRPTYPE"): "the policy asks for TCP or for what is not known",
    ("CHN078", "TRPTYPE"): "the policy asks for TCP or for what is not known",
}
"""Attributes that policies want to be unknown, with the reason."""


def conditions(part: object) -> Iterator[str]:
    """Yield the attributes that a part of a policy tests of the object it matches."""
    if isinstance(part, list):
        for item in part:
            yield from conditions(item)
    if not isinstance(part, Mapping):
        return
    for key, value in part.items():
        attribute = ATTRIBUTE.fullmatch(key)
        if attribute is not None:
            yield attribute[1]
        elif key in INNER:
            yield from conditions(value)
        elif key == "agree":
            yield from (word for word in value if word.isupper())


def types_of(policy: Compiled) -> tuple[str, ...]:
    """The types of MQ object that a policy is about, none for other facts."""
    kind = policy.get("object")
    if not isinstance(kind, str):
        return ()
    return tuple(found for found in FAMILIES.get(kind, (kind,)) if verb_of(found) is not None)


def verb_of(object_type: str) -> str | None:
    """The verb of the command that says all of an object."""
    verbs = (verb for verb in ("DEFINE", "SET") if VOCABULARY.command(verb, object_type.upper()))
    return next(verbs, None)


@dataclass(frozen=True)
class Trial:
    """A file of a case with an attribute left out, with its default, and as an ALTER has it."""

    case: Case
    path: str
    texts: Mapping[str, str]

    def state(self, name: str) -> Case:
        files = (
            (path, self.texts[name] if path == self.path else old) for path, old in self.case.files
        )
        return replace(self.case, files=tuple(files))


def trials(source: PolicySource, policy: Compiled, attribute: str) -> Iterator[Trial]:
    """Yield what can be tried of an attribute in the cases of a policy."""
    count = 0
    for written in cases_of(source):
        overrides = (override.target.platform for override in written.settings.overrides)
        if written.base is not None or not {*overrides} <= {None, "linux", "aix"}:
            continue
        target = written.settings.target
        target = replace(target, platform=target.platform or "linux")
        case = replace(written, settings=replace(written.settings, target=target))
        for path, text in case.files:
            texts = states(text, types_of(policy), attribute, target.platform)
            if path.endswith(".mqsc") and texts:
                yield Trial(case, path, texts)
                count += 1
            if count == MOST:
                return


def states(
    text: str, types: tuple[str, ...], attribute: str, platform: str | None
) -> dict[str, str]:
    """Return a text in which an attribute is in each state, where it can be; by state.

    Where a dump or a default object decides what a DEFINE leaves out, there are none.
    """
    if re.search(r"LIKE\(|SYSTEM\.DEF|dmpmqcfg|\{\{", text):
        return {}
    found = dict.fromkeys(("left out", "default", "altered", "otherwise"), text)
    changed = False
    for command in reversed(PARSER.parse(text).commands):
        object_type = (command.noun or "").lower()
        if object_type not in types or command.verb != verb_of(object_type):
            continue
        default = default_of(command, object_type, attribute, platform)
        if default is None:
            continue
        changed = True
        start, end = command.span()
        body = text[start:end]
        for word in (attribute, f"NO{attribute}"):
            if word in command.shape.words:
                first, last = command.span_of_attribute(command.shape.words.index(word))
                body = body[: first - start] + body[last - start :]
        body = re.sub(r"\+?[ \t]*\n[ \t]*|\+[ \t]*\Z", " ", body)
        altered = body
        if command.verb == "DEFINE":
            altered = "ALTER" + re.sub(r"\A\w+|\b(?:NO)?REPLACE\b", "", body)
        other = other_than(default, command, attribute)
        for state, new in (
            ("left out", body),
            ("default", f"{body} {default}"),
            ("altered", altered),
            ("otherwise", f"{altered} {other}"),
        ):
            found[state] = found[state][:start] + new + found[state][end:]
    return found if changed else {}


def default_of(
    command: Command, object_type: str, attribute: str, platform: str | None
) -> str | None:
    """The default of an attribute of what a command defines, as MQSC; None if none is known."""
    word = subtype_word(object_type)
    raw = command.get(word) if word is not None else None
    subtype = None if raw is None else decode(raw)
    target = Target(None, platform)
    value = product_default(VOCABULARY, target, object_type, subtype, attribute)
    spec = VOCABULARY.command(command.verb or "", command.noun)
    found = spec.attribute(attribute) if spec is not None else None
    if not isinstance(value, str) or found is None:
        return None
    if found.domain.kind is Kind.FLAG:
        return found.word if (value == "YES") == (found.word == attribute) else f"NO{attribute}"
    return f"{attribute}('{value or ' '}')"


def other_than(default: str, command: Command, attribute: str) -> str:
    """Another value than the default, as MQSC."""
    spec = VOCABULARY.command(command.verb or "", command.noun)
    found = spec.attribute(attribute) if spec is not None else None
    assert found is not None
    if found.domain.kind is Kind.FLAG:
        return attribute if default.startswith("NO") else f"NO{attribute}"
    words = (f"{attribute}('{word}')" for word in found.domain_words)
    number = found.domain.kind is Kind.INT
    return next((text for text in words if text != default), f"{attribute}({7 if number else 'X'})")


@cache
def policies() -> tuple[tuple[PolicySource, Compiled, str], ...]:
    """The policies about MQ objects, with each attribute that they test."""
    compiled = {policy["id"]: policy for policy in shipped_rulebook().compiled}
    found = []
    for source in builtin_sources():
        policy = compiled[Path(source.path).stem.upper()]
        if types_of(policy):
            parts = (policy.get(part) for part in ("match", "unless", "check"))
            attributes = {attribute for part in parts for attribute in conditions(part)}
            found += [(source, policy, attribute) for attribute in sorted(attributes)]
    return tuple(found)


def label(tried: tuple[PolicySource, Compiled, str]) -> str:
    return f"{tried[1]['id']}-{tried[2]}"


def flagged(case: Case, policy: Compiled, analyser: Analyser) -> set[tuple[str, str]]:
    """The objects that a policy flags in a case: path and name."""
    rulebook = alone(policy["id"])
    profiles = set(rulebook.rules[policy["id"]].severity)
    return {
        (finding.location.path, finding.subject.object_name or "")
        for finding in run_case(case, analyser, rulebook, profiles).findings
        if finding.rule.id == policy["id"]
    }


def has_default(policy: Compiled, attribute: str) -> bool:
    """Whether objects that a policy is about may have a default for an attribute."""
    for object_type in types_of(policy):
        spec = VOCABULARY.command(verb_of(object_type) or "", object_type.upper())
        found = spec.attribute(attribute) if spec is not None else None
        if found is not None and found.default is not None and not found.option:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("tried", policies(), ids=map(label, policies()))
def test_a_default_counts_as_if_it_were_written(
    tried: tuple[PolicySource, Compiled, str], analyser: Analyser
) -> None:
    source, policy, attribute = tried
    if (policy["id"], attribute) in TELLS_OMITTED:
        pytest.skip(TELLS_OMITTED[policy["id"], attribute])
    for trial in trials(source, policy, attribute):
        left_out, written = (
            flagged(trial.state(state), policy, analyser) for state in ("left out", "default")
        )
        assert left_out == written, (trial.case.name, trial.path)


@pytest.mark.slow
@pytest.mark.parametrize("tried", policies(), ids=map(label, policies()))
def test_what_an_alter_leaves_open_is_no_default(
    tried: tuple[PolicySource, Compiled, str], analyser: Analyser
) -> None:
    source, policy, attribute = tried
    if {*map(verb_of, types_of(policy))} != {"DEFINE"}:
        return  # no command leaves a part of a record as it was
    if (policy["id"], attribute) in COUNTS_UNKNOWN:
        pytest.skip(COUNTS_UNKNOWN[policy["id"], attribute])
    for trial in trials(source, policy, attribute):
        altered, otherwise = (
            flagged(trial.state(state), policy, analyser) for state in ("altered", "otherwise")
        )
        # What is flagged is flagged whatever the attribute is.
        assert altered <= otherwise, (trial.case.name, trial.path)


def test_each_default_is_tried() -> None:
    untried = {
        (policy["id"], attribute)
        for source, policy, attribute in policies()
        if has_default(policy, attribute) and next(trials(source, policy, attribute), None) is None
    }
    assert untried == set(UNTRIED)
