"""The high availability of a queue manager, and the entities that get authorities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqlint.model.core.ini_settings import written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value, flag
from mqlint.model.facts.queue_manager.section import Section

if TYPE_CHECKING:
    from mqlint.finding import Location
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step
    from mqlint.model.core.origin import Origin
    from mqlint.model.core.queue_manager import MQObject

_MANIFESTS = {"NativeHA": "native-ha", "MultiInstance": "multi-instance"}
_UNIX = frozenset({"linux", "aix"})
_BATCH = (".cmd", ".bat")


def availability(manager: QueueManager) -> Value:
    """Return `rdqm`, `native-ha` or `multi-instance`; unknown if no file shows it.

    Without such a file it need not be a queue manager of one host: cluster software of the
    operating system may move it.
    """
    return next(_shown(manager), None) or next(_asked(manager), UNKNOWN)


def replicated(manager: QueueManager) -> Value:
    """Return `true` if crtmqm -rr or a group of Native HA copies it to another site, or `false`."""
    is_pair = any(step.option("rr") is not None for step, _ in manager.control_steps("crtmqm"))
    is_group = any(
        stanza.name.lower() == "nativeharecoverygroup" for stanza, _ in manager.stanzas
    ) or any(
        declared.type == "manifest" and declared.field("group.role") is not None
        for declared, _ in manager.declared
    )
    return flag(is_pair or is_group)


def _shown(manager: QueueManager) -> Iterator[str]:
    """What manifests, captured output and ini files show."""
    for declared, _ in manager.declared:
        if declared.type == "manifest":
            kind = _MANIFESTS.get(str(declared.value("availability")))
            if kind is not None:
                yield kind
        elif declared.type == "instance" and declared.field("REPLADDR") is not None:
            yield "native-ha"
        elif declared.type == "instance" and str(declared.value("MODE")).lower() == "standby":
            yield "multi-instance"
        elif declared.type == "rdqm" and declared.field("ha_role") is not None:
            yield "rdqm"
    if any(stanza.name.lower() == "nativehalocalinstance" for stanza, _ in manager.stanzas):
        yield "native-ha"


def _asked(manager: QueueManager) -> Iterator[str]:
    """What commands make of it, or take for granted."""
    for step, _ in manager.steps:
        if step.command == "crtmqm" and step.option("sx", "sxs") is not None:
            yield "rdqm"
        elif step.command == "crtmqm" and step.option("lr") is not None:
            yield "native-ha"
        elif step.command in ("rdqmadm", "rdqmint"):
            yield "rdqm"
    for step, _ in manager.control_steps("strmqm"):
        if step.option("x") is not None:
            yield "multi-instance"


def security_policy(manager: QueueManager) -> Value:
    """Return `group`, `user` or `userexternal`: to whom an authority for a principal is given.

    IBM's page "Service stanza of the qm.ini file": the default means groups on AIX and Linux;
    on Windows it is always the user. Where a directory authorises (IBM: q123460_, "Setting
    authorizations") no user has a primary group.
    """
    if manager.target.platform == "windows":
        return "user"
    if any(map(_by_directory, manager.objects("authinfo"))):
        return UNKNOWN
    found = _service(manager)
    if found is not None:
        entry = found[0].get("SecurityPolicy")
        policy = written(entry) or "default"
        return _by_default(manager, policy.lower()) if isinstance(policy, str) else UNKNOWN
    made = [*manager.control_steps("crtmqm")]
    return _of_command(manager, *made[-1]) if made else UNKNOWN


def _by_directory(authinfo: MQObject) -> bool:
    """Return whether LDAP decides what users may do; CONNAUTH may be unknown."""
    mode = authinfo.value("AUTHORMD")
    return isinstance(mode, str) and mode.upper().startswith(("SEARCH", "SRCH"))


def _policy_place(manager: QueueManager, _: str) -> Location | None:
    """The place that decides on the policy: of the setting, its stanza, or crtmqm."""
    found = _service(manager)
    if found is not None:
        stanza, origin = found
        entry = stanza.get("SecurityPolicy")
        return origin.location(stanza.span if entry is None else entry.value_span)
    made = [*manager.control_steps("crtmqm")]
    return made[-1][1].location(made[-1][0].span) if made else None


def _service(manager: QueueManager) -> tuple[Stanza, Origin] | None:
    for stanza, origin in manager.stanzas:
        name = stanza.get("Name") if stanza.name.lower() == "service" else None
        if name is not None and name.value.lower() == "authorizationservice":
            return stanza, origin
    return None


def _of_command(manager: QueueManager, step: Step, origin: Origin) -> Value:
    """The setting of the crtmqm that created the queue manager."""
    option = step.option("oa")
    if option is not None:
        return option.value.lower() if isinstance(option.value, str) else UNKNOWN
    if step.execution.maybe or step.open or step.option("ii", "a", "ar") is not None:
        return UNKNOWN
    of_unix = not origin.path.lower().endswith(_BATCH)
    return _by_default(manager, "default", of_unix=of_unix)


def _by_default(manager: QueueManager, policy: str, *, of_unix: bool = False) -> Value:
    if policy != "default":
        return policy
    return "group" if of_unix or manager.target.platform in _UNIX else UNKNOWN


SECURITY_POLICY = Section(
    {"security.policy": lambda manager: manager.cached(security_policy)}, _policy_place
)
"""Whether an authority for a principal is given to its group, to the user, or to a user that need
not exist."""
