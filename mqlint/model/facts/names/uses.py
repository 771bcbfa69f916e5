"""Uses of names of objects: in attributes, in commands, in options of crtmqm, in records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.language.declaration import HANDLED
from mqlint.language.mqsc import Command, Templated
from mqlint.model.core.action import accepts_absence
from mqlint.model.core.layer import Change
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, Value, listed
from mqlint.model.facts.names.beginning import beginning_of, beginnings
from mqlint.model.facts.names.naming import (
    ATTRIBUTES,
    OF_CLUSTER,
    OF_QUEUE_MANAGER,
    OF_REPOSITORY,
    Attribute,
    text_of,
)
from mqlint.model.facts.queue_manager.creation import creation
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.security.grant import (
    CLASS,
    Authorization,
    Grant,
    all_grants,
    profiles,
)
from mqlint.model.facts.security.oam_profile import is_generic
from mqlint.patterns import later

_AUTHORISED: Final = ("queue", "topic", "channel", "namelist", "process")
"""Types of objects whose names are compared with profiles of authority records."""


PROFILE: Final = "PROFILE"
LIKE: Final = "LIKE"
ENTITY: Final = "entity"
"""The word and the target of a user or group of records of authority."""


class Use(NamedTuple):
    """One place that names an object of the type `target`: the holder's type and name, the word."""

    holder_type: str
    holder: str
    word: str
    target: str
    name: str
    where: Callable[[], Location]

    @property
    def place(self) -> Location:
        """Where it names the object: worked out for the few places that are of interest."""
        return self.where()


_SHORTEST_ENTITY: Final = 6
"""Characters of a user or group: shorter ones, such as batch and watch, are different words."""
_DOUBLED: Final = later(r"([a-z])\1")
_OPTIONS: Final = (
    *(("crtmqm", "u", "queue"), ("crtmqm", "d", "queue")),
    *(("runmqtrm", "q", "queue"), ("runmqchi", "q", "queue")),
    *(("setmqspl", "p", "queue"), ("runmqchl", "c", "channel")),
    *(("CRTMQM", "UDLMSGQ", "queue"), ("CRTMQM", "DFTTMQ", "queue")),
    *(("STRMQMTRM", "INITQNAME", "queue"), ("STRMQMDLQ", "UDLMSGQ", "queue")),
)
"""Options, and parameters of IBM i, that name a queue or a channel, and its type."""
_TYPES_OF_CL: Final = {
    **dict.fromkeys(("*Q", "*ALSQ", "*LCLQ", "*MDLQ", "*RMTQ"), "queue"),
    "*TOPIC": "topic",
    "*CHL": "channel",
    "*NMLIST": "namelist",
    "*PRC": "process",
}
"""OBJTYPE of GRTMQMAUT, with the types of objects in `_AUTHORISED`."""
_MONITOR: Final = later(r"(?:^|[/\\])(?:runmqtrm|runmqchi)(?:\.exe)?\"?$")
_PROGRAM: Final = later(r"(?:^|[/\\])(runmqtrm|runmqchi|runmqlsr|runmqdlq)(?:\.exe)?\"?$")
_SERVED: Final = later(r"(?:^|\s)-m\s*([A-Za-z0-9./_%]+)(?:\s|$)")
_HANDLED: Final = later(r"^[A-Za-z0-9./_%]+\s+([A-Za-z0-9./_%]+)(?:\s|$)")
_MONITORED: Final = later(r"(?:^|\s)-q\s*([A-Za-z0-9./_%]+)(?:\s|$)")


_DELETED: Final = ("CHANNEL", "LISTENER", "SERVICE", "TOPIC", "PROCESS", "NAMELIST")


_COMMANDS: Final = {
    **{(verb, "CHANNEL"): "channel" for verb in ("START", "STOP", "RESET", "RESOLVE", "PING")},
    **{(verb, "LISTENER"): "listener" for verb in ("START", "STOP")},
    **{(verb, "SERVICE"): "service" for verb in ("START", "STOP")},
    **{(verb, "CFSTRUCT"): "cfstruct" for verb in ("BACKUP", "RECOVER", "RESET")},
    ("CLEAR", "QLOCAL"): "queue",
    **{
        ("DELETE", noun): noun.lower() if noun in _DELETED else "queue"
        for noun in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", *_DELETED)
    },
}


