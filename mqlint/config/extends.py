"""`extends:` of a configuration: other files of the project, and packages that are installed.

What a file sets is laid over what it extends, key by key. A file of the project is read as any
other that the configuration names. A package is found by its metadata and never imported; its
digest must be given, so a new release of it has no effect before a person has checked it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from posixpath import dirname, join, normpath

from mqlint.config.forms import (
    NAME,
    Form,
    Key,
    any_of,
    items,
    name_of,
    names,
    of_keys,
    read_by,
    read_keys,
    schema_of,
    several,
)
from mqlint.config.loader import KEYS, read_settings
from mqlint.config.node import Node
from mqlint.dataclass import frozen
from mqlint.patterns import later

_MOST = 32
"""How many configurations one can extend, directly and through others."""

_DIGEST = later(r"sha256:[0-9a-f]{64}\Z")
_FILES = ("waivers", "baseline")
_NOT_SHARED = ("extends", "repository", *_FILES)
"""Keys that speak of one project: a package cannot have them."""


@frozen
class Extension:
    """One entry of `extends`: a `file` by its path from the root, or the name of a `package`."""

    node: Node
    file: str = ""
    package: str = ""
    digest: str = ""

    @property
    def name(self) -> str:
        return f"package {self.package}" if self.package else self.file


@frozen
class Shared:
    """A configuration that another one extends.

    `path` is its path in messages, `name` that in reports. `digest` is the one it has, `folder`
    the absolute folder of a package.
    """

    text: str
    path: str
    name: str
    digest: str
    folder: str = ""


Find = Callable[[Extension], Shared]
"""Returns what an entry names; ConfigError where it cannot be had."""


@frozen
class Extended:
    root: Node
    shared: tuple[Shared, ...] = ()


def extends(root: Node) -> bool:
    return root.kind == "mapping" and "extends" in root.pairs


def extended(root: Node, find: Find) -> Extended:
    """Return a configuration with what it extends below it; ConfigError at the first fault."""
    shared: list[Shared] = []
    return Extended(_with_bases(root, "", find, (), shared), tuple(shared))


def _with_bases(
    root: Node, folder: str, find: Find, above: tuple[str, ...], shared: list[Shared]
) -> Node:
    if not extends(root):
        return root
    root.keys_allowed(KEYS)
    base: Node | None = None
    for entry in entries_of(root.pairs["extends"], folder):
        if entry.name in above:
            raise entry.node.error(f"{entry.name} extends itself")
        if len(shared) >= _MOST:
            raise entry.node.error(f"more than {_MOST} configurations are extended")
        base = _laid_over(base, _base_of(entry, find, above, shared))
    own = _like(root, {key: value for key, value in root.pairs.items() if key != "extends"})
    return own if base is None else _laid_over(base, own)


def _base_of(entry: Extension, find: Find, above: tuple[str, ...], shared: list[Shared]) -> Node:
    """What an entry brings, with what it extends itself."""
    found = find(entry)
    shared.append(found)
    if entry.digest and entry.digest != found.digest:
        raise entry.node.error(
            f"the digest of {found.name} is {found.digest}: check what changed, then set this one"
        )
    if entry.package and not entry.digest:
        raise entry.node.error(
            f"the digest of a package is required: check {found.name}, then add "
            f"digest: {found.digest}"
        )
    root = read_settings(found.text, found.path)
    if root.is_empty:
        return _like(root, {})
    root.keys_allowed(KEYS)
    if entry.package:
        for key in _NOT_SHARED:
            if key in root.pairs:
                raise root.pairs[key].key_error(f"a package cannot set {key}")
    folder = found.folder or dirname(entry.file)
    base = _with_bases(root, folder, find, (*above, entry.name), shared)
    return _like(base, dict(_from(folder, root, base)))


def _from(folder: str, own: Node, base: Node) -> Iterator[tuple[str, Node]]:
    """The keys of a base; files that it names itself are relative to its folder."""
    for key, value in base.pairs.items():
        if key == "policies" and key in own.pairs:
            yield key, _listed(value, [_at(folder, item) for item in value.sequence()])
        elif key in _FILES and key in own.pairs and value.raw:
            yield key, _at(folder, value)
        else:
            yield key, value


def _at(folder: str, node: Node) -> Node:
    return _placed(node, Node("quoted", _joined(folder, name_of(node)), node.path, *node.position))


def _joined(folder: str, name: str) -> str:
    return normpath(join(folder, name.replace("\\", "/")))


def entries_of(node: Node, folder: str) -> Iterator[Extension]:
    """Yield the entries of `extends`; files are relative to `folder`."""
    for item in items(node):
        if item.kind != "mapping":
            yield Extension(item, file=_joined(folder, name_of(item)))
            continue
        item.keys_allowed(names(_ENTRY))
        if ("file" in item.pairs) == ("package" in item.pairs):
            raise item.error("expected either file or package")
        values = read_keys(item, _ENTRY)
        if "file" in values:
            values["file"] = _joined(folder, values["file"])
        yield Extension(item, **values)


def _digest(node: Node) -> str:
    if not _DIGEST.match(node.text()):
        raise node.error("expected sha256: and 64 hexadecimal digits in lower case")
    return node.text()


_ENTRY = (
    Key(
        "digest",
        read_by(_digest, schema_of(_DIGEST)),
        "The digest that it must have; required for a package.",
    ),
    Key("file", NAME, "A file of the project, relative to this file."),
    Key(
        "package", NAME, "A Python package that is installed beside mqlint and has one mqlint.yaml."
    ),
)
_EITHER = {"oneOf": [{"required": ["file"]}, {"required": ["package", "digest"]}]}
EXTENDS = Key(
    "extends",
    several(Form("", any_of(NAME.schema, {**of_keys(_ENTRY), **_EITHER}))),
    "Other configurations that this one starts from: files of the project, relative to "
    "this file, and installed packages with a digest. Keys in this file override theirs.",
    notes={"examples": ["conf/mqlint-base.yaml"]},
)


def text_of(data: bytes, entry: Extension) -> str:
    """Return the text of a configuration; ConfigError at the entry that names it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise entry.node.error(f"cannot read {entry.name}: it is not UTF-8") from None


