"""Mutants of policies: each differs from its policy in one small thing.

A policy's own cases must tell it from every one of them, else a condition stands there that
nothing proves. `python -m tests.policy.mutants [ID...]` prints the mutants that survive.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.judgement.criteria import grading_of
from mqlint.engine.judgement.judging import once
from mqlint.engine.loading.load import Input, load
from mqlint.engine.project import assembly_of, queue_managers
from mqlint.finding import Finding
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.build import Compiled
from mqlint.policy.compile.operators import COMPARISONS, Json
from mqlint.policy.compile.predicate import COMBINING, SUBQUERIES
from mqlint.policy.kinds.grouped import GROUPS, SCOPES
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.grading import Grading
from mqlint.policy.run.index import Index
from mqlint.policy.run.judge import judge_claims, judge_queue_manager
from tests.shipped import shipped_vocabulary

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")

T = TypeVar("T")
Conditions = Mapping[str, Json]
Labelled = tuple[str, T]


# -- making them ----------------------------------------------------------------------------------


def mutants(compiled: Compiled) -> Iterator[Labelled[Compiled]]:
    """Yield a compiled policy with one thing changed, and what that is."""
    for part in ("match", "unless"):
        if compiled[part]:
            for label, changed in _conditions(compiled[part], part):
                yield label, {**compiled, part: changed}
    checks = {
        "attributes": _attributes,
        "related": _related,
        "grouped": _grouped,
        "sequence": _sequence,
        "reaches": _reaches,
    }
    for label, check in checks[compiled["kind"]](compiled["check"]):
        yield label, {**compiled, "check": check}
    for name, parameter in compiled.get("parameters", {}).items():
        if parameter["type"] == "integer":
            for label, number in _bound(parameter["default"], f"parameters.{name}"):
                changed = {**compiled["parameters"], name: {**parameter, "default": number}}
                yield label, {**compiled, "parameters": changed}


def _conditions(source: Conditions, path: str) -> Iterator[Labelled[Conditions]]:
    """One entry left out, negated, or changed within."""
    for key, value in source.items():
        at = f"{path}.{key}"
        others = {other: test for other, test in source.items() if other != key}
        yield f"dropping {at}", others
        yield (
            f"negating {at}",
            {"all": [others, {"not": {key: value}}] if others else [{"not": {key: value}}]},
        )
        for label, changed in _entry(key, value, at):
            yield label, {**source, key: changed}


def _entry(key: str, value: Json, at: str) -> Iterator[Labelled[Json]]:
    if key == "not":
        assert isinstance(value, Mapping)
        yield from ((label, changed) for label, changed in _conditions(value, at) if changed)
    elif key in COMBINING:
        assert isinstance(value, Sequence)
        yield from _elements(value, at)
        for index, condition in enumerate(value):
            assert isinstance(condition, Mapping)
            for label, changed in _conditions(condition, f"{at}[{index}]"):
                yield label, [*value[:index], changed, *value[index + 1 :]]
    elif key in SUBQUERIES:
        assert isinstance(value, Mapping)
        yield from _hop(value, at)
    else:
        yield from _test(value, at)


def _hop(hop: Conditions, at: str) -> Iterator[Labelled[Json]]:
    """The other fact asked less of, or met in fewer keys."""
    to, theirs, mine = hop["to"], hop["theirs"], hop["mine"]
    assert isinstance(to, Mapping)
    assert isinstance(theirs, list)
    assert isinstance(mine, list)
    for label, changed in _conditions(to, at):
        yield label, {**hop, "to": changed}
    for index, key in enumerate(theirs):
        fewer = {
            "theirs": [*theirs[:index], *theirs[index + 1 :]],
            "mine": [*mine[:index], *mine[index + 1 :]],
        }
        yield f"dropping {at}.by.{key}", {**hop, **fewer}


def _test(test: Json, at: str) -> Iterator[Labelled[Json]]:
    """A word fewer in a list, an operator fewer, or an operator's operand changed."""
    if isinstance(test, Mapping):
        for name, operand in test.items():
            others = {other: value for other, value in test.items() if other != name}
            if others:
                yield f"dropping {at}.{name}", others
            for label, changed in _operand(name, operand, f"{at}.{name}"):
                yield label, {**test, name: changed}
    elif isinstance(test, Sequence) and not isinstance(test, str):
        yield from _elements(test, at)


def _operand(name: str, operand: Json, at: str) -> Iterator[Labelled[Json]]:
    if isinstance(operand, Mapping) and "key" in operand:
        for word in ("times", "plus"):
            if isinstance(operand.get(word), int):
                for label, number in _bound(int(str(operand[word])), f"{at}.{word}"):
                    yield label, {**operand, word: number}
    elif name in ("is", "not", "length", "count"):
        yield from _test(operand, at)
    elif name in COMPARISONS and not isinstance(operand, Mapping):
        yield from _bound(int(str(operand)), at)
    elif isinstance(operand, Sequence) and not isinstance(operand, str):
        yield from _elements(operand, at)
        if name in ("all", "any"):
            for index, element in enumerate(operand):
                for label, changed in _test(element, f"{at}[{index}]"):
                    yield label, [*operand[:index], changed, *operand[index + 1 :]]