_NAMED_FOR_CLUSTERS: Final = later(r"CLUS|REPOS")
_OF_CLUSTERS: Final = ("REFRESH CLUSTER", "RESET CLUSTER")
_OF_CLUSTER_MEMBERS: Final = ("RESUME QMGR", "SUSPEND QMGR")


_ALTERED: Final = ("queue", "channel", "process", "namelist", "topic", "sub", "listener", "service")


_CLUSTERED: Final = ("queue", "topic")


def uses_of(manager: QueueManager) -> Iterator[Use]:
    """Every place that names an object, other than a definition of it."""
    for places in _PLACES:
        yield from places(manager)


def _of_objects(manager: QueueManager) -> Iterator[Use]:
    for object_type, attributes in ATTRIBUTES.items():
        for found in manager.objects(object_type):
            named = attributes.of(found)
            if named and found.is_named:
                yield from _of_object(found, named)
    for found in _named(manager, "policy"):
        yield Use("policy", found.name, "protected queue", "queue", found.name, found.where)


def _of_queue_manager(manager: QueueManager) -> Iterator[Use]:
    owner = qmgr_of(manager)
    for attribute in OF_QUEUE_MANAGER:
        name = text_of(owner.value(attribute.word))
        if name and attribute.applies(owner):
            place = partial(owner.where, attribute.word)
            yield _of_owner(manager, attribute.word, attribute.target, name, place)


def _of_steps(manager: QueueManager) -> Iterator[Use]:
    """The names in options of control commands, and the queue of runmqdlq."""
    for command, option, target in _OPTIONS if manager.steps else ():
        for step, origin in manager.control_steps(command):
            given = step.option(option)
            if given is None or step.option("remove") is not None:
                continue
            value, span = given.value, given.value_span
            if isinstance(value, str) and span is not None and not value.startswith("*"):
                word = f"{command} {option if option.isupper() else f'-{option}'}"
                yield _of_owner(manager, word, target, value, partial(origin.location, span))
    for step, origin in manager.control_steps("runmqdlq"):
        first = step.operands[0] if step.operands else None
        if first is not None and isinstance(first.value, str) and not step.open:
            place = partial(origin.location, first.span)
            yield _of_owner(manager, "runmqdlq", "queue", first.value, place)


def _of_handlers(manager: QueueManager) -> Iterator[Use]:
    """The queues in rules of the dead-letter handler."""
    for declared, origin in manager.declarations(HANDLED):
        place = partial(origin.location, declared.span)
        word = f"runmqdlq {declared.value('keyword')}"
        yield _of_owner(manager, word, "queue", declared.name, place)


def _of_owner(
    manager: QueueManager, word: str, target: str, name: str, place: Callable[[], Location]
) -> Use:
    """A use by the queue manager itself.

    The name of its file is not used: a renamed file keeps its findings.
    """
    owner = "(name not known)" if manager.key.anonymous else qmgr_of(manager).name
    return Use("qmgr", owner, word, target, name, place)


def _of_users(manager: QueueManager) -> Iterator[Use]:
    """The users that channels and records map to, if records of authority name users."""
    if not manager.cached(users_of):
        return
    for object_type in ("channel", "chlauth"):
        for found in manager.objects(object_type):
            name = text_of(found.value("MCAUSER"))
            if name and found.is_named:
                where = partial(found.where, "MCAUSER")
                yield Use(found.type, found.name, "MCAUSER", "user", name, where)


def users_of(manager: QueueManager) -> Mapping[str, Grant]:
    """Return a record of authority for each user (not group) that has one."""
    grants = manager.cached(all_grants)
    found = ((grant.authorization.entity, grant) for grant in grants)
    return {name: grant for (is_group, name), grant in found if not is_group}


