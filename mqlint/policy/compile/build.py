"""From the compiled form of a policy (plain JSON) to a rule and the functions that judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from mqlint.dataclass import names_of
from mqlint.finding import Confidence, Rule, Severity, Yields
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.chlauth_accessors import Reader
from mqlint.policy.compile.clauses import needs_in, needs_of
from mqlint.policy.compile.head import Head
from mqlint.policy.compile.join import Join
from mqlint.policy.compile.operators import Json
from mqlint.policy.compile.predicate import Condition, Source, compile_condition
from mqlint.policy.kinds.attributes import Attributes, Tests
from mqlint.policy.kinds.related import RelatedFact
from mqlint.policy.policy import Kind, Policy, Predicates, message_words

Compiled = Mapping[str, Any]
"""What `mqlint.policy.language.check.check_policy` returns; its checks are what makes this safe."""


def build_rule(compiled: Compiled) -> Rule:
    return Rule(
        **_fields(
            {name: compiled[name] for name in names_of(Rule) if name in compiled},
            severity={key: Severity.of(word) for key, word in compiled["severity"].items()},
            confidence=Confidence.of(compiled["confidence"]),
            yields=_yields(compiled),
            repair=_repair(compiled),
        )
    )


def _yields(compiled: Compiled) -> Yields | None:
    yields = compiled["yields"]
    return (
        None if yields is None else Yields(frozenset(yields["to"]), yields.get("within", "object"))
    )


def _repair(compiled: Compiled) -> str:
    repair = compiled["repair"]
    if repair is None:
        return ""
    return "safe" if repair["safe"] else "unsafe"


def build_policy(
    head: Head, compiled: Callable[[], Compiled], header: Callable[[], Rule], needs: str
) -> Policy:
    """Return the policy with a head; `compiled` gives its compiled form when it is needed first.

    `needs` are its preconditions as they were stored, blank if they are to be worked out.
    """
    return Policy(
        id=head.id,
        object=head.object,
        severity=head.severities,
        habit=head.habit,
        offers=head.offers,
        needs_two=head.needs_two,
        header=header,
        predicates=lambda: _predicates(compiled()),
        needs=(lambda: needs_in(needs)) if needs else lambda: needs_of(compiled()),
        compiled=compiled,
    )


def _predicates(compiled: Compiled) -> Predicates:
    return Predicates(
        match=_condition(compiled["match"]) or _always,
        unless=_condition(compiled["unless"]),
        kind=_KINDS[compiled["kind"]](compiled),
        words=message_words(compiled["message"]),
    )


def _always(fact: object, this: object = None, /) -> bool:
    return True


def _condition(source: Source | None) -> Condition | None:
    return compile_condition(source) if source else None


def _attributes(compiled: Compiled) -> Kind:
    check = compiled["check"]
    required: Source = check["required"]
    single = {key: test for key, test in required.items() if _is_plain(key)}
    of_manager = [key for key in required if key.startswith("qmgr.")]
    return Attributes(
        compile_condition(required),
        check["at"],
        stated=check["stated"],
        asked=_each(single.items()),
        alternatives=_each(_alternatives(compiled["match"])) if check["stated"] else (),
        compared=tuple(_operands(single.values())),
        cause=check["cause"],
        shared=of_manager[0] if of_manager else None,
    )


def _each(entries: Iterable[tuple[str, Json]]) -> Tests:
    return tuple((key, compile_condition({key: test})) for key, test in entries)


def _alternatives(match: Source | None) -> Iterator[tuple[str, Json]]:
    """Yield the entries of a condition of which one is enough."""
    for condition in cast("Sequence[Source]", match.get("any", ())) if match else ():
        yield from ((key, test) for key, test in condition.items() if _is_plain(key))


def _operands(tests: Iterable[Json]) -> Iterator[str]:
    """Yield the attributes of the fact itself with which conditions compare."""
    for test in tests:
        if isinstance(test, dict):
            key = test.get("key")
            if isinstance(key, str) and _is_plain(key):
                yield key
            yield from _operands(test.values())


def _is_plain(key: str) -> bool:
    """Whether a key is an attribute of MQ of the fact itself."""
    return key.isupper() and "." not in key


def _related(compiled: Compiled) -> Kind:
    check = compiled["check"]
    kind = RelatedFact
    if check["similar"]:
        from mqlint.policy.kinds.similar import SimilarFact  # here, as few policies need it

        kind = SimilarFact
    return kind(
        to=_condition(check["to"]) or _always,
        join=Join(check["object"], check["theirs"], check["mine"], check["at"]),
        must=check["must"],
        where=_condition(check["where"]),
        agree=_named(check["agree"]),
        differ=_named(check["differ"]),
        reported=_named(check["reported"]),
        across=check["across"],
        as_read=check["as_read"],
    )


def _grouped(compiled: Compiled) -> Kind:
    check = compiled["check"]
    from mqlint.policy.kinds.grouped import Grouped  # here, as few policies compare facts

    return Grouped(**_fields(check, against=_condition(check.get("against"))))


def _sequence(compiled: Compiled) -> Kind:
    check = compiled["check"]
    from mqlint.policy.kinds.sequence import Order  # here, as few files have procedures

    return Order(
        side=check["side"],
        other=compile_condition(check["other"]),
        required=check["required"],
        undone_by=_condition(check["undone_by"]),
        same=_named(check["same"]),
        reach=check["within"],
    )


def _reaches(compiled: Compiled) -> Kind:
    from mqlint.policy.kinds.reaching import Reaches  # here, as few files have channels

    return Reaches(**_fields(compiled["check"]))


def _fields(check: Compiled, **others: object) -> dict[str, Any]:
    """The fields of a rule or a kind, whose names are those of the compiled form."""
    found = {key: tuple(part) if isinstance(part, list) else part for key, part in check.items()}
    return {**found, **others}


def _named(keys: Sequence[str]) -> tuple[tuple[str, Reader], ...]:
    return tuple((key, reader(key)) for key in keys)


_KINDS: Mapping[str, Callable[[Compiled], Kind]] = {
    "attributes": _attributes,
    "related": _related,
    "grouped": _grouped,
    "sequence": _sequence,
    "reaches": _reaches,
}
