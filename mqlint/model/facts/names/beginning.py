"""The first qualifiers of names, and profiles of records for all names that begin with them."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.computed import Computed
from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.similar import SimilarNames


class Beginnings:
    """The first qualifiers of names: `APP` and `APP.IN` of `APP.IN.1`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._first: dict[int, dict[str, str]] = {}
        for name in names:
            parts = name.split(".")
            for count in range(1, len(parts) + 1):
                self._first.setdefault(count, {}).setdefault(".".join(parts[:count]), name)
        first = self._first
        self._similar = Computed[int, SimilarNames](
            lambda count: SimilarNames(first.get(count, {}))
        )

    def has(self, beginning: str) -> bool:
        return beginning in self._first.get(beginning.count(".") + 1, ())

    def similar(self, beginning: str) -> str:
        """Return a name of whose first qualifiers `beginning` is a misspelt form; else blank."""
        count = beginning.count(".") + 1
        return self._first.get(count, {}).get(self._similar[count].find(beginning), "")


def beginning_of(profile: str) -> str:
    """Return the qualifiers of a profile such as `APP.IN.*` or `APP.**`; blank of any other."""
    start, separator, end = profile.rpartition(".")
    is_plain = separator and end in ("*", "**") and not {"*", "?"}.intersection(start)
    return start if is_plain else ""


def beginnings(manager: QueueManager, object_type: str) -> Beginnings:
    """Return the first qualifiers of all names of a type that commands name."""
    named = (found.name for found in manager.all_named(object_type))
    return Beginnings(name for name in named if not isinstance(name, Templated))
