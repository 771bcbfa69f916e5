"""Names of objects that are not known to exist: in attributes, in commands, in options of crtmqm.

Whether a name is misspelt, or nothing that was read defines it, can be asked also where the files
do not have every object of the queue manager.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mqlint.finding import Location
from mqlint.language.declaration import CLIENT_TYPES
from mqlint.language.mqsc import Command, Secret, Templated, decode
from mqlint.model.core.action import action_of, family
from mqlint.model.core.fact import DerivedFact, FactType, Statement, statements
from mqlint.model.core.layer import Change
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped_names import SHIPPED_NAMES
from mqlint.model.core.similar import SimilarNames
from mqlint.model.core.value import ABSENT, Value
from mqlint.model.facts.cluster import clusters_of
from mqlint.model.facts.creation import creation
from mqlint.model.facts.grant import CLASS, all_grants
from mqlint.model.facts.oam_profile import is_generic
from mqlint.model.facts.qmgr import qmgr_of
from mqlint.model.procedure.procedure import procedures

_READERS = statements("unresolved")
_BRINGS_MORE = ("ic", "ii", "iv", "a", "ar")
"""Options of crtmqm with which a queue manager begins with more than the product ships."""
_AUTHORISED: Final = ("queue", "topic", "channel", "namelist", "process")
"""Types of objects whose names profiles of authority records are compared with."""
_PROFILE: Final = "PROFILE"
_BY_NAME_ALONE = ("SYSTEM.", "AMQ.")
"""Beginnings of names that a queue manager may have without a definition (AMQ.* are dynamic)."""

UnresolvedFact = DerivedFact[Statement]


class _Attribute(NamedTuple):
    """An attribute that names an object of the type `target`; `applies` tells of which holders."""

    word: str
    target: str
    applies: Callable[[MQObject], bool] = lambda _: True


class Use(NamedTuple):
    """One place that names an object of the type `target`: the holder's type and name, the word."""

    holder_type: str
    holder: str
    word: str
    target: str
    name: str
    place: Location


def _has(word: str, *values: str) -> Callable[[MQObject], bool]:
    return lambda found: found.value(word) in values


def _is_own_destination(found: MQObject) -> bool:
    manager = found.value("DESTQMGR")
    is_own = manager is ABSENT or manager in ("", found.manager.key.name)
    return is_own and found.value("DESTCLAS") == "PROVIDED"


def _triggers_a_channel(found: MQObject) -> bool:
    return found.value("USAGE") == "XMITQ" and found.value("TRIGGER") == "YES"


def _needs_queue_of_manager_name(found: MQObject) -> bool:
    """Whether only a queue of the name in RQMNAME leads on from a remote queue.

    Not from an alias of a queue manager or of a reply-to queue, whose RNAME is blank, and not
    where RQMNAME may be the queue manager itself (IBM MQ documentation, q103620_: XmitQName).
    """
    manager = found.manager
    if manager.key.anonymous or found.value("RNAME") in ("", ABSENT):
        return False
    if found.value("XMITQ") not in ("", ABSENT) or found.value("RQMNAME") == manager.key.name:
        return False
    own = manager.own_object()
    return own is None or own.value("DEFXMITQ") in ("", ABSENT)


