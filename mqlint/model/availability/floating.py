"""Floating addresses of RDQM: what rdqmint asks for, and what rdqmstatus shows.

`rdqmint -m NAME -a -f ADDRESS -l INTERFACE` ("Creating and deleting a floating IP address",
q130340_); an example of its own page leaves `-f` out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.script.step import Step

FLOATING_KEYS = ("address", "interface", "source")

_NONE = "None"
Span = tuple[int, int]


class FloatingFact:
    """One floating address: `address`, `interface`, and `source`: rdqmint or rdqmstatus."""

    type = "floating"

    def __init__(
        self,
        manager: QueueManager,
        key: str,
        values: tuple[Value, Value, str],
        span: Span,
        origin: Origin,
    ) -> None:
        """`values` are those of the keys, in their order."""
        self.manager = manager
        self.name = manager.key.name
        self.key = key
        self._values = dict(zip(FLOATING_KEYS, values, strict=True))
        self._span = span
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return one of its values; absent where the source has none."""
        return self._values.get(attribute, ABSENT)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the command, or of the address that was shown."""
        return self._origin.location(self._span)


def floating(manager: QueueManager) -> tuple[FloatingFact, ...]:
    """Return the floating addresses of a queue manager."""
    keys = Numbered()
    found = []
    for step, origin in manager.steps:
        if step.command == "rdqmint" and step.option("a") is not None:
            told = (_asked(step), _option(step, "l"), "rdqmint")
            found.append(FloatingFact(manager, keys.of(manager.key.name), told, step.span, origin))
    for one, origin in manager.declared:
        if one.type == "rdqm":
            address, interface = (_shown(one, word) for word in ("address", "interface"))
            if not address is interface is ABSENT and UNKNOWN not in (address, interface):
                span = _place(one)
                told = (address, interface, "rdqmstatus")
                found.append(FloatingFact(manager, keys.of(manager.key.name), told, span, origin))
    return tuple(found)


def has_floating(manager: QueueManager) -> bool:
    """Whether its floating address is known: a queue manager has one."""
    known = manager.once(floating)
    return bool(known) and all(isinstance(one.value("address"), str) for one in known)


def _asked(step: Step) -> Value:
    """The address behind -f, or behind -a as in an example of IBM's."""
    address = _option(step, "f")
    if address is ABSENT and step.operands:
        return step.operands[0].value
    return address


def _option(step: Step, name: str) -> Value:
    option = step.option(name)
    if option is None:
        return UNKNOWN if step.open else ABSENT
    return "" if option.value is None else option.value


def _shown(declared: Declared, word: str) -> Value:
    """What rdqmstatus shows, absent for None, not known where the line is missing."""
    field = declared.field(f"ha_floating_ip_{word}")
    if field is None:
        return UNKNOWN
    return ABSENT if field.value == _NONE else field.value


def _place(declared: Declared) -> Span:
    field = declared.field("ha_floating_ip_address")
    return declared.span if field is None else field.span
