"""A queue manager as dumps and scripts together describe it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING

from mqlint.config.placement import SiteMatch
from mqlint.config.settings import Site
from mqlint.finding import Location
from mqlint.model.action import Action, Effect, action_of, family, key_words
from mqlint.model.key import QueueManagerKey
from mqlint.model.object import Layer, MQObject
from mqlint.model.origin import Origin
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Command, Templated, decode
from mqlint.syntax.mqsc.dump import DumpHeader
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.syntax.ini import Stanza
    from mqlint.syntax.shell import Step

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
    `events` are the commands that change no definition, in order. `documents` are the files with
    MQSC of its own; `heading` is the place where a dump says its name.

    `complete` is True when a dump of everything, or the configuration, says that nothing is left
    out; only then is an object that is not here known not to exist.
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
        sites: tuple[Site, ...] = (),
    ) -> None:
        """Make an empty queue manager.

        `external` maps a name space (`queue`, `channel` ...) to the generic names of objects
        that are kept elsewhere; `jobs_complete` says that every scheduled job is among the files,
        `estate_complete` that every queue manager is. `sites` are those of the whole estate.
        """
        self.key = key
        self.vocabulary = vocabulary
        self.target = target
        self.site: Site | None = place.site if place is not None else None
        self.site_guessed = place is not None and place.guessed
        self.complete = complete
        self.jobs_complete = jobs_complete
        self.estate_complete = estate_complete
        self.sites = sites
        self.dump_says_all = False
        self.stanzas: list[tuple[Stanza, Origin]] = []
        self.steps: list[tuple[Step, Origin]] = []
        self.documents: list[Document] = []
        self.heading: Location | None = None
        self.events: list[Layer] = []
        self._external = external or {}
        self._records: list[tuple[Command, Action, Origin]] = []
        self._families: dict[str, dict[str, MQObject]] = {}
        self._unnamed: dict[str, list[MQObject]] = {}
        self._asking: set[tuple[int, str]] = set()

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
        if header is not None:
            self.heading = origin.location(header.span)
            self.complete = self.complete or header.complete
            self.dump_says_all = header.all_attributes
        vocabulary = self.vocabulary
        records = self._records.append
        for command in commands:
            action = action_of(command, vocabulary)
            if action is None:
                continue
            if action.type == "authrec":
                records((command, action, origin))
            elif action.effect is Effect.EVENT:
                self.events.append(Layer(command, action, origin, False))
            else:
                self._change(command, action, origin, order)

    def _change(self, command: Command, action: Action, origin: Origin, order: Origin) -> None:
        """Let one command define, alter, set or delete one object."""
        found = self._object(command, action)
        effect = action.effect
        layers = found.dump if origin.observed else found.chains.setdefault(order, [])
        layer = Layer(command, action, origin, effect is Effect.DEFINE or origin.observed)
        if effect is Effect.DEFINE:
            if layers and not action.replace and found.exists:
                return
            if not layer.maybe:
                layers.clear()
            found.exists = None if layer.maybe and found.exists is not True else True
        elif effect is Effect.DELETE:
            found.exists = None if layer.maybe or len(found.chains) > 1 else False
        elif effect is Effect.SET:
            self._set(found, layer, layers)
        layers.append(layer)

    def _set(self, found: MQObject, layer: Layer, layers: list[Layer]) -> None:
        """SET CHLAUTH and SET POLICY: REMOVE takes the record away, REPLACE begins anew."""
        action = layer.command.get("ACTION")
        word = "ADD" if action is None else decode(action)
        if word in ("REMOVE", "REMOVEALL"):
            found.exists = None if layer.maybe or isinstance(action, Templated) else False
        else:
            found.exists = True
            if word == "REPLACE" and not layer.maybe:
                layers.clear()

    def _object(self, command: Command, action: Action) -> MQObject:
        """Return the object a command is about, made when it is new."""
        slot = command.form.shape.name_slot
        raw = command.values[slot] if slot >= 0 else ""
        subtype = command.get("CHLTYPE")
        names = self._names(action.type, None if subtype is None else decode(subtype))
        if isinstance(raw, Templated):
            found = MQObject(self, action.type, Templated(raw.strip().strip("'")), raw)
            self._unnamed.setdefault(action.type, []).append(found)
            return found
        name = decode(raw) if slot >= 0 else self.key.name
        key = "\x1f".join([name, *(command.get(word) or "" for word in key_words(action.type))])
        known = names.get(key)
        if known is None and action.type == "channel" and subtype is None:
            known = self._names("channel", "CLNTCONN").get(key)
        if known is not None and (known.exists is not False or action.effect is Effect.DELETE):
            return known
        names[key] = made = MQObject(self, action.type, name, key)
        made.exists = None if action.effect is Effect.ALTER else True
        return made

    def _names(self, object_type: str, subtype: str | None) -> dict[str, MQObject]:
        return self._families.setdefault(family(object_type, subtype), {})

    # -- asking -----------------------------------------------------------------------------

    def objects(self, object_type: str) -> Iterator[MQObject]:
        """Yield the objects of a type (or of the family `queue`) that are not deleted."""
        if object_type == "authrec" and self._records:
            self._apply_records()
        of_type = [self._families.get(family(object_type), {}).values()]
        if object_type == "channel":
            of_type.append(self._families.get("clntconn", {}).values())
        for found in chain(*of_type, *self._unnamed.values()):
            if found.exists is not False and object_type in (found.type, family(found.type)):
                yield found

    def all_objects(self) -> Iterator[MQObject]:
        """Yield every object that is not deleted, authority records among them."""
        self._apply_records()
        families = (names.values() for names in self._families.values())
        for found in chain(*families, *self._unnamed.values()):
            if found.exists is not False:
                yield found

    def _apply_records(self) -> None:
        """Authority records are most of a dump and seldom asked for: built at the first asking."""
        records, self._records = self._records, []
        for command, action, origin in records:
            self._change(command, action, origin, origin)

    def find(self, object_type: str, name: str, subtype: str | None = None) -> MQObject | None:
        """Return the object of this name in the name space of `object_type`."""
        found = self._families.get(family(object_type, subtype), {}).get(name)
        return found if found is not None and found.exists is not False else None

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is an object of this name; None when the text does not settle it."""
        found = self._families.get(family(object_type), {}).get(name)
        if found is not None:
            return found.exists
        if name.startswith("SYSTEM.") or self.is_external(object_type, name):
            return True
        if self._unnamed or not self.complete:
            return None
        return False

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

    def ask(self, found: MQObject, attribute: str) -> Value:
        """Return a value of an object that another is like; unknown when they go in a circle."""
        question = (id(found), attribute)
        if question in self._asking:
            return UNKNOWN
        self._asking.add(question)
        try:
            return found.value(attribute)
        finally:
            self._asking.discard(question)
