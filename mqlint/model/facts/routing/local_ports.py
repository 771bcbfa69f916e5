"""The local ports of channels that LOCLADDR limits to a range (IBM: q081910_)."""

from __future__ import annotations

from collections import Counter

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later
from mqlint.vocabulary.limits import PORT

_RANGE = later(r"[^(),]*\(([0-9]{1,5})(?:,([0-9]{1,5}))?\)")
_CALLERS = frozenset({"SDR", "SVR", "RQSTR", "CLUSSDR"})


def spare_ports(found: MQObject) -> Value:
    """Return how many ports the range of a channel has beyond one for each channel that uses it.

    Negative if they are too few; absent without a range of ports, unknown for several addresses.
    """
    address = found.value("LOCLADDR") if found.type == "channel" else ABSENT
    if not isinstance(address, str) or found.subtype not in _CALLERS or "(" not in address:
        return UNKNOWN if address is UNKNOWN else ABSENT
    match = _RANGE.fullmatch(address.replace(" ", ""))
    if match is None:
        return UNKNOWN
    first, last = int(match[1]), int(match[2] or match[1])
    if not first:
        return ABSENT
    ports = min(last, PORT) - first + 1
    return str(ports - found.manager.cached(_users)[address])


def _users(manager: QueueManager) -> Counter[Value]:
    """How many channels can run at a time with each LOCLADDR."""
    channels = manager.channels(*_CALLERS)
    users = {(channel.value("LOCLADDR"), _exclusive(channel)) for channel in channels}
    return Counter(address for address, _ in users)


def _exclusive(channel: MQObject) -> Value:
    """What only one channel has at a time: its transmission queue, otherwise its name."""
    queue = channel.value("XMITQ")
    return channel.name if queue in (ABSENT, "") else queue
