"""Ports that the queue managers of a script listen at: the commands run on one host."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.language.mqsc import Command
from mqlint.model.core.fact import NamedStatement, Statement, stated_type
from mqlint.model.core.inserts import EARLY
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.script_steps import Text, option_value
from mqlint.model.core.value import ABSENT, Value
from mqlint.model.procedure.command_class import command_words, object_named
from mqlint.model.procedure.procedure import Procedure, procedures

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_LISTENING = {"runmqlsr": ("p", "i"), "crtmqm": ("p", ""), "STRMQMLSR": ("PORT", "IPADDR")}
"""The options for the port and the address of commands that make a queue manager listen."""
_MADE_BY_CRTMQM = "SYSTEM.LISTENER.TCP.1"
"""The listener of crtmqm -p (IBM: "System and default objects")."""
_CHANGES = frozenset({"create", "start", "end", "delete"})
_HERE = "here"


def _ports(manager: QueueManager) -> Iterator[NamedStatement]:
    for procedure in manager.cached(procedures):
        last = _last_change(procedure)
        if last is None or last.action in ("create", "start"):
            yield from _of_commands(procedure)
        if last is not None and last.action == "start" and not last.execution.maybe:
            yield from _of_listeners(procedure, last.execution.host)


PORT = stated_type("port", _ports, ("script", "host", "port", "address"))
"""A port that a script gives its queue manager: by a command, or by a listener object.

Its name is that of the command or listener. It is one that starts, of a listener and a queue
manager that the script does not end. `host` is the host or container that the commands are sent
to, without one the site and the values of variables, with which a script runs on a host of its
own. It is `here` without any. `address` is absent for a listener at all addresses of the host.
"""


def _last_change(procedure: Procedure) -> Step | None:
    """The last command that starts or ends the queue manager."""
    steps = (step for step in procedure.script.steps if step.action in _CHANGES)
    return max(steps, key=attrgetter("position"), default=None)


def _of_commands(procedure: Procedure) -> Iterator[NamedStatement]:
    ended = max(
        (step.position for step in procedure.script.steps if step.action == "end-listener"),
        default=None,
    )
    is_replaced = procedure.manager.recorded("listener", _MADE_BY_CRTMQM) is not None
    for step in procedure.script.steps:
        named, at = _LISTENING.get(step.command, ("", ""))
        option = step.option(named) if named else None
        if option is None or step.execution.maybe or (is_replaced and step.command == "crtmqm"):
            continue
        if ended is not None and step.position < ended and step.command != "crtmqm":
            continue
        address = option_value(step, at) if at else ABSENT
        if isinstance(address, str) and address.startswith("*"):  # *DFT of IBM i
            address = ABSENT
        host, port = step.execution.host, option_value(step, named)
        place = procedure.origin.location(option.value_span or step.span)
        yield step.command, _statement(procedure, host, port, address, place)


def _of_listeners(procedure: Procedure, host: str) -> Iterator[NamedStatement]:
    """The ports of the listeners that its MQSC defines and that start."""
    started = {
        object_named(command)
        for text, command in procedure.commands(quiet=False)
        if command_words(command) == "START LISTENER" and _is_certain(text, command)
    }
    for text, command in procedure.commands(quiet=True):
        name = object_named(command) if command_words(command) == "DEFINE LISTENER" else None
        if not isinstance(name, str) or not _is_certain(text, command):
            continue
        listener = procedure.manager.find("listener", name)
        if listener is None or text.execution.host != host:
            continue
        if _starts(listener, started):
            place = listener.where("PORT")
            values = listener.value("PORT"), listener.value("IPADDR")
            yield name, _statement(procedure, host, *values, place)


def _run_of(manager: QueueManager) -> str:
    """What differs between the hosts on which a script runs, blank if nothing is known of them."""
    given = (f"{name}={manager.inserts[name]}" for name in sorted(manager.inserts))
    return " ".join([manager.key.site, *(each for each in given if each.startswith(EARLY))]).strip()


def _starts(listener: MQObject, started: set[Value]) -> bool:
    is_automatic = listener.value("CONTROL") in ("QMGR", "STARTONLY")
    return listener.value("TRPTYPE") == "TCP" and (is_automatic or listener.name in started)


def _is_certain(text: Text, command: Command) -> bool:
    return not (text.execution.maybe or command.maybe)


def _statement(
    procedure: Procedure, host: str, port: Value, address: Value, place: Location
) -> Statement:
    values = {
        "script": procedure.origin.path,
        "host": host or _run_of(procedure.manager) or _HERE,
        "port": port,
        "address": address,
    }
    return Statement(values, place)
