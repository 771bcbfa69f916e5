"""Steps for the differences of one object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mqlint.finding import Location
from mqlint.model.change.described import DescribedObject, Text, Written
from mqlint.model.change.order import needed_first, rank_of
from mqlint.model.change.questions import asked, not_known, running
from mqlint.model.change.records import (
    authority_commands,
    removal_of,
    replacement,
    with_wider_profile,
)
from mqlint.model.change.senders import Senders
from mqlint.model.change.step import AttributeChange, Kind, PlanStep
from mqlint.model.comparison.difference import Difference
from mqlint.model.comparison.written import Rename, written_words
from mqlint.model.core.action import family, key_words
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import default_object_name
from mqlint.model.facts.oam_profile import is_generic
from mqlint.model.facts.uses import uses_of
from mqlint.validity.address_pattern import crossing
from mqlint.vocabulary.effects import Effect, Effects

_Keys = tuple[tuple[str, str], ...]
_RECORDS = frozenset({"chlauth", "policy"})
_REFRESHED: Mapping[str, str] = {"ssl": "SSL", "connauth": "CONNAUTH"}
_HIDDEN_GAP = "{}: a secret, set it by hand"
_UNKNOWN_GAP = "{}: the value before the change is not in these files"


class UnknownValueError(Exception):
    """No command can be written, because the files do not decide a value that it needs."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take the attributes whose values are unknown."""
        super().__init__(f"the files do not decide {', '.join(words)}")