def _elements(values: Sequence[T], at: str) -> Iterator[Labelled[Sequence[T]]]:
    """Each element of a list left out, unless it is the only one."""
    if len(values) > 1:
        for index, value in enumerate(values):
            shown = value if isinstance(value, str) else index
            yield f"dropping {at}[{shown}]", [*values[:index], *values[index + 1 :]]


def _bound(limit: int, at: str) -> Iterator[Labelled[int]]:
    yield f"{at}: {limit - 1}", limit - 1
    yield f"{at}: {limit + 1}", limit + 1


def _attributes(check: Compiled) -> Iterator[Labelled[Compiled]]:
    for label, changed in _conditions(check["required"], "attributes"):
        yield label, {**check, "required": changed}


def _related(check: Compiled) -> Iterator[Labelled[Compiled]]:
    for part in ("to", "where"):
        for label, changed in _conditions(check[part] or {}, f"related.{part}"):
            yield label, {**check, part: changed}
    for part in ("agree", "differ"):
        for index, key in enumerate(check[part]):
            fewer = [*check[part][:index], *check[part][index + 1 :]]
            yield f"dropping related.{part}[{key}]", {**check, part: fewer}
    if check["similar"]:  # the loader insists on the rest
        yield "dropping related.similar", {**check, "similar": False}
        return
    for flag in ("must", "across"):
        yield f"flipping related.{flag}", {**check, flag: not check[flag]}
    pairs = list(zip(check["theirs"], check["mine"], strict=True))
    for label, fewer_pairs in _elements([f"{theirs}: {mine}" for theirs, mine in pairs], "by"):
        remaining = [pair for pair in pairs if f"{pair[0]}: {pair[1]}" in fewer_pairs]
        theirs, mine = zip(*remaining, strict=True)
        yield label, {**check, "theirs": list(theirs), "mine": list(mine)}


def _counts_parties(check: Compiled) -> bool:
    return any(check.get(key) is not None for key in ("least_groups", "most_groups"))


def _grouped(check: Compiled) -> Iterator[Labelled[Compiled]]:
    for key, words in (("within", SCOPES), ("between", tuple(GROUPS))):
        for word in words:
            if word != check[key] and (key != "between" or _counts_parties(check)):
                yield f"grouped.{key}: {word}", {**check, key: word}
    for key in ("by", "agree"):
        for label, fewer in _elements(check[key], f"grouped.{key}"):
            yield label, {**check, key: fewer}
    for key in ("least_groups", "most_groups", "size_least", "size_most"):
        if isinstance(check.get(key), int):
            for label, limit in _bound(check[key], f"grouped.{key}"):
                yield label, {**check, key: limit}
    for label, changed in _conditions(check.get("against") or {}, "grouped.against"):
        yield label, {**check, "against": changed}
    if check.get("greater"):
        yield "dropping grouped.greater", {**check, "greater": False}


def _sequence(check: Compiled) -> Iterator[Labelled[Compiled]]:
    side = "after" if check["side"] == "before" else "before"
    yield f"sequence.{side}", {**check, "side": side}
    yield "flipping sequence.required", {**check, "required": not check["required"]}
    for part in ("other", "undone_by"):
        for label, changed in _conditions(check[part] or {}, f"sequence.{part}"):
            if changed:
                yield label, {**check, part: changed}
    if check["undone_by"]:
        yield "dropping sequence.undone_by", {**check, "undone_by": None}
    for index, key in enumerate(check["same"]):
        fewer = [*check["same"][:index], *check["same"][index + 1 :]]
        yield f"dropping sequence.same[{key}]", {**check, "same": fewer}
    if check["required"]:
        reach = "procedure" if check["within"] == "queue_manager" else "queue_manager"
        yield f"sequence.within: {reach}", {**check, "within": reach}


def _reaches(check: Compiled) -> Iterator[Labelled[Compiled]]:
    other = ["own"] if check["source"] == ["any"] else ["any"]
    yield f"reaches.from: {other[0]}", {**check, "source": other}
    yield "flipping reaches.must", {**check, "must": not check["must"]}
    user = "administrator" if check["user"] == "any" else "any"
    yield f"reaches.as: {user}", {**check, "user": user}
    if not check["must"]:
        yield "flipping reaches.every", {**check, "every": not check["every"]}
    if check["user"] == "any":
        partner = "stranger" if check["partner"] == "anyone" else "anyone"
        yield f"reaches.by: {partner}", {**check, "partner": partner}


