"""A queue manager as dumps and scripts together describe it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from mqlint.config.placement import SiteMatch
from mqlint.config.settings import Migration, Site
from mqlint.finding import Location
from mqlint.model.action import Action, Effect, action_of, family, key_words
from mqlint.model.key import QueueManagerKey
from mqlint.model.layer import Layer, layer_of, value_of
from mqlint.model.object import MQObject
from mqlint.model.origin import Origin
from mqlint.model.script import Script
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Command, Templated, decode
from mqlint.syntax.mqsc.dump import EVERYTHING, DumpHeader
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.syntax.declared import Declared
    from mqlint.syntax.ini import Stanza
    from mqlint.syntax.step import Step

_DEFAULT_OBJECTS = {
    "qlocal": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "qalias": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "qremote": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "qmodel": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "namelist": "SYSTEM.DEFAULT.NAMELIST",
    "process": "SYSTEM.DEFAULT.PROCESS",
    "topic": "SYSTEM.DEFAULT.TOPIC",
    "sub": "SYSTEM.DEFAULT.SUB",
    "service": "SYSTEM.DEFAULT.SERVICE",
    "listener": "SYSTEM.DEFAULT.LISTENER.TCP",
    "comminfo": "SYSTEM.DEFAULT.COMMINFO.MULTICAST",
}
_DEFAULT_CHANNELS = {
    "SDR": "SYSTEM.DEF.SENDER",
    "SVR": "SYSTEM.DEF.SERVER",
    "RCVR": "SYSTEM.DEF.RECEIVER",
    "RQSTR": "SYSTEM.DEF.REQUESTER",
    "SVRCONN": "SYSTEM.DEF.SVRCONN",
    "CLNTCONN": "SYSTEM.DEF.CLNTCONN",
    "CLUSSDR": "SYSTEM.DEF.CLUSSDR",
    "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR",
}
_DEFAULT_AUTHINFO = {
    "CRLLDAP": "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP",
    "OCSP": "SYSTEM.DEFAULT.AUTHINFO.OCSP",
    "IDPWOS": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
    "IDPWLDAP": "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP",
}
_LIKENESSES = 16
_TEXTS = 8192

SHIPPED_RECORDS = {
    ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP"): "*",
    ("SYSTEM.*", "ADDRESSMAP"): "*",
    ("*", "BLOCKUSER"): "",
}
"""Channel authentication records of a new queue manager: profile and type, and the address."""


def record_key(profile: str, kind: str, address: str) -> str:
    """Return the key of a channel authentication record that has no key but an address."""
    return "\x1f".join((profile, kind, address, "", "", "", ""))


T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A file of MQSC: what it is written in, the digest of its bytes, and its commands."""

    language: str
    digest: str
    origin: Origin
    commands: Sequence[Command]


