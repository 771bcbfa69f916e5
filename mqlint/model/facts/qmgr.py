"""The queue manager itself as a fact: its attributes and what its files say of it as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, addresses
from mqlint.model.facts.channel_limit import CHANNEL_KEYS, channel_place, channel_value
from mqlint.model.facts.cluster import clusters, uniform_clusters
from mqlint.model.facts.folder import FOLDER_KEYS, folder_place, folder_value
from mqlint.model.facts.log import LOG_KEYS, log_place, log_value
from mqlint.model.facts.log_size import SIZE_KEYS, size_place, size_value
from mqlint.model.facts.setup import availability, policy_place, security_policy

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_MAKING = frozenset({"crtmqm", "addmqinf", "CRTMQM"})


class QueueManagerFact:
    """The queue manager itself: the attributes of ALTER QMGR and what follows from its files.

    Besides its attributes it has `receives_at` (the `host(port)` at which others reach it: those
    of its cluster-receivers, and of listeners that name their address), `member_of` (the clusters
    that it has a cluster-receiver in or holds a full repository of), `log.type` (circular,
    linear or replicated), `log.stated` (true when that is written out, false when crtmqm was left
    to choose), `images.scheduled` (true when something records media images), `qmid`,
    `availability` (rdqm, native-ha, multi-instance), `security.policy` (whether an authority for a
    principal goes to his group, to the user, or to one that need not be there),
    `dump.attributes` (whether dmpmqcfg wrote `all` or those that were `changed`), and `described`:
    true when its definitions or ini files are here or a command makes it, false when commands only
    name it. `uniform` are the uniform clusters it is in. What is known of its log, its folders and
    its channels is said with `LOG_KEYS`, `SIZE_KEYS`, `FOLDER_KEYS` and `CHANNEL_KEYS`.
    """

    type = "qmgr"

    def __init__(self, manager: QueueManager) -> None:
        """Take the finished queue manager."""
        self.manager = manager
        self.name = manager.key.name
        self.key = ""
        self._object = next(iter(manager.objects("qmgr")), None)
        self._known: dict[str, Value] = {}

    @property
    def is_written(self) -> bool:
        """Whether any ALTER QMGR speaks of it."""
        return self._object is not None

    def value(self, attribute: str) -> Value:
        """Return an attribute (upper case) or a derived value (lower case, with dots)."""
        settings = _SETTINGS.get(attribute)
        if settings is not None:
            return settings[0](self.manager, attribute)
        if attribute == "dump.attributes":
            return _dumped(self.manager)
        if attribute in _WHOLE:
            return self.manager.once(_WHOLE[attribute])
        if attribute == "described":
            return "true" if self._is_described else "false"
        if attribute == "images.scheduled":
            return self._images_scheduled
        if attribute == "receives_at":
            return _receives_at(self.manager)
        if attribute == "member_of":
            return tuple(one.name for one in self.manager.once(clusters)) or UNKNOWN
        if attribute == "qmid":
            return self.value("QMID")
        if attribute not in self._known:  # all other facts ask for it too
            own = self._object
            self._known[attribute] = UNKNOWN if own is None else own.value(attribute)
        return self._known[attribute]

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that says `attribute`, else the first place that names it."""
        settings = _SETTINGS.get(attribute or "")
        place = settings[1](self.manager, attribute) if settings and attribute else None
        if place is not None:
            return place
        if attribute in (None, "dump.attributes") and self.manager.heading is not None:
            return self.manager.heading
        if self._object is not None:
            return self._object.where(attribute)
        return self.manager.origins[0].location((0, 0))

    @property
    def _is_described(self) -> bool:
        """Whether more is here than commands that name it."""
        manager = self.manager
        made = any(step.command in _MAKING for step, _ in manager.steps)
        return made or bool(manager.documents or manager.stanzas) or self.is_written

    @property
    def _images_scheduled(self) -> Value:
        """Whether a job or the queue manager itself records media images."""
        if self.value("IMGSCHED") == "AUTO":
            return "true"
        if any(_is_image(step) for step, _ in self.manager.steps):
            return "true"
        if self.value("log.source") == "journals":
            return "false" if self.manager.settings.inventory.jobs else UNKNOWN
        known = self.manager.settings.inventory.jobs and self.value("IMGSCHED") == "MANUAL"
        return "false" if known else UNKNOWN


def _is_image(step: Step) -> bool:
    """Whether a step records media images; ENDMQM of IBM i may."""
    if step.action == "image":
        return True
    option = step.option("images")
    return option is not None and option.value != "false"


_SETTINGS: Mapping[
    str,
    tuple[
        Callable[[QueueManager, str], Value],
        Callable[[QueueManager, str], Location | None],
    ],
] = {
    **dict.fromkeys(LOG_KEYS, (log_value, log_place)),
    **dict.fromkeys(SIZE_KEYS, (size_value, size_place)),
    **dict.fromkeys(FOLDER_KEYS, (folder_value, folder_place)),
    **dict.fromkeys(CHANNEL_KEYS, (channel_value, channel_place)),
    "security.policy": (lambda manager, _: manager.once(security_policy), policy_place),
}
"""How the values of each key are read, and where they stand."""

_WHOLE: Mapping[str, Callable[[QueueManager], Value]] = {
    "availability": availability,
    "uniform": uniform_clusters,
}


def _dumped(manager: QueueManager) -> Value:
    """Whether dmpmqcfg wrote `all` attributes or those that were `changed`; absent without it."""
    if manager.dump_says_all:
        return "all"
    return "changed" if manager.dump_leaves_defaults else ABSENT


def _receives_at(manager: QueueManager) -> Value:
    """The addresses that its own definitions state; unknown where they state none."""
    found = [
        address
        for channel in manager.objects("channel")
        if channel.subtype == "CLUSRCVR"
        for address in addresses(channel.value("CONNAME"))
    ]
    for listener in manager.objects("listener"):
        host, port = listener.value("IPADDR"), listener.value("PORT")
        if isinstance(host, str) and isinstance(port, str) and host.strip(" *"):
            found.append(f"{host.strip().lower()}({port})")
    return tuple(dict.fromkeys(found)) or UNKNOWN


def qmgr_of(manager: QueueManager) -> QueueManagerFact:
    """Return the fact of a queue manager, the same one at each asking."""
    return manager.once(QueueManagerFact)


def qmgrs(manager: QueueManager) -> tuple[QueueManagerFact, ...]:
    """Return the queue manager where it is named, or where ALTER QMGR speaks of it."""
    fact = qmgr_of(manager)
    return (fact,) if fact.is_written or not manager.key.anonymous else ()