# -- judging them ---------------------------------------------------------------------------------


class Built:
    """A compiled policy as it judges, made once for all cases that set none of its parameters."""

    def __init__(self, compiled: Compiled) -> None:
        self._book = Rulebook([compiled])
        self._untuned = Index(self._book.policies)

    def under(self, settings: Settings) -> Index:
        """Return the policy alone, with the values that `settings` give its parameters."""
        book = self._book.tuned(settings.parameters)
        return self._untuned if book is self._book else Index(book.policies)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case whose files are read and whose queue managers are built, once for all mutants."""

    case: Case
    described: list[list[Facts]]
    grading: Grading

    def flags(self, built: Built) -> tuple[str, ...]:
        """Return the places a policy flags in the case."""
        index = built.under(self.case.settings)
        findings: list[Finding] = []
        claims: list[Claim] = []
        for facts in self.described:
            judgement = judge_queue_manager(index, facts, self.grading)
            findings += judgement.findings.values()
            claims += judgement.claims.values()
        findings += judge_claims({policy.rule.id: policy for policy in index.policies}, claims)
        places = (finding.location for finding in once(findings))
        return tuple(sorted(f"{place.path}:{place.start.line}" for place in places))


@dataclass(frozen=True, slots=True)
class Specimen:
    """A policy with its cases."""

    compiled: Compiled
    cases: Sequence[Prepared]

    def survivors(self) -> list[str]:
        """Return what could be changed in the policy without its own cases noticing.

        A policy whose unchanged form fails a case has no meaning here: that is returned alone.
        """
        if self.compiled["kind"] == "diagnostic":
            return []
        cases = [*self.cases]
        yields = {*(self.compiled["yields"] or {"to": ()})["to"]}
        built = Built(self.compiled)
        for prepared in self.cases:
            found = prepared.flags(built)
            if found and not yields.isdisjoint(prepared.case.also):
                cases.remove(prepared)  # the policy is alone here, so it does not yield
            elif found != prepared.case.flagged:
                return [f"case {prepared.case.name!r} fails as it is: flagged {list(found)}"]
        return [label for label, mutant in mutants(self.compiled) if not _is_noticed(mutant, cases)]


class Laboratory:
    """Reads policies and their cases."""

    def __init__(self) -> None:
        self.analyser = Analyser(shipped_vocabulary())

    def specimen(self, source: PolicySource) -> Specimen:
        (compiled,) = compile_sources([source], self.analyser.vocabulary)
        return Specimen(compiled, [self._prepare(case, compiled) for case in cases_of(source)])

    def _prepare(self, case: Case, compiled: Compiled) -> Prepared:
        """Read the files of a case."""
        plain = Assembly(case.settings, self.analyser.vocabulary)
        readings = {}
        for path, text in case.files:
            data = text.encode("utf-8", "surrogatepass")
            reading = load(Input(path, data=data, named=True), plain, self.analyser).reading
            if reading is not None:
                readings[path] = reading
        assembly = assembly_of(case.settings, self.analyser.vocabulary, readings)
        described = list(queue_managers(readings, assembly))
        profiles = case.profiles or tuple(compiled["severity"])
        return Prepared(case, described, grading_of(case.settings, profiles))


def _is_noticed(mutant: Compiled, cases: list[Prepared]) -> bool:
    """Whether a case fails with a mutant; that case is asked first from then on.

    Mutants of one condition are mostly noticed by the same case.
    """
    built = Built(mutant)
    for place, prepared in enumerate(cases):
        if prepared.flags(built) != prepared.case.flagged:
            cases.insert(0, cases.pop(place))
            return True
    return False


def sources(ids: Iterable[str] = ()) -> list[PolicySource]:
    """Return the built-in policies of these ids, or all."""
    wanted = {rule.lower() for rule in ids}
    found = builtin_sources()
    return [source for source in found if not wanted or Path(source.path).stem in wanted]


@cache
def equivalent() -> Mapping[str, Mapping[str, str]]:
    """Return the mutants that no case can tell from their policy, with the reason, by rule id."""
    root = read_yaml(EQUIVALENT.read_text("utf-8"), EQUIVALENT.name)
    return {
        rule: {label: reason.string() for label, reason in labels.mapping().items()}
        for rule, labels in root.mapping().items()
    }


def main(ids: Sequence[str]) -> int:
    """Print the survivors of the policies named, or of all; return 1 when there are some."""
    laboratory = Laboratory()
    count = 0
    for source in sources(ids):
        known = equivalent().get(Path(source.path).stem.upper(), {})
        for label in laboratory.specimen(source).survivors():
            if label not in known:
                count += 1
                print(
                    f"{source.path}: {label} survives"
                    if " fails " not in label
                    else f"{source.path}: {label}"
                )
    print(f"{count} survive" if count else "no mutant survives")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
