"""Names of channels and queues that applications use and no text that was read defines."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname, join

from mqlint.language.declaration import CLIENT_TYPES, CONNECTION
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.similar import SimilarNames
from mqlint.model.core.value import ABSENT, Value
from mqlint.model.facts.queue_manager.wholeness import is_read_whole
from mqlint.patterns import later

OF_CONTAINER = later(r"DEV\.(?:(?:ADMIN|APP)\.SVRCONN(?:\.0TLS)?|QUEUE\.[123]|DEAD\.LETTER\.QUEUE)")
"""Objects that the container of MQ defines for developers, without a file that says so.

(docs/developer-config.md of ibm-messaging/mq-container.)
"""


def is_made_here(manager: QueueManager) -> bool:
    """Whether a container or crtmqm makes the queue manager, and each known text was read.

    If several examples or repositories make one of this name, an application may mean another: the
    files that make it must be in one folder, or in folders below that of one of them.
    """
    makers = [found for declared, found in manager.declared if declared.type not in CLIENT_TYPES]
    makers += (found for _, found in manager.control_steps("crtmqm"))
    folders = sorted({join(dirname(found.path), "") for found in makers}, key=len)
    is_one = bool(folders) and all(folder.startswith(folders[0]) for folder in folders)
    return is_one and manager.cached(is_read_whole)


def undefined(manager: QueueManager, object_type: str, name: str) -> str:
    """`undefined` if texts that were read make the queue manager, and other objects of the type.

    Blank if anything else may define the object. For a channel it is enough that one is defined
    which begins with the same part, and that no application uses any channel that is defined.
    """
    names = manager.cached(_NAMES[object_type])[0]
    is_whole = bool(names) and manager.cached(is_made_here)
    if not is_whole and object_type == "channel" and not names & manager.cached(_called):
        first = _first_part(name)
        is_near = first != "" and first in manager.cached(_first_parts_of_channels)
        is_whole = is_near and manager.cached(is_read_whole)
    return "undefined" if is_whole and _may_be_missing(manager, object_type, name) else ""


def _called(manager: QueueManager) -> frozenset[str]:
    names = (found.value("channel") for found, _ in manager.declarations(CONNECTION))
    return frozenset(name for name in names if isinstance(name, str))


def _first_parts_of_channels(manager: QueueManager) -> frozenset[str]:
    return frozenset(map(_first_part, manager.cached(_channels_for_clients)[0]))


def _first_part(name: str) -> str:
    """A name up to its first separator; blank without one."""
    return name.replace("_", ".").rpartition(".")[0].partition(".")[0]


def may_define_channels(manager: QueueManager) -> bool:
    """Whether a command sets CHAD, so that the queue manager may define channels itself."""
    own = manager.own_object()
    return own is not None and own.writes("CHAD") and own.value("CHAD") != "DISABLED"


def _may_be_missing(manager: QueueManager, object_type: str, name: str) -> bool:
    """Whether no command names the object, and nothing else is known to supply it."""
    if object_type == "channel" and may_define_channels(manager):
        return False
    is_supplied = name.startswith("SYSTEM.") or OF_CONTAINER.fullmatch(name) is not None
    named = (manager.named(kind, name) for kind in (object_type, _RECORDS[object_type]))
    is_named = any(True for objects in named for _ in objects)
    is_named = is_named or manager.deleted(object_type, name) is not None
    is_elsewhere = manager.has_unnamed(object_type) or manager.is_external(object_type, name)
    return not (is_supplied or is_named or is_elsewhere)


FOR_CLIENTS = "SVRCONN"
_FOR_DEVELOPERS = SimilarNames(("DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN"))
"""Names that an application may misspell although no file defines them."""
_RECORDS = {"channel": "chlauth", "queue": "authrec"}
"""The records that name objects of a type, which may be defined elsewhere."""
_Names = tuple[frozenset[str], SimilarNames]


def _channels_for_clients(manager: QueueManager) -> _Names:
    return _names(manager.channels(FOR_CLIENTS))


def _queues(manager: QueueManager) -> _Names:
    return _names(manager.objects("queue"))


_NAMES = {"channel": _channels_for_clients, "queue": _queues}


def _names(objects: Iterable[MQObject]) -> _Names:
    names = frozenset(found.name for found in objects if found.is_named)
    return names, SimilarNames(names, _FOR_DEVELOPERS)


def similar(manager: QueueManager, object_type: str, name: str) -> Value:
    """Return a name that is defined and of which `name` is a typo, if nothing defines that."""
    found = manager.cached(_NAMES[object_type])[1].find(name)
    return found if found and _may_be_missing(manager, object_type, name) else ABSENT
