"""Steps for the differences of one object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from mqlint.finding import Location
from mqlint.model.change.described import DescribedObject, Text, Written
from mqlint.model.change.order import needed_first, rank_of
from mqlint.model.change.questions import acting, asked, ending, not_known, refresh, running
from mqlint.model.change.records import (
    authority_commands,
    removal_of,
    replacement,
    with_wider_profile,
)
from mqlint.model.change.senders import Senders
from mqlint.model.change.step import AttributeChange, Kind, PlanStep
from mqlint.model.change.surroundings import Surroundings
from mqlint.model.comparison.difference import Difference
from mqlint.model.comparison.written import Rename
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.vocabulary.effects import Effect, Effects

_RECORDS = frozenset({"chlauth", "policy"})
_HIDDEN_GAP = "{}: a secret, set it by hand"
_UNKNOWN_GAP = "{}: the value before the change is not in these files"


class Steps:
    """Makes the steps of one queue manager.

    `now` is its present description, `wanted` the other one. `rename` returns the name in `now` for
    a name of `wanted`.
    """

    def __init__(
        self, now: QueueManager, wanted: QueueManager, rename: Rename, effects: Effects
    ) -> None:
        self._rename = rename
        self._effects = effects
        self._senders = Senders(now, wanted, rename)
        self._others = Surroundings(now, wanted, rename)

    def step(
        self, now: MQObject | None, wanted: MQObject | None, found: Sequence[Difference]
    ) -> PlanStep | None:
        """Return the step for the differences of one object; None if MQSC has no command for them.

        UnknownValueError if the files do not decide a value that the command needs.
        """
        a = None if now is None else DescribedObject(now, str)
        b = None if wanted is None else DescribedObject(wanted, self._rename)
        if not all(side is None or side.can_be_named for side in (a, b)):
            return None
        step = self._step(a, b, found)
        return None if step is None else self._senders.completed(step, a, b)

    def _step(
        self, a: DescribedObject | None, b: DescribedObject | None, found: Sequence[Difference]
    ) -> PlanStep | None:
        whole = next((each for each in found if not each.attribute), None)
        if whole is not None:
            if whole.state == "only-in-b" and b is not None:
                return self._made(b, whole)
            if whole.state == "only-in-a" and a is not None:
                return self._deleted(a, whole)
            return None
        described = b if b is not None else a
        if described is None:
            return None
        if described.type == "authrec":
            return self._authority(a, b, found)
        changes = [self._change(described, each) for each in found]
        if described.type in _RECORDS:
            return self._record(described, a, b, found, changes)
        is_fixed = any(each.attribute == "type" for each in found) or any(
            change.effect.when == "fixed" for change in changes
        )
        if is_fixed and a is not None and b is not None:
            return self._replaced(a, b, changes, _place(found))
        return self._altered(described, a, b, found, changes)

    # -- whole objects ----------------------------------------------------------------------

    def _made(self, b: DescribedObject, found: Difference) -> PlanStep | None:
        command, undo, words = self._whole(b, self._others.profiles_now)
        words.require()
        effect = with_wider_profile(
            self._effects.of(b.type, b.subtype, "", on="define"),
            b,
            self._others.generic_now.get(tuple(b.keys), ()),
            is_made=True,
        )
        return PlanStep(
            *_about("define", b, found.name),
            (AttributeChange("", None, None, effect),),
            (command,),
            (undo,),
            by_hand=tuple(words.by_hand),
            starts=acting(b, "START") if self._others.takes_a_port(b) else (),
            undo_stops=ending(b),
            refresh=refresh(b, [effect]),
            place=found.place_b,
            rank=rank_of("define", b),
        )

    def _deleted(self, a: DescribedObject, found: Difference) -> PlanStep | None:
        is_record = a.type in _RECORDS or a.type == "authrec"
        if not is_record and a.vocabulary.command("DELETE", a.noun) is None:
            return None
        undo, command, words = self._whole(a, self._others.profiles_wanted)
        effect = with_wider_profile(
            self._effects.of(a.type, a.subtype, "", on="delete"),
            a,
            self._others.generic_wanted.get(tuple(a.keys), ()),
            is_made=False,
        )
        is_undone = not words.unknown
        return PlanStep(
            *_about("delete", a, found.name),
            (AttributeChange("", None, None, effect),),
            (command,),
            (undo,) if is_undone else (),
            gaps=(*_gaps(words, effect), *self._others.unseen_authority(a)),
            questions=tuple(asked(a, [effect])),
            stops=ending(a),
            undo_starts=acting(a, "START"),
            refresh=refresh(a, [effect]),
            place=found.place_a,
            rank=rank_of("delete", a, is_last=not self._others.is_in_the_way(a)),
        )

    def _whole(self, side: DescribedObject, profiles: Set[str]) -> tuple[str, str, Written]:
        """What makes an object, what deletes it, and what the first of the two does not say.

        `profiles` are the names of which authority records stay.
        """
        if side.type in _RECORDS:
            made, words = side.record("ADD", None)
            return made, removal_of(side), words
        if side.type == "authrec":
            made, words = side.authority("SET", side.value("AUTHADD") or ())
            return made, side.authority("DELETE")[0], words
        made, words = side.definition(self._others.of_defaults(side))
        return made, side.deletion(keeps_authority=side.name in profiles), words

    def _replaced(
        self,
        a: DescribedObject,
        b: DescribedObject,
        changes: Sequence[AttributeChange],
        place: Location | None,
    ) -> PlanStep | None:
        """An object that ALTER cannot change as wanted: it is deleted, and defined again."""
        if a.vocabulary.command("DELETE", a.noun) is None:
            return None
        forward, words = b.definition(self._others.of_defaults(b))
        back, old = a.definition(self._others.of_defaults(a))
        words.require()
        removal = self._effects.of(a.type, a.subtype, "", on="delete")
        stops = acting(a, "STOP")
        is_undone = not old.unknown
        undo = (b.deletion(keeps_authority=True), back) if is_undone else ()
        return PlanStep(
            *_about("replace", b, b.name),
            (AttributeChange("", None, None, removal), *changes),
            (a.deletion(keeps_authority=True), forward),
            undo,
            gaps=tuple(_gaps(old, removal)),
            by_hand=tuple(words.by_hand),
            questions=(*asked(a, [removal]), *(running(a) if stops else ())),
            stops=stops,
            starts=acting(b, "START"),
            undo_stops=acting(b, "STOP"),
            undo_starts=acting(a, "START"),
            refresh=refresh(
                b,
                (
                    self._effects.of(side.type, side.subtype, change.attribute)
                    for side in (a, b)
                    for change in changes
                ),
            ),
            place=place,
            rank=rank_of("replace", b),
        )

    # -- attributes -------------------------------------------------------------------------

    def _altered(
        self,
        described: DescribedObject,
        a: DescribedObject | None,
        b: DescribedObject | None,
        found: Sequence[Difference],
        changes: Sequence[AttributeChange],
    ) -> PlanStep | None:
        values, before, by_hand, gaps = _by_attribute(a, b, found)
        commands, words = self._alteration(a, b, changes, values)
        if not commands and not by_hand:
            return None
        done = (values.keys() - {*words.unknown}) | {*by_hand}
        undone = {word: value for word, value in before.items() if word in done}
        undo, old = self._alteration(b, a, changes, undone)
        gaps += [_UNKNOWN_GAP.format(word) for word in old.unknown]
        effects = [change.effect for change in changes if change.attribute in done]
        restarts = any(effect.when in ("channel", "listener") for effect in effects)
        acts = restarts and not described.is_default_object and described.type != "qmgr"
        stops = acting(described, "STOP") if acts else ()
        starts = acting(described, "START") if acts else ()
        return PlanStep(
            *_about("alter", described, found[0].name),
            tuple(changes),
            commands,
            undo,
            gaps=tuple(gaps),
            by_hand=tuple(by_hand),
            questions=(
                *asked(described, effects),
                *(running(described) if stops else ()),
                *not_known(described, old, words),
            ),
            stops=stops,
            starts=starts,
            undo_stops=stops,
            undo_starts=starts,
            refresh=refresh(described, effects),
            place=_place(found),
            rank=rank_of(
                "alter",
                described,
                is_first=needed_first(found) == {each.attribute for each in found},
                is_last=self._others.is_no_longer_used(described),
            ),
        )

    @staticmethod
    def _alteration(
        before: DescribedObject | None,
        after: DescribedObject | None,
        changes: Sequence[AttributeChange],
        values: Mapping[str, Text | None],
    ) -> tuple[tuple[str, ...], Written]:
        """ALTER from one side to the other; what must be blank meanwhile is cleared and set."""
        described = after or before
        if described is None:
            return (), Written([], [], [])
        blank = {
            word: described.value(word)
            for change in changes
            for word in change.effect.blank
            if before is not None and before.value(word)
        }
        command, words = described.alteration({**blank, **values})
        if not command:
            return (), words
        cleared = described.alteration(dict.fromkeys(blank, ""))[0] if blank else ""
        return tuple(filter(None, (cleared, command))), words

    def _record(
        self,
        described: DescribedObject,
        a: DescribedObject | None,
        b: DescribedObject | None,
        found: Sequence[Difference],
        changes: Sequence[AttributeChange],
    ) -> PlanStep | None:
        """A channel authentication record or policy: SET replaces it as a whole."""
        target = a if a is not None else described
        forward, words = replacement(b, target, {each.attribute: each.b for each in found})
        undo, old = replacement(a, target, {each.attribute: each.a for each in found})
        words.require()
        effects = [change.effect for change in changes]
        return PlanStep(
            *_about("alter", described, found[0].name),
            tuple(changes),
            (forward,),
            () if old.unknown else (undo,),
            gaps=tuple(_UNKNOWN_GAP.format(word) for word in old.unknown),
            questions=tuple(asked(described, effects)),
            place=_place(found),
            rank=rank_of("alter", described),
        )

    def _authority(
        self, a: DescribedObject | None, b: DescribedObject | None, found: Sequence[Difference]
    ) -> PlanStep | None:
        """The authorities of a record that are added, and those that are taken away."""
        if a is None or b is None or (scripts := authority_commands(a, b)) is None:
            return None
        changes = tuple(self._change(b, each) for each in found)
        return PlanStep(
            *_about("alter", b, found[0].name),
            changes,
            *scripts,
            place=_place(found),
            rank=rank_of("alter", b),
        )

    # -- what a step takes ------------------------------------------------------------------

    def _change(self, described: DescribedObject, found: Difference) -> AttributeChange:
        word = found.attribute
        effect = self._effects.of(described.type, described.subtype, word)
        if word == "type":
            effect = Effect(when="fixed")
        return AttributeChange(word, found.a, found.b, effect)


def _about(kind: Kind, side: DescribedObject, name: str) -> tuple[Kind, str, str, str | None]:
    """The first fields of a step for an object."""
    return kind, side.type, name, side.subtype


def _by_attribute(
    a: DescribedObject | None, b: DescribedObject | None, found: Iterable[Difference]
) -> tuple[dict[str, Text | None], dict[str, Text | None], list[str], list[str]]:
    """The values after and before a change, the secrets to set by hand, and gaps of the undo."""
    values: dict[str, Text | None] = {}
    before: dict[str, Text | None] = {}
    by_hand, gaps = [], []
    for each in found:
        word = each.attribute
        was_secret, is_secret = (side is not None and side.is_secret(word) for side in (a, b))
        if is_secret:
            by_hand.append(word)
        else:
            value = _value(b, word, each.b)
            values[word] = "" if value is None and was_secret else value
        if was_secret:
            gaps.append(_HIDDEN_GAP.format(word))
        elif is_secret:
            # Files seldom have secrets, so one that is absent may have been set by hand.
            gaps.append(_UNKNOWN_GAP.format(word))
        else:
            before[word] = _value(a, word, each.a)
    return values, before, by_hand, gaps


def _value(side: DescribedObject | None, word: str, text: str | None) -> Text | None:
    """The value of a side: that of its files, else that of every queue manager."""
    return text if side is None else side.value(word)


def _gaps(words: Written, effect: Effect) -> Iterator[str]:
    yield from (_HIDDEN_GAP.format(word) for word in words.by_hand)
    yield from (_UNKNOWN_GAP.format(word) for word in words.unknown)
    if effect.lost:
        yield effect.lost


def _place(found: Iterable[Difference]) -> Location | None:
    places = [each.place_b or each.place_a for each in found]
    return next((place for place in places if place is not None), None)