def digest_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        if name:
            digest.update(f"{name}\0{len(data)}\0".encode())
        digest.update(data)
    return f"sha256:{digest.hexdigest()}"


# -- one value over another -----------------------------------------------------------------------


def _laid_over(base: Node | None, above: Node) -> Node:
    """Keys of mappings at any depth; policies are added, all other values replace."""
    if base is None:
        return above
    result = _merged(base, above)
    for key, join_values in (("policies", _both), ("profiles", _chosen)):
        if key in base.pairs and key in above.pairs:
            result.pairs[key] = join_values(base.pairs[key], above.pairs[key])
    return result


def _merged(base: Node, above: Node) -> Node:
    if base.kind != "mapping" or above.kind != "mapping":
        return above
    own = {
        key: _merged(base.pairs[key], value) if key in base.pairs else value
        for key, value in above.pairs.items()
    }
    return _like(above, {**base.pairs, **own})


def _both(base: Node, above: Node) -> Node:
    return _listed(above, [*base.sequence(), *above.sequence()])


def _chosen(base: Node, above: Node) -> Node:
    """Profiles: a list chooses among those that the base defines, a mapping adds to them."""
    if base.kind != "mapping" or above.kind != "sequence":
        return _merged(base, above)
    chosen = {item.text(): item for item in above.sequence()}
    others = {key: _named_only(value) for key, value in base.pairs.items() if key not in chosen}
    pairs = {key: _placed(item, _always(base.pairs.get(key), item)) for key, item in chosen.items()}
    return _like(above, {**{k: v for k, v in others.items() if not v.is_empty}, **pairs})


_FLAG = "only_if_named"


def _named_only(profile: Node) -> Node:
    """The definition of a profile that a run has only where something names it."""
    if profile.kind != "mapping":
        return profile
    flag = Node("plain", "true", profile.path, *profile.position)
    return _like(profile, {**profile.pairs, _FLAG: flag})


def _always(profile: Node | None, item: Node) -> Node:
    """The definition of a profile that `item` names; empty for one of mqlint's own."""
    if profile is None or profile.kind != "mapping":
        return Node("plain", "", item.path, *item.position)
    pairs = {key: value for key, value in profile.pairs.items() if key != _FLAG}
    return _like(profile, pairs)


def _like(node: Node, pairs: dict[str, Node]) -> Node:
    """A mapping at the place of another value."""
    found = Node("mapping", "", node.path, *node.position)
    found.pairs = pairs
    return _placed(node, found)


def _listed(node: Node, items: list[Node]) -> Node:
    """A list at the place of another value."""
    found = Node("sequence", "", node.path, *node.position)
    found.items = items
    return _placed(node, found)


def _placed(node: Node, found: Node) -> Node:
    """A value with the key of another one."""
    found.key_line, found.key_column = node.key_line, node.key_column
    return found
