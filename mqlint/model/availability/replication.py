"""Replication to another site, by the crtmqm commands of both sites.

`crtmqm -rr p|s -rl LOCAL -ri OTHER -rn NAME -rp PORT [-fs SIZE]` ("Creating a disaster recovery
RDQM"; "DR/HA RDQM worked example", where -rl and -ri are lists of three).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.model.availability.group import link_of
from mqlint.model.core.fact import NamedStatement, Statement, stated_type
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import megabytes, option_value
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_DEFAULT_MODE = "a"


def _replications(manager: QueueManager) -> Iterator[NamedStatement]:
    """Return the crtmqm commands that make a side of a pair."""
    steps = [step for step in manager.control_steps("crtmqm") if step[0].option("rr") is not None]
    commands = [_values(step) for step, _ in steps]
    is_known = all(UNKNOWN not in (values["side"], values["link"]) for values in commands)
    role = (manager.site and manager.site.role) or "none"
    sides: dict[Value, set[Value]] = {}
    for values in commands:
        sides.setdefault(values["link"], set()).add(values["side"])
    for (step, origin), values in zip(steps, commands, strict=True):
        count = str(len(sides[values["link"]])) if is_known else UNKNOWN
        stated = Statement({**values, "sides": count, "role": role}, origin.location(step.span))
        yield manager.key.name, stated


REPLICATION = stated_type(
    "replication",
    _replications,
    ("side", "mode", "port", "size", "local", "remote", "link", "ends", "sides", "role"),
)
"""One crtmqm that makes one side of a pair."""


def _values(step: Step) -> Mapping[str, Value]:
    mode = option_value(step, "rt")
    local, remote = _addresses(step, "rl"), _addresses(step, "ri")
    side = option_value(step, "rr")
    link, ends = None, None
    if isinstance(local, tuple) and isinstance(remote, tuple):
        link = link_of(local, remote)
        sites = {"p": (local, remote), "s": (remote, local)}.get(str(side), ())
        ends = tuple(f"{name} {','.join(hosts)}" for name, hosts in zip("ps", sites, strict=False))
    return {
        "side": side,
        "mode": _DEFAULT_MODE if mode is ABSENT else mode,
        "port": option_value(step, "rp"),
        "size": megabytes(option_value(step, "fs")),
        "local": local,
        "remote": remote,
        "link": link or UNKNOWN,
        "ends": ends or UNKNOWN,
    }


def _addresses(step: Step, name: str) -> Value:
    """Addresses in order of text; if the option is omitted they are in rdqm.ini, so not known."""
    value = option_value(step, name)
    if not isinstance(value, str):
        return UNKNOWN
    return tuple(sorted(part.strip() for part in value.split(",") if part.strip()))
