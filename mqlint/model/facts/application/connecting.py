"""Whether a channel lets applications connect: records that refuse them, users without authority.

A new queue manager has channel authentication records for `SYSTEM.*`. The image of MQ for
developers adds `*` with its other objects (10-dev.mqsc.tpl of ibm-messaging/mq-container), unless
MQ_DEV is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from mqlint.grouping import grouped
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.application.undefined import is_made_here
from mqlint.model.facts.files.resources import ResourceFact
from mqlint.model.facts.queue_manager.wholeness import is_read_whole
from mqlint.model.facts.security.authentication import Authentication
from mqlint.model.facts.security.grant import all_grants, grants_of
from mqlint.patterns import later
from mqlint.vocabulary.vocabulary import MAPPING_TYPES

_FOR_DEVELOPERS = later(r"(?:docker\.io/)?ibmcom/mq(?:[:@].*)?|icr\.io/ibm-messaging/mq(?:[:@].*)?")
"""Images that make objects for developers."""
_FOR_ADMIN = ("DEV.ADMIN.SVRCONN", "DEV.ADMIN.SVRCONN.0TLS")
_EACH_USER = 4
"""Characters of the budget that each record costs that maps partners of a channel."""
_LONGEST = 20
"""Characters of the name of a channel."""
_ADMITTED = "SYSTEM.ADMIN.SVRCONN"
"""The one channel of MQ that a record of a new queue manager admits."""


def refusing_record(manager: QueueManager, channel: str, user: object = None) -> str:
    """Return the profile of the record that refuses a channel; blank if none is known to.

    The user `admin` of the image for developers is an administrator. The record of a new queue
    manager that blocks these is lifted for one channel only (docs/developer-config.md).
    """
    own = manager.own_object()
    if own is not None and own.value("CHLAUTH") != "ENABLED":
        return ""
    is_alone = channel.startswith("DEV.") and not manager.scripts  # the image as it is
    if manager.has_unnamed("chlauth") or not (is_alone or manager.cached(is_made_here)):
        return ""
    if _has_record(manager, channel):
        return ""
    if channel.startswith("SYSTEM."):
        return "SYSTEM.*" if channel != _ADMITTED else ""
    is_admitted = channel.startswith("DEV.") and (user != "admin" or channel in _FOR_ADMIN)
    return "*" if not is_admitted and manager.cached(is_for_developers) else ""


def may_image_refuse(manager: QueueManager, channel: str) -> bool:
    """Return whether records of the image for developers decide about a channel, no written one."""
    return not _has_record(manager, channel) and manager.cached(is_for_developers)


def _has_record(manager: QueueManager, channel: str) -> bool:
    """Whether a record that maps or refuses is about a channel; `is_about` says the same of one."""
    names, beginnings = manager.cached(_profiles)
    return channel in names or any(
        channel[:length] in beginnings for length in range(min(len(channel), _LONGEST) + 1)
    )


def _profiles(manager: QueueManager) -> tuple[frozenset[str], frozenset[str]]:
    """The full names in such records, and beginnings; a name that is not known may be any."""
    names: set[str] = set()
    beginnings: set[str] = set()
    for record in manager.all_named("chlauth"):
        if record.value("TYPE") in MAPPING_TYPES:
            start, sign, _ = record.name.partition("*")
            if not record.is_named:
                start, sign = "", "*"
            (beginnings if sign else names).add(start)
    return frozenset(names), frozenset(beginnings)


def is_about(profile: str, channel: str) -> bool:
    """Return whether a profile fits a channel; it may end with an asterisk."""
    start, sign, _ = profile.partition("*")
    return channel.startswith(start) if sign else channel == profile


def is_for_developers(manager: QueueManager) -> bool:
    """Whether the image that runs the queue manager makes objects for developers."""
    manifests = [found for found, _ in manager.declarations("manifest")]
    if len(manifests) != 1:
        return False
    image, dev = (manifests[0].value(name) for name in ("image", "dev"))
    return _FOR_DEVELOPERS.fullmatch(str(image)) is not None and dev in (None, "true")


def user_without_connect(fact: ResourceFact, channel: MQObject) -> str:
    """Return a user of a connection who has authorities but not CONNECT; blank if none is known.

    A user has what the groups together have, and the groups of a user are not known, so nothing is
    returned if any group may connect. Records of other texts may exist unless all were read.
    """
    manager = fact.manager
    grants = manager.cached(grants_of)["QMGR"]
    if grants.open or grants.for_unknown:
        return ""
    if not manager.cached(is_read_whole) or manager.cached(_groups_may_connect):
        return ""
    connecting = manager.cached(_connecting)
    given = manager.cached(_principals)
    users = _users(fact, channel)
    return next((user for user in users if user in given and user.lower() not in connecting), "")


def _users(fact: ResourceFact, channel: MQObject) -> Iterator[str]:
    """Yield the users for whom a connection may run.

    They are MCAUSER of the channel and of the records that map its partners. If the queue manager
    adopts who gives a password, it is the user of the application instead. If it may adopt a user
    whom the application names, the user is not known.
    """
    user, adopts = fact.value("user"), fact.manager.cached(Authentication).adopts
    values: list[Value] = []
    if adopts:
        values = [user] if fact.value("password") in ("given", UNKNOWN) else []
    elif adopts is False or not isinstance(user, str) or not user:
        values = [channel.value("MCAUSER")]
        values += _mapped_users(fact.manager, channel.name)
    yield from (user for user in values if isinstance(user, str) and user)


def _mapped_users(manager: QueueManager, channel: str) -> Sequence[Value]:
    """The users of the records that map partners of a channel; none of too many to compare."""
    by_profile = manager.cached(_mapping_records)
    beginnings = (f"{channel[:length]}*" for length in range(len(channel) + 1))
    found = [each for name in (channel, *beginnings) for each in by_profile.get(name, ())]
    if not manager.budget("users of connections").spend(_EACH_USER * len(found)):
        return ()
    return [user for _, user in sorted(found, key=itemgetter(0))]


def _mapping_records(manager: QueueManager) -> Mapping[str, Sequence[tuple[int, Value]]]:
    """The number and the user of each record that maps partners, by its profile up to a `*`."""
    records = [record for record in manager.objects("chlauth") if record.value("USERSRC") == "MAP"]
    return grouped(
        ("".join(record.name.partition("*")[:2]), (number, record.value("MCAUSER")))
        for number, record in enumerate(records)
    )


def _principals(manager: QueueManager) -> frozenset[str]:
    """The users to whom records give authorities on objects."""
    return frozenset(
        grant.authorization.entity[1]
        for grant in manager.cached(all_grants)
        if not grant.authorization.entity[0]
        and grant.authorization.object_type != "QMGR"
        and grant.authorization.known
    )


def _connecting(manager: QueueManager) -> frozenset[str]:
    """The users and groups that may connect, in lower case."""
    deciding = manager.cached(grants_of)["QMGR"].deciding(manager.key.name)
    return frozenset(
        name.lower()
        for (_, name), grant in deciding.items()
        if "CONNECT" in grant.authorization.known
    )


def _groups_may_connect(manager: QueueManager) -> bool:
    """Whether a group has a record for the queue manager, or one that is not known may be it."""
    return manager.cached(_may_have_more) or any(
        grant.authorization.entity[0] or grant.authorization.authorities is UNKNOWN
        for grant in manager.cached(all_grants)
        if grant.authorization.object_type == "QMGR"
    )


def user_denied(fact: ResourceFact, channel: MQObject, authority: str) -> tuple[str, bool]:
    """Return a user of a connection whose record for a queue does not give the authority.

    Blank if none is known, or if a group may give it to the user. The other value is whether a
    record of another user gives it.
    """
    manager = fact.manager
    grants = manager.cached(grants_of).get("QUEUE")
    if grants is None or not manager.cached(is_read_whole) or manager.cached(_may_have_more):
        return "", False
    deciding = grants.deciding(fact.name)
    allowed = [
        entity for entity, grant in deciding.items() if authority in grant.authorization.known
    ]
    if (
        grants.open
        or any(is_group for is_group, _ in allowed)
        or any(grant.authorization.authorities is UNKNOWN for grant in deciding.values())
    ):
        return "", False
    denied = (
        user
        for user in _users(fact, channel)
        if (False, user) in deciding and (False, user) not in allowed
    )
    return next(denied, ""), bool(allowed)


def _may_have_more(manager: QueueManager) -> bool:
    """Whether the type of a record, or its profile, is not known."""
    grants = manager.cached(all_grants)
    return manager.has_unnamed("authrec") or any(
        not grant.authorization.object_type for grant in grants
    )
