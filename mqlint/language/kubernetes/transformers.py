"""What an overlay of Kustomize changes inside resources: names that they refer to, and images."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
    if node.kind == "list":
        return changed(node, items=(with_references(item, renamed) for item in node.items))
    if node.kind != "mapping":
        return node
    pairs = []
    for key, span, value in node.pairs:
        below = with_references(value, renamed)
        if key in _REFERENCES:
            kind, word = _REFERENCES[key]
            new = renamed.get((kind, below.word(word)))
            own = below.child(word)
            if new is not None and own is not None:
                below = with_child(below, word, scalar(new, own.span))
        pairs.append((key, span, below))
    return changed(node, pairs=pairs)


def with_images(node: Node, images: Mapping[str, Sequence[Node]]) -> Node:
    """Return a workload whose images have the names, tags and digests of a kustomization."""
    if node.kind == "list":
        return changed(node, items=(with_images(item, images) for item in node.items))
    if node.kind != "mapping":
        return node
    pairs = []
    for key, span, value in node.pairs:
        below = with_images(value, images)
        if key == "image" and below.kind == "scalar":
            name = re.split(r"@|:(?=[^/]*$)", below.text)[0]
            for image in images.get(name, ()):
                below = _image(below, name, image)
        pairs.append((key, span, below))
    return changed(node, pairs=pairs)


def _image(node: Node, name: str, image: Node) -> Node:
    place = next(filter(None, map(image.child, ("newTag", "digest", "newName"))), None)
    if place is None:
        return node
    new, tag, digest = (image.word(key) for key in ("newName", "newTag", "digest"))
    rest = node.text[len(name) :]
    rest = f"@{digest}" if digest else f":{tag}" if tag else rest
    return scalar(f"{new or name}{rest}", place.span)