def connecting(manager: QueueManager) -> Mapping[str, Grant]:
    """Return the record about the queue manager of each user and group that has one."""
    found = ((grant.authorization, grant) for grant in manager.cached(all_grants))
    return {given.entity[1]: grant for given, grant in found if given.object_type == "QMGR"}


def _of_entities(manager: QueueManager) -> Iterator[Use]:
    """The users and groups with records about queues or topics, but none about the queue manager.

    Their first record is the use.
    """
    known = manager.cached(connecting)
    folded = {_folded(name) for name in known}
    seen: set[str] = set()
    first: dict[Authorization, Grant] = {}  # many records differ only in their profiles
    for grant in manager.cached(all_grants) if known else ():
        first.setdefault(grant.authorization, grant)
    for given, grant in first.items():
        name = given.entity[1]
        if name in known or name in seen:
            continue
        if len(name) < _SHORTEST_ENTITY and _folded(name) not in folded:
            continue
        if _is_plural(known, name, is_group=given.entity[0]):
            continue
        if given.object_type in ("QUEUE", "TOPIC"):
            seen.add(name)
            where = partial(grant_place, manager, grant)
            yield Use("authrec", grant.profile, ENTITY, ENTITY, name, where)


def _folded(name: str) -> str:
    """A user or group in lower case, with one of each two equal letters: fnap for FnApp."""
    return _DOUBLED.sub(r"\1", name.lower())


def _is_plural(known: Mapping[str, Grant], name: str, *, is_group: bool) -> bool:
    """Whether users and a group bear one name, as the user reader and the group readers."""
    near = (known.get(f"{name}s"), known.get(name.removesuffix("s")))
    return any(found.authorization.entity[0] != is_group for found in near if found is not None)


def grant_place(manager: QueueManager, grant: Grant) -> Location:
    """Return where a record names its user or group."""
    records = manager.named("authrec", grant.profile)
    record = next(found for found in records if found.key == grant.key)
    return record.where("GROUP" if grant.authorization.entity[0] else "PRINCIPAL")


def _named(manager: QueueManager, object_type: str) -> Iterator[MQObject]:
    return (found for found in manager.objects(object_type) if found.is_named)


def _of_models(manager: QueueManager) -> Iterator[Use]:
    """The objects that LIKE names."""
    for object_type in _ALTERED if manager.likes else ():
        for found in _named(manager, object_type):
            for layer in found.layers:
                name = layer.command.known(LIKE) if LIKE in layer.action.words else None
                if name is not None:
                    place = partial(found.where, LIKE)
                    yield Use(found.type, found.name, LIKE, object_type, name, place)


def _of_services(manager: QueueManager) -> Iterator[Use]:
    """The initiation queues that services monitor."""
    for service in _named(manager, "service"):
        if _MONITOR.search(text_of(service.value("STARTCMD"))):
            read = _MONITORED.search(text_of(service.value("STARTARG")))
            if read is not None:
                place = partial(service.where, "STARTARG")
                yield Use("service", service.name, "STARTARG", "queue", read[1], place)


def served(service: MQObject) -> Value:
    """The queue manager that a trigger monitor, handler or listener of a service is started for.

    Absent if the service starts another program, or names none or an insert.
    """
    program = _PROGRAM.search(text_of(service.value("STARTCMD")))
    words = text_of(service.value("STARTARG"))
    form = _HANDLED if program is not None and program[1] == "runmqdlq" else _SERVED
    read = form.search(words) if program is not None else None
    return read[1] if read is not None else ABSENT


def _of_namelists(manager: QueueManager) -> Iterator[Use]:
    """The names in lists of which at least one name is that of a queue."""
    for namelist in _named(manager, "namelist"):
        names = listed(namelist.value("NAMES"))
        has_queue = isinstance(names, tuple) and any(
            manager.exists("queue", name) is True for name in names
        )
        if isinstance(names, tuple) and has_queue and not _lists_clusters(manager, namelist, names):
            place = partial(namelist.where, "NAMES")
            yield from (Use("namelist", namelist.name, "NAMES", "queue", n, place) for n in names)