class QueueManager:
    """The objects of one queue manager and what its files say of it.

    `stanzas` and `steps` are those of its ini files and of the control commands that name it;
    `host` are the stanzas of the host's mqs.ini where that names it;
    `declared` is what jobs and macros of z/OS say there is;
    `events` are what DISPLAY showed, in order. `documents` are the files with MQSC of its own;
    `heading` is the place where a dump says its name, `origins` are all documents it
    was built from, `scripts` those with steps.

    `observed` is True when a dump is among the files, `orders` are the orders of its scripts: those
    of one order are known to follow each other. `clashes` are commands that define what is there
    as an object of another type, `repeats` the first for each object that makes
    it when it is there, and is refused, `likes` those with LIKE and the objects they make.

    `complete` is True when a dump of everything, or the configuration, says that nothing is left
    out. Only where that is known of its type (`has_all`) is an object that is not here known not
    to exist.
    """

    def __init__(
        self,
        key: QueueManagerKey,
        vocabulary: Vocabulary,
        target: Target,
        place: SiteMatch | None = None,
        *,
        external: Mapping[str, tuple[str, ...]] | None = None,
        complete: bool = False,
        jobs_complete: bool = False,
        estate_complete: bool = False,
        scripts_complete: bool = False,
        sites: tuple[Site, ...] = (),
        profiles: tuple[str, ...] = (),
        migration: Migration | None = None,
        twins: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Make an empty queue manager.

        `external` maps a name space (`queue`, `channel` ...) to the generic names of objects
        that are kept elsewhere; `jobs_complete` says that every scheduled job is among the files,
        `estate_complete` that every queue manager is, `scripts_complete` that scripts make all
        objects there should be. `sites` are those of the whole estate,
        `profiles` those that the configuration judges it by, `migration` the one it says is ahead,
        `twins` how names become those of the other site: (from, to) stretches.
        """
        self.key = key
        self.vocabulary = vocabulary
        self.target = target
        self.site: Site | None = place.site if place is not None else None
        self.site_guessed = place is not None and place.guessed
        self.complete = complete
        self._dumped: tuple[str, ...] = ()
        self.observed = False
        self.orders: set[Origin] = set()
        self.clashes: list[tuple[Layer, MQObject]] = []
        self.likes: list[tuple[Layer, MQObject]] = []
        self.repeats: dict[MQObject, Layer] = {}
        self.jobs_complete = jobs_complete
        self.estate_complete = estate_complete
        self.scripts_complete = scripts_complete
        self.sites = sites
        self.profiles = profiles
        self.migration = migration
        self.twins = twins
        self.dump_says_all = False
        self.dump_leaves_defaults = False
        self.stanzas: list[tuple[Stanza, Origin]] = []
        self.host: list[tuple[Stanza, Origin]] = []
        self.steps: list[tuple[Step, Origin]] = []
        self.declared: list[tuple[Declared, Origin]] = []
        self.documents: list[Document] = []
        self.scripts: list[Script] = []
        self.loose: list[Script] = []
        self.heading: Location | None = None
        self.events: list[tuple[Command, Origin]] = []
        self.origins: list[Origin] = []
        self._external = external or {}
        self._records: list[tuple[Command, Action, Origin, Origin]] = []
        self._families: dict[str, dict[str, MQObject]] = {}
        self._unnamed: dict[str, list[MQObject]] = {}
        self._turn = 0
        self._asking: set[tuple[int, str]] = set()
        self._found: dict[object, object] = {}
        self._by_name: dict[str, dict[str, list[MQObject]]] = {}
        self._decoded: dict[str, Value] = {}
        self._defaults: dict[tuple[object, ...], dict[str, Value]] = {}

    # -- building ---------------------------------------------------------------------------

    def apply(
        self,
        commands: Iterable[Command],
        origin: Origin,
        order: Origin,
        header: DumpHeader | None = None,
    ) -> None:
        """Apply the commands of one document in order.

        `order` names the order it belongs to: documents whose order is known share one, others
        have each their own.
        """
        self.observed = self.observed or origin.observed
        if not (origin.observed or origin.shown):
            self.orders.add(order)
        if header is not None:
            self.heading = origin.location(header.span)
            self.complete = self.complete or header.complete == EVERYTHING
            self._dumped = header.complete
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
        self._turn += 1
        layer = layer_of(command, action, origin, order, self._turn)
        for found in self._objects(command, action, layer):
            if not found.add(layer):
                self.repeats.setdefault(found, layer)
            if "LIKE" in action.words:
                self.likes.append((layer, found))

    def _objects(self, command: Command, action: Action, layer: Layer) -> Iterable[MQObject]:
        """Return the objects a command is about: one, made when it is new, but for REMOVEALL."""
        raw = _raw_name(command, action)
        if isinstance(raw, Templated):
            found = MQObject(self, action.type, Templated(raw.strip().strip("'")), raw)
            self._unnamed.setdefault(action.type, []).append(found)
            return (found,)
        name = self.key.name if raw is None else decode(raw)
        if action.type == "chlauth" and decode(command.get("ACTION") or "") == "REMOVEALL":
            kind = decode(command.get("TYPE") or "")
            return self._records_of(name, kind)
        names = self._families.setdefault(_family_of(command, action), {})
        key = name
        for word in key_words(action.type):
            key += f"\x1f{decode(command.get(word) or '')}"
        known = names.get(key)
        if known is None or (known.type != action.type and known.exists is False):
            known = names[key] = MQObject(self, action.type, name, key)
        if known.type == action.type:
            return (known,)
        if action.effect is Effect.DEFINE and known.exists and not layer.maybe:
            self.clashes.append((layer, known))
        return ()  # the queue manager refuses to treat an object of one type as another

    def _records_of(self, profile: str, kind: str) -> list[MQObject]:
        """The records of one profile and type, the one that is shipped with it among them."""
        address = SHIPPED_RECORDS.get((profile, kind))
        if address is not None:
            key = record_key(profile, kind, address)
            names = self._families.setdefault("chlauth", {})
            if key not in names:
                names[key] = MQObject(self, "chlauth", profile, key)
        records = self._families.get("chlauth", {}).values()
        of_kind = "\x1f".join((profile, kind, ""))
        return [one for one in records if one.key.startswith(of_kind)]

    # -- asking -----------------------------------------------------------------------------

    def recorded(self, object_type: str, key: str) -> MQObject | None:
        """Return the object of this key, also when commands took it away."""
        if object_type == "authrec":
            self._apply_records()
        return self._families.get(object_type, {}).get(key)

    def once(self, find: Callable[[QueueManager], T]) -> T:
        """Return what `find` says of the queue manager, worked out at the first asking.

        To be called when every command was applied: what is found then holds.
        """
        try:
            return self._found[find]  # type: ignore[return-value]
        except KeyError:
            pass
        found = self._found[find] = find(self)
        return found

    def objects(self, object_type: str) -> Iterator[MQObject]:
        """Yield the objects of a type (or of the family `queue`) that are not deleted."""
        if object_type == "authrec" and self._records:
            self._apply_records()
        names = (space.values() for space in self._name_spaces(object_type))
        unnamed = (
            found for kind, found in self._unnamed.items() if object_type in (kind, family(kind))
        )
        for found in chain(*names, *unnamed):
            if found.exists is not False and found.is_a(object_type):
                yield found

    def spoken_of(self, object_type: str) -> Iterator[MQObject]:
        """Yield the objects of a type that commands name, also those they take away."""
        for names in self._name_spaces(object_type):
            yield from (found for found in names.values() if found.is_a(object_type))

    def all_objects(self) -> Iterator[MQObject]:
        """Yield every object that is not deleted, authority records among them."""
        self._apply_records()
        families = (names.values() for names in self._families.values())
        for found in chain(*families, *self._unnamed.values()):
            if found.exists is not False:
                yield found

    @property
    def records(self) -> Sequence[tuple[Command, Action, Origin, Origin]]:
        """The commands about authority records from which no objects were built as yet."""
        return self._records

    def record_key(self, command: Command, action: Action) -> str:
        """Return the key of the record that a command without templates is about."""
        raw = _raw_name(command, action)
        parts = [self.key.name if raw is None else decode(raw)]
        for word in key_words(action.type):
            one = command.get(word)
            found = "" if one is None else self.decoded(one)
            parts.append(found if isinstance(found, str) else decode(one or ""))
        return "\x1f".join(parts)

    def _apply_records(self) -> None:
        """Authority records are most of a dump and seldom asked for: built at the first asking."""
        records, self._records = self._records, []
        for command, action, origin, order in records:
            self._change(command, action, origin, order)

    def named(self, object_type: str, name: str) -> Iterator[MQObject]:
        """Yield the objects of a type (or of the family `queue`) that have this name.

        There may be several: a client-connection channel beside another channel, or the
        records of one channel.
        """
        if key_words(object_type):
            called = self._called(object_type).get(name, ())
            yield from (found for found in called if found.exists is not False)
            return
        for names in self._name_spaces(object_type):
            found = names.get(name)
            if found is not None and found.exists is not False and found.is_a(object_type):
                yield found

    def _called(self, object_type: str) -> dict[str, list[MQObject]]:
        """The records of a type by their name, those that commands take away among them."""
        found = self._by_name.get(object_type)
        if found is None:
            if object_type == "authrec":
                self._apply_records()
            found = self._by_name[object_type] = {}
            for names in self._name_spaces(object_type):
                for one in names.values():
                    found.setdefault(one.name, []).append(one)
        return found

    def find(self, object_type: str, name: str, subtype: str | None = None) -> MQObject | None:
        """Return the object of this name in the name space of `object_type`."""
        found = self._families.get(family(object_type, subtype), {}).get(name)
        there = found is not None and found.exists is not False and found.is_a(object_type)
        return found if there else None

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is an object of this name; None when the text does not settle it."""
        spaces = self._name_spaces(object_type)
        if key_words(object_type):
            known = self._called(object_type).get(name, [])
        else:
            known = [names[name] for names in spaces if name in names]
        states = {one.exists for one in known if one.is_a(object_type)}
        if states:
            return True if True in states else None if None in states else False
        if any(one.exists for one in known):
            return False  # the name is taken by an object of another type
        if name.startswith("SYSTEM.") or self.is_external(object_type, name):
            return True
        unnamed = any(family(one) == family(object_type) for one in self._unnamed)
        return None if unnamed or not self.has_all(object_type) else False

    def has_dumped(self, object_type: str) -> bool:
        """Whether a dump says that it has every object of a type."""
        return self._dumped == EVERYTHING or family(object_type) in self._dumped

    def has_all(self, object_type: str) -> bool:
        """Whether no object of a type, or of the family `queue`, is left out."""
        if self.complete:
            return True
        families = {"channel", "clntconn"} if object_type == "channel" else {family(object_type)}
        return families.issubset(self._dumped)

    def _name_spaces(self, object_type: str) -> list[dict[str, MQObject]]:
        """The name spaces in which objects of a type may stand."""
        spaces = [self._families.get(family(object_type), {})]
        if object_type == "channel":
            spaces.append(self._families.get("clntconn", {}))
        return spaces

    def is_external(self, object_type: str, name: str) -> bool:
        """Whether the configuration says that such an object is kept elsewhere."""
        patterns = self._external.get(family(object_type), ())
        return any(fnmatchcase(name, pattern) for pattern in patterns)

    def default_object(self, object_type: str, subtype: str | None) -> MQObject | None:
        """Return the object from which DEFINE takes what it leaves out, if the text has it."""
        if object_type == "channel":
            name = _DEFAULT_CHANNELS.get(subtype or "")
        elif object_type == "authinfo":
            name = _DEFAULT_AUTHINFO.get(subtype or "")
        else:
            name = _DEFAULT_OBJECTS.get(object_type)
        return None if name is None else self.find(object_type, name, subtype)

    def decoded(self, raw: str) -> Value:
        """Return the value of what is written; the same texts come again and again."""
        found = self._decoded.get(raw)
        if found is None:
            found = value_of(raw)
            if len(self._decoded) < _TEXTS:
                self._decoded[raw] = found
        return found

    def defaults(self, source: tuple[object, ...]) -> dict[str, Value]:
        """Return what is known of the defaults of objects of one source; to be filled in."""
        return self._defaults.setdefault(source, {})

    def default(self, object_type: str, subtype: str | None, attribute: str) -> Value:
        """Return what the product's own default object says."""
        found = self.vocabulary.default(object_type, subtype, attribute, self.target)
        if found is None:
            return UNKNOWN if self.has(object_type, subtype, attribute) else ABSENT
        if found in (attribute, "NO" + attribute):
            return "YES" if found == attribute else "NO"
        return found

    def has(self, object_type: str, subtype: str | None, attribute: str) -> bool:
        """Whether objects of this type and subtype can have `attribute`."""
        noun = object_type.upper()
        if self.vocabulary.is_fact(noun, attribute):
            return True
        for verb in ("DEFINE", "ALTER", "SET"):
            command = self.vocabulary.command(verb, noun)
            if command is not None:
                spec = command.attribute(attribute)
                return spec is not None and command.applies(spec, subtype)
        return False

    @property
    def is_asking(self) -> bool:
        """Whether a value is being worked out: others that lean on it are not known till then."""
        return bool(self._asking)

    def ask(self, found: MQObject, attribute: str, before: Layer) -> Value | None:
        """Return what commands before `before` say of an object that another is made like.

        None when they say nothing, unknown when objects are made like each other in a circle or
        in a chain too long to follow.
        """
        question = (id(found), attribute)
        if question in self._asking or len(self._asking) >= _LIKENESSES:
            return UNKNOWN
        self._asking.add(question)
        try:
            return found.written_value(attribute, before)
        finally:
            self._asking.discard(question)


def _raw_name(command: Command, action: Action) -> str | None:
    """The name as written; None when the command is about the queue manager itself."""
    if action.type == "authrec":
        # A queue manager has one record for each user, whatever the profile: dumps write `self`.
        is_own = decode(command.get("OBJTYPE") or "") == "QMGR"
        return None if is_own and not _is_class(command) else command.get("PROFILE")
    slot = command.form.shape.name_slot
    return command.values[slot] if slot >= 0 else None


def _is_class(command: Command) -> bool:
    return decode(command.get("PROFILE") or "") == "@class"


def _family_of(command: Command, action: Action) -> str:
    """The name space a command speaks of; DELETE CHANNEL names the client table by CHLTABLE."""
    if action.type != "channel":
        return family(action.type)
    subtype = command.get("CHLTYPE")
    if subtype is None and decode(command.get("CHLTABLE") or "") == "CLNTTAB":
        return family(action.type, "CLNTCONN")
    return family(action.type, None if subtype is None else decode(subtype))
