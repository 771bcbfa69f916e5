"""What pipelines ask of parameters: alternatives for sites, conditions, and loops over lists.

Source: "workflow_dispatch" inputs and "Expressions" of GitHub, `variables:options` and `rules` of
GitLab, "Runtime parameters" and "Template expressions" of Azure Pipelines (`each`, `if`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.config.estate.roles import tell_both_sites
from mqlint.language.script.lookups.lookups import site_of_row
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

MOST_LABELS = 20
"""Limit of the alternatives of a parameter: a file is read once for each."""
Values = Mapping[str, str | None]
"""The values of variables, None for one that is not known."""
_CHOSEN = later(
    r"\$\{\{? *(?:(?:env|variables|parameters|inputs|params)\.)?(?P<name>[\w-]{1,100}) *== *"
    r"['\"](?P<label>[^'\"\n]{0,100})['\"] *(?:\?|&&) *['\"](?P<then>[^'\"\n]{0,200})['\"] *"
    r"(?::|\|\|) *['\"](?P<rest>[^'\"\n]{0,200})['\"] *\}\}?"
)
"""A value that depends on whether a parameter has another one."""
_ASKED = later(
    r"(?<!not )(?:\$\{?|\b(?:env|variables|parameters|inputs|params)\.)(?P<name>\w[\w-]{0,99})"
    r"[ }\"')\]]{0,8}(?:==|,)[ \t]*['\"](?P<label>[\w-]{1,100})['\"]"
)
"""A question for the value of a variable."""
_OTHERWISE = later(r"\b(?:or|ne|not|notIn)\b|!")
_KEY = ".key"
_EACH = later(r"\$\{\{ *each (\w{1,100}) in parameters\.(\w{1,100}) *\}\}")
"""A key of Azure Pipelines below which everything is repeated for the elements of a list."""


def chosen_in(text: str, values: Values) -> str | None:
    """Return the value that a condition chooses, None if the text is another or it is not known."""
    chosen = _CHOSEN.fullmatch(text)
    value = values.get(chosen["name"]) if chosen is not None else None
    if chosen is None or value is None:
        return None
    return chosen["then" if value == chosen["label"] else "rest"]


def excludes(condition: str, values: Values) -> bool:
    """Whether a condition asks for another value of a variable than the one that is known."""
    known = ((values.get(each["name"]), each["label"]) for each in _ASKED.finditer(condition))
    is_one = "||" not in condition and _OTHERWISE.search(condition) is None
    return is_one and any(value not in (None, label) for value, label in known)


def alternatives(document: Node, given: Values) -> Sequence[tuple[str, Mapping[str, str]]]:
    """The values of a parameter that who starts a pipeline chooses, if some are for each site.

    Without such a parameter, one without values.
    """
    inputs = document.members("on", "workflow_dispatch", "inputs")
    asked = [(name, each.entries("options")) for name, _, each in inputs]
    listed = document.entries("parameters")
    asked += [(each.word("name"), each.entries("values")) for each in listed]
    variables = document.members("variables")
    asked += [(name, each.entries("options")) for name, _, each in variables]
    for name, options in asked:
        labels = [option.text for option in options]
        if name not in given and len(labels) <= MOST_LABELS and tell_both_sites(labels):
            return [(label, {name: label}) for label in labels]
    return [("", {})]


def elements(key: str, values: Values) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the elements for which a key repeats what is below it; nothing without a loop.

    Each has the text that names its site, and the values of its variables.
    """
    each = _EACH.fullmatch(key)
    if each is None or any(name.endswith(_KEY) for name in values):
        return  # a loop in another one may have too many rounds
    variable, listed = each.groups()
    rows: dict[str, dict[str, str | None]] = {}
    for path, text in values.items():
        name, _, inside = path.partition(".")
        key, _, field = inside.partition(".")
        if name == listed and key:
            rows.setdefault(key, {})[field] = text
    for key, fields in rows.items():
        cells = {field: text for field, text in fields.items() if text is not None}
        element = {f"{variable}.{field}" if field else variable: cells[field] for field in cells}
        yield site_of_row(key, {**cells}), {f"{variable}{_KEY}": key, **element}
