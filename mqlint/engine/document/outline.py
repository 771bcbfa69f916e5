"""The statements and declarations of one document as mqlint reads them, decoded, with doubts.

It lets people check that mqlint reads what they wrote. Secrets were replaced when they were bound;
a word that a secret attribute without parentheses may have lost is covered here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.engine.document.hint import hinted
from mqlint.engine.document.reading import Part, Reading, Reported
from mqlint.finding import Position, Rule
from mqlint.language.mqsc import Command, Templated, decode, items
from mqlint.language.mqsc.lines import stretch
from mqlint.policy.run.message import fill
from mqlint.source.lines import Span
from mqlint.source.masking import VALUE_MASK, shown
from mqlint.validity import Validity
from mqlint.vocabulary import Kind, Target, Vocabulary
from mqlint.vocabulary.unknown import Unknown

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared, FieldValue
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step


@frozen
class Word:
    """An attribute, key or option: `value` is decoded, None if there is none.

    `unknown` is true if it has a template, or depends on running.
    """

    word: str
    value: str | tuple[str, ...] | None = None
    unknown: bool = False


@frozen
class Doubt:
    """The reason why something was not understood, or a fault; `rule` is blank for no rule."""

    start: Position
    rule: str
    message: str


@frozen
class OutlineEntry:
    """One command, stanza, step or declaration, or a stretch that could not be read.

    `kind` says which; it is `unread` for the last. A declaration is a connection of an application,
    a queue that it opens, a data set or the like.

    In the record of a session a command may be `refused`, and an object in output of DISPLAY is
    `shown`. `title` is the verb and noun in full, the stanza or the control command, and `name` its
    subject. `maybe` is true if a branch or a template decides whether it counts.
    """

    kind: str
    start: Position
    end: Position
    title: str
    name: str | None = None
    queue_manager: str | None = None
    words: tuple[Word, ...] = ()
    understood: bool = True
    maybe: bool = False
    doubts: tuple[Doubt, ...] = ()


def outline(
    reading: Reading, vocabulary: Vocabulary, target: Target, rules: Mapping[str, Rule]
) -> list[OutlineEntry]:
    """Return the statements of a document in order; `rules` are by diagnostic code."""
    return _Outliner(reading, vocabulary, target, rules).statements()


class _Outliner:
    def __init__(
        self,
        reading: Reading,
        vocabulary: Vocabulary,
        target: Target,
        rules: Mapping[str, Rule],
    ) -> None:
        self._reading = reading
        self._vocabulary = vocabulary
        self._target = target
        self._judges: dict[Target, Validity] = {}
        self._lines = reading.lines
        self._rules = rules
        self._reported = sorted(reading.reported, key=lambda reported: reported.diagnostic.start)
        self._starts = [reported.diagnostic.start for reported in self._reported]
        self._shown: set[int] = set()

    def statements(self) -> list[OutlineEntry]:
        """Every statement, then what no statement holds, in order of place."""
        found = [command for part in self._reading.parts for command in self._commands(part)]
        found += map(self._stanza, self._reading.stanzas)
        found += map(self._step, self._reading.steps)
        found += map(self._declared, self._reading.declared)
        found += self._unread()
        return sorted(found, key=lambda number: (number.start, number.end))

    def _commands(self, part: Part) -> Iterator[OutlineEntry]:
        target = hinted(self._target, part.header, part.commands)
        if target not in self._judges:
            self._judges[target] = Validity(self._vocabulary, target)
        shown = part.role == "shown"
        for command in part.commands:
            understood = shown or self._judges[target].understood(command)
            yield self._command(command, part, understood)

    def _command(self, command: Command, part: Part, understood: bool) -> OutlineEntry:
        start, end = command.span()
        if part.segments is not None:
            start, end = stretch(part.segments, start, end)
        doubts = self._doubts((start, end))
        shape = command.shape
        if not understood and not doubts:
            doubts = (Doubt(self._lines.position(start), "", _reason(command)),)
        noun = shape.noun or shape.noun_word
        verb = "shown" if part.role == "shown" else shape.verb or shape.verb_word
        return OutlineEntry(
            "command" if part.role == "script" else part.role,
            *self._place((start, end)),
            title=shown(" ".join(filter(None, (verb, noun)))),
            name=command.name if command.name is None else shown(command.name),
            queue_manager=part.queue_manager,
            words=(*self._words(command), *_facts(command)),
            understood=understood,
            maybe=command.maybe or part.execution.maybe,
            doubts=doubts,
        )

    def _words(self, command: Command) -> Iterator[Word]:
        shape = command.shape
        spec = self._vocabulary.command(shape.verb, shape.noun) if shape.verb else None
        lost = False
        for word, slot in zip(shape.words, shape.slots, strict=True):
            if slot < 0:
                yield Word(VALUE_MASK if lost else shown(word))
                lost = self._vocabulary.is_secret(word)
                continue
            lost = False
            raw = command.values[slot]
            if isinstance(raw, Templated):
                yield Word(word, shown(raw.strip()), unknown=True)
                continue
            attribute = spec.attribute(word) if spec is not None else None
            is_list = attribute is not None and attribute.domain.kind is Kind.LIST
            yield Word(word, tuple(items(raw)) if is_list else decode(raw))

    def _stanza(self, stanza: Stanza) -> OutlineEntry:
        end = max([stanza.span[1], *(entry.value_span[1] for entry in stanza.entries)])
        doubts = self._doubts((stanza.span[0], end))
        words = tuple(
            Word(shown(entry.key), shown(str(entry.value)), entry.templated)
            for entry in stanza.entries
        )
        place = self._place((stanza.span[0], end))
        return OutlineEntry(
            "stanza", *place, stanza.name, words=words, maybe=stanza.conditional, doubts=doubts
        )

    def _step(self, step: Step) -> OutlineEntry:
        words = [
            Word(f"-{shown(option.name)}", *_known(option.value)) for option in step.options
        ] + [Word("", *_known(operand.value)) for operand in step.operands]
        if step.reads is not None:
            words.append(Word("<", *_known(step.reads.value)))
        return OutlineEntry(
            "step",
            *self._place(step.span),
            title=step.command,
            queue_manager=step.queue_manager,
            words=tuple(words),
            maybe=step.may_not_run,
            doubts=self._doubts(step.span),
        )

    def _declared(self, declared: Declared) -> OutlineEntry:
        words = tuple(Word(shown(field.name), *_value_of(field.value)) for field in declared.fields)
        return OutlineEntry(
            "declaration",
            *self._place(declared.span),
            title=declared.type.replace("_", " "),
            name=shown(str(declared.name)) or None,
            queue_manager=declared.queue_manager,
            words=words,
        )

    def _unread(self) -> Iterator[OutlineEntry]:
        for index, reported in enumerate(self._reported):
            if index not in self._shown:
                place = self._place(reported.diagnostic.span)
                doubt = self._doubt(reported)
                yield OutlineEntry("unread", *place, "", understood=False, doubts=(doubt,))

    def _doubts(self, span: Span) -> tuple[Doubt, ...]:
        """What was reported within a statement, each once."""
        first, after = (bisect_right(self._starts, offset - 1) for offset in span)
        chosen = [index for index in range(first, after) if index not in self._shown]
        self._shown.update(chosen)
        return tuple(self._doubt(self._reported[index]) for index in chosen)

    def _doubt(self, reported: Reported) -> Doubt:
        diagnostic = reported.diagnostic
        rule = self._rules.get(diagnostic.code)
        message = fill(rule.message, diagnostic.data) if rule is not None else diagnostic.code
        start = self._lines.position(diagnostic.start)
        return Doubt(start, rule.id if rule is not None else "", message)

    def _place(self, span: Span) -> tuple[Position, Position]:
        return self._lines.position(span[0]), self._lines.position(span[1])


def _facts(command: Command) -> Iterator[Word]:
    """Read-only attributes that a dump wrote as comments."""
    for word in command.form.facts:
        yield Word(f"* {word}", command.fact(word))


def _reason(command: Command) -> str:
    if command.shape.open:
        return "a template replaces words of it"
    return "not all of its words are known"


def _value_of(value: FieldValue) -> tuple[str | tuple[str, ...] | None, bool]:
    return (None, True) if isinstance(value, Unknown) else (value, False)


def _known(value: object) -> tuple[str | None, bool]:
    """A value of a step, and whether it depends on running."""
    if value is None or isinstance(value, str):
        return (None if value is None else str(value)), False
    return None, True
