"""Drift: differences between the scripts of a queue manager and its dump."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.fact import DerivedFact, FactType, Statement, statements
from mqlint.model.core.layer import Change, Layer, is_list
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.patterns import later

_LOOSE = frozenset({"CONNAME", "LOCLADDR", "SSLPEER", "SSLCERTI", "SSLPEERMAP"})
"""Values that the queue manager shows in a form of its own: other blanks, case, default port."""

_PORT = later(r"\(1414\)")
_WHOLE_WORDS = frozenset({"ALL", "ALLADM", "ALLMQI", "NONE"})


_READERS = statements("difference")
DifferenceFact = DerivedFact[Statement]


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
    return tuple(
        difference for found in manager.all_objects() for difference in _differences(found)
    )


DIFFERENCE = FactType(
    "difference",
    differences,
    ("object.type", "state", "attribute", "script", "observed", "applies"),
)
"""One difference between an object's scripts and its dump.

`state` is `differs` (a script writes another value), `reset` (a DEFINE with REPLACE omits an
attribute whose value is not the default, and so would reset it), `absent` (scripts make the object,
a dump of all such objects does not have it) or `unscripted` (the dump has an object that no script
makes, and the settings state that all scripts are here). `object.type` is the object's type,
`attribute`, `script` and `observed` the attribute and its values; `applies` tells whether running
the script again would replace the other value: a DEFINE without REPLACE would not.
"""


def _differences(found: MQObject) -> Iterator[DifferenceFact]:
    manager = found.manager
    scripts = found.chains
    if isinstance(found.name, Templated):
        return
    if found.dump and scripts:
        yield from _values(found)
    elif scripts and found.exists and manager.has_dumped(found.type) and not _is_shipped(found):
        yield _fact(found, "absent", found.where())
    elif found.dump and manager.settings.inventory.scripts and not _is_shipped(found):
        yield _fact(found, "unscripted", found.where())


def _is_shipped(found: MQObject) -> bool:
    """Whether the product may have made it, or keeps it by itself."""
    return (
        found.name.startswith(("SYSTEM.", "AMQ.", "@"))
        or found.type in ("qmgr", "authrec")
        or (found.type == "chlauth" and found.name == "*")
    )


def _values(found: MQObject) -> Iterator[DifferenceFact]:
    """The attributes in which they differ: those scripts write, then those they would reset."""
    observed = {word for layer in found.dump for word in layer.action.attributes}
    layers = [layer for chain in found.chains for layer in chain]
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
    """The difference in one attribute, None when there is none for certain."""
    if found.manager.vocabulary.is_secret(attribute) or found.secret(attribute) is not None:
        return None
    script, observed = found.written_value(attribute), found.dump_value(attribute)
    left, right = (_comparable(found, attribute, value) for value in (script, observed))
    if left is None or right is None or left == right:
        return None
    applies = layer.change is not Change.MAKE or layer.action.replace
    return _fact(
        found,
        state,
        found.where(attribute) if state == "differs" else layer.name_place(),
        attribute=attribute,
        script=_shown(script),
        observed=_shown(observed),
        applies="true" if applies else "false",
    )


def _comparable(found: MQObject, attribute: str, value: Value | None) -> object | None:
    """A form in which equal values are equal; None when it is not known."""
    if value is None or value is UNKNOWN or value is ABSENT:
        return None
    parts = (value,) if isinstance(value, str) else tuple(value)
    if found.type == "authrec" and not _WHOLE_WORDS.isdisjoint(parts):
        return None  # what they stand for differs between object types
    if is_list(found.type, attribute):
        return frozenset(parts)
    texts = tuple(text.strip() for text in parts if text.strip())
    if attribute in _LOOSE:
        return tuple(_PORT.sub("", "".join(text.split())).casefold() for text in texts)
    return tuple(str(int(text)) if _is_number(text) else text for text in texts)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _shown(value: Value | None) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
