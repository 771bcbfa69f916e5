"""What an overlay of Kustomize changes inside resources: names that they refer to, and images."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from mqlint.language.kubernetes.merge import changed, scalar, with_child
from mqlint.language.yaml.tree import Node

_REFERENCES = {
    **dict.fromkeys(("configMap", "configMapRef", "configMapKeyRef"), ("ConfigMap", "name")),
    **dict.fromkeys(("secretRef", "secretKeyRef"), ("Secret", "name")),
    "secret": ("Secret", "secretName"),
}
"""The keys below which a built-in resource names a ConfigMap or a Secret."""


def with_references(node: Node, renamed: Mapping[tuple[str, str], str]) -> Node:
    """Return a resource whose references to ConfigMaps and Secrets have the new names."""

    def renaming(key: str, value: Node) -> Node:
        if key not in _REFERENCES:
            return value
        kind, word = _REFERENCES[key]
        new, own = renamed.get((kind, value.word(word))), value.child(word)
        return (
            value if new is None or own is None else with_child(value, word, scalar(new, own.span))
        )

    return _rewritten(node, renaming)


def with_images(node: Node, images: Mapping[str, Sequence[Node]]) -> Node:
    """Return a workload whose images have the names, tags and digests of a kustomization."""

    def replacing(key: str, value: Node) -> Node:
        if key == "image" and value.kind == "scalar":
            name = re.split(r"@|:(?=[^/]*$)", value.text)[0]
            for image in images.get(name, ()):
                value = _image(value, name, image)
        return value

    return _rewritten(node, replacing)


def _rewritten(node: Node, change: Callable[[str, Node], Node]) -> Node:
    """Return a tree in which `change` has replaced the value of each key, the innermost first."""
    if node.kind == "list":
        return changed(node, items=(_rewritten(item, change) for item in node.items))
    if node.kind != "mapping":
        return node
    pairs = [(key, span, change(key, _rewritten(value, change))) for key, span, value in node.pairs]
    return changed(node, pairs=pairs)


def _image(node: Node, name: str, image: Node) -> Node:
    place = next(filter(None, map(image.child, ("newTag", "digest", "newName"))), None)
    if place is None:
        return node
    new, tag, digest = (image.word(key) for key in ("newName", "newTag", "digest"))
    rest = node.text[len(name) :]
    rest = f"@{digest}" if digest else f":{tag}" if tag else rest
    return scalar(f"{new or name}{rest}", place.span)
