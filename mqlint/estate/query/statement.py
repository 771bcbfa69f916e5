"""The check of a question: one SELECT over the tables of a scan, by its syntax tree.

DuckDB itself refuses other files once it is locked (`connection`). This check comes first, so that
a refusal names the reason, and functions that reveal something about this machine are not called.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import duckdb

from mqlint.config.json_reader import read_json
from mqlint.estate.history.answer import QueryError

_NODES: Final = frozenset(
    {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE", "VALUES_NODE"}
)
_TABLES: Final = frozenset({"JOIN", "SUBQUERY", "EXPRESSION_LIST", "EMPTY", "PIVOT"})
_TABLE_FUNCTIONS: Final = frozenset(
    {"unnest", "range", "generate_series", "json_each", "json_tree", "repeat", "repeat_row"}
)
_FORBIDDEN: Final = re.compile(
    r"(?:pg|inet|has|duckdb|pragma|icu_calendar|read|write|json_serialize|json_deserialize"
    r"|json_execute|parse_duckdb|sniff|copy|import|export|enable|disable|force)_.*"
    r"|getenv|getvariable|current_(?:setting|query|query_id|connection_id|transaction_id|user|role"
    r"|database|catalog|schemas?)"
    r"|user|session_user|nextval|currval|setval|setseed|sleep_ms|query|query_table|glob|version"
    r"|get_block_size|txid_current|in_search_path|getvariable|checkpoint|which_secret"
    r"|(?:col|obj|shobj)_description"
)
"""Functions that reveal something about this machine or session, wait, or read by a name."""

ONE_SELECT: Final = "a query is one SELECT statement, or WITH ... SELECT"
_MISTAKE = re.compile(r"^(?:Parser|Binder|Catalog|Conversion|Invalid Input) Error: ")
_SENTENCE = re.compile(r"(?<=[.:]) |\n")
_ADVICE = re.compile(r"\b(?:SET|RESET|PRAGMA|INSTALL|LOAD|CALL) +[a-z_]+")
_TOO_DEEP: Final = "the query is nested too deeply"
_EXPLAINED: Final = {
    "expression depth limit": _TOO_DEEP,
    "nodes deep": _TOO_DEEP,
}
"""Messages of DuckDB about things that a query cannot change, with our words for them."""


def require_select(question: str, tables: Collection[str]) -> None:
    """Raise QueryError unless the question is one SELECT that reads only `tables`."""
    with duckdb.connect(":memory:", config=PLAIN) as parser:
        try:
            statements = parser.extract_statements(question)
        except duckdb.Error as error:
            raise QueryError(short(str(error))) from None
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise QueryError(f"{ONE_SELECT}; nothing was run")
        if statements[0].named_parameters:
            raise QueryError("a query has no parameters such as $1 or ?")
        (answer,) = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [question]).fetchall()
    try:
        tree = read_json(answer[0])
    except ValueError:
        raise QueryError(_TOO_DEEP) from None
    if tree["error"]:
        raise QueryError(f"{ONE_SELECT}; nothing was run")
    parts = [part for statement in tree["statements"] for part in _parts(statement)]
    known = {name.casefold() for name in (*tables, *_common_tables(parts))}
    for part in parts:
        if "class" in part:
            _require_function(part)
        elif "type" in part:
            _require_part(part, known)


Settings = dict[str, str | bool | int | float | list[str]]

PLAIN: Final[Settings] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "threads": 1,
}
"""A DuckDB that loads nothing by itself."""


def short(message: str) -> str:
    """Return the message of DuckDB about a mistake, without the kind of the error.

    Advice to change a setting or to load an extension is omitted: a query cannot do that.
    """
    for sign, reason in _EXPLAINED.items():
        if sign in message:
            return reason
    text, line, quoted = _MISTAKE.sub("", message).partition("\nLINE ")
    if _ADVICE.search(text):
        text = " ".join(part for part in _SENTENCE.split(text) if not _ADVICE.search(part))
    return f"{text or 'the query is not valid'}{line}{quoted}".strip()


def _parts(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 JSON
    """All mappings of a tree."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _common_tables(parts: Collection[Mapping[str, Any]]) -> Iterator[str]:
    for part in parts:
        for entry in part.get("cte_map", {}).get("map", ()):
            yield entry["key"]


def _require_function(part: Mapping[str, Any]) -> None:
    name = str(part.get("function_name", "")).casefold()
    if _FORBIDDEN.fullmatch(name):
        raise QueryError(f"the function {name} is not available in a query")


def _require_part(part: Mapping[str, Any], known: Collection[str]) -> None:
    kind = str(part["type"])
    if kind.endswith("_NODE") and kind not in _NODES:
        raise QueryError(f"{ONE_SELECT}, which changes nothing")
    if kind == "BASE_TABLE":
        _require_table(part, known)
    elif kind == "TABLE_FUNCTION":
        name = str(part["function"].get("function_name", "")).casefold()
        if name not in _TABLE_FUNCTIONS:
            raise QueryError(f"a query reads the tables of a scan, not {name or 'a function'}()")
    elif "query_location" in part and kind not in _TABLES:
        raise QueryError(f"{ONE_SELECT}: {kind.replace('_', ' ').lower()} is not available")


def _require_table(part: Mapping[str, Any], known: Collection[str]) -> None:
    path = [name for name in part.get("qualified_name", {}).get("path", ()) if name]
    name = str(part["table_name"])
    if len(path) > 1 or part.get("schema_name") or part.get("catalog_name"):
        raise QueryError("name a table without a schema, as in FROM findings")
    if name.casefold() not in known:
        raise QueryError(
            f"the table {name!r} does not exist: `mqlint estate tables` lists the tables of a scan"
        )