class Steps:
    """Makes the steps of one queue manager.

    `now` is its present description, `wanted` the other one. `rename` returns the name in `now` for
    a name of `wanted`.
    """

    def __init__(
        self, now: QueueManager, wanted: QueueManager, rename: Rename, effects: Effects
    ) -> None:
        self._now = now
        self._wanted = wanted
        self._rename = rename
        self._effects = effects
        self._senders = Senders(now, wanted, rename)
        self._used = {(family(use.target), use.name) for use in uses_of(now)}
        self._still_used = {(family(use.target), rename(use.name)) for use in uses_of(wanted)}
        self._profiles_now = {found.name for found in now.objects("authrec")}
        self._profiles_wanted = {rename(found.name) for found in wanted.objects("authrec")}

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
            return self._record(a, b, found, changes)
        is_fixed = any(each.attribute == "type" for each in found) or any(
            change.effect.when == "fixed" for change in changes
        )
        if is_fixed and a is not None and b is not None:
            return self._replaced(a, b, changes, _place(found))
        return self._altered(a, b, found, changes)

    # -- whole objects ----------------------------------------------------------------------

    def _made(self, b: DescribedObject, found: Difference) -> PlanStep | None:
        words: Written
        if b.type in _RECORDS:
            command, words = b.record("ADD", None)
            undo = removal_of(b)
        elif b.type == "authrec":
            command, words = b.authority("SET", b.value("AUTHADD") or ())
            undo = b.authority("DELETE")[0]
        else:
            command, words = b.definition(self._of_defaults(b))
            keeps = b.name in self._profiles_now
            undo = b.deletion(keeps_authority=keeps)
        if words.unknown:
            raise UnknownValueError(words.unknown)
        effect = with_wider_profile(
            self._effects.of(b.type, b.subtype, "", on="define"),
            b,
            self._generic_now.get(tuple(b.keys), ()),
            is_made=True,
        )
        stops = self._ending(b)
        return PlanStep(
            "define",
            b.type,
            found.name,
            b.subtype,
            (AttributeChange("", None, None, effect),),
            (command,),
            (undo,),
            by_hand=tuple(words.by_hand),
            starts=self._acting(b, "START") if self._takes_a_port(b) else (),
            undo_stops=stops,
            refresh=self._refresh(b, [effect]),
            place=found.place_b,
            rank=self._rank("define", b),
        )

    def _deleted(self, a: DescribedObject, found: Difference) -> PlanStep | None:
        words = Written([], [], [])
        if a.type in _RECORDS:
            command = removal_of(a)
            undo, words = a.record("ADD", None)
        elif a.type == "authrec":
            command = a.authority("DELETE")[0]
            undo, words = a.authority("SET", a.value("AUTHADD") or ())
        elif self._now.vocabulary.command("DELETE", a.noun) is None:
            return None
        else:
            keeps = a.name in self._profiles_wanted
            command = a.deletion(keeps_authority=keeps)
            undo, words = a.definition(self._of_defaults(a))
        effect = with_wider_profile(
            self._effects.of(a.type, a.subtype, "", on="delete"),
            a,
            self._generic_wanted.get(tuple(a.keys), ()),
            is_made=False,
        )
        is_undone = not words.unknown
        return PlanStep(
            "delete",
            a.type,
            found.name,
            a.subtype,
            (AttributeChange("", None, None, effect),),
            (command,),
            (undo,) if is_undone else (),
            gaps=(*_gaps(words, effect), *self._unseen_authority(a)),
            questions=tuple(asked(a, [effect])),
            stops=self._ending(a),
            undo_starts=self._acting(a, "START"),
            refresh=self._refresh(a, [effect]),
            place=found.place_a,
            rank=self._rank("delete", a, is_last=not self._is_in_the_way(a)),
        )

    def _unseen_authority(self, a: DescribedObject) -> Iterator[str]:
        """DELETE takes authority records with it, which files without any cannot bring back."""
        if self._profiles_now or self._profiles_wanted or not a.deletes_authority:
            return
        yield f"the authority records of {a.noun}({a.name}), which are not in these files"

    def _replaced(
        self,
        a: DescribedObject,
        b: DescribedObject,
        changes: Sequence[AttributeChange],
        place: Location | None,
    ) -> PlanStep | None:
        """An object that ALTER cannot change as wanted: it is deleted, and defined again."""
        if self._now.vocabulary.command("DELETE", a.noun) is None:
            return None
        forward, words = b.definition(self._of_defaults(b))
        back, old = a.definition(self._of_defaults(a))
        if words.unknown:
            raise UnknownValueError(words.unknown)
        removal = self._effects.of(a.type, a.subtype, "", on="delete")
        stops = self._acting(a, "STOP")
        is_undone = not old.unknown
        undo = (b.deletion(keeps_authority=True), back) if is_undone else ()
        return PlanStep(
            "replace",
            b.type,
            b.name,
            b.subtype,
            (AttributeChange("", None, None, removal), *changes),
            (a.deletion(keeps_authority=True), forward),
            undo,
            gaps=tuple(_gaps(old, removal)),
            by_hand=tuple(words.by_hand),
            questions=(*asked(a, [removal]), *(running(a) if stops else ())),
            stops=stops,
            starts=self._acting(b, "START"),
            undo_stops=self._acting(b, "STOP"),
            undo_starts=self._acting(a, "START"),
            refresh=self._refresh(
                b,
                (
                    self._effects.of(side.type, side.subtype, change.attribute)
                    for side in (a, b)
                    for change in changes
                ),
            ),
            place=place,
            rank=self._rank("replace", b),
        )

    # -- attributes -------------------------------------------------------------------------

    def _altered(
        self,
        a: DescribedObject | None,
        b: DescribedObject | None,
        found: Sequence[Difference],
        changes: Sequence[AttributeChange],
    ) -> PlanStep | None:
        described = b or a
        if described is None:
            return None
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
        commands, words = self._alteration(a, b, changes, values)
        if not commands and not by_hand:
            return None
        done = {word for word in values if word not in words.unknown}
        undone = {word: before[word] for word in before if word in done | set(by_hand)}
        undo, old = self._alteration(b, a, changes, undone)
        gaps += [_UNKNOWN_GAP.format(word) for word in old.unknown]
        effects = [change.effect for change in changes if change.attribute in done | set(by_hand)]
        restarts = any(effect.when in ("channel", "listener") for effect in effects)
        acts = restarts and not described.is_default_object and described.type != "qmgr"
        stops = self._acting(described, "STOP") if acts else ()
        starts = self._acting(described, "START") if acts else ()
        return PlanStep(
            "alter",
            described.type,
            found[0].name,
            described.subtype,
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
            refresh=self._refresh(described, effects),
            place=_place(found),
            rank=self._rank(
                "alter",
                described,
                is_first=needed_first(found) == {each.attribute for each in found},
                is_last=self._is_no_longer_used(described),
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
        a: DescribedObject | None,
        b: DescribedObject | None,
        found: Sequence[Difference],
        changes: Sequence[AttributeChange],
    ) -> PlanStep | None:
        """A channel authentication record or policy: SET replaces it as a whole."""
        described = b or a
        if described is None:
            return None
        target = a if a is not None else described
        forward, words = replacement(b, target, {each.attribute: each.b for each in found})
        undo, old = replacement(a, target, {each.attribute: each.a for each in found})
        if words.unknown:
            raise UnknownValueError(words.unknown)
        effects = [change.effect for change in changes]
        return PlanStep(
            "alter",
            described.type,
            found[0].name,
            described.subtype,
            tuple(changes),
            (forward,),
            () if old.unknown else (undo,),
            gaps=tuple(_UNKNOWN_GAP.format(word) for word in old.unknown),
            questions=tuple(asked(described, effects)),
            place=_place(found),
            rank=self._rank("alter", described),
        )

    def _authority(
        self, a: DescribedObject | None, b: DescribedObject | None, found: Sequence[Difference]
    ) -> PlanStep | None:
        """The authorities of a record that are added, and those that are taken away."""
        if a is None or b is None:
            return None
        scripts = authority_commands(a, b)
        if scripts is None:
            return None
        changes = tuple(self._change(b, each) for each in found)
        return PlanStep(
            "alter",
            "authrec",
            found[0].name,
            b.subtype,
            changes,
            *scripts,
            place=_place(found),
            rank=self._rank("alter", b),
        )

    # -- what a step takes ------------------------------------------------------------------

    def _change(self, described: DescribedObject, found: Difference) -> AttributeChange:
        word = found.attribute
        effect = self._effects.of(described.type, described.subtype, word)
        if word == "type":
            effect = Effect(when="fixed")
        return AttributeChange(word, found.a, found.b, effect)

    def _of_defaults(self, described: DescribedObject) -> set[str]:
        """The attributes that a default object has on one side or the other."""
        words: set[str] = set()
        name = default_object_name(described.type, described.subtype)
        for manager in (self._now, self._wanted):
            default = name and manager.find(described.type, name, described.subtype)
            if default and default is not described.found:
                words |= written_words(default, set())
        return words - set(key_words(described.type))

    def _acting(self, described: DescribedObject, verb: str) -> tuple[str, ...]:
        """START or STOP of what runs."""
        runs = described.type == "listener" or (
            described.type == "channel" and described.subtype != "CLNTCONN"
        )
        return (described.acts(verb),) if runs else ()

    def _refresh(self, described: DescribedObject, effects: Iterable[Effect]) -> tuple[str, ...]:
        kinds = dict.fromkeys(_REFRESHED[each.when] for each in effects if each.when in _REFRESHED)
        return tuple(f"REFRESH SECURITY TYPE({kind})" for kind in kinds)

    def _ending(self, described: DescribedObject) -> tuple[str, ...]:
        """STOP of what is deleted; a cluster-receiver leaves its cluster while it still runs.

        Otherwise the cluster keeps its record, and sends to it (IBM MQ documentation, csqzah061j).
        """
        values: dict[str, Text | None] = {
            word: "" for word in ("CLUSTER", "CLUSNL") if described.value(word)
        }
        leaves = described.subtype == "CLUSRCVR" and values
        left = (described.alteration(values)[0],) if leaves else ()
        return (*left, *self._acting(described, "STOP"))

    def _takes_a_port(self, b: DescribedObject) -> bool:
        """Whether a new listener has the port of one that is deleted, and so was running."""
        names = {self._rename(found.name) for found in self._wanted.objects("listener")}
        return b.type == "listener" and any(
            found.value("PORT") == b.value("PORT")
            for found in self._now.objects("listener")
            if found.name not in names
        )

    def _is_no_longer_used(self, described: DescribedObject) -> bool:
        """Whether another object names it now, and none does after the change."""
        use = family(described.type), described.name
        return use in self._used and use not in self._still_used

    def _is_in_the_way(self, a: DescribedObject) -> bool:
        """Whether the queue manager refuses a new object as long as this one exists.

        A topic string belongs to one topic (3300); ranges of addresses must not cross (3343).
        """
        if a.type == "topic":
            return a.value("TOPICSTR") in self._topic_strings
        address = a.value("ADDRESS")
        if a.type != "chlauth" or not isinstance(address, str) or "-" not in address:
            return False
        others = self._ranges.get((a.name, _keys_but_address(a)), ())
        return any(crossing((address, other)) is not None for other in others)

    @cached_property
    def _topic_strings(self) -> set[Text | None]:
        topics = (DescribedObject(found, self._rename) for found in self._wanted.objects("topic"))
        return {topic.value("TOPICSTR") for topic in topics} - {None}

    @cached_property
    def _ranges(self) -> Mapping[tuple[str, _Keys], list[str]]:
        """Wanted ranges of addresses, by what must be alike so that they can cross."""
        found = defaultdict[tuple[str, _Keys], list[str]](list)
        for record in self._wanted.objects("chlauth"):
            described = DescribedObject(record, self._rename)
            address = described.value("ADDRESS")
            if isinstance(address, str) and "-" in address:
                found[described.name, _keys_but_address(described)].append(address)
        return found

    @cached_property
    def _generic_now(self) -> Mapping[_Keys, list[DescribedObject]]:
        return _generic(self._now, str)

    @cached_property
    def _generic_wanted(self) -> Mapping[_Keys, list[DescribedObject]]:
        return _generic(self._wanted, self._rename)

    def _rank(
        self,
        kind: Kind,
        described: DescribedObject,
        *,
        is_first: bool = False,
        is_last: bool = False,
    ) -> tuple[int, int, int, str]:
        return rank_of(
            kind,
            described.type,
            described.subtype,
            described.name,
            is_first=is_first or described.is_default_object,
            is_last=is_last,
        )


def _keys_but_address(record: DescribedObject) -> _Keys:
    return tuple((word, value) for word, value in record.keys if word != "ADDRESS")


def _generic(manager: QueueManager, rename: Rename) -> Mapping[_Keys, list[DescribedObject]]:
    """Authority records of generic profiles, by whom they are for."""
    found = defaultdict[_Keys, list[DescribedObject]](list)
    for record in manager.objects("authrec"):
        described = DescribedObject(record, rename)
        if is_generic(described.name):
            found[tuple(described.keys)].append(described)
    return found


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
