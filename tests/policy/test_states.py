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

import pytest

from mqlint.engine import Analyser
from mqlint.engine.cases import run_case
from mqlint.language.mqsc import Command, Parser, decode
from mqlint.model.core.action import subtype_word
from mqlint.model.core.shipped import product_default
from mqlint.policy.compile.build import Compiled
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Target
from mqlint.vocabulary.domain import Kind
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
PARSER = Parser(VOCABULARY)
ATTRIBUTE = re.compile(r"([A-Z][A-Z0-9]*)(?:\.[a-z]+)?")
INNER = frozenset({"all", "any", "not", "required"})
FAMILIES = {"queue": ("qlocal", "qalias", "qremote", "qmodel")}
MOST = 2
"""Commands of the cases of a policy that are tried for one attribute."""

UNTRIED: Mapping[tuple[str, str], str] = {
    ("NAM009", "MCAUSER"): "each of its cases is about several platforms",
}
"""Attributes of policies of which no case can be made, with the reason."""
COUNTS_UNKNOWN: Mapping[tuple[str, str], str] = {
    ("CHN037", "TRPTYPE"): "the policy asks for TCP or for what is not known",
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
    """A case in whose command at a path an attribute is left out, and its default as MQSC."""

    case: Case
    path: str
    name: str
    without: str
    start: int
    end: int
    default: str
    other: str

    def with_text(self, text: str) -> Case:
        files = ((path, text if path == self.path else old) for path, old in self.case.files)
        return replace(self.case, files=tuple(files))

    def altered(self, further: str = "") -> Case | None:
        """The case in which an ALTER leaves it out; None where there is no such ALTER."""
        text = f"{self.without[: self.end]} {further}{self.without[self.end :]}"
        for command in PARSER.parse(text).commands:
            start, end = command.span()
            if start != self.start or command.verb != "DEFINE":
                continue
            altered = re.sub(r"\b(?:NO)?REPLACE\b", "", text[start:end])
            altered = re.sub(r"^\w+", "ALTER", altered)
            return self.with_text(text[:start] + altered + text[end:])
        return None

    def without_it(self) -> Case:
        return self.with_text(self.without)

    def with_default(self) -> Case:
        return self.with_text(
            f"{self.without[: self.end]} {self.default}{self.without[self.end :]}"
        )


def trials(source: PolicySource, policy: Compiled, attribute: str) -> Iterator[Trial]:
    """Yield what can be tried of an attribute in the cases of a policy."""
    count = 0
    for written in cases_of(source):
        overrides = (override.target.platform for override in written.settings.overrides)
        if written.base is not None or not {*overrides} <= {None, "linux", "aix"}:
            continue
        target = written.settings.target
        settings = replace(
            written.settings, target=replace(target, platform=target.platform or "linux")
        )
        case = replace(written, settings=settings)
        for path, text in case.files:
            trial = trial_in(case, path, text, types_of(policy), attribute)
            if trial is not None:
                yield trial
                count += 1
            if count == MOST:
                return


def trial_in(
    case: Case, path: str, text: str, types: tuple[str, ...], attribute: str
) -> Trial | None:
    """The first command in a file of MQSC of which an attribute with a default can be left out."""
    if not path.endswith(".mqsc") or "LIKE(" in text or "SYSTEM.DEF" in text or "dmpmqcfg" in text:
        return None
    for command in PARSER.parse(text).commands:
        object_type = (command.noun or "").lower()
        if object_type not in types or command.verb != verb_of(object_type) or command.marks:
            continue
        default = default_of(command, object_type, attribute, case.settings.target.platform)
        if default is None or "\n" in text[slice(*command.span())].rstrip("\n"):
            continue
        without, end = text, command.span()[1]
        for word in (attribute, f"NO{attribute}"):
            if word in command.shape.words:
                start, stop = command.span_of_attribute(command.shape.words.index(word))
                without, end = text[:start] + text[stop:], end - (stop - start)
        other = other_than(default, command, attribute)
        return Trial(
            case, path, command.name or "", without, command.span()[0], end, default, other
        )
    return None


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
    found = []
    for source in builtin_sources():
        (policy,) = compile_sources([source], VOCABULARY)
        if types_of(policy):
            parts = (policy.get(part) for part in ("match", "unless", "check"))
            attributes = {attribute for part in parts for attribute in conditions(part)}
            found += [(source, policy, attribute) for attribute in sorted(attributes)]
    return tuple(found)


def label(tried: tuple[PolicySource, Compiled, str]) -> str:
    return f"{tried[1]['id']}-{tried[2]}"


def flagged(case: Case, rule: str, analyser: Analyser, rulebook: Rulebook) -> set[tuple[str, str]]:
    """The objects that a policy flags in a case: path and name."""
    profiles = set(rulebook.rules[rule].severity)
    return {
        (finding.location.path, finding.subject.object_name or "")
        for finding in run_case(case, analyser, rulebook, profiles).findings
        if finding.rule.id == rule
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
    tried: tuple[PolicySource, Compiled, str], analyser: Analyser, rulebook: Rulebook
) -> None:
    source, policy, attribute = tried
    for trial in trials(source, policy, attribute):
        left_out, written = (
            flagged(case, policy["id"], analyser, rulebook)
            for case in (trial.without_it(), trial.with_default())
        )
        assert left_out == written, (trial.case.name, trial.path, trial.name, trial.default)


@pytest.mark.slow
@pytest.mark.parametrize("tried", policies(), ids=map(label, policies()))
def test_what_an_alter_leaves_open_is_no_default(
    tried: tuple[PolicySource, Compiled, str], analyser: Analyser, rulebook: Rulebook
) -> None:
    source, policy, attribute = tried
    if (policy["id"], attribute) in COUNTS_UNKNOWN:
        pytest.skip(COUNTS_UNKNOWN[policy["id"], attribute])
    for trial in trials(source, policy, attribute):
        altered, otherwise = trial.altered(), trial.altered(trial.other)
        if altered is None or otherwise is None:
            continue
        subject = (trial.path, trial.name)
        if subject in flagged(altered, policy["id"], analyser, rulebook):
            # Then it does not matter what the attribute is.
            found = flagged(otherwise, policy["id"], analyser, rulebook)
            assert subject in found, (trial.case.name, trial.name, trial.other)


def test_each_default_is_tried() -> None:
    untried = {
        (policy["id"], attribute)
        for source, policy, attribute in policies()
        if has_default(policy, attribute) and next(trials(source, policy, attribute), None) is None
    }
    assert untried == set(UNTRIED)
