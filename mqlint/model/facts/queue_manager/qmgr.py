"""The queue manager itself as a fact: its attributes, and those of it as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeGuard

from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.late import imported, late
from mqlint.model.core.fact import DerivedFact, Fact, FactType, Readers
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, addresses, flag
from mqlint.model.facts.routing.cluster import clusters, uniform_clusters
from mqlint.model.facts.routing.path import may_be_in_cluster

if TYPE_CHECKING:
    from mqlint.language.script.step import Step
    from mqlint.model.facts.queue_manager.section import Section

_MAKING = frozenset({"crtmqm", "addmqinf", "CRTMQM"})
_SECTIONS = {
    "queue_manager.log:LOG_TYPE": "log.type log.stated log.source log.disagrees log.also",
    "security.security_policy:SECURITY_POLICY": "security.policy",
    "queue_manager.log:LOG_SIZE": (
        "log.primary log.secondary log.pages log.integrity log.management log.size log.bytes"
    ),
    "queue_manager.folder:FOLDERS": (
        "log.path log.folder data.path data.folder data.disagrees data.first data.also"
        " repository.owner label.owner"
    ),
    "queue_manager.channel_limit:CHANNEL_LIMITS": (
        "channels.limit channels.stated channels.instances channels.unlimited channels.adopted"
    ),
}
"""The attributes of each section: its module is imported when one is asked for, which is rare."""
_SECTION_OF = {word: section for section, words in _SECTIONS.items() for word in words.split()}


class QmgrSource:
    """The object of ALTER QMGR, None without one; what all facts need of it is kept."""

    __slots__ = ("place", "values", "written")

    def __init__(self, written: MQObject | None) -> None:
        self.written = written
        self.place: Location | None = None
        self.values: dict[str, Value] = {}


QueueManagerFact = DerivedFact[QmgrSource]


def _attribute(fact: QueueManagerFact, attribute: str) -> Value:
    source = fact.source
    if attribute not in source.values:
        own = source.written
        given = fact.manager.created_with if own is None else own.value
        source.values[attribute] = given(attribute)
    return source.values[attribute]


def _place(fact: QueueManagerFact, attribute: str | None) -> Location:
    """The place that gives `attribute`, else the first place that names the queue manager."""
    manager = fact.manager
    section = _SECTION_OF.get(attribute or "")
    place = _section(section).place(manager, attribute) if section and attribute else None
    if place is not None:
        return place
    if attribute is not None:
        return _named_at(fact, attribute)
    if fact.source.place is None:
        fact.source.place = _named_at(fact, attribute)
    return fact.source.place


def _named_at(fact: QueueManagerFact, attribute: str | None) -> Location:
    """The place that gives `attribute`, otherwise the first one that names the queue manager."""
    if attribute in (None, "dump.attributes") and fact.manager.heading is not None:
        return fact.manager.heading
    if fact.source.written is not None:
        return fact.source.written.where(attribute)
    for step, origin in fact.manager.control_steps("crtmqm"):
        return origin.location(step.span)
    for manifest, origin in fact.manager.declarations("manifest"):
        return origin.location(manifest.span)
    for step, origin in fact.manager.all_steps():
        if step.command in _MAKING:
            return origin.location(step.span)
    return fact.manager.origins[0].location((0, 0))


def _described(manager: QueueManager) -> Value:
    """Whether more is here than commands that name it."""
    made = any(step.command in _MAKING for step, _ in manager.all_steps())
    written = manager.own_object() is not None or any(manager.declarations("manifest"))
    return flag(bool(made or manager.documents or manager.stanzas or written))


def _images_scheduled(manager: QueueManager) -> Value:
    """Whether a job or the queue manager itself records media images."""
    fact = qmgr_of(manager)
    if fact.value("IMGSCHED") == "AUTO":
        return "true"
    if any(_is_image(step) for step, _ in manager.all_steps()):
        return "true"
    if fact.value("log.source") == "journals":
        return "false" if manager.settings.inventory.jobs else UNKNOWN
    known = manager.settings.inventory.jobs and fact.value("IMGSCHED") == "MANUAL"
    return "false" if known else UNKNOWN


def _is_image(step: Step) -> bool:
    """Whether a step records media images; ENDMQM of IBM i may."""
    if step.action == "image":
        return True
    option = step.option("images")
    return option is not None and option.value != "false"


def _dumped(manager: QueueManager) -> Value:
    """Return whether dmpmqcfg wrote `all` attributes or `changed` ones; absent without a dump."""
    if manager.dump_says_all:
        return "all"
    return "changed" if manager.dump_leaves_defaults else ABSENT


def _receives_at(manager: QueueManager) -> Value:
    """The addresses in its own definitions, and of the host of its dump; unknown without one."""
    found = [
        address
        for channel in manager.channels("CLUSRCVR")
        for address in addresses(channel.value("CONNAME"))
    ]
    for listener in manager.objects("listener"):
        host, port = listener.value("IPADDR"), listener.value("PORT")
        if isinstance(host, str) and isinstance(port, str):
            own = host.strip(" *") or manager.dumped_on
            if own and port:
                found.append(f"{own.lower()}({port})")
    return tuple(dict.fromkeys(found)) or UNKNOWN


def _receivers(manager: QueueManager) -> Value:
    """The names of its cluster-receivers; unknown if one is."""
    names = tuple(channel.name for channel in manager.channels("CLUSRCVR"))
    return UNKNOWN if any(isinstance(name, Templated) for name in names) else names or ABSENT


def _member_of(manager: QueueManager) -> Value:
    return tuple(cluster.name for cluster in manager.cached(clusters)) or UNKNOWN


def _forwards(manager: QueueManager) -> Value:
    """The names by which it passes messages on or takes them; unknown if it may know others.

    On z/OS the name of a queue-sharing group is one too.
    """
    own = manager.own_object()
    has_default = own is not None and own.writes("DEFXMITQ") and own.value("DEFXMITQ") != ""
    if (
        not manager.complete
        or has_default
        or manager.has_unnamed("queue")
        or manager.cached(may_be_in_cluster)
        or manager.target.on_zos is not False
    ):
        return UNKNOWN
    return (manager.key.name, *(str(queue.name) for queue in manager.all_named("queue")))


def _of_manager(read: Callable[[QueueManager], Value]) -> Callable[[QueueManagerFact], Value]:
    """Each channel, object or step may ask for the same value: it is worked out once."""
    return lambda fact: fact.manager.cached(read)


def _of_section(section: str) -> dict[str, Callable[[QueueManagerFact], Value]]:
    words = _SECTIONS[section].split()
    return {word: _of_manager(partial(_in_section, word)) for word in words}


def _in_section(attribute: str, manager: QueueManager) -> Value:
    return _section(_SECTION_OF[attribute]).values[attribute](manager)


def _section(name: str) -> Section:
    section: Section = imported(f"mqlint.model.facts.{name}")
    return section


_AVAILABILITY = "mqlint.model.facts.queue_manager.availability"


_READERS: Readers[QmgrSource] = Readers(
    "qmgr",
    place=_place,
    values={
        **_of_section("queue_manager.log:LOG_TYPE"),
        "images.scheduled": _of_manager(_images_scheduled),
        "qmid": lambda fact: fact.value("QMID"),
        "described": _of_manager(_described),
        "receives_at": _of_manager(_receives_at),
        "cluster.receivers": _of_manager(_receivers),
        "member_of": _of_manager(_member_of),
        "forwards": _of_manager(_forwards),
        "dump.attributes": _of_manager(_dumped),
        "availability": _of_manager(late(f"{_AVAILABILITY}:availability")),
        "replicated": _of_manager(late(f"{_AVAILABILITY}:replicated")),
        "restored": _of_manager(late(f"{_AVAILABILITY}:restored")),
        "second_instance": _of_manager(late(f"{_AVAILABILITY}:second_instance")),
        **_of_section("security.security_policy:SECURITY_POLICY"),
        "uniform": _of_manager(uniform_clusters),
        **_of_section("queue_manager.log:LOG_SIZE"),
        **_of_section("queue_manager.folder:FOLDERS"),
        **_of_section("queue_manager.channel_limit:CHANNEL_LIMITS"),
    },
    other=_attribute,
    key=lambda _: "",
)


def _new_fact(manager: QueueManager) -> QueueManagerFact:
    return DerivedFact(_READERS, manager, manager.key.name, QmgrSource(manager.own_object()))


def qmgr_of(manager: QueueManager) -> QueueManagerFact:
    """Return the fact of a queue manager, the same one at each call."""
    return manager.cached(_new_fact)


def is_qmgr(fact: Fact) -> TypeGuard[QueueManagerFact]:
    """Whether a fact is that of a queue manager, and not the object of ALTER QMGR."""
    return isinstance(fact, DerivedFact) and fact.readers is _READERS


def qmgrs(manager: QueueManager) -> tuple[QueueManagerFact, ...]:
    """Return the queue manager if it is named, altered or created, or if its qm.ini is here.

    Of the ini files only a qm.ini has a stanza for the log.
    """
    fact = qmgr_of(manager)
    is_described = fact.source.written is not None or not manager.key.anonymous
    has_log = any(stanza.name.lower() == "log" for stanza, _ in manager.stanzas)
    is_made = is_described or has_log or any(manager.control_steps("crtmqm"))
    return (fact,) if is_made else ()


QMGR: Final = FactType("qmgr", qmgrs, tuple(_READERS.values))
"""The queue manager itself: the attributes of ALTER QMGR and what follows from its files."""