_ATTRIBUTES: Final = {
    "qlocal": (
        _Attribute("INITQ", "queue", _has("TRIGGER", "YES")),
        _Attribute("PROCESS", "process", _has("TRIGGER", "YES")),
        _Attribute("BOQNAME", "queue"),
        _Attribute("STREAMQ", "queue"),
        _Attribute("TRIGDATA", "channel", _triggers_a_channel),
        _Attribute("CLUSNL", "namelist"),
        _Attribute("CFSTRUCT", "cfstruct"),
    ),
    "qmodel": (
        _Attribute("BOQNAME", "queue"),
        _Attribute("STREAMQ", "queue"),
        _Attribute("CFSTRUCT", "cfstruct"),
    ),
    "qalias": (
        _Attribute("TARGET", "queue", _has("TARGTYPE", "QUEUE")),
        _Attribute("TARGET", "topic", _has("TARGTYPE", "TOPIC")),
        _Attribute("CLUSNL", "namelist"),
    ),
    "qremote": (
        _Attribute("XMITQ", "queue"),
        _Attribute("RQMNAME", "queue", _needs_queue_of_manager_name),
        _Attribute("CLUSNL", "namelist"),
    ),
    "channel": (
        _Attribute("XMITQ", "queue", _has("CHLTYPE", "SDR", "SVR")),
        _Attribute("CLUSNL", "namelist"),
    ),
    "topic": (
        _Attribute("MDURMDL", "qmodel"),
        _Attribute("MNDURMDL", "qmodel"),
        _Attribute("COMMINFO", "comminfo"),
    ),
    "sub": (
        _Attribute("DEST", "queue", _is_own_destination),
        _Attribute("TOPICOBJ", "topic"),
    ),
}
_OF_QUEUE_MANAGER: Final = (
    _Attribute("DEADQ", "queue"),
    _Attribute("DEFXMITQ", "queue"),
    _Attribute("CONNAUTH", "authinfo"),
    _Attribute("SSLCRLNL", "namelist"),
    _Attribute("REPOSNL", "namelist"),
)
_OF_CRTMQM: Final = ("u", "d")
"""Options of crtmqm that name a queue: the dead-letter queue, the default transmission queue."""
_DELETED: Final = ("CHANNEL", "LISTENER", "SERVICE", "TOPIC", "PROCESS", "NAMELIST")
_COMMANDS: Final = {
    **{(verb, "CHANNEL"): "channel" for verb in ("START", "STOP", "RESET", "RESOLVE", "PING")},
    **{(verb, "LISTENER"): "listener" for verb in ("START", "STOP")},
    **{(verb, "SERVICE"): "service" for verb in ("START", "STOP")},
    ("CLEAR", "QLOCAL"): "queue",
    **{
        ("DELETE", noun): noun.lower() if noun in _DELETED else "queue"
        for noun in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", *_DELETED)
    },
}
_ALTERED: Final = ("queue", "channel", "process", "namelist", "topic", "sub", "listener", "service")
_CLUSTERED: Final = ("queue", "topic")
_MAY_BE_IN_CLUSTER: Final = frozenset(
    {"TARGET", "DEST", "STREAMQ", "BOQNAME", "RQMNAME", "TOPICOBJ", "SET POLICY"}
)
"""Attributes that may name what other members of a cluster have."""
_AUTOMATIC = frozenset({"CLUSSDR", "CLUSRCVR", None})


def unresolved(manager: QueueManager) -> tuple[UnresolvedFact, ...]:
    """Return the names of a queue manager's files that no definition here bears."""
    uses = (*uses_of(manager), *_cluster_uses(manager))
    return tuple(_facts(manager, uses))


UNRESOLVED: Final = FactType(
    "unresolved",
    unresolved,
    (
        *("object.type", "attribute", "target", "target.type", "target.defined", "state"),
        *("similar", "similar.line", "side", "uses"),
    ),
)
"""A name of an object that no definition that was read bears.

`target` is the name, `target.type` the type that the object must have (`cluster` for a cluster),
`target.defined` whether commands define other objects of that type,
`object.type` and `name` are those of what uses it, `attribute` is the attribute or the command.
`state` is `missing` (there is no such object), `undefined` (all texts of the queue manager were
read, and none defines it), `profile` (a record may be made before its object), or `unknown`.
`similar` is a defined name that differs by one typing
error. If several use a name, and none uses the similar one, the definition is the misspelt one:
then `side` is `definition`, the fact is at the definition, and `uses` counts those that use
`target`; else `side` is `use`.
"""


def uses_of(manager: QueueManager) -> Iterator[Use]:
    """Every place that names an object, other than a definition of it."""
    for object_type, attributes in _ATTRIBUTES.items():
        for found in manager.objects(object_type):
            if not isinstance(found.name, Templated):
                yield from _of_object(found, attributes)
    for found in manager.objects("policy"):
        if not isinstance(found.name, Templated):
            yield Use("policy", found.name, "SET POLICY", "queue", found.name, found.where())
    owner = qmgr_of(manager)
    # The name of a file is no name: a renamed file has the same findings.
    owner_name = "without a name" if manager.key.anonymous else owner.name
    for attribute in _OF_QUEUE_MANAGER:
        for name in _texts(owner.value(attribute.word)):
            place = owner.where(attribute.word)
            yield Use("qmgr", owner_name, attribute.word, attribute.target, name, place)
    for option in _OF_CRTMQM:
        for step, origin in manager.control_steps("crtmqm"):
            given = step.option(option)
            if given is not None and isinstance(given.value, str) and given.value_span is not None:
                place = origin.location(given.value_span)
                word = f"crtmqm -{option}"
                yield Use("qmgr", owner_name, word, "queue", given.value, place)
    yield from _of_commands(manager)
    yield from _of_alterations(manager)
    yield from _of_profiles(manager)


def _of_profiles(manager: QueueManager) -> Iterator[Use]:
    """The profiles of authority and CHLAUTH records that are the name of no object."""
    seen: set[tuple[str, str]] = set()
    for grant in manager.once(all_grants):
        target, name = grant.gift.object_type.lower(), grant.profile
        if target not in _AUTHORISED or (target, name) in seen or is_generic(name):
            continue
        seen.add((target, name))
        if manager.exists(target, name) is not True and name != CLASS:
            for record in itertools.islice(manager.named("authrec", name), 1):
                yield Use("authrec", name, _PROFILE, target, name, record.where("PROFILE"))
    for record in manager.objects("chlauth"):
        name = record.name
        if not isinstance(name, Templated) and "*" not in name and ("channel", name) not in seen:
            seen.add(("channel", name))
            yield Use("chlauth", name, _PROFILE, "channel", name, record.where())


