"""Facts: whatever a policy can match. Objects, queue managers, stanzas and steps look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from mqlint.finding import Location
from mqlint.model.cluster import clusters
from mqlint.model.origin import Origin
from mqlint.model.queue_manager import Document, QueueManager
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Command, Templated, decode

if TYPE_CHECKING:
    from mqlint.syntax.ini import Stanza
    from mqlint.syntax.shell import Step


class Fact(Protocol):
    """Something a policy can match: it has a type, a name, values and places."""

    @property
    def type(self) -> str:
        """The lower-case word of its type."""

    @property
    def name(self) -> str:
        """Its name, a `Templated` string when that is not known."""

    @property
    def key(self) -> str:
        """Its identity among the facts of its type in one queue manager."""

    @property
    def manager(self) -> QueueManager:
        """The queue manager it belongs to."""

    def value(self, attribute: str) -> Value:
        """The value of an attribute, decoded."""

    def where(self, attribute: str | None = None) -> Location:
        """The place that says so."""


class QueueManagerFact:
    """The queue manager itself: the attributes of ALTER QMGR and what follows from its files.

    Besides its attributes it has `log.type` (circular, linear or replicated), `log.stated` (true
    when that is written out, false when crtmqm was left to choose), `images.scheduled` (true when
    something records media images), `qmid`, and `described`: true when its definitions or ini
    files are here or a command makes it, false when commands only name it.
    """

    type = "qmgr"

    def __init__(self, manager: QueueManager, places: list[Location]) -> None:
        """`places` are the beginnings of its files, for what no single line says."""
        self.manager = manager
        self.name = manager.key.name
        self.key = ""
        self._places = places
        self._object = next(iter(manager.objects("qmgr")), None)

    @property
    def is_written(self) -> bool:
        """Whether any ALTER QMGR speaks of it."""
        return self._object is not None

    def value(self, attribute: str) -> Value:
        """Return an attribute (upper case) or a derived value (lower case, with dots)."""
        if attribute == "log.type":
            return self._log_type[0]
        if attribute == "log.stated":
            return self._log_stated
        if attribute == "described":
            return "true" if self._is_described else "false"
        if attribute == "images.scheduled":
            return self._images_scheduled
        if attribute == "qmid":
            return self.value("QMID")
        return UNKNOWN if self._object is None else self._object.value(attribute)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that says `attribute`, else the first place that names it."""
        if attribute == "log.type" and self._log_type[1] is not None:
            return self._log_type[1]
        if attribute is None and self.manager.heading is not None:
            return self.manager.heading
        if self._object is not None:
            return self._object.where(attribute)
        return self._places[0]

    @property
    def _is_described(self) -> bool:
        """Whether more is here than commands that name it."""
        manager = self.manager
        made = any(step.command in ("crtmqm", "addmqinf") for step, _ in manager.steps)
        return made or bool(manager.documents or manager.stanzas) or self.is_written

    @cached_property
    def _log_type(self) -> tuple[Value, Location | None]:
        """The log type and where it is said: qm.ini, else the crtmqm that made it."""
        for stanza, origin in self.manager.stanzas:
            entry = stanza.get("LogType") if stanza.name.lower() == "log" else None
            if entry is not None:
                word = UNKNOWN if entry.templated else entry.value.lower()
                return word, origin.location(entry.value_span)
        for step, origin in self.manager.steps:
            if step.command == "crtmqm":
                return _crtmqm_log(step), origin.location(step.span)
        return UNKNOWN, None

    @property
    def _log_stated(self) -> Value:
        """Whether the log type is written out, where it is known at all."""
        kind, place = self._log_type
        if kind is UNKNOWN or place is None:
            return UNKNOWN
        in_ini = any(stanza.get("LogType") is not None for stanza, _ in self.manager.stanzas)
        made = [step for step, _ in self.manager.steps if step.command == "crtmqm"]
        chosen = [name for names in _LOG_OPTIONS.values() for name in names]
        return "true" if in_ini or made[0].option(*chosen) is not None else "false"

    @property
    def _images_scheduled(self) -> Value:
        """Whether a job or the queue manager itself records media images."""
        if self.value("IMGSCHED") == "AUTO":
            return "true"
        if any(step.command == "rcdmqimg" for step, _ in self.manager.steps):
            return "true"
        known = self.manager.jobs_complete and self.value("IMGSCHED") == "MANUAL"
        return "false" if known else UNKNOWN


_LOG_OPTIONS = {
    "circular": ("lc",),
    "linear": ("ll", "lla", "lln"),
    "replicated": ("lr",),
}


def _crtmqm_log(step: Step) -> Value:
    """The log type a crtmqm line asks for; without a flag the product makes it circular."""
    for kind, names in _LOG_OPTIONS.items():
        if step.option(*names) is not None:
            return kind
    return UNKNOWN if step.maybe or step.open else "circular"


