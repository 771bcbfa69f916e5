"""Each command against the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode
from mqlint.language.mqsc.templates import INSERT, LITERAL_WORDS
from mqlint.language.mqsc.value import FOREIGN_QUOTES
from mqlint.source.memo import Memo
from mqlint.validity.availability import Doubt
from mqlint.validity.plan import (
    NAME,
    NOUN,
    VERB,
    CommandTests,
    Fault,
    Known,
    Planner,
    Test,
)
from mqlint.validity.relations import Further
from mqlint.validity.values import LONG, doubting, judge_of, nothing_is_plain, plain_of
from mqlint.vocabulary import CommandSpec, Domain, Target, Vocabulary
from mqlint.vocabulary.distance import distance, same_but_for_digits, typo_of
from mqlint.vocabulary.limits import COMMAND

_NOTHING: Sequence[Diagnostic] = ()
_MANY = COMMAND // LONG
_EXEMPT = "SYSTEM.DEF"
_FOREIGN = frozenset(FOREIGN_QUOTES)
"""Quotes of other languages."""
_INSERTS = ("AUTOCL", "QMNAME")
"""Inserts that every queue manager replaces; others are declared in the Variables stanza."""
_WITH_INSERTS = ("CLUSTER", "CONNAME")
"""Attributes of channels in which MQ replaces inserts."""
_NOT_HERE = ("wrong-platform", "not-available", "not-available-recalled", "removed", "deprecated")


class _Lead:
    """The plans of one shape: one alone, or one for each value of its subtype and waiver.

    `made` has them by what these mean, `plans` by their raw texts.
    """

    __slots__ = (
        *("made", "plan", "plans", "slot"),
        *("subtypes", "waived", "waiver_slot", "waiver_value"),
    )

    def __init__(self, shape: Shape, command: CommandSpec | None) -> None:
        self.plan: CommandTests | None = None
        self.plans: Memo[tuple[str, str], CommandTests] = Memo()
        self.made: dict[tuple[str | None, bool], CommandTests] = {}
        self.slot = self.waiver_slot = -1
        self.subtypes: tuple[str, ...] = ()
        self.waived = False
        self.waiver_value = ""
        if command is None or command.is_display:
            return
        self.slot = _slot(shape, command.subtype_word)
        self.subtypes = _subtypes(command)
        if command.waiver is not None:
            word, self.waiver_value = command.waiver
            self.waived = word in shape.words and not self.waiver_value
            self.waiver_slot = _slot(shape, word) if self.waiver_value else -1

    @property
    def is_fixed(self) -> bool:
        """Whether no value changes the plan."""
        return self.slot < 0 and self.waiver_slot < 0

    def key(self, values: list[str]) -> tuple[str, str]:
        """The raw values of subtype and waiver."""
        subtype = values[self.slot] if self.slot >= 0 else ""
        return subtype, values[self.waiver_slot] if self.waiver_slot >= 0 else ""

    def is_waived(self, raw: str) -> bool:
        return self.waived or (bool(raw) and decode(raw).upper() == self.waiver_value)


class Validity:
    """Judges commands against a vocabulary for one target.

    What depends on a command's shape alone is worked out once and kept with the shape; of values,
    those found right are remembered, so that a dump costs one look-up a value.
    """

    def __init__(self, vocabulary: Vocabulary, target: Target | None = None) -> None:
        """Judge by `vocabulary` for `target` (nothing known of it by default)."""
        self._vocabulary = vocabulary
        self._target = target or Target()
        self._zos = self._target.on_zos
        self._memos: dict[tuple[Domain, tuple[Doubt, ...]], Known | None] = {}
        self._planner = Planner(vocabulary, self._target, self._memo)

    def check(self, command: Command) -> Sequence[Diagnostic]:
        """Return what is wrong with `command`, in order of place; empty when nothing is."""
        return self.judge(command)[0]

    def understood(self, command: Command) -> bool:
        """Whether the command and all its attributes are known well enough to be checked."""
        return self._plan(command.form.shape, command.values).understood

    def judge(self, command: Command) -> tuple[Sequence[Diagnostic], bool]:
        """Return both: what is wrong with `command`, and whether it is understood."""
        values = command.values
        plan = self._plan(command.form.shape, values)
        found: list[Diagnostic] = []
        is_long = len(values) >= _MANY
        for slot, good, plain, test in plan.tests:
            raw = values[slot]
            if raw not in good and plain(raw) is None:
                is_long = is_long or len(raw) > LONG
                self._judge(command, raw, test, found)
        if plan.plain and not (is_long or found or (plan.both and _exclusive(plan, values))):
            return _NOTHING, plan.understood
        return self._rest(command, plan, found), plan.understood

    def _plan(self, shape: Shape, values: list[str]) -> CommandTests:
        lead = shape.cache.get(self)
        if not isinstance(lead, _Lead):
            lead = shape.cache[self] = self._lead(shape)
        if lead.plan is not None:
            return lead.plan
        key = lead.key(values)
        plan = lead.plans.get(key)
        if plan is None:
            meant = _subtype(key[0], lead.subtypes), lead.is_waived(key[1])
            if meant not in lead.made:
                lead.made[meant] = self._planner.plan(shape, *meant)
            plan = lead.plans.store(key, lead.made[meant])
        return plan

    def _lead(self, shape: Shape) -> _Lead:
        lead = _Lead(
            shape, self._vocabulary.command(shape.verb, shape.noun) if shape.verb else None
        )
        if lead.is_fixed:
            lead.plan = self._planner.plan(shape, None, lead.waived)
        return lead

    def _memo(self, domain: Domain, doubts: tuple[Doubt, ...]) -> Known | None:
        key = (domain, doubts)
        try:
            return self._memos[key]
        except KeyError:
            judge, plain = judge_of(domain, self._zos), plain_of(domain, self._zos)
            if doubts:
                judge, plain = doubting(judge, doubts, domain), nothing_is_plain
            memo = self._memos[key] = None if judge is None else (Memo(), plain, judge)
            return memo

    def _judge(self, command: Command, raw: str, test: Test, found: list[Diagnostic]) -> None:
        if isinstance(raw, Templated):
            if test.label not in LITERAL_WORDS:
                found += _insert_faults(command, raw, test)
            return
        if isinstance(raw, Secret):
            return
        problem = test.judge(raw)
        if problem is None:
            if len(raw) <= LONG:
                test.good.store(raw, None)
            return
        if raw.lstrip()[:1] in _FOREIGN:
            return  # the quote is reported already
        code = test.codes.get(problem.code, problem.code)
        at = test.place
        if at == NAME and code == "empty-value":
            code, at = "missing-name", NOUN
        place = _span(command, at, value=code != "empty-value")
        label = test.label
        if code in _NOT_HERE:
            label = f"{label}({problem.data['value']})"
        words = {"word": label, "command": test.command, **problem.data}
        found.append(diagnostic(code, place, **words))

    def _rest(
        self, command: Command, plan: CommandTests, found: list[Diagnostic]
    ) -> list[Diagnostic]:
        faults = list(plan.faults)
        if (command.name or "").startswith(_EXEMPT) and plan.command is not None:
            needed = plan.command.subtype_word
            faults += [fault for fault in plan.missing if fault.data["word"] == needed]
        else:
            faults += plan.missing
        values = command.values
        faults += _exclusive(plan, values)
        if any(fault.code == "missing-name" for fault in faults):
            found = [fault for fault in found if not _may_be_name(command, fault)]
        found += [_diagnostic(command, fault) for fault in faults]
        for further in plan.further:
            found += _together(command, further, found)
        size = sum(map(len, values)) + 2 * len(values) + plan.length
        if size > COMMAND:
            words = {"length": str(size), "limit": str(COMMAND)}
            found.append(diagnostic("command-too-long", command.span_of_verb(), **words))
        found.sort(key=lambda fault: (fault.start, fault.code))
        return found


def _insert_faults(command: Command, raw: str, test: Test) -> Iterator[Diagnostic]:
    """Yield inserts of a value which MQ does not replace: of a misspelt name, or in that place."""
    is_place = command.noun == "CHANNEL" and (test.place == NAME or test.label in _WITH_INSERTS)
    for name in dict.fromkeys(insert[1].upper() for insert in INSERT.finditer(raw)):
        if is_place:
            meant = typo_of(name, _INSERTS) or _insert_meant(name)
            fault = f"has no value in MQ (did you mean +{meant}+?)" if meant else ""
        else:
            fault = f"is not replaced in {test.label}" if name in _INSERTS else ""
        if fault:
            place = _span(command, test.place, value=True)
            yield diagnostic("insert", place, insert=f"+{name}+", fault=fault)


def _insert_meant(name: str) -> str:
    """Return the insert of which a name has one or two letters too many or wrong: `AUTOCLUS`."""
    return next(
        (
            insert
            for insert in _INSERTS
            if len(insert) <= len(name) and distance(name, insert, 2) <= 2
            if not same_but_for_digits(name, insert)
        ),
        "",
    )


def _exclusive(plan: CommandTests, values: list[str]) -> list[Fault]:
    """The faults of pairs of attributes that are both given, of which one must be blank."""
    return [
        fault
        for left, right, fault in plan.both
        if _is_written(values[left]) and _is_written(values[right])
    ]


def _may_be_name(command: Command, fault: Diagnostic) -> bool:
    """Whether this is about the value that is in the place of the name, which is missing."""
    if fault.code != "bad-value" or not command.shape.words:
        return False
    return fault.span == command.span_of_value(0)


def _together(command: Command, further: Further, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with values together; a place already reported is left alone."""
    places = {"": NOUN, "name": NAME}
    known = {fault.span for fault in found}
    reported = []
    for code, word, data in further(command):
        place = places[word] if word in places else command.shape.words.index(word)
        span = _span(command, place, value=False)
        if span not in known or place == NOUN:
            reported.append(diagnostic(code, span, **{"word": word, **data}))
    return reported


def _diagnostic(command: Command, fault: Fault) -> Diagnostic:
    return diagnostic(fault.code, _span(command, fault.place, value=False), **fault.data)


def _span(command: Command, place: int, *, value: bool) -> tuple[int, int]:
    if place == VERB:
        return command.span_of_verb()
    if place == NOUN:
        return command.span_of_noun()
    if place == NAME:
        return command.span_of_name()
    return command.span_of_value(place) if value else command.span_of_word(place)


def _slot(shape: Shape, word: str | None) -> int:
    return shape.slot_of.get(word, -1) if word is not None else -1


def _subtypes(command: CommandSpec) -> tuple[str, ...]:
    spec = command.attribute(command.subtype_word) if command.subtype_word else None
    return spec.domain.words if spec is not None else ()


def _subtype(raw: str, subtypes: tuple[str, ...]) -> str | None:
    value = decode(raw).upper()
    return value if value in subtypes else None


def _is_written(raw: str) -> bool:
    """Whether a value is there and known: a blank or a template excludes nothing."""
    return not isinstance(raw, Templated) and bool(raw.strip(" \t'"))
