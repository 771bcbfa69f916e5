"""A comment in a file that says: do not report this rule here, because.

* mqlint: ignore[DR001, unknown-attribute] agreed with the network team, ends in May
"""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.source.lines import Position

SIGN = "mqlint:"
"""Stands in every text that has such a comment; a quick way to rule most texts out."""


@frozen
class Suppression:
    """One such comment.

    `rules` are the words in its brackets, as written; `reason` is what stands behind them, blank
    when nothing does. `start` and `end` are where the comment stands, `since` and `until` (not
    included) what it covers: a finding that begins there. Nothing is covered when both are equal.
    """

    rules: tuple[str, ...]
    reason: str
    start: Position
    end: Position
    since: Position
    until: Position