def _of_object(found: MQObject, attributes: Iterable[_Attribute]) -> Iterator[Use]:
    for word, target, applies in attributes:
        for name in _texts(found.value(word)):
            if applies(found):
                yield Use(found.type, found.name, word, target, name, found.where(word))


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield value.strip()


def _of_commands(manager: QueueManager) -> Iterator[Use]:
    """The names in commands that act on an object.

    A queue manager described by its dump alone is as it was without them.
    """
    for script in manager.scripts if manager.orders else ():
        certain = (text for text in script.texts if not (text.maybe or text.origin.maybe))
        for text in certain:
            for command in text.commands:
                shape = command.form.shape
                target = _COMMANDS.get((shape.verb or "", shape.noun or ""))
                raw = command.values[shape.name_slot] if target and shape.name_slot >= 0 else None
                if target is None or raw is None or isinstance(raw, Templated | Secret):
                    continue
                name, place = decode(raw), text.origin.location(command.span_of_name())
                word = f"{shape.verb} {shape.noun}"
                use = Use("command", word, word, target, name, place)
                # What is deleted is not there any more, but for a queue manager that is new.
                if (
                    name
                    and "*" not in name
                    and (shape.verb != "DELETE" or _is_new_to(manager, use))
                ):
                    yield use


def _of_alterations(manager: QueueManager) -> Iterator[Use]:
    """The names of objects that commands alter and none makes."""
    for object_type in _ALTERED:
        for found in manager.objects(object_type):
            if found.exists is None and not isinstance(found.name, Templated):
                layers = [layer for chain in found.chains for layer in chain]
                if layers and all(layer.change is Change.ALTER for layer in layers):
                    word = f"ALTER {found.type.upper()}"
                    place = layers[0].name_place()
                    yield Use("command", word, word, object_type, found.name, place)


def _cluster_uses(manager: QueueManager) -> Iterator[Use]:
    """The names of clusters, other than in cluster-receivers."""
    for object_type in _CLUSTERED:
        for found in manager.objects(object_type):
            yield from _of_object(found, (_Attribute("CLUSTER", "cluster"),))
    for channel in manager.objects("channel"):
        if channel.subtype == "CLUSSDR" and not isinstance(channel.name, Templated):
            yield from _of_object(channel, (_Attribute("CLUSTER", "cluster"),))
    for found in manager.objects("qmgr"):
        yield from _of_object(found, (_Attribute("REPOS", "cluster"),))


# -- judging ------------------------------------------------------------------------------------


class _Definition(NamedTuple):
    """A definition that may be meant: its type and where its name is."""

    type: str
    place: Location


def _definitions(manager: QueueManager, target: str) -> dict[str, _Definition]:
    """The objects of a type that commands define, by name."""
    if target == "cluster":
        return _joined_clusters(manager)
    return {
        found.name: _Definition(found.type, found.where())
        for found in manager.objects(target)
        if found.exists and not isinstance(found.name, Templated)
    }


def _joined_clusters(manager: QueueManager) -> dict[str, _Definition]:
    """The clusters of the queue manager's cluster-receivers."""
    found: dict[str, _Definition] = {}
    for channel in manager.objects("channel"):
        names = clusters_of(channel) if channel.subtype == "CLUSRCVR" else ABSENT
        for name in names if isinstance(names, tuple) else ():
            found.setdefault(name, _Definition("channel", channel.where("CLUSTER")))
    return found


def _facts(manager: QueueManager, uses: Sequence[Use]) -> Iterator[UnresolvedFact]:
    """The facts about the uses that lead to nothing, those of one misspelt definition as one."""
    open_uses: dict[tuple[str, str], list[Use]] = {}
    used = {(family(use.target), use.name) for use in uses}
    for use in uses:
        if _is_open(manager, use):
            open_uses.setdefault((use.target, use.name), []).append(use)
    names: dict[str, tuple[dict[str, _Definition], SimilarNames]] = {}
    for (target, name), of_name in open_uses.items():
        if target not in names:
            definitions = _definitions(manager, target)
            known = (*definitions, *SHIPPED_NAMES.get(target, ()))
            names[target] = definitions, SimilarNames(known)
        definitions, similar_names = names[target]
        similar = similar_names.find(name)
        definition = definitions.get(similar)
        is_of_definition = (
            definition is not None and len(of_name) > 1 and (family(target), similar) not in used
        )
        for use in of_name[:1] if is_of_definition else of_name:
            state = _state(manager, use)
            yield _fact(
                *(use, state, similar, definition, len(of_name)),
                manager=manager,
                is_of_definition=is_of_definition,
                defines=bool(definitions),
            )


