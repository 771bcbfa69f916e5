"""The values that keys of mqlint's YAML take: how each is read, its JSON Schema, how pages show it.

A table of `Key`s describes a mapping once. The reader and the schema come from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from mqlint.config.errors import ConfigError
from mqlint.config.globs import Glob, GlobError, compile_glob
from mqlint.config.node import Node
from mqlint.dataclass import frozen

Schema = dict[str, object]


@frozen
class Form:
    """The values that a key takes.

    `written` is how the reference writes them, blank if no page shows them. `words` are the values
    of an enumeration, `keys` those of a mapping with fixed keys. `read` returns a value, and raises
    ConfigError if it is of another form.
    """

    written: str
    schema: Schema
    words: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    read: Callable[[Node], Any] = Node.plain


@frozen
class Key:
    """A key of a mapping: what it takes, one line on what it means, and whether it must be set.

    `notes` is what editors show besides: its `default` and `examples`.
    """

    name: str
    form: Form
    about: str = ""
    required: bool = field(default=False, kw_only=True)
    notes: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    @property
    def schema(self) -> Schema:
        about = {"description": self.about} if self.about else {}
        return {**self.form.schema, **about, **self.notes}


def names(keys: Iterable[Key]) -> tuple[str, ...]:
    return tuple(key.name for key in keys)


def required(keys: Iterable[Key]) -> tuple[str, ...]:
    return tuple(key.name for key in keys if key.required)


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def closed(properties: Mapping[str, object], needed: Iterable[str] = ()) -> Schema:
    """Return the schema of a mapping with these keys and no others."""
    listed = list(needed)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        **({"required": listed} if listed else {}),
    }


def of_keys(keys: Iterable[Key]) -> Schema:
    """Return the schema of a mapping with the keys of a table and no others."""
    listed = tuple(keys)
    return closed({key.name: key.schema for key in listed}, required(listed))


def any_of(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def with_some(schema: Schema, *needed: str) -> Schema:
    """Return the schema of a mapping in which one at least of these keys is set."""
    return {**schema, "anyOf": [{"required": [name]} for name in needed]}


def or_nothing(schema: Schema) -> Schema:
    """Return the schema of a value that may be left empty."""
    return {**schema, "type": [schema["type"], "null"]}


def schema_of(pattern: re.Pattern[str]) -> Schema:
    """Return the schema of a text that fits a pattern from its beginning to its end."""
    return {"type": "string", "pattern": f"^{pattern.pattern.removesuffix(chr(92) + 'Z')}$"}


def document(title: str, about: str, schema: Schema) -> Schema:
    draft = "https://json-schema.org/draft/2020-12/schema"
    described = {"description": about} if about else {}
    return {"$schema": draft, "title": title, **described, **schema}


def schema_text(schema: Schema) -> str:
    import json  # here, as only who asks for a schema needs it

    return json.dumps(schema, indent=1) + "\n"


Readers = Mapping[str, Callable[[Node], object]]
_NO_READERS: Readers = {}


def read_keys(node: Node, keys: Iterable[Key], readers: Readers = _NO_READERS) -> dict[str, Any]:
    """Return the values of the keys that are written, in the order of the table.

    `readers` read the keys that depend on more than their value. ConfigError at the first fault:
    a key that must be set is missing, or a value has another form. Other keys are passed over.
    """
    written = [
        (key, node.require(key.name) if key.required else node.get(key.name)) for key in keys
    ]
    found: dict[str, Any] = {}
    for key, value in written:
        if value is not None:
            read = readers.get(key.name) or key.form.read
            found[key.name] = read(value)
    return found


def items(node: Node | None) -> list[Node]:
    """Return the values of a list, or the one value that is written without a list."""
    if node is None:
        return []
    return node.sequence() if node.kind == "sequence" else [node]


def text_of(node: Node) -> str:
    """Return a text without a NUL character, which no name of a file or folder has."""
    text = node.string()
    if "\0" in text:
        raise node.error("the text has a NUL character")
    return text


def name_of(node: Node) -> str:
    """Return a text that is not blank."""
    text = text_of(node)
    if not text.strip():
        raise node.error("the text is blank")
    return text


def glob_of(node: Node, *, placeholders: bool = False) -> str:
    """Return a path pattern, with placeholders in braces where they are allowed."""
    pattern = text_of(node)
    check_glob(pattern, node.error, placeholders=placeholders)
    return pattern


def check_glob(
    pattern: str,
    error_of: Callable[[str], ConfigError],
    *,
    placeholders: bool = False,
    floating: bool = False,
) -> Glob:
    """Return a path pattern; raise what `error_of` makes of the fault of one that is wrong."""
    try:
        return compile_glob(pattern, placeholders=placeholders, floating=floating)
    except GlobError as error:
        raise error_of(f"bad path pattern {pattern!r}: {error}") from None


def words(*allowed: str) -> Form:
    written = ", ".join(f"`{word}`" for word in allowed)
    return Form(written, {"enum": [*allowed]}, allowed, read=lambda node: node.one_of(allowed))


def read_by(read: Callable[[Node], object], schema: Schema) -> Form:
    return Form("", schema, read=read)


def number(least: int, most: int) -> Form:
    def read(node: Node) -> int:
        found = node.integer()
        if not least <= found <= most:
            raise node.error(f"found {found}: expected a number from {least} to {most}")
        return found

    return read_by(read, {"type": "integer", "minimum": least, "maximum": most})


def listed(form: Form, written: str = "") -> Form:
    schema: Schema = {"type": "array", "items": form.schema}
    return Form(written, schema, read=lambda node: tuple(map(form.read, node.sequence())))


def several(form: Form) -> Form:
    """Return the form of a list, or of one value that is written without a list."""
    schema = any_of(form.schema, listed(form).schema)
    return read_by(lambda node: tuple(map(form.read, items(node))), schema)


def table(form: Form) -> Form:
    return read_by(
        lambda node: {name: form.read(entry) for name, entry in node.mapping().items()},
        {"type": "object", "additionalProperties": form.schema},
    )


def mapping(
    *keys: Key, some: bool = False, one: bool = False, make: Callable[..., object] = dict
) -> Form:
    """Return the form of a mapping: `some` key must be set, or exactly `one`.

    `make` takes the values of the keys that are written by their names.
    """
    schema = of_keys(keys)
    if some or one:
        schema["minProperties"] = 1
    if one:
        schema["maxProperties"] = 1
    written = f"`{{{', '.join(names(keys))}}}`"

    def read(node: Node) -> object:
        node.keys_allowed(names(keys))
        return make(**read_keys(node, keys))

    return Form(written, schema, keys=keys, read=read)


TEXT = Form("text", {"type": "string"}, read=text_of)
TEXTS = listed(TEXT, "list of texts")
FLAG = Form("`true` or `false`", {"type": "boolean"}, read=Node.boolean)
NAME = Form("text", {"type": "string", "minLength": 1}, read=name_of)
NAMES = listed(NAME)
GLOB = Form("path pattern", NAME.schema, read=glob_of)
GLOBS = listed(GLOB)
PATHS = (
    "Path patterns relative to the folder of this file: ** is any depth, * and ? stay within one "
    "name; a pattern without wildcards matches a file, or a folder and everything in it."
)
"""What is said of patterns of paths."""
