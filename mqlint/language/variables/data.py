"""Data of a configuration tool for each site: Hiera, data bags and environments of Chef, pillars.

Source: "Hiera: hierarchy" in the documentation of Puppet, "About data bags" and "About
environments" in that of Chef, "Storing static data in the pillar" in that of Salt.

A template or a recipe has a value by the last part of its key: `mq::receiver` is `@receiver`,
`$receiver` or `node['mq']['receiver']`. Keys with one last part and different values are unknown.
A value of a pillar is `pillar['mq']['receiver']`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mqlint.grouping import grouped
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
    named = grouped((words[-1], value) for key, value in pairs if (words := _WORDS.findall(key)))
    return {f"${name}": given[0] if len({*given}) == 1 else None for name, given in named.items()}
