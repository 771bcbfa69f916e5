"""Objects of a queue-sharing group, and the data sets that define those of a queue manager."""

from __future__ import annotations

from functools import lru_cache

from mqlint.model.core.layer import Change
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later

_INITIALIZATION = later(r"(?:.*[/.])?CSQ4?(INP[12TX])(?:\.[A-Z]{1,8})?\Z")
"""The path of an initialization data set: CSQINP2, zos/csqinp2.mqsc, MQZ1.CSQINP2.

CSQ4INP1 and CSQ4INPX are IBM's samples.
"""


def dispositions_of(found: MQObject) -> Value:
    """Return the values of QSGDISP with which commands define an object, QMGR if one omits it.

    A shared queue and a private one can have one name (IBM: DEFINE queues, usage notes). Those that
    are deleted do not count; unknown if a command may not run.
    """
    sole = found.sole_layer()
    if sole is not None:
        return (sole.disposition,) if isinstance(sole.disposition, str) else UNKNOWN
    there: set[str] = set()
    for layer in (*found.dump, *found.layers):
        if layer.change not in (Change.MAKE, Change.REMOVE):
            continue
        disposition = layer.disposition
        if layer.maybe or not isinstance(disposition, str):
            return UNKNOWN
        if layer.change is Change.MAKE:
            there.add(disposition)
        elif disposition == "QMGR":
            there -= {"QMGR", "COPY"}
        else:
            there.discard(disposition)
    return tuple(sorted(there)) or ABSENT


def made_in(found: MQObject) -> Value:
    """Return the initialization data set of z/OS that defines an object; absent if none does."""
    layer = found.sole_layer()
    if layer is not None and not found.dump:
        return initialization_of(layer.origin)
    origins = {layer.origin for layer in found.layers if layer.change is Change.MAKE}
    places = {initialization_of(origin) for origin in origins}
    return places.pop() if len(places) == 1 else ABSENT


def initialization_of(origin: Origin) -> Value:
    """Return the DD name of the initialization data set that a text is.

    It is that of the stream in a procedure, otherwise the name of the file.
    """
    return _data_set(origin.entry or origin.path)


@lru_cache(maxsize=64)  # all objects of a text ask for it
def _data_set(text: str) -> Value:
    path = text.upper()
    match = _INITIALIZATION.match(path) if "INP" in path else None
    return f"CSQ{match[1]}" if match else ABSENT
