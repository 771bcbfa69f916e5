"""Trees of keys and values that are merged: patches of Kubernetes, files of Compose.

The values keep their places, so that a merged tree leads to the file that sets each value. Sources:
"Update API Objects in Place Using kubectl patch" of Kubernetes (strategic merge patch), RFC 7386
(JSON merge patch), RFC 6902 (JSON patch), and "Merge" in the reference of Compose files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.language.text.mapped import MappedText, mapped_at
from mqlint.language.yaml.tree import Keys, Node
from mqlint.number import whole_number
from mqlint.source.lines import Span

LIST_KEYS: Mapping[str, str] = {
    "containers": "name",
    "initContainers": "name",
    "env": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "imagePullSecrets": "name",
}
"""The key that identifies the entries of lists of workloads, which a patch merges."""
_DIRECTIVE = "$patch"
_NOTHING = ("null", "~", "")


class Undecided(Exception):
    """The files do not show what is applied; the text says why."""


def scalar(text: str, span: Span) -> Node:
    """Return a scalar with a text of its own, at the place that makes it so."""
    mapped = mapped_at(text, span[0], max(span[1], span[0]))
    return Node(*span, kind="scalar", text=mapped)


def mapping(pairs: Iterable[tuple[str, Node]], span: Span) -> Node:
    """Return a mapping whose keys are where their values are."""
    found = ((key, value.span, value) for key, value in pairs)
    return Node(*span, kind="mapping", pairs=Keys(found))


def with_child(node: Node, key: str, value: Node | None) -> Node:
    """Return a mapping with one key changed, added, or with None removed."""
    pairs = [pair for pair in node.pairs if pair[0] != key]
    if value is not None:
        place = next((span for name, span, _ in node.pairs if name == key), value.span)
        pairs.append((key, place, value))
    return changed(node, pairs=pairs)


def with_value(node: Node, path: tuple[str, ...], value: Node) -> Node:
    """Return a mapping with the value below a path of keys, made where it is missing."""
    key, rest = path[0], path[1:]
    if not rest:
        return with_child(node, key, value)
    below = node.child(key) or Node(*value.span, kind="mapping")
    return with_child(node, key, with_value(below, rest, value))


def changed(
    node: Node,
    *,
    pairs: Iterable[tuple[str, Span, Node]] | None = None,
    items: Iterable[Node] | None = None,
) -> Node:
    """Return a collection with other contents; no node is ever changed in place."""
    return Node(
        *(node.start, node.end, node.kind if node.kind != "empty" else "mapping", node.file),
        *(node.column, node.known, node.maybe, node.open),
        Keys(node.pairs if pairs is None else pairs),
        tuple(node.items if items is None else items),
    )


def merged(base: Node, patch: Node, *, lists: bool, key: str = "") -> Node:
    """Return `base` with a patch: mappings are merged, and other values replaced.

    With `lists` the entries of lists that have an identity are merged too, as in built-in resources
    of Kubernetes. Lists of custom resources are replaced.
    """
    if base.kind == "list" and patch.kind == "list" and lists and key in LIST_KEYS:
        return _merged_list(base, patch, LIST_KEYS[key])
    if base.kind != "mapping" or patch.kind != "mapping":
        return patch
    directive = patch.word(_DIRECTIVE)
    if directive == "replace":
        return changed(patch, pairs=(pair for pair in patch.pairs if pair[0] != _DIRECTIVE))
    found = {name: (span, value) for name, span, value in base.pairs}
    for name, span, value in patch.pairs:
        if name == _DIRECTIVE or name.startswith(("$setElementOrder", "$deleteFromPrimitive")):
            continue
        is_removed = value.kind == "empty" or (
            value.kind == "scalar" and value.text in _NOTHING and not value.is_quoted
        )
        is_removed = is_removed or value.word(_DIRECTIVE) == "delete"
        if is_removed:
            found.pop(name, None)
        elif name in found:
            found[name] = span, merged(found[name][1], value, lists=lists, key=name)
        else:
            found[name] = span, value
    whole = changed(base, pairs=((name, span, value) for name, (span, value) in found.items()))
    whole.open = base.open or patch.open
    return whole


def _merged_list(base: Node, patch: Node, identity: str) -> Node:
    """Return a list with the entries of another, which replace or extend those of one identity."""
    items = {item.word(identity) or f"#{number}": item for number, item in enumerate(base.items)}
    added: list[Node] = []
    for item in patch.items:
        name = item.word(identity)
        if item.word(_DIRECTIVE) == "delete":
            items.pop(name, None)
        elif name in items:
            items[name] = merged(items[name], item, lists=True)
        else:
            added.append(item)
    whole = changed(base, items=(*added, *items.values()))
    whole.open = base.open or patch.open
    return whole


def patched(node: Node, operations: Iterable[Node]) -> Node:
    """Return a tree after the operations of a JSON patch (RFC 6902)."""
    for operation in operations:
        word, path = operation.word("op"), operation.child("path")
        if path is None or not isinstance(path.value, str) or not path.text.startswith("/"):
            raise Undecided("a JSON patch has a path that is not known")
        keys = [part.replace("~1", "/").replace("~0", "~") for part in path.text[1:].split("/")]
        if word == "test":
            continue
        if word not in ("add", "replace", "remove"):
            raise Undecided(f"a JSON patch has the operation {word[:20]}")
        value = operation.child("value")
        node = _at(node, keys, None if word == "remove" else value, is_added=word == "add")
    return node


def _at(node: Node, keys: list[str], value: Node | None, *, is_added: bool) -> Node:
    key, rest = keys[0], keys[1:]
    if node.kind == "list":
        return _in_list(node, key, rest, value, is_added=is_added)
    if node.kind not in ("mapping", "empty"):
        raise Undecided("a JSON patch has a path that leads nowhere")
    if not rest:
        return with_child(node, key, value)
    below = node.child(key)
    if below is None:
        raise Undecided("a JSON patch has a path that leads nowhere")
    return with_child(node, key, _at(below, rest, value, is_added=is_added))


def _in_list(node: Node, key: str, rest: list[str], value: Node | None, *, is_added: bool) -> Node:
    items = list(node.items)
    if key == "-" and not rest and value is not None:
        return changed(node, items=(*items, value))
    at = whole_number(key)
    if at is None or not at < len(items) + (is_added and not rest):
        raise Undecided("a JSON patch has a path that leads nowhere")
    if rest:
        items[at] = _at(items[at], rest, value, is_added=is_added)
    elif value is None:
        del items[at]
    elif is_added:
        items.insert(at, value)
    else:
        items[at] = value
    return changed(node, items=items)


def hosted(node: Node, outer: MappedText) -> Node:
    """Return a tree of a text inside a scalar, at its places in the file."""

    def moved(span: Span) -> Span:
        start, end = span
        return outer.host(start), outer.host(max(end - 1, start)) + (end > start)

    mapped = node.mapped
    start, end = moved(node.span)
    return Node(
        *(start, end, node.kind, None, node.column, node.known, node.maybe, node.open),
        Keys((key, moved(span), hosted(value, outer)) for key, span, value in node.pairs),
        tuple(hosted(item, outer) for item in node.items),
        None if mapped is None else mapped.within(outer),
    )


def leaves(node: Node, keys: frozenset[str]) -> Iterator[tuple[str, Node]]:
    """Yield the values below any of these keys, with the key."""
    for below in node.walk():
        for key, value in below.pairs.items():
            if key in keys:
                yield key, value