def _fact(
    use: Use,
    state: str,
    similar: str,
    definition: _Definition | None,
    uses: int,
    *,
    manager: QueueManager,
    is_of_definition: bool,
    defines: bool,
) -> UnresolvedFact:
    values: dict[str, Value] = {
        "object.type": use.holder_type,
        "attribute": use.word,
        "target": use.name,
        "target.type": use.target,
        "target.defined": "true" if defines else "false",
        "state": state,
        "similar": similar or ABSENT,
        "similar.line": ABSENT if definition is None else str(definition.place.start.line),
        "side": "definition" if is_of_definition else "use",
        "uses": str(uses),
    }
    name, place = use.holder, use.place
    if is_of_definition and definition is not None:
        values["object.type"] = definition.type
        name, place = similar, definition.place
    key = "\x1f".join((use.holder_type, use.holder, use.word, use.target, use.name))
    return DerivedFact(_READERS, manager, name, Statement(values, place, key=key))


def _is_open(manager: QueueManager, use: Use) -> bool:
    """Whether nothing here bears the name that is used."""
    if use.target == "cluster":
        joined = manager.once(_joined_clusters)
        return bool(joined) and use.name not in joined
    if use.name.startswith("SYSTEM."):
        shipped = SHIPPED_NAMES.get(use.target, frozenset())
        is_altered = use.word.startswith("ALTER ")
        return use.name not in shipped and (is_altered or not _is_named(manager, use))
    if use.word.startswith("ALTER "):
        return True
    there = manager.exists(use.target, use.name)
    return there is False or (there is None and not _is_named(manager, use))


def _is_named(manager: QueueManager, use: Use) -> bool:
    """Whether a command makes, or alters, such an object; it may not run."""
    return any(True for _ in manager.named(use.target, use.name))


def _state(manager: QueueManager, use: Use) -> str:
    """Whether an object is missing, not defined in what was read, or not known."""
    if use.word == _PROFILE:
        return "profile"
    if use.name.startswith(_BY_NAME_ALONE):
        return "unknown"
    if use.target == "cluster":
        return "undefined" if manager.once(is_read_whole) else "unknown"
    if use.target == "channel" and manager.once(_makes_channels):
        return "unknown"
    if use.word in _MAY_BE_IN_CLUSTER and manager.once(_may_be_in_cluster):
        return "unknown"
    if manager.exists(use.target, use.name) is False or _is_new_to(manager, use):
        return "missing"
    is_open = manager.has_unnamed(use.target) or manager.target.platform == "zos"
    return "unknown" if is_open or not manager.once(is_read_whole) else "undefined"


def _is_new_to(manager: QueueManager, use: Use) -> bool:
    """Whether a command acts on what its queue manager, made by the same script, does not have."""
    made = manager.once(creation)
    if made is None or made.ends or use.holder_type != "command":
        return False
    return use.place.path == made.path and not manager.has_unnamed(use.target)


def _may_be_in_cluster(manager: QueueManager) -> bool:
    """Whether other members of a cluster may have what is not here."""
    return any(
        channel.subtype in _AUTOMATIC and not channel.name.startswith("SYSTEM.")
        for channel in manager.objects("channel")
    )


def _makes_channels(manager: QueueManager) -> bool:
    """Whether the queue manager makes channels itself: for a cluster, or by CHAD(ENABLED)."""
    own = manager.own_object()
    is_automatic = own is not None and own.value("CHAD") == "ENABLED"
    return is_automatic or manager.once(_may_be_in_cluster)


def is_read_whole(manager: QueueManager) -> bool:
    """Whether every text that makes objects of the queue manager was read, as far as they say.

    Others that nothing here names may exist, so that a name which is not in them is only not
    defined in what was read.
    """
    is_declared = any(found.type not in CLIENT_TYPES for found, _ in manager.declared)
    if manager.observed or is_declared or not manager.scripts:
        return False
    if any(origin.shown or origin.supposed for origin in manager.origins):
        return False
    for step, _ in manager.control_steps("crtmqm"):
        if step.open or step.option(*_BRINGS_MORE) is not None:
            return False
    if any(procedure.unread() for procedure in manager.once(procedures)):
        return False
    return all(_is_understood(manager, command) for command in _commands(manager))


def _commands(manager: QueueManager) -> Iterator[Command]:
    for script in manager.scripts:
        for text in script.texts:
            yield from text.commands


def _is_understood(manager: QueueManager, command: Command) -> bool:
    return command.verb == "END" or action_of(command, manager.vocabulary) is not None
