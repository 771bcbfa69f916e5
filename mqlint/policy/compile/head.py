"""What is known of a policy before its text is read: a run reads that of few policies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mqlint.dataclass import NamedTuple
from mqlint.finding import Severity
from mqlint.policy.compile.join import NAMING, TWIN
from mqlint.policy.language.parameters import settled


class Head(NamedTuple):
    """What decides whether a policy judges a queue manager, and of which type its facts are.

    `severity`, as JSON, and `habit` are those of its rule. `offers` says whether facts that it is
    not about matter too, `needs_two` whether one queue manager alone is never at fault. `code` is
    that of a diagnostic, blank for a policy that judges.
    """

    id: str
    object: str
    severity: str
    habit: bool
    offers: bool
    needs_two: bool
    code: str

    @property
    def severities(self) -> Mapping[str, Severity]:
        """The severity of its rule in each profile."""
        return _severities(self.severity)


@lru_cache(maxsize=64)  # most policies have the severity of others
def _severities(stored: str) -> Mapping[str, Severity]:
    return {profile: Severity.of(word) for profile, word in json.loads(stored).items()}


def storable_heads(compiled: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return the heads as a value that can be stored in JSON: a list for each field."""
    return [*map(list, zip(*map(head_of, compiled), strict=True))]


def heads_in(stored: Sequence[Sequence[Any]]) -> dict[str, Head]:
    """Return the heads that `storable_heads` stored, by the ids of their policies."""
    return {fields[0]: Head(*fields) for fields in zip(*stored, strict=True)}


def head_of(compiled: Mapping[str, Any]) -> Head:
    policy = settled(compiled)
    kind, check = policy["kind"], policy["check"]
    is_diagnostic = kind == "diagnostic"
    return Head(
        policy["id"],
        "" if is_diagnostic else policy["object"],
        json.dumps(policy["severity"]),
        policy["habit"],
        kind == "related" and check["across"],
        kind in _NEED_TWO and policy["object"] not in NAMING and _NEED_TWO[kind](check),
        check if is_diagnostic else "",
    )


def _looks_elsewhere(check: Mapping[str, Any]) -> bool:
    """Whether only another queue manager can have what must not be there, or what the twin must.

    What is compared by its own queue manager's name is a typo of another one's.
    """
    is_own_name = check.get("similar") and check["mine"] == ["queue_manager"]
    return bool(check["across"] and (not check["must"] or TWIN in check["mine"] or is_own_name))


def _compares_parties(check: Mapping[str, Any]) -> bool:
    """Whether only facts of several parties can be wrong: one queue manager is one of them."""
    others = ("least_groups", "size_least", "size_most")
    compared = check["between"] == "role" if check["agree"] else check.get("most_groups", 0) >= 1
    return compared and not any(other in check for other in others)


_NEED_TWO: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "related": _looks_elsewhere,
    "grouped": _compares_parties,
}
"""The kinds that may find fault with several queue managers only, and when they do."""
