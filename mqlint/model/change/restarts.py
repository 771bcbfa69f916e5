"""What a step stops, starts and refreshes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mqlint.model.change.described import DescribedObject, Text
from mqlint.vocabulary.effects import Effect

_REFRESHED: Mapping[str, str] = {"ssl": "SSL", "connauth": "CONNAUTH"}


def acting(described: DescribedObject, verb: str) -> tuple[str, ...]:
    """START or STOP of what runs."""
    runs = described.type == "listener" or (
        described.type == "channel" and described.subtype != "CLNTCONN"
    )
    return (described.acts(verb),) if runs else ()


def ending(described: DescribedObject) -> tuple[str, ...]:
    """STOP of what is deleted; a cluster-receiver leaves its cluster while it still runs.

    Otherwise the cluster keeps its record, and sends to it (IBM MQ documentation, csqzah061j).
    """
    values: dict[str, Text | None] = {
        word: "" for word in ("CLUSTER", "CLUSNL") if described.value(word)
    }
    leaves = described.subtype == "CLUSRCVR" and values
    left = (described.alteration(values)[0],) if leaves else ()
    return (*left, *acting(described, "STOP"))


def refresh(described: DescribedObject, effects: Iterable[Effect]) -> tuple[str, ...]:
    kinds = dict.fromkeys(_REFRESHED[each.when] for each in effects if each.when in _REFRESHED)
    return tuple(f"REFRESH SECURITY TYPE({kind})" for kind in kinds)
