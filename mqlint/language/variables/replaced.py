"""Variables of Ansible that a more specific file replaces.

Source: "Understanding variable precedence" in the documentation of Ansible: the defaults of a role,
`group_vars/all`, other `group_vars`, `host_vars`.
"""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.grouping import grouped
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later
from mqlint.source.lines import Span

_PLACE = later(
    r"(?:^|.*/)(?:(?P<default>defaults)|(?P<inventory>group_vars/(?P<all>all[./])?|host_vars/))"
)


def replaced_variables(texts: Mapping[str, str]) -> dict[str, frozenset[Span]]:
    """Return the places of the values that a more specific file of variables sets too, by path."""
    found: dict[str, tuple[str, int, dict[str, Span]]] = {}
    for path, text in texts.items():
        match = _PLACE.match(path)
        if match is not None and path.endswith((".yml", ".yaml")):
            pairs = (pair for document in read_documents(text) for pair in document.pairs)
            values = {name: value.span for name, _, value in pairs}
            base = path[: match.start("inventory")] if match["inventory"] else ""
            found[path] = base, _rank(match["inventory"], match["all"]), values
    names = grouped(
        (place, name)
        for base, rank, values in found.values()
        for place in ({(base, lower) for lower in range(1, rank)} | ({("", 0)} if rank else set()))
        for name in values
    )
    more_specific = {place: frozenset(own) for place, own in names.items()}
    replaced = {}
    for path, (base, rank, values) in found.items():
        specific = more_specific.get((base, rank), frozenset()).intersection(values)
        if specific:
            replaced[path] = frozenset(values[name] for name in specific)
    return replaced


def _rank(inventory: str | None, is_for_all: str | None) -> int:
    if not inventory:
        return 0
    if inventory == "host_vars/":
        return 3
    return 1 if is_for_all else 2
