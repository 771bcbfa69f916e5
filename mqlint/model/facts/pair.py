"""How the two ends of a channel meet: by its name, and by what both say of the way.

A sender and a server say it by their transmission queue, which is called like the queue manager it
leads to where names are to be resolved without a remote queue (IBM: q025990). Cluster channels
have none; there both ends name the addresses of the one that is called.
"""

from __future__ import annotations

from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, addresses
from mqlint.model.facts.cluster import clusters_of

_NOT_USED = ("SYSTEM.DEF.", "SYSTEM.AUTO.")


def pair_of(channel: MQObject) -> Value:
    """Return what a message channel has in common with its other end, as one text.

    It is unknown where that is; absent for client channels and default objects, and where nothing
    tells the other end.
    """
    if isinstance(channel.name, Templated) or channel.name.startswith(_NOT_USED):
        return ABSENT
    way = _way(channel)
    if not isinstance(way, str):
        return way
    return f"{channel.name} {way}" if way else ABSENT


def _way(channel: MQObject) -> Value:
    """Where the channel leads to: a queue manager of its site, or addresses."""
    key = channel.manager.key
    if channel.subtype in ("SDR", "SVR"):
        queue = channel.value("XMITQ")
        return f"{key.site}/{queue.strip()}" if isinstance(queue, str) and queue.strip() else queue
    if channel.subtype in ("RCVR", "RQSTR"):
        return f"{key.site}/{key.name}"
    if channel.subtype in ("CLUSSDR", "CLUSRCVR"):
        called = channel.value("CONNAME")
        return UNKNOWN if called is UNKNOWN else ",".join(sorted(set(addresses(called))))
    return ABSENT


def called_neighbours(channel: MQObject) -> Value:
    """Return the addresses that cluster-senders of the same clusters here call; absent for none.

    They are unknown if one of them is.
    """
    mine = clusters_of(channel)
    if not isinstance(mine, tuple):
        return mine
    found: dict[str, None] = {}
    for other in channel.manager.objects("channel"):
        theirs = clusters_of(other) if other.subtype == "CLUSSDR" else ABSENT
        if theirs is UNKNOWN or (isinstance(theirs, tuple) and set(theirs).intersection(mine)):
            called = other.value("CONNAME")
            if theirs is UNKNOWN or called is UNKNOWN:
                return UNKNOWN
            found.update(dict.fromkeys(addresses(called)))
    return tuple(found) or ABSENT
