"""Attributes of a queue manager that follow from one part of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import Value


class Section(NamedTuple):
    """The functions that read attributes, and the one that returns their places."""

    values: Mapping[str, Callable[[QueueManager], Value]]
    place: Callable[[QueueManager, str], Location | None]


def made_at(manager: QueueManager) -> Location | None:
    """Return the place of the crtmqm that makes the queue manager, None without one."""
    return next(
        (origin.location(step.span) for step, origin in manager.control_steps("crtmqm")), None
    )
