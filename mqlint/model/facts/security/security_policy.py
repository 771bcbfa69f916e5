"""The security policy of a queue manager: which entities get authorities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.model.core.ini_settings import written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.queue_manager.section import Section

if TYPE_CHECKING:
    from mqlint.finding import Location
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step
    from mqlint.model.core.origin import Origin
    from mqlint.model.core.queue_manager import MQObject

_UNIX = frozenset({"linux", "aix"})
_OF_WINDOWS = ("sa", "sax", "si", "ss")
"""Options of crtmqm for Windows alone (IBM: q083120_, crtmqm)."""


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
    return _of_command(manager, made[-1][0]) if made else UNKNOWN


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


def _of_command(manager: QueueManager, step: Step) -> Value:
    """The setting of the crtmqm that created the queue manager."""
    option = step.option("oa")
    if option is not None:
        return option.value.lower() if isinstance(option.value, str) else UNKNOWN
    if step.execution.maybe or step.open or step.option("ii", "a", "ar") is not None:
        return UNKNOWN
    of_unix = not step.of_windows and step.option(*_OF_WINDOWS) is None
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
