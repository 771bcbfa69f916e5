"""Values of `mqlint.yaml` that are more than words and patterns: how each is read, its schema."""

from __future__ import annotations

from mqlint.config.forms import (
    NAME,
    Form,
    check_glob,
    glob_of,
    items,
    listed,
    name_of,
    read_by,
    schema_of,
    several,
    table,
    words,
)
from mqlint.config.node import Node
from mqlint.config.settings import Level, ParameterValue, parse_level
from mqlint.patterns import later

_KEY_PATH = later(r"\$(\.[\w-]{1,80}|\[\*\]){1,20}\Z")


def _file(node: Node) -> str:
    """The name of a file, blank if two quotes say that there is none."""
    return "" if node.kind == "quoted" and not node.raw else name_of(node)


FILE = read_by(_file, {"type": "string"})


def _queue_managers(node: Node) -> tuple[str, ...]:
    patterns = tuple(glob_of(item, placeholders=True) for item in items(node))
    for item, pattern in zip(items(node), patterns, strict=True):
        if "{queue_manager}" not in pattern:
            raise item.error(f"{{queue_manager}} is not in the pattern {pattern!r}")
    return patterns


_PATTERN = Form("", {"type": "string", "pattern": r"\{queue_manager\}"})
QUEUE_MANAGERS = read_by(_queue_managers, several(_PATTERN).schema)


_MOST_PAIRS = 1_000
"""Pairs of `rename`: each is tried on each name."""


def _rename(node: Node) -> tuple[tuple[str, str], ...]:
    pairs = node.mapping()
    if len(pairs) > _MOST_PAIRS:
        raise node.error(f"{len(pairs):,} pairs of names, but at most {_MOST_PAIRS:,} are replaced")
    for old, new in pairs.items():
        if not old.strip() or not new.string() or name_of(new) == old:
            raise new.key_error(f"{old!r} is renamed to itself, or is blank")
    return tuple((old, new.string()) for old, new in pairs.items())


RENAME = read_by(
    _rename,
    {"type": "object", "additionalProperties": NAME.schema, "maxProperties": _MOST_PAIRS},
)


def _level(node: Node) -> Level:
    text = node.text()
    level = parse_level(text)
    if level is None:
        raise node.error(
            f"found {text!r}, expected a release such as 9.4.0, 9.4 or a command level such as 940"
        )
    return level


RELEASE = read_by(_level, {"type": ["string", "number"]})


def generic_name(node: Node, name: str) -> str:
    """Return the name of a node; ConfigError for an asterisk before its end."""
    if "*" in name[:-1]:
        raise node.error(f"in {name!r} only the last character may be '*', as in MQ")
    return name


GENERIC_NAMES = listed(read_by(lambda node: generic_name(node, name_of(node)), NAME.schema))


def _types(node: Node) -> dict[str, str]:
    """The languages of files, by patterns; whether there are such ones `mqlint.language` knows."""
    for pattern, language in node.mapping().items():
        check_glob(pattern, language.key_error, floating=True)
    return {pattern: name_of(language) for pattern, language in node.mapping().items()}


TYPES = read_by(_types, {"type": "object", "additionalProperties": NAME.schema})


def _floating(node: Node) -> str:
    """A pattern that may match in every folder."""
    check_glob(name_of(node), node.error, floating=True)
    return node.raw


FLOATING = read_by(_floating, NAME.schema)


def _key_path(node: Node) -> str:
    if not _KEY_PATH.match(node.string()):
        raise node.error(f"{node.raw!r} is not a path such as $.mq.host")
    return node.raw


KEY_PATH = read_by(_key_path, schema_of(_KEY_PATH))


def _parameters(node: Node) -> tuple[ParameterValue, ...]:
    """The values of parameters; whether there are such ones the policies know."""
    return tuple(
        ParameterValue(rule, name, value.plain(), value.path, value.line, value.column)
        for rule, values in node.mapping().items()
        for name, value in values.mapping().items()
    )


_PARAMETER = Form("", {"type": ["integer", "boolean", "string", "array"]})
PARAMETERS = read_by(_parameters, table(table(_PARAMETER)).schema)


def _is_complete(node: Node) -> bool:
    return node.one_of(_COMPLETENESS.words) == "complete"


_COMPLETENESS = words("complete", "partial")
IS_COMPLETE = read_by(_is_complete, _COMPLETENESS.schema)