class StanzaFact:
    """One stanza of an ini file; its keys are its attributes."""

    type = "stanza"

    def __init__(self, manager: QueueManager, stanza: Stanza, origin: Origin, key: str) -> None:
        """`key` tells stanzas of one name apart."""
        self.manager = manager
        self.name = stanza.name
        self.key = key
        self._stanza = stanza
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return the value of a key in any case; absent when it is not written."""
        entry = self._stanza.get(attribute)
        if entry is None:
            return UNKNOWN if self._stanza.conditional else ABSENT
        return UNKNOWN if entry.templated else entry.value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the key's value, else of the stanza's name."""
        entry = self._stanza.get(attribute) if attribute is not None else None
        return self._origin.location(self._stanza.span if entry is None else entry.value_span)


class StepFact:
    """One control command; `command` is its name, `option.-x` the value of an option.

    `maybe` is true when it stands in a branch, a loop or a function.
    """

    type = "step"

    def __init__(self, manager: QueueManager, step: Step, origin: Origin, key: str) -> None:
        """`key` tells equal steps apart."""
        self.manager = manager
        self.name = step.command
        self.key = key
        self._step = step
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return `command`, or an option's value (`true` for one without, absent if not given)."""
        if attribute == "command":
            return self._step.command
        if attribute == "maybe":
            return "true" if self._step.maybe else "false"
        if not attribute.startswith("option."):
            return ABSENT
        option = self._step.option(attribute.removeprefix("option.").removeprefix("-"))
        if option is None:
            return UNKNOWN if self._step.open else ABSENT
        return "true" if option.value is None else option.value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the command."""
        return self._origin.location(self._step.span)


class DocumentFact:
    """One file of MQSC.

    `digest` is that of its bytes, `language` what it is written in, `channels` the types of the
    channels it defines; `templated` is true when something else fills in a part of it.
    """

    type = "document"

    def __init__(self, manager: QueueManager, document: Document) -> None:
        """Take what the file is and where."""
        self.manager = manager
        self.key = document.origin.path
        self.name = self.key.rsplit("/", 1)[-1]
        self._document = document

    def value(self, attribute: str) -> Value:
        """Return `language`, `digest`, `channels` or `templated`."""
        document = self._document
        if attribute == "channels":
            raw = (command.get("CHLTYPE") for command in document.commands)
            return tuple(sorted({decode(one) for one in raw if one is not None}))
        if attribute == "templated":
            return "true" if any(map(_is_templated, document.commands)) else "false"
        values = {"language": document.language, "digest": document.digest}
        return values.get(attribute, ABSENT)

    def where(self, attribute: str | None = None) -> Location:
        """Return the beginning of the file."""
        return self._document.origin.location((0, 1))


def _is_templated(command: Command) -> bool:
    values = Templated in map(type, command.values)
    return values or command.maybe or command.form.shape.open


class _Keys:
    """Tells facts of one name apart: the first keeps its name, others have a number with it."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, name: str) -> str:
        """Return the key of the next fact of this name."""
        self._seen[name] += 1
        count = self._seen[name]
        return name if count == 1 else f"{name}\x1f{count}"


class Facts:
    """All facts of one queue manager, by type."""

    def __init__(self, manager: QueueManager, origins: list[Origin]) -> None:
        """`origins` are the documents the queue manager was built from."""
        self.manager = manager
        self.qmgr = QueueManagerFact(manager, [origin.location((0, 0)) for origin in origins])

    def of(self, object_type: str) -> Iterator[Fact]:
        """Yield the facts of one type."""
        if object_type == "qmgr":
            if self.qmgr.is_written or not self.manager.key.anonymous:
                yield self.qmgr
        elif object_type == "stanza":
            keys = _Keys()
            for stanza, origin in self.manager.stanzas:
                yield StanzaFact(self.manager, stanza, origin, keys.of(stanza.name))
        elif object_type == "step":
            keys = _Keys()
            for step, origin in self.manager.steps:
                yield StepFact(self.manager, step, origin, keys.of(step.command))
        elif object_type == "document":
            for document in self.manager.documents:
                yield DocumentFact(self.manager, document)
        elif object_type == "cluster":
            yield from clusters(self.manager)
        else:
            yield from self.manager.objects(object_type)

    def named(self, object_type: str, name: str) -> Iterator[Fact]:
        """Yield the facts of one type that have this name."""
        if object_type in _NO_OBJECTS:
            yield from (fact for fact in self.of(object_type) if fact.name == name)
        else:
            yield from self.manager.named(object_type, name)

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is a fact of this type and name; None when the text does not settle it."""
        if object_type not in _NO_OBJECTS:
            return self.manager.exists(object_type, name)
        if any(True for _ in self.named(object_type, name)):
            return True
        return False if self.has_all(object_type) else None

    def has_all(self, object_type: str) -> bool:
        """Whether no fact of this type is left out: then one that is not here is nowhere."""
        if object_type == "step":
            return self.manager.jobs_complete
        if object_type == "stanza":
            return bool(self.manager.stanzas)
        return self.manager.complete


_NO_OBJECTS = frozenset({"qmgr", "stanza", "step", "document", "cluster"})
