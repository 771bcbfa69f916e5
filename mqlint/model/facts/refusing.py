"""Channel authentication records that no file defines and that refuse applications.

A new queue manager has `SYSTEM.*`. The image of MQ for developers adds `*` with its other objects
(10-dev.mqsc.tpl of ibm-messaging/mq-container), unless MQ_DEV is false.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.undefined import is_made_here
from mqlint.patterns import later
from mqlint.vocabulary.vocabulary import MAPPING_TYPES

_FOR_DEVELOPERS = later(r"(?:docker\.io/)?ibmcom/mq(?:[:@].*)?|icr\.io/ibm-messaging/mq(?:[:@].*)?")
"""Images that make objects for developers."""
_ADMITTED = "SYSTEM.ADMIN.SVRCONN"
"""The one channel of MQ that a record of a new queue manager admits."""


def refusing_record(manager: QueueManager, channel: str) -> str:
    """Return the profile of the record that refuses a channel; blank if none is known to."""
    own = manager.own_object()
    if own is not None and own.value("CHLAUTH") != "ENABLED":
        return ""
    if manager.has_unnamed("chlauth") or not manager.cached(is_made_here):
        return ""
    if any(is_about(profile, channel) for profile in _profiles(manager)):
        return ""
    if channel.startswith("SYSTEM."):
        return "SYSTEM.*" if channel != _ADMITTED else ""
    is_of_developers = channel.startswith("DEV.")
    return "*" if not is_of_developers and manager.cached(_is_for_developers) else ""


def _profiles(manager: QueueManager) -> Iterator[str]:
    """The profiles of records that map or refuse; a name that is not known may be any."""
    for record in manager.all_named("chlauth"):
        if record.value("TYPE") in MAPPING_TYPES:
            yield "*" if isinstance(record.name, Templated) else record.name


def is_about(profile: str, channel: str) -> bool:
    """Return whether a profile fits a channel; it may end with an asterisk."""
    start, sign, _ = profile.partition("*")
    return channel.startswith(start) if sign else channel == profile


def _is_for_developers(manager: QueueManager) -> bool:
    """Whether the image that runs the queue manager makes objects for developers."""
    manifests = [found for found, _ in manager.declarations("manifest")]
    if len(manifests) != 1:
        return False
    image, dev = (manifests[0].field(name) for name in ("image", "dev"))
    if image is None or _FOR_DEVELOPERS.fullmatch(str(image.value)) is None:
        return False
    return dev is None or dev.value == "true"