def _lists_clusters(manager: QueueManager, namelist: MQObject, names: Iterable[str]) -> bool:
    """Whether a list is one of clusters: by its type or name, an attribute, or one of its names."""
    is_typed = namelist.value("NLTYPE") == "CLUSTER"
    if is_typed or _NAMED_FOR_CLUSTERS.search(namelist.name) is not None:
        return True
    is_used = namelist.name in manager.cached(_cluster_lists)
    return is_used or not manager.cached(_clusters).isdisjoint(names)


def _cluster_lists(manager: QueueManager) -> frozenset[str]:
    """The namelists that attributes name, which are lists of clusters: CLUSNL and REPOSNL."""
    uses = (*_of_objects(manager), *_of_queue_manager(manager))
    return frozenset(use.name for use in uses if use.target == "namelist")


def _clusters(manager: QueueManager) -> frozenset[str]:
    receivers = (found.value("CLUSTER") for found in manager.objects("channel"))
    uses = (use.name for use in cluster_uses_of(manager) if use.target == "cluster")
    return frozenset((*uses, *(name for name in receivers if isinstance(name, str))))


def _of_profiles(manager: QueueManager) -> Iterator[Use]:
    """The profiles of authority and CHLAUTH records that fit the name of no object."""
    seen: set[tuple[str, str]] = set()
    for object_type, name in profiles(manager):
        target = object_type.lower()
        if target not in _AUTHORISED or (target, name) in seen:
            continue
        seen.add((target, name))
        if name != CLASS and _fits_nothing(manager, target, name):
            place = partial(record_place, manager, name, target)
            yield Use("authrec", name, PROFILE, target, name, place)
    for record in manager.objects("chlauth"):
        name = record.name
        if isinstance(name, Templated) or ("channel", name) in seen:
            continue
        seen.add(("channel", name))
        if "*" not in name or _fits_nothing(manager, "channel", name):
            yield Use("chlauth", name, PROFILE, "channel", name, record.where)


def _of_grants(manager: QueueManager) -> Iterator[Use]:
    """The objects that GRTMQMAUT of IBM i names."""
    for step, origin in manager.control_steps("GRTMQMAUT") if manager.steps else ():
        given, kind = step.option("OBJ"), step.option("OBJTYPE")
        if given is None or kind is None or not isinstance(kind.value, str):
            continue
        target, name = _TYPES_OF_CL.get(kind.value, ""), given.value
        is_known = target != "" and isinstance(name, str) and not name.startswith("*")
        if is_known and _fits_nothing(manager, target, str(name)):
            place = partial(origin.location, given.value_span or step.span)
            yield Use("authrec", str(name), PROFILE, target, str(name), place)


def _fits_nothing(manager: QueueManager, target: str, profile: str) -> bool:
    """Whether a profile is not known to fit an object; a generic one, whether it fits none here."""
    if not is_generic(profile):
        return manager.exists(target, profile) is not True
    beginning = beginning_of(profile)
    is_open = not beginning or profile.startswith("SYSTEM.") or manager.has_unnamed(target)
    return not is_open and not manager.cached_for(beginnings, target).has(beginning)


def record_place(manager: QueueManager, profile: str, object_type: str) -> Location:
    """The place of the first record of a profile for objects of a type."""
    first, *others = manager.named("authrec", profile)
    own = (record for record in (first, *others) if record.value("OBJTYPE") == object_type.upper())
    return next(own, first).where("PROFILE")


def _of_object(found: MQObject, attributes: Iterable[Attribute]) -> Iterator[Use]:
    for word, target, applies in attributes:
        name = text_of(found.value(word))
        if name and applies(found):
            yield Use(found.type, found.name, word, target, name, partial(found.where, word))


def _of_commands(manager: QueueManager) -> Iterator[Use]:
    """The names in commands that act on an object."""
    starts = _commands(manager, maybe=True)
    # Others may be there for a queue manager of an earlier state: they stop or reset what it had.
    needed = (found for found in starts if found[1].verb == "START")
    for origin, command in (*_commands(manager), *needed):
        target = _COMMANDS.get((command.verb or "", command.noun or ""))
        name = command.known_name if target is not None else None
        if target is None or not name or "*" in name:
            continue
        place = partial(_place_of_name, origin, command)
        word = f"{command.verb} {command.noun}"
        use = Use("command", word, word, target, name, place)
        if command.verb != "DELETE" or _deletes_nothing(manager, command, use):
            yield use


