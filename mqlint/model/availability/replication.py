"""Replication to another site, by the crtmqm commands of both sites.

`crtmqm -rr p|s -rl LOCAL -ri OTHER -rn NAME -rp PORT [-fs SIZE]` ("Creating a disaster recovery
RDQM"; "DR/HA RDQM worked example", where -rl and -ri are lists of three).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname
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
    commands = [_values(step, origin.path) for step, origin in steps]
    for (step, origin), values, counts in zip(steps, commands, _counts(commands), strict=True):
        yield manager.key.name, Statement({**values, **counts}, origin.location(step.span))


REPLICATION = stated_type(
    "replication",
    _replications,
    ("side", "mode", "port", "size", "local", "remote", "link", "folder", "ends", "sides", "pairs"),
)
"""One crtmqm that makes one side of a pair."""


def _values(step: Step, path: str) -> Mapping[str, Value]:
    mode = option_value(step, "rt")
    local, remote = _addresses(step, "rl"), _addresses(step, "ri")
    link = None
    if isinstance(local, tuple) and isinstance(remote, tuple):
        link = link_of(local, remote)
    return {
        "side": option_value(step, "rr"),
        "mode": _DEFAULT_MODE if mode is ABSENT else mode,
        "port": option_value(step, "rp"),
        "size": megabytes(option_value(step, "fs")),
        "local": local,
        "remote": remote,
        "link": link or UNKNOWN,
        "folder": dirname(path) or ".",
    }


def _counts(commands: Sequence[Mapping[str, Value]]) -> Iterator[Mapping[str, Value]]:
    """Yield `ends`, `sides` and `pairs` of each command; unknown if a side or link is not known."""
    is_known = all(UNKNOWN not in (values["side"], values["link"]) for values in commands)
    sides: dict[Value, set[Value]] = {}
    links: dict[tuple[Value, Value], set[Value]] = {}
    for own in commands:
        sides.setdefault(own["link"], set()).add(own["side"])
        links.setdefault((own["side"], own["folder"]), set()).add(own["link"])
    for own in commands:
        pairs = links[own["side"], own["folder"]]
        is_whole = len(sides[own["link"]]) > 1
        yield {
            "ends": own["link"] if is_known and is_whole else own["folder"],
            "sides": str(len(sides[own["link"]])) if is_known else UNKNOWN,
            "pairs": str(len(pairs)) if is_known else UNKNOWN,
        }


def _addresses(step: Step, name: str) -> Value:
    """Addresses in order of text; if the option is omitted they are in rdqm.ini, so not known."""
    value = option_value(step, name)
    if not isinstance(value, str):
        return UNKNOWN
    return tuple(sorted(part.strip() for part in value.split(",") if part.strip()))
