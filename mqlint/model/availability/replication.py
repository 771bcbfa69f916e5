"""Replication to another site, as the crtmqm commands of both sites ask for it.

`crtmqm -rr p|s -rl LOCAL -ri OTHER -rn NAME -rp PORT [-fs SIZE]` ("Creating a disaster recovery
RDQM"; "DR/HA RDQM worked example", where -rl and -ri are lists of three).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.availability.group import link_of
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

REPLICATION_KEYS = ("side", "mode", "port", "size", "local", "remote", "link")
"""What it can be asked: see `ReplicationFact`."""

_SIZE = re.compile(r"(\d{1,12})([MGmg])$")
_DEFAULT_MODE = "a"
_OPTIONS = {"side": "rr", "port": "rp"}


class ReplicationFact:
    """One crtmqm that makes one side of a pair.

    `side` is p or s, `mode` a or s (asynchronous where nothing is said), `port` that of -rp, `size`
    that of -fs in megabytes, `local` and `remote` are the addresses of both sides; `link` is both
    sides as one text, the same from either.
    """

    type = "replication"

    def __init__(self, manager: QueueManager, key: str, step: Step, origin: Origin) -> None:
        """`step` is the crtmqm."""
        self.manager = manager
        self.name = manager.key.name
        self.key = key
        self._step = step
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return what the command says; absent where it does not."""
        if attribute in _OPTIONS:
            return self._option(_OPTIONS[attribute])
        if attribute == "mode":
            mode = self._option("rt")
            return _DEFAULT_MODE if mode is ABSENT else mode
        if attribute == "size":
            return _megabytes(self._option("fs"))
        local, remote = self._addresses("rl"), self._addresses("ri")
        if attribute == "local":
            return local
        if attribute == "remote":
            return remote
        if not isinstance(local, tuple) or not isinstance(remote, tuple):
            return UNKNOWN
        return link_of(local, remote)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the command."""
        return self._origin.location(self._step.span)

    def _option(self, name: str) -> Value:
        option = self._step.option(name)
        if option is None:
            return UNKNOWN if self._step.open else ABSENT
        return "" if option.value is None else option.value

    def _addresses(self, name: str) -> Value:
        """A list of addresses; not written it stands in rdqm.ini, and so is not known."""
        value = self._option(name)
        if not isinstance(value, str):
            return UNKNOWN
        return tuple(part.strip() for part in value.split(",") if part.strip())


def replications(manager: QueueManager) -> tuple[ReplicationFact, ...]:
    """Return the crtmqm commands that make a side of a pair."""
    keys = Numbered()
    return tuple(
        ReplicationFact(manager, keys.of(manager.key.name), step, origin)
        for step, origin in manager.steps
        if step.command == "crtmqm" and step.option("rr") is not None
    )


def _megabytes(value: Value) -> Value:
    """A size such as 3072M or 3G in megabytes."""
    match = _SIZE.match(value) if isinstance(value, str) else None
    if match is None:
        return ABSENT if value is ABSENT else UNKNOWN
    return str(int(match[1]) * (1024 if match[2] in "Gg" else 1))
