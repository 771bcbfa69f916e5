"""Drift: differences between the scripts of a queue manager and its dump."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.model.comparison.comparable import comparable, shown
from mqlint.model.core.fact import DerivedFact, FactType, Statement, statements
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.patterns import later

_READERS = statements("difference")
DifferenceFact = DerivedFact[Statement]
_DATE = later(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_BLANK = "' '"
"""A blank value as MQSC writes it."""


def _fact(found: MQObject, state: str, place: Location, **values: str) -> DifferenceFact:
    """Return a difference; `place` is in the script, or in the dump if no script has it."""
    key = "\x1f".join((found.type, found.key, state, values.get("attribute", "")))
    values = {"object.type": found.type, "state": state, **values}
    attribute = values.get("attribute")
    beside = [
        (layer.origin.location(span), f"in the dump: {attribute}({values.get('observed', '')})")
        for layer in found.dump
        if attribute is not None and (span := layer.span_of(attribute)) is not None
    ]
    statement = Statement(values, place, key=key, beside=tuple(beside[:1]))
    return DerivedFact(_READERS, found.manager, found.name, statement)


def differences(manager: QueueManager) -> tuple[DifferenceFact, ...]:
    """Return the drift of a queue manager of which there are both scripts and a dump."""
    if not (manager.observed and manager.orders):
        return ()
    found = (difference for each in manager.all_objects() for difference in _differences(each))
    pending = manager.cached(_pending)
    return tuple(each for each in found if each.source.place.path not in pending)


def _pending(manager: QueueManager) -> frozenset[str]:
    """The files of a change that has not been made since, or after, the dump.

    They delete objects of the dump, or a date in their path is later than the dump.
    """
    deleted = (
        found
        for found in manager.all_recorded(records=False)
        if found.dump and found.exists is False
    )
    ends = (layers[-1] for found in deleted for layers in found.chains)
    undone = {
        last.name_place().path for last in ends if last.change is Change.REMOVE and not last.maybe
    }
    paths = {origin.path for origin in manager.origins if not origin.observed}
    return frozenset(undone | {path for path in paths if _is_later(path, manager.dumped_at)})


def _is_later(path: str, dumped_at: str) -> bool:
    """Whether a path has a date after the day of the dump (`yyyy-mm-dd hh.mm.ss`, or blank)."""
    days = ["-".join(found.groups()) for found in _DATE.finditer(path)]
    return bool(dumped_at and days) and max(days) > dumped_at[:10]


DIFFERENCE = FactType(
    "difference",
    differences,
    ("object.type", "state", "attribute", "script", "observed", "applies"),
)
"""One difference between an object's scripts and its dump."""


def _differences(found: MQObject) -> Iterator[DifferenceFact]:
    manager = found.manager
    scripts = found.chains
    if not found.is_named:
        return
    if found.dump and scripts:
        yield from _values(found)
    elif scripts and found.exists and manager.has_dumped(found.type) and not _is_shipped(found):
        yield _fact(found, "absent", found.where())
    elif found.dump and manager.settings.inventory.scripts and not _is_shipped(found):
        yield _fact(found, "unscripted", found.where())


def _is_shipped(found: MQObject) -> bool:
    """Return whether the product may have made it, or maintains it."""
    return (
        found.name.startswith(("SYSTEM.", "AMQ.", "@"))
        or found.type in ("qmgr", "authrec")
        or (found.type == "chlauth" and found.name == "*")
    )


def _values(found: MQObject) -> Iterator[DifferenceFact]:
    """The differing attributes: those that scripts write, then those that they would reset."""
    observed = {word for layer in found.dump for word in layer.action.attributes}
    layers = found.layers
    written = {word: layer for layer in layers for word in layer.action.attributes}
    for word in sorted(written):
        fact = _difference(found, word, "differs", written[word])
        if fact is not None:
            yield fact
    maker = next(filter(_overwrites, reversed(layers)), None)
    if maker is None or maker.command.form.shape.open:
        return
    for word in sorted(observed - written.keys()):
        fact = _difference(found, word, "reset", maker)
        if fact is not None:
            yield fact


def _overwrites(layer: Layer) -> bool:
    return layer.change is Change.MAKE and layer.action.replace and not layer.maybe


def _difference(found: MQObject, attribute: str, state: str, layer: Layer) -> DifferenceFact | None:
    if found.manager.vocabulary.is_secret(attribute) or found.secret(attribute) is not None:
        return None
    script, observed = found.written_value(attribute), found.dump_value(attribute)
    left, right = (comparable(found, attribute, value) for value in (script, observed))
    if left is None or right is None or left == right:
        return None
    applies = layer.change is not Change.MAKE or layer.action.replace
    return _fact(
        found,
        state,
        found.where(attribute) if state == "differs" else layer.name_place(),
        attribute=attribute,
        script=shown(script) or _BLANK,
        observed=shown(observed) or _BLANK,
        applies="true" if applies else "false",
    )
