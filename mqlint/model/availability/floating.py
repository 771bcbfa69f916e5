"""Floating addresses of RDQM: of rdqmint commands, and of rdqmstatus.

`rdqmint -m NAME -a -f ADDRESS -l INTERFACE` ("Creating and deleting a floating IP address",
q130340_); an example of that page omits `-f`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.availability.group import may_be_address
from mqlint.model.core.fact import NamedStatement, Statement, stated_type
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import option_value
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.script.step import Step

_NONE = "None"
_ATTRIBUTES = ("address", "interface", "source", "invalid")


def _addresses(manager: QueueManager) -> Iterator[NamedStatement]:
    name = manager.key.name
    for step, origin in manager.control_steps("rdqmint"):
        if step.option("a") is not None:
            values = _address(step), option_value(step, "l"), "rdqmint"
            yield name, _statement(values, origin.location(step.span))
    for declared, origin in manager.declarations("rdqm"):
        address, interface = (_status(declared, word) for word in ("address", "interface"))
        if not address is interface is ABSENT and UNKNOWN not in (address, interface):
            field = declared.field("ha_floating_ip_address")
            span = declared.span if field is None else field.span
            yield name, _statement((address, interface, "rdqmstatus"), origin.location(span))


def _statement(values: tuple[Value, Value, str], place: Location) -> Statement:
    address = values[0]
    invalid = address if isinstance(address, str) and not may_be_address(address) else ABSENT
    return Statement(dict(zip(_ATTRIBUTES, (*values, invalid), strict=True)), place)


def _has_floating(manager: QueueManager) -> bool:
    """Whether its floating address is known: a queue manager has one."""
    facts = manager.cached(FLOATING.find)
    return bool(facts) and all(isinstance(fact.value("address"), str) for fact in facts)


FLOATING = stated_type("floating", _addresses, _ATTRIBUTES, _has_floating)
"""One floating IP address; `source` is rdqmint or rdqmstatus, `invalid` a text that is not one."""


def _address(step: Step) -> Value:
    """The value of -f, or the operand after -a as in an example of IBM's."""
    address = option_value(step, "f")
    if address is ABSENT and step.operands:
        return step.operands[0].value
    return address


def _status(declared: Declared, word: str) -> Value:
    """The value in rdqmstatus, absent for None, unknown if the line is missing."""
    value = declared.value(f"ha_floating_ip_{word}")
    return UNKNOWN if value is None else ABSENT if value == _NONE else value
