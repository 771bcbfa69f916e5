"""Data of a configuration tool for each site: Hiera, data bags and environments of Chef, pillars.

Source: "Hiera: hierarchy" in the documentation of Puppet, "About data bags" and "About
environments" in that of Chef, "Storing static data in the pillar" in that of Salt.

Lists of sites in YAML or JSON, from which programs fill templates in, are such data too: one row
is for production, and one for DR.

A template or a recipe has a value by the last part of its key: `mq::receiver` is `@receiver`,
`$receiver` or `node['mq']['receiver']`. Keys with one last part and different values are unknown.
A value of a pillar is `pillar['mq']['receiver']`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from mqlint.config.estate.roles import names_dr, tell_both_sites
from mqlint.grouping import settled
from mqlint.language.client.signs import NAMES_MQ
from mqlint.language.variables.ansible_hosts import written_variables
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later

_PLACE = later(
    r"(?P<project>(?:[^/]{1,100}/){0,12}?)(?P<folder>data|hieradata|data_bags|environments|pillar)/"
    r"(?:[^/]{1,100}/){0,6}[^/]{1,100}\.(?P<ending>ya?ml|json|rb|sls)"
)
_OF_HIERA = later(r"(?m)^[\"']?\w{1,60}(?:::\w{1,60})+[\"']?[ \t]*:")
_OF_ENVIRONMENT = later(r"(?m)(?:^[ \t]*|[{,][ \t]*\")[\"']?(?:default|override)_attributes\b")
_ANY = later("")
_SIGNS = {
    ("data", "yaml"): _OF_HIERA,
    ("data", "yml"): _OF_HIERA,
    ("hieradata", "yaml"): _OF_HIERA,
    ("hieradata", "yml"): _OF_HIERA,
    ("environments", "rb"): _OF_ENVIRONMENT,
    ("environments", "json"): _OF_ENVIRONMENT,
    ("data_bags", "json"): _ANY,
    ("pillar", "sls"): _ANY,
}
"""What a file has, by its folder and its ending."""
_PAIR = later(
    r"(?<!\w)(?P<name>\w{1,80})[\"']?[ \t]*(?:=>|:)[ \t]*(?:\"(?P<double>[^\"\n]{0,200})\""
    r"|'(?P<single>[^'\n]{0,200})')"
)
_WORDS = later(r"\w+")
_OF_MQ = later(r"(?i)qm|mgr|manager|mq|queue|channel")
_FIELD_OF_MQ = later(r"(?i)\b\w{0,40}(?:qm|mgr|manager|mq|queue|channel)\w{0,40}[\"']?[ \t]*:")
_DEEPEST = 2
"""How deep a row may be."""
_LONGEST = 20_000
"""Limit of the characters of a list of sites."""


def project_of_data(path: str, text: str) -> str | None:
    """Return the folder that a file of such data is for, None for any other file."""
    place = _PLACE.fullmatch(path)
    sign = _SIGNS.get((place["folder"], place["ending"])) if place is not None else None
    if place is None or sign is None or sign.search(text) is None:
        return None
    return place["project"].rstrip("/") if NAMES_MQ.search(text) is not None else None


def values_of_data(path: str, text: str) -> Mapping[str, str | None]:
    """Return the values of a file of such data, by the names of the variables that have them."""
    if path.endswith(".sls"):
        return {f"pillar.{key}": value for key, value in written_variables(read_documents(text))}
    pairs: Iterable[tuple[str, str | None]]
    if path.endswith(".rb"):
        found = (pair.group("name", "double", "single") for pair in _PAIR.finditer(text))
        pairs = [(name, double or single) for name, double, single in found]
    else:
        pairs = written_variables(read_documents(text))
    named = ((words[-1], value) for key, value in pairs if (words := _WORDS.findall(key)))
    return settled((f"${name}", value) for name, value in named)


@lru_cache(maxsize=8)  # readers ask for one file several times
def rows_of_sites(path: str, text: str) -> Sequence[tuple[str, Mapping[str, str | None]]]:
    """Return the rows of a list or mapping of sites, each with the text that names its site.

    They have the same plain fields, one of them for MQ. None if several lists have such rows, or if
    the file is none of YAML or JSON.
    """
    from mqlint.language.script.lookups.lookups import site_of_row  # few files are asked

    is_tree = path.endswith((".yml", ".yaml", ".json")) and len(text) <= _LONGEST
    if not is_tree or not names_dr(text) or _FIELD_OF_MQ.search(text) is None:
        return ()
    tables: dict[str, dict[str, dict[str, str]]] = {}
    nested = set[str]()
    for written, value in written_variables(read_documents(text)):
        *around, field = written.split(".")
        nested.add(".".join(around[:-1]))
        if 0 < len(around) <= _DEEPEST and value is not None:
            tables.setdefault(".".join(around[:-1]), {}).setdefault(around[-1], {})[field] = value
    found = []
    for table, rows in tables.items():
        labels = {key: site_of_row(key, {**row}) for key, row in rows.items()}
        fields = {frozenset(row) for row in rows.values()}
        is_even = len(fields) == 1 and nested.isdisjoint(
            f"{table}.{key}".strip(".") for key in rows
        )
        is_even = is_even and any(map(_OF_MQ.search, next(iter(fields))))
        if is_even and tell_both_sites(labels.values()):
            found.append([(labels[key], {**row}) for key, row in rows.items()])
    return found[0] if len(found) == 1 else ()
