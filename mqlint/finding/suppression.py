"""A comment in a file that says: do not report this rule here, because.

* mqlint: ignore[DR001, unknown-attribute] agreed with the network team, ends in May
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mqlint.source.lines import Position

SIGN = "mqlint:"
"""Stands in every text that has such a comment; a quick way to rule most texts out."""

_FORM = r"mqlint:[ \t]*ignore\b[ \t]*(?:\[([^\]\n]*)\])?[ \t:]*([^\n]*)"

IN_MQSC = re.compile(rf"^\*[ \t*]*{_FORM}", re.MULTILINE)
"""The comment as a line of MQSC: an asterisk in the first column."""

IN_LINES = re.compile(rf"^[ \t]*[#;][ \t#;]*{_FORM}", re.MULTILINE)
"""The comment as a line of its own in ini files, shell scripts and crontabs."""


@dataclass(frozen=True, slots=True)
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


def words_of(match: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """Return the rules and the reason of a comment that one of the forms has matched."""
    rules = tuple(word for word in re.split(r"[\s,]+", match[1] or "") if word)
    reason = match[2].strip()
    if reason == "+" or reason.endswith(" +"):
        reason = reason[:-1].rstrip()  # as dumps end their comments inside a command
    return rules, reason
