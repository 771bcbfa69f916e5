"""Branches of a program for sites, which set variables: those of `switch` and `if`, and of make."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from itertools import islice

from mqlint.config.estate.roles import role_of_all, tell_both_sites
from mqlint.language.script.blocks import blocks_in
from mqlint.language.script.lookups.choices import NAME
from mqlint.patterns import later

_BRACED = later(
    r"(?im)^([ \t]*+)(?:\}[ \t]*+)?"
    r"(?:(?:else[ \t]*+)?if[ \t]*+\([ \t]*+\$?[\w.]{1,80}+[ \t]++(?:-c?i?eq|==)[ \t]++)?"
    r"['\"]([\w-]{1,80}+)['\"][ \t]*+\)?\s*+\{"
)
_ASKED = later(
    r"(?i)\bswitch\b[^\n(){}]{0,40}\([ \t]*+\$?(\w{1,80}+)[ \t]*+\)"
    r"|\bif[ \t]*+\([ \t]*+\$?(\w{1,80}+)[ \t]++(?:-c?i?eq|==)"
)
"""The variable that chooses a branch in braces."""
_IFEQ = later(
    r"(?m)^[ \t]*+(?:else[ \t]++)?ifeq[ \t]++\(?[^,\n]{1,80},?[ \t]*+[\"']?(?P<label>[\w-]{1,80})"
    r"[\"']?\)?[ \t]*+\r?\n(?P<body>(?:(?![ \t]*+(?:else|endif)\b)[^\n]*+\n){1,50}+)"
)
SET_FOR_TARGET = later(
    r"(?m)^(?P<target>[\w./-]{1,80})[ \t]*:(?![:=])[ \t]*(?:(?:export|override|private)[ \t]+)*"
    r"(?P<name>[A-Za-z_]\w{0,80})[ \t]*[:?]?=[ \t]*(?P<value>[^\n#]{0,200})"
)
"""A variable of make for one target ("Target-specific Variable Values")."""
_SET_IN_BRANCH = later(
    rf"(?m)(?:^|[;{{])[ \t]*+(?:(?:export|override)[ \t]++)?\$?(?P<name>{NAME})[ \t]*+[:?]?="
    r"[ \t]*+(?:\"(?P<double>[^\"\n]{0,200})\"|'(?P<single>[^'\n]{0,200})'"
    r"|(?P<bare>[^\s;#\"'{}]{0,200}))(?=[ \t]*+(?:[;#}\r\n]|\Z))"
)
_MOST = 100
"""Limit of the branches of a text."""


def branches_in(text: str, fixed: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """What branches for sites set, by their labels; none unless for production and for DR.

    A branch that a `fixed` variable never chooses does not count. For make a variable is not fixed,
    as one of the command line overrides it ("Overriding Variables").
    """
    asked = [(found.end(), found[1] or found[2]) for found in _ASKED.finditer(text)]
    bodies = [
        (label, text[start:end])
        for label, (start, end) in blocks_in(_BRACED, text)
        for number in [bisect(asked, (start,)) - 1]
        if number < 0 or fixed.get(asked[number][1], label) == label
    ]
    bodies += ((found["label"], found["body"]) for found in _IFEQ.finditer(text))
    bodies += (
        (found["target"], f"{found['name']}={found['value']}\n")
        for found in SET_FOR_TARGET.finditer(text)
    )
    branches: dict[str, dict[str, str]] = {}
    for label, body in islice(bodies, _MOST):
        for found in _SET_IN_BRANCH.finditer(body):
            value = found["double"] or found["single"] or found["bare"] or ""
            branches.setdefault(label, {})[found["name"]] = value
    sited = {label: values for label, values in branches.items() if role_of_all(label) is not None}
    return sited if tell_both_sites(sited) else {}
