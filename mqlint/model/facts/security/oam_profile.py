"""Generic profile names, as the object authority manager reads them.

`?` stands for one character, `*` for characters within one qualifier or, alone between dots, for
one whole qualifier, `**` for any number of whole qualifiers (IBM: q013510, "Using wildcard
characters in OAM profiles"). Of several that fit, the most specific alone counts: compared from
the left, a plain character before `?` before `*` before `**` (IBM: q013520, "Profile priorities").
"""

from __future__ import annotations

import re

from mqlint.patterns import later

_TOKEN = later(r"\*\*|[*?]|[^*?]")
_END = 1
_RANKS = {"?": 2, "*": 3, "**": 4}


def is_generic(profile: str) -> bool:
    return "*" in profile or "?" in profile


def literal_prefix(profile: str) -> str:
    """Return the beginning of every name that fits: that of `A.**` has no dot, as `A` fits too."""
    plain = re.split(r"[*?]", profile, maxsplit=1)[0]
    return plain.removesuffix(".")


def rank(profile: str) -> tuple[int, ...]:
    """Return what sorts profiles that fit one name, the most specific first."""
    return (*(_RANKS.get(token, 0) for token in _TOKEN.findall(profile)), _END)


def fits(profile: str, name: str) -> bool:
    if not is_generic(profile):
        return profile == name
    wanted, there = profile.split("."), name.split(".")
    if "**" not in wanted:
        return len(wanted) == len(there) and all(map(_qualifier_fits, wanted, there))
    at = wanted.index("**")
    before, after = wanted[:at], wanted[at + 1 :]
    if len(before) + len(after) > len(there):
        return False
    ends = there[len(there) - len(after) :]
    return all(map(_qualifier_fits, before, there)) and all(map(_qualifier_fits, after, ends))


def _qualifier_fits(wanted: str, there: str) -> bool:
    """Return whether one qualifier fits. Only the last asterisk is tried again, so it is linear."""
    star = mark = -1
    at = seen = 0
    while seen < len(there):
        if at < len(wanted) and wanted[at] == "*":
            star, mark = at, seen
            at += 1
        elif at < len(wanted) and wanted[at] in ("?", there[seen]):
            at, seen = at + 1, seen + 1
        elif star >= 0:
            mark += 1
            at, seen = star + 1, mark
        else:
            return False
    return not wanted[at:].strip("*")
