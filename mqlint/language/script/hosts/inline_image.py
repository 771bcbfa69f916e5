"""Dockerfiles inside YAML: `dockerfile` of a BuildConfig, `dockerfile_inline` of Compose.

Sources: "BuildSource" in the API of OpenShift, "Compose Build Specification" of Docker. A part of
an image that another file of the project may bring is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.embedding import placed_in, script_in
from mqlint.language.script.hosts.image import Dockerfile
from mqlint.language.text.mapped import MappedText
from mqlint.language.yaml.tree import Node

_KEYS = frozenset({"dockerfile", "dockerfile_inline"})


def inline_images(
    documents: Iterable[Node], context: Context
) -> Iterator[tuple[MappedText, Parsed]]:
    """Yield each Dockerfile that a value holds, with what it does at its places in the file."""
    for document in documents:
        for node in document.walk():
            for key, _, value in node.pairs:
                source = value.mapped if key in _KEYS and value.kind == "scalar" else None
                if source is None or "\n" not in source.text:
                    continue  # a file in quotes on one line has no second instruction
                if context.budget.spend(len(source.text), len(source.segments)):
                    found = placed_in(Dockerfile.read(source.text, context), source)
                    if found.script is not None:
                        found.script = script_in(found.script, source, maybe=value.maybe)
                    yield source, found
