"""A job of a pipeline with the variables that its scripts get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from mqlint.dataclass import NamedTuple
from mqlint.language.variables.choices import chosen_in
from mqlint.patterns import later
from mqlint.source.lines import Span

_NAMES_SITE = later(
    r"(?i)(?:.*_)?(?:site|env|environment|stage|target|tier|dc|data_?cent(?:er|re)|region|role)"
)
"""A variable whose value may be a site."""
_EXPRESSION = later(
    r"\$\{\{ *(?:(?:matrix|env|variables|parameters|inputs)\.)?([\w.-]{1,100}) *\}\}"
    r"|\$\((?:params\.)?([\w-]{1,100})\)"
    r"|\$\{(?:params\.|env\.)?(\w{1,100})\}|\$(\w{1,100})"
)
LONGEST = 400
"""Limit of the characters of a value."""
MOST = 100
"""Limit of the combinations of a matrix, and of the jobs of a file."""
Values = dict[str, str | None]


class Job(NamedTuple):
    """A job: its name, texts that may name its site, its variables, and the places of its scripts.

    A variable is None if its value is not known. `named_sites` are values of variables that may
    name the site, if the other texts do not. `called` is the file, or the kind and name of the
    resource, that has the job itself and gets the variables. `is_round`: it is one of a loop.
    """

    name: str
    sites: tuple[str, ...]
    values: Mapping[str, str | None]
    spans: tuple[Span, ...]
    named_sites: tuple[str, ...] = ()
    called: str = ""
    is_round: bool = False


def settled(jobs: Iterable[Job]) -> Iterator[Job]:
    """Yield jobs, up to the limit, with the variables in their values replaced."""
    for job in islice(jobs, MOST):
        values = {name: _resolved(name, job.values) for name in job.values}
        sites = tuple(filled(site, values) or "" for site in job.sites)
        named = (value or "" for name, value in values.items() if _NAMES_SITE.fullmatch(name))
        yield job._replace(values=values, sites=sites, named_sites=tuple(named))


def _resolved(name: str, values: Mapping[str, str | None]) -> str | None:
    value = values[name]
    for _ in range(4):
        value = filled(value, values) if value is not None else None
    return None if value is None or "$" in value else value


def filled(text: str, values: Mapping[str, str | None]) -> str | None:
    """A text with the variables in it replaced, None if one is not known."""
    text = chosen_in(text, values) or text
    names = [next(filter(None, found.groups()), "") for found in _EXPRESSION.finditer(text)]
    if any(values.get(name) is None for name in names) or len(text) > LONGEST:
        return None
    return _EXPRESSION.sub(lambda found: values[next(filter(None, found.groups()), "")] or "", text)
