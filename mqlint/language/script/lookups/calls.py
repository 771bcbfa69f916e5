"""Calls of a function of PowerShell for one site each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from mqlint.config.estate.roles import tell_both_sites, word_for_site
from mqlint.language.script.posix.sites import MAKES
from mqlint.language.script.posix.tables import Row
from mqlint.patterns import later
from mqlint.source.lines import Span

_POWERSHELL = later(
    r"(?im)^(?P<indent>[ \t]*+)function[ \t]++(?P<name>[\w-]{1,80}+)[ \t]*+"
    r"(?:\((?P<before>(?:[^()]|\([^()]{0,80}\)){0,400}+)\))?\s*+\{"
    r"(?:\s*+\[CmdletBinding\([^()\n]{0,80}\)\])?"
    r"(?:\s*+param[ \t]*+\((?P<within>(?:[^()]|\([^()]{0,80}\)){0,800}+)\))?"
)
"""The head of a function of PowerShell, with its parameters before its body or within it."""
_LONGEST = 8000
"""Limit of the characters of a function."""
_PARAMETER = later(r"\$(\w{1,80})")
_CALL = later(
    r"(?m)^[ \t]*+(?P<name>\w{1,40}-[\w-]{1,40}|\w{1,80})"
    r"(?P<words>(?:[ \t]++(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|{}()\"']{1,200}+))++)"
)
_WORD = later(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']++")
_MOST = 100
"""Limit of the functions of a text."""
_MOST_CALLS = 500


def calls_in(text: str) -> list[Row]:
    """What calls of functions of PowerShell that make something set as parameters, for each site.

    None unless one is for production and one for DR. A parameter whose name is elsewhere does not
    count.
    """
    heads = {found["name"].lower(): found for found in islice(_POWERSHELL.finditer(text), _MOST)}
    bodies: dict[str, Span] = {}
    outside, at = "", 0
    for name, head in heads.items():
        end = text.find(f"\n{head['indent']}}}", head.end(), head.end() + _LONGEST)
        bodies[name] = head.end(), max(head.end(), end)
        outside += text[at : head.start()]
        at = max(at, *bodies[name])
    elsewhere = {*_PARAMETER.findall(outside + text[at:])} if heads else set()
    making = {name for name, body in bodies.items() if MAKES.search(text, *body) is not None}
    rows: list[Row] = []
    for call in islice(_CALL.finditer(text), _MOST_CALLS) if making else ():
        name = call["name"].lower()
        if name in making:
            parameters = _PARAMETER.findall(heads[name]["within"] or heads[name]["before"] or "")
            given = _given(call["words"], parameters)
            if label := word_for_site(given.values()):
                values = {key: value for key, value in given.items() if key not in elsewhere}
                rows.append(Row(label, values, bodies[name]))
    return rows if tell_both_sites(row.label for row in rows) else []


def _given(call: str, parameters: Iterable[str]) -> Mapping[str, str]:
    """The plain texts that a call gives to parameters, by name or in their order."""
    by_name = {name.lower(): name for name in parameters}
    given: dict[str, str] = {}
    option = ""
    for word in _WORD.findall(call):
        text = word.strip("\"'")
        if word.startswith("-"):
            option = by_name.pop(text[1:].lower(), "")
        else:
            name = option or by_name.pop(next(iter(by_name), ""), "")
            option = ""
            if name and "$" not in word:
                given[name] = text
    return given
