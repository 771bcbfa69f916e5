"""Variables of Ansible that a more specific file replaces.

Source: "Understanding variable precedence" in the documentation of Ansible: the defaults of a role,
`group_vars/all`, other `group_vars`, `host_vars`.
"""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.grouping import grouped
from mqlint.language.variables.sources import HOST, place_in_ansible
from mqlint.language.yaml.reader import read_documents
from mqlint.source.lines import Span


def replaced_variables(texts: Mapping[str, str]) -> dict[str, frozenset[Span]]:
    """Return the places of the values that a more specific file of variables sets too, by path."""
    found: dict[str, tuple[str, int, dict[str, Span]]] = {}
    for path, text in texts.items():
        base, rank = place_in_ansible(path) or ("", HOST + 1)
        if rank <= HOST:
            pairs = (pair for document in read_documents(text) for pair in document.pairs)
            values = {name: value.span for name, _, value in pairs}
            found[path] = base if rank else "", rank, values
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
