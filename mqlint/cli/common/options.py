"""Groups of options: a dataclass whose fields are options, given to a command as one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_OPTION = "option"
_GROUP = "group"

Result = TypeVar("Result")
Function = Callable[..., Result]
Decorator = Callable[[Function[Any]], Function[Any]]

format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text"
)
"""`--format` of commands that answer as text or as one JSON value."""


def _not_blank(
    ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse a blank path, such as that of a variable which is not set."""
    if "" in paths:
        raise click.BadParameter("a path is blank", ctx, param)
    return paths


def _files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # here, as only a shell asks for it

    return [CompletionItem(incomplete, type="file")]


paths_argument = click.argument(
    "paths",
    metavar="[PATHS]...",
    nargs=-1,
    callback=_not_blank,
    shell_complete=_files,
)
"""The files and folders that a command is about."""


EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
AT_LEAST_ONE: Final = click.IntRange(min=1)


def option(signature: str, help: str = "", **attributes: Any) -> Any:  # noqa: ANN401 as of field
    """Return a field of a group that is an option; `attributes` are those of `click.option`.

    `signature` has its names and what its value is called, as in `-q --quiet` or `--out DIR`. An
    option without a type whose value has no name is a flag. A command without it sees its default.
    """
    words = signature.split()
    names = tuple(word for word in words if word.startswith("-"))
    if values := words[len(names) :]:
        attributes["metavar"] = values[0]
    elif "type" not in attributes:
        attributes["is_flag"] = True
    if help:
        attributes["help"] = help
    empty: object = () if attributes.get("multiple") else False if "is_flag" in attributes else None
    default = attributes.get("default", empty)
    return field(default=default, metadata={_OPTION: (names, attributes)})


def min_coverage_field() -> Any:  # noqa: ANN401 as of `option`
    return option(
        "--min-coverage PERCENT",
        "Exit with 1 if mqlint reads less than this share of the MQSC commands, or of "
        "the MQ files.",
        type=click.FloatRange(0, 100),
    )


def group(kind: type) -> Any:  # noqa: ANN401 as of dataclasses.field
    return field(default_factory=kind, metadata={_GROUP: kind})


def options(order: str, helps: Mapping[str, str] | None = None, **groups: type) -> Decorator:
    """Return a decorator that adds options to a command and gives it the groups as parameters.

    `order` has the names of the fields whose options are added, as `--help` lists them. `helps`
    are texts of help that differ from those of the group, by the name of the field.
    """
    names = order.split()

    def add(function: Function[Result]) -> Function[Result]:
        @wraps(function)
        def grouped(*args: object, **values: object) -> Result:
            built = {parameter: _built(kind, values) for parameter, kind in groups.items()}
            return function(*args, **values, **built)

        known: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {}
        for kind in groups.values():
            known |= _options_of(kind)
        for name in reversed(names):
            words, attributes = known[name]
            if helps is not None and name in helps:
                attributes = {**attributes, "help": helps[name]}
            click.option(*words, name, **attributes)(grouped)
        return grouped

    return add


def _options_of(kind: Any) -> dict[str, tuple[tuple[str, ...], dict[str, Any]]]:  # noqa: ANN401
    found = {}
    for item in fields(kind):
        if _OPTION in item.metadata:
            found[item.name] = item.metadata[_OPTION]
        elif _GROUP in item.metadata:
            found |= _options_of(item.metadata[_GROUP])
    return found


def _built(kind: Any, values: dict[str, object]) -> object:  # noqa: ANN401 a dataclass
    """A group of the values of its options, which are taken out of `values`."""
    given: dict[str, object] = {}
    for item in fields(kind):
        if _GROUP in item.metadata:
            given[item.name] = _built(item.metadata[_GROUP], values)
        elif item.name in values and _OPTION in item.metadata:
            given[item.name] = values.pop(item.name)
    built: object = kind(**given)
    return built