def _deletes_nothing(manager: QueueManager, command: Command, use: Use) -> bool:
    """Whether a command fails because a new queue manager does not have what it deletes.

    Of any other, what is deleted is not there any more.
    """
    if accepts_absence(command):
        return False
    is_made = (use.target, use.name) in manager.cached(_defined_names)
    return not is_made and acts_on_new_manager(manager, use)


def _defined_names(manager: QueueManager) -> frozenset[tuple[str, str]]:
    """The types and names of objects that commands define, also of those that are deleted later."""
    found: set[tuple[str, str]] = set()
    for _, command in _commands(manager):
        target = _COMMANDS.get(("DELETE", command.noun or ""))
        name = command.known_name if command.verb == "DEFINE" else None
        if target and name:
            found.add((target, name))
    return frozenset(found)


def _of_cluster_commands(manager: QueueManager) -> Iterator[Use]:
    """The names of clusters in commands, such as SUSPEND QMGR CLUSTER(C1)."""
    for origin, command in _commands(manager):
        shape = command.form.shape
        word = f"{shape.verb} {shape.noun}"
        if word in _OF_CLUSTERS:
            name, span = command.known_name, command.span_of_name()
        elif word in _OF_CLUSTER_MEMBERS and "CLUSTER" in shape.words:
            name = command.known("CLUSTER")
            span = command.span_of_attribute(shape.words.index("CLUSTER"))
        else:
            continue
        if name and "*" not in name:  # REFRESH CLUSTER(*) is for all clusters
            yield Use("command", word, word, "cluster", name, partial(origin.location, span))


def _commands(manager: QueueManager, *, maybe: bool = False) -> Iterator[tuple[Origin, Command]]:
    """The commands that run for certain, or may run, with the texts that have them.

    None for a queue manager that only its dump describes, which has its state before them.
    """
    for script in manager.scripts if manager.orders else ():
        for text in script.texts:
            if text.execution.maybe == maybe:
                yield from ((text.origin, command) for command in text.commands)


def _place_of_name(origin: Origin, command: Command) -> Location:
    return origin.location(command.span_of_name())


def _of_alterations(manager: QueueManager) -> Iterator[Use]:
    """The names of objects that commands alter and none makes."""
    for object_type in _ALTERED:
        for found in _named(manager, object_type):
            layers = found.layers if found.exists is None else ()
            if layers and all(layer.change is Change.ALTER for layer in layers):
                word = f"ALTER {found.type.upper()}"
                place = layers[0].name_place
                yield Use("command", word, word, object_type, found.name, place)


def cluster_uses_of(manager: QueueManager) -> Iterator[Use]:
    """The names of clusters, other than in cluster-receivers."""
    for object_type in _CLUSTERED:
        for found in manager.objects(object_type):
            yield from _of_object(found, OF_CLUSTER.of(found))
    for channel in manager.objects("channel"):
        if channel.subtype == "CLUSSDR" and channel.is_named:
            yield from _of_object(channel, OF_CLUSTER.of(channel))
    for found in manager.objects("qmgr"):
        yield from _of_object(found, OF_REPOSITORY.of(found))
    yield from _of_cluster_commands(manager)


def acts_on_new_manager(manager: QueueManager, use: Use) -> bool:
    """Whether a command acts on what its queue manager, made by the same script, does not have."""
    made = manager.cached(creation)
    if made is None or made.ends or use.holder_type != "command":
        return False
    return use.place.path == made.path and not manager.has_unnamed(use.target)


_PLACES: Final = (
    *(_of_objects, _of_queue_manager, _of_steps, _of_handlers, _of_services, _of_commands),
    *(_of_alterations, _of_namelists, _of_profiles, _of_models, _of_users, _of_entities),
    _of_grants,
)
"""What yields uses, each of one kind of place."""
