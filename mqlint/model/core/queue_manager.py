"""A queue manager as dumps and scripts together describe it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from fnmatch import fnmatchcase
from math import inf
from typing import TYPE_CHECKING

from mqlint.config.estate.placement import SiteMatch
from mqlint.config.settings import Settings, Site
from mqlint.finding import Location
from mqlint.grouping import grouped
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.language.mqsc.dump import EVERYTHING, DumpHeader
from mqlint.model.core.action import (
    Action,
    Effect,
    action_of,
    family,
    key_words,
    name_space_of,
    raw_name,
    subtype_word,
)
from mqlint.model.core.cached_answers import CachedAnswers
from mqlint.model.core.inserts import NO_INSERTS, Inserts, name_with_inserts
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.layer import Change, Layer, layer_of, value_of
from mqlint.model.core.name_spaces import NameSpaces
from mqlint.model.core.object import LayeredObject
from mqlint.model.core.origin import Document, Origin
from mqlint.model.core.refusal import is_refused
from mqlint.model.core.script_steps import BRINGS_MORE, Script, feeds_unread
from mqlint.model.core.shipped import (
    SHIPPED_RECORDS,
    can_have,
    may_be_shipped,
    product_default,
    shipped_key,
)
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.source.budget import Budget
from mqlint.source.memo import Memo
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step


_LIKENESSES = 8
_MOST_COMPARED = 200_000
"""Limit of the records that are compared with removals that have a template."""
_SHARE = 256
"""Characters in budgets of comparisons for each command."""
_NAMELESS = frozenset({"qmgr", "authrec"})
_CREATING = {"DEADQ": "u", "DEFXMITQ": "d"}
"""Attributes of the queue manager that options of crtmqm set."""


class MQObject(LayeredObject):
    """One object, record or queue manager, with the queue manager that has it."""

    __slots__ = ()

    manager: QueueManager

    @property
    def has_refused_command(self) -> bool:
        """Whether the queue manager rejects a command of it, so that its values are open.

        It rejects words that it does not know, and a command for an object of another subtype.
        """
        vocabulary, target = self.manager.vocabulary, self.manager.target
        word = subtype_word(self.type)
        subtypes = {layer.value(word) for layer in self.layers} if word is not None else set()
        return len(subtypes - {None}) > 1 or any(
            is_refused(layer.command, vocabulary, target) for layer in self.layers
        )


class QueueManager(CachedAnswers):
    """The objects of one queue manager, and the rest of its files.

    `stanzas` and `steps` are those of its ini files and of the control commands that name it.
    `host` are the stanzas of a host's mqs.ini that name it. `declared` are declarations of jobs and
    macros of z/OS, and of other files. `events` is the output of DISPLAY, in order. `documents` are
    its own files with MQSC, `origins` all documents it was built from, `scripts` those with steps.
    `inserts` are its values for names between plus signs, and `heading` is the place of its name in
    a dump. `displayed` are descriptions of it by output of DISPLAY, of which the time is not known.
    `may_lack_records` says that there were too many removals with templates to compare.

    `observed` is True if a dump is among the files. `superseded` is True for what the dump alone
    shows if scripts change it. `orders` are the orders of its scripts: those
    of one order follow each other. `clashes` are commands that treat an object as one of another
    type. `repeats` has for each object the first command that is refused because the object exists.
    `likes` are commands with LIKE and the objects they make. `complete` is True if a dump of
    everything, the configuration, or the script that makes it, says that nothing is omitted. A
    missing object is known not to exist only if all of its type are known (`has_all`).
    """

    def __init__(
        self,
        key: QueueManagerKey,
        vocabulary: Vocabulary,
        target: Target,
        settings: Settings,
        place: SiteMatch | None = None,
        *,
        profiles: tuple[str, ...] = (),
        complete: bool = False,
        shared: frozenset[tuple[str, str]] | None = None,
        is_in_parts: bool = False,
    ) -> None:
        """Make an empty queue manager.

        `settings` are those of the whole estate, `profiles` those that they judge this queue
        manager by. `shared` are the families and names of objects that any queue manager defines
        for the whole of a queue-sharing group, None if the other queue managers are not known.
        `is_in_parts`: other files without a queue manager may be about it.
        """
        super().__init__()
        self.key = key
        self.vocabulary = vocabulary
        self.target = target
        self.settings = settings
        self.profiles = profiles
        self.site: Site | None = place.site if place is not None else None
        self.site_guessed = place is not None and place.guessed
        self.site_by = place.by if place is not None else ""
        self.complete = complete
        self.is_in_parts = is_in_parts
        self._shared = shared
        self._in_group = False
        self._dumped: tuple[str, ...] = ()
        self.observed = False
        self.superseded = False
        self.orders: set[Origin] = set()
        self.clashes: list[tuple[Layer, MQObject]] = []
        self.likes: list[tuple[Layer, MQObject]] = []
        self.repeats: dict[MQObject, Layer] = {}
        self.dump_says_all = False
        self.dump_leaves_defaults = False
        self.stanzas: list[tuple[Stanza, Origin]] = []
        self.host: list[tuple[Stanza, Origin]] = []
        self.steps: list[tuple[Sequence[Step], Origin]] = []
        self.declared: list[tuple[Declared, Origin]] = []
        self._known_steps: dict[tuple[str, int], list[tuple[list[Step], Origin]]] = {}
        self._known_declared: dict[str, list[tuple[Declared, Origin]]] = {}
        self.documents: list[Document] = []
        self.scripts: list[Script] = []
        self.loose: list[Script] = []
        self.heading: Location | None = None
        self.dumped_on: str | None = None
        self.dumped_at = ""
        self.inserts: Inserts = NO_INSERTS
        self.events: list[tuple[Command, Origin]] = []
        self.may_lack_records = False
        self._compared = 0
        self.displayed: Sequence[QueueManager] = ()
        self.origins: list[Origin] = []
        self._records: list[tuple[Command, Action, Origin, Origin]] = []
        self._spaces: NameSpaces[MQObject] = NameSpaces()
        self._number = 0
        self.default_sources: dict[tuple[object, ...], object] = {}
        self._likeness = 0
        self._chained: float = 0
        self._likenesses: Memo[tuple[int | str, ...], tuple[float, Value | None]] = Memo()
        self._budgets: dict[int | str, Budget] = {}

    def release(self) -> None:
        """Drop all content: nothing may be asked any more.

        What it has refers to it. Without that circle memory is freed at once, and the collector
        need not search for it.
        """
        self.__dict__.clear()
        self.answers.clear()

    # -- building ---------------------------------------------------------------------------

    def apply(
        self,
        commands: Iterable[Command],
        origin: Origin,
        order: Origin,
        header: DumpHeader | None = None,
    ) -> None:
        """Apply the commands of one document in order.

        Documents whose order is known share one `order`; each of the others has its own.
        """
        self.observed = self.observed or origin.observed
        if not (origin.observed or origin.shown):
            self.orders.add(order)
        if header is not None:
            self.heading = origin.location(header.span)
            self.dumped_on = header.host if not header.edited else None
            self.dumped_at = header.generated or ""
            self.complete = self.complete or header.complete == EVERYTHING
            self._dumped = tuple(dict.fromkeys((*self._dumped, *header.complete)))
            self.dump_says_all = header.all_attributes
            self.dump_leaves_defaults = header.leaves_defaults
        vocabulary = self.vocabulary
        records = self._records.append
        for command in commands:
            action = action_of(command, vocabulary)
            if action is None:
                continue
            if action.type == "authrec":
                records((command, action, origin, order))
            elif action.effect is Effect.EVENT:
                if origin.shown:
                    self.events.append((command, origin))
            else:
                self._change(command, action, origin, order)

    def _change(self, command: Command, action: Action, origin: Origin, order: Origin) -> None:
        """Let one command define, alter, set or delete an object."""
        self._number += 1
        self._in_group = self._in_group or "QSGDISP" in action.words
        is_run = not (origin.observed or origin.shown)
        is_judged = is_run and action.type == "chlauth"
        refused = is_judged and is_refused(command, self.vocabulary, self.target)
        if refused:
            return
        layer = layer_of(command, action, origin, order, self._number)
        objects = self._perhaps_removed(command, layer) if is_judged else None
        if refused is None or objects is not None:
            layer = layer.doubtful()
        for found in self._objects(command, action, layer) if objects is None else objects:
            if not found.add(layer):
                self.repeats.setdefault(found, layer)
            if "LIKE" in action.words:
                self.likes.append((layer, found))

    def _objects(self, command: Command, action: Action, layer: Layer) -> Iterable[MQObject]:
        """Return the objects of a command: one, new or existing; several for REMOVEALL."""
        raw = raw_name(command, action)
        if isinstance(raw, Templated):
            raw = name_with_inserts(raw, command, self.inserts)
        if isinstance(raw, Templated):
            found = MQObject(self, action.type, Templated(raw.strip().strip("'")), raw)
            self._spaces.add_unnamed(found)
            return (found,)
        name = decode(raw or "")
        if not name and action.type not in _NAMELESS:
            return ()  # the queue manager refuses a command that lacks a name
        name = self.key.name if raw is None else name
        if action.type == "chlauth" and decode(command.get("ACTION") or "") == "REMOVEALL":
            kind = decode(command.get("TYPE") or "")
            return self._records_of(name, kind)
        names = self._spaces.space(name_space_of(command, action))
        key = name
        for word in key_words(action.type):
            key += f"\x1f{decode(command.get(word) or '')}"
        known = names.get(key)
        if known is None or (known.type != action.type and known.exists is False):
            known = names[key] = MQObject(self, action.type, name, key)
        if known.type == action.type:
            return (known,)
        if known.exists and not layer.maybe:
            self.clashes.append((layer, known))
        return ()  # the queue manager refuses to treat an object of one type as another

    def _perhaps_removed(self, command: Command, layer: Layer) -> Iterable[MQObject] | None:
        """The records that a removal may take away by a template in it; None without one."""
        action = command.get("ACTION")
        if layer.change is not Change.REMOVE or isinstance(action, Templated):
            return None
        words = ("TYPE",) if decode(action or "") == "REMOVEALL" else key_words("chlauth")
        wanted = [raw_name(command, layer.action), *map(command.get, words)]
        if not any(isinstance(text, Templated) for text in wanted):
            return None
        self._compared += len(self._spaces.space("chlauth"))
        if self._compared > _MOST_COMPARED:
            self.may_lack_records = True
            return ()
        return self._records_of(
            *(None if isinstance(text, Templated) else decode(text or "") for text in wanted)
        )

    def _records_of(self, *keys: str | None) -> list[MQObject]:
        """The records whose profile, type and so on are these, None for any; shipped ones too."""
        records = self._spaces.space("chlauth")
        for (profile, kind), address in SHIPPED_RECORDS.items():
            key = shipped_key(profile, kind, address)
            if key not in records and _is_of(key, keys):
                records[key] = MQObject(self, "chlauth", profile, key)
        if None not in keys:
            start = "\x1f".join((*(key or "" for key in keys), ""))
            return [record for key, record in records.items() if key.startswith(start)]
        return [record for key, record in records.items() if _is_of(key, keys)]

    # -- asking -----------------------------------------------------------------------------

    def recorded(self, object_type: str, key: str) -> MQObject | None:
        """Return the object of this key, also when commands took it away."""
        if object_type == "authrec":
            self._apply_records()
        return self._spaces.at(object_type, key)

    def budget(self, question: int | str) -> Budget:
        """Return the budget of comparisons for one question, by the number of commands.

        A question has a name, or is identified by the object that asks it. All commands must have
        been applied.
        """
        found = self._budgets.get(question)
        if found is None:
            steps = sum(len(of_document) for of_document, _ in self.steps)
            commands = self._number + len(self._records) + steps + len(self.declared)
            found = self._budgets[question] = Budget(_SHARE * commands)
        return found

    @property
    def undecided(self) -> Sequence[int | str]:
        """The questions for which there was more to compare than their budgets allow."""
        return [question for question, budget in self._budgets.items() if budget.is_spent]

    def all_steps(self) -> Iterator[tuple[Step, Origin]]:
        """Yield all control commands; there may be as many as the documents have lines."""
        return ((step, origin) for of_document, origin in self.steps for step in of_document)

    def control_steps(self, command: str) -> Iterator[tuple[Step, Origin]]:
        known, key = self._known_steps, (command, len(self.steps))
        if key not in known:
            known[key] = [
                (found, origin)
                for steps, origin in self.steps
                if (found := [step for step in steps if step.command == command])
            ]
        return ((step, origin) for steps, origin in known[key] for step in steps)

    def declarations(self, *types: str) -> Iterator[tuple[Declared, Origin]]:
        known = self._known_declared
        if sum(map(len, known.values())) != len(self.declared):
            known = self._known_declared = grouped((each[0].type, each) for each in self.declared)
        if len(types) == 1:
            return iter(known.get(types[0], ()))
        return (each for each in self.declared if each[0].type in types)

    def objects(self, object_type: str) -> Iterator[MQObject]:
        """Return the objects of a type (or of the family `queue`) that are not deleted."""
        if object_type == "authrec":
            self._apply_records()
        return iter(self._spaces.existing(object_type))

    def channels(self, *subtypes: str) -> Iterator[MQObject]:
        """Return the channels of some types that are not deleted."""
        return (channel for channel in self.objects("channel") if channel.subtype in subtypes)

    def families(self) -> Iterator[str]:
        """Yield the families of types of which objects may be here, apart from records."""
        return self._spaces.families()

    def created_with(self, attribute: str) -> Value:
        """Return the value of an attribute of the queue manager when it was created.

        Known only if one crtmqm creates it and the configuration says that no object is omitted.
        Rules about crtmqm judge what an option sets, so it is not known here.
        """
        if not can_have(self.vocabulary, "qmgr", None, attribute):
            return ABSENT
        creation = self.cached(_creation)
        if creation is None or creation.option(_CREATING.get(attribute, "")) is not None:
            return UNKNOWN
        return product_default(self.vocabulary, self.target, "qmgr", None, attribute)

    def own_object(self) -> MQObject | None:
        """Return the object that ALTER QMGR changes, None when no command does."""
        return next(self.objects("qmgr"), None)

    def all_named(self, object_type: str) -> Iterator[MQObject]:
        """Return the objects of a type that commands name, also those they take away."""
        if object_type == "authrec":
            self._apply_records()
        return self._spaces.named(object_type)

    def all_objects(self, *, records: bool = True) -> Iterator[MQObject]:
        return (found for found in self.all_recorded(records=records) if found.exists is not False)

    def all_recorded(self, *, records: bool = True) -> Iterator[MQObject]:
        """Return every object that commands name, also those that they delete.

        Without `records` authority records may be missing: nothing is built for them.
        """
        if records:
            self._apply_records()
        return self._spaces.everything()

    @property
    def records(self) -> Sequence[tuple[Command, Action, Origin, Origin]]:
        """The commands about authority records from which no objects were built as yet."""
        return self._records

    def _apply_records(self) -> None:
        """Authority records are most of a dump and seldom asked for: built at the first asking."""
        records, self._records = self._records, []
        for command, action, origin, order in records:
            self._change(command, action, origin, order)

    def records_about(self, types: Set[str]) -> Sequence[MQObject]:
        """Return the authority records about objects of some types (QUEUE, TOPIC ...).

        No objects are built of the others. Each record must have one command, with the type.
        """
        others: list[tuple[Command, Action, Origin, Origin]] = []
        wanted: list[tuple[Command, Action, Origin, Origin]] = []
        for record in self._records:
            is_wanted = value_of(record[0].get("OBJTYPE") or "") in types
            (wanted if is_wanted else others).append(record)
        self._records = wanted
        self._apply_records()
        self._records = others
        made = self._spaces.existing("authrec")
        return [record for record in made if record.value("OBJTYPE") in types]

    def named(self, object_type: str, name: str) -> Iterator[MQObject]:
        """Yield the objects of a type (or of the family `queue`) that have this name.

        There may be several: a client-connection channel beside another channel, or the
        records of one channel.
        """
        for found in self._called(object_type, name):
            if found.exists is not False and found.is_a(object_type):
                yield found

    def deleted(self, object_type: str, name: str) -> MQObject | None:
        """Return the last object of this name if a command deletes it, None for any other."""
        known = [found for found in self._called(object_type, name) if found.is_a(object_type)]
        return known[-1] if known and known[-1].exists is False else None

    def _called(self, object_type: str, name: str) -> Sequence[MQObject]:
        """What has this name, or had it; an object of another type may have taken it."""
        if object_type == "authrec":
            self._apply_records()
        return self._spaces.called(object_type, name)

    def find(self, object_type: str, name: str, subtype: str | None = None) -> MQObject | None:
        """Return the object of this name in the name space of `object_type`."""
        found = self._spaces.at(family(object_type, subtype), name)
        there = found is not None and found.exists is not False and found.is_a(object_type)
        return found if there else None

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is an object of this name; None when the text does not settle it."""
        known = self._called(object_type, name)
        states = {mqobject.exists for mqobject in known if mqobject.is_a(object_type)}
        if states:
            return True if True in states else None if None in states else False
        if any(mqobject.exists for mqobject in known):
            return False  # the name is taken by an object of another type
        return self.exists_elsewhere(object_type, name)

    def exists_elsewhere(self, object_type: str, name: str) -> bool | None:
        """Return whether an object that no command here makes exists; None if not known."""
        if may_be_shipped(name) or self.is_external(object_type, name):
            return True
        if self._shared is None and self._in_group:
            return None  # another member may define it
        is_open = self._spaces.is_open(object_type) or not self.has_all(object_type)
        return None if is_open else False

    def has_unnamed(self, object_type: str) -> bool:
        """Whether an object of a type has a template for a name, and so may have any name."""
        return self._spaces.is_open(object_type)

    def has_dumped(self, object_type: str) -> bool:
        """Whether a dump says that it has every object of a type."""
        return not {*EVERYTHING, family(object_type)}.isdisjoint(self._dumped)

    def has_all(self, object_type: str) -> bool:
        """Whether no object of a type, or of the family `queue`, is left out."""
        if self.complete:
            return True
        families = {"channel", "clntconn"} if object_type == "channel" else {family(object_type)}
        return families.issubset(self._dumped)

    def is_external(self, object_type: str, name: str) -> bool:
        """Return whether an object is elsewhere: in a queue-sharing group, or by the settings."""
        is_shared = self._shared is not None and (family(object_type), name) in self._shared
        if is_shared and self.target.on_zos is not False:
            return True
        patterns = self.settings.external.of(family(object_type))
        return any(fnmatchcase(name, pattern) for pattern in patterns)

    def defaults(self, source: object) -> dict[str, Value]:
        """Return the known defaults of objects of one source, to be filled in."""
        return self.vocabulary.answers(source)

    @property
    def is_asking(self) -> bool:
        """Whether a value that LIKE needs is being worked out: values that use it are not final."""
        return self._likeness > 0

    def ask(self, model: LayeredObject, attribute: str, before: Layer) -> Value | None:
        """Return the value that commands before `before` write for an object used by LIKE.

        None when they write none, unknown when objects are made like each other in a circle or
        in a chain too long to follow. An answer is kept, as several commands may make each object
        of the chain, which is then asked in as many ways as these multiply to: for all who ask, or
        for those at an equal depth if it was not followed to its end.
        """
        question, depth = (id(model), attribute, before.number, self._number), self._likeness
        answer = self._likenesses.get(question) or self._likenesses.get((*question, depth))
        if answer is None and depth < _LIKENESSES:
            around, self._chained, self._likeness = self._chained, 0, depth + 1
            try:
                value = model.written_value(attribute, before)
            finally:
                length, self._chained, self._likeness = self._chained + 1, around, depth
            answer = length, value if length <= _LIKENESSES else UNKNOWN
            is_final = depth == 0 or length < inf
            self._likenesses.store(question if is_final else (*question, depth), answer)
        final = answer or (inf, UNKNOWN)
        self._chained = max(self._chained, final[0])
        return final[1]


def _is_of(key: str, keys: Sequence[str | None]) -> bool:
    return all(own in (None, part) for own, part in zip(keys, key.split("\x1f"), strict=False))


def _creation(manager: QueueManager) -> Step | None:
    """The one crtmqm of a queue manager of which the files have everything, as scripts say too."""
    is_whole = manager.complete and manager.settings.inventory.objects
    made = [step for step, _ in manager.control_steps("crtmqm")] if is_whole else []
    if len(made) != 1 or made[0].execution.maybe or made[0].open:
        return None
    if made[0].option(*BRINGS_MORE) is not None or feeds_unread(manager.scripts):
        return None
    return made[0]
