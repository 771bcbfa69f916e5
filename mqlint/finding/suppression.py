"""A comment in a file that says: do not report this rule here, because.

* mqlint: ignore[DR001, unknown-attribute] agreed with the network team, ends in May
"""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.source.lines import Position

SIGN = "mqlint:"
"""Part of every such comment: a quick test that excludes most texts."""


@frozen
class Suppression:
    """One such comment.

    `rules` are the words in its brackets, as written; `reason` is what follows them, blank when
    nothing does. `start` and `end` are where the comment is, `since` and `until` (not included)
    what it covers: a finding that begins there. Nothing is covered when both are equal.
    """

    rules: tuple[str, ...]
    reason: str
    start: Position
    end: Position
    since: Position
    until: Position
