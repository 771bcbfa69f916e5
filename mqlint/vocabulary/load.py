"""Loading the vocabulary that the package ships: from its YAML, or from the cache."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import cast

from mqlint.config.cache import JsonValue, cached
from mqlint.vocabulary.vocabulary import Vocabulary

_CODE = "compile.py"


def load_vocabulary(cache_folder: Path | None = None) -> Vocabulary:
    """Return the MQSC vocabulary.

    With a `cache_folder` its compiled form is kept there, under the digest of its sources.
    """
    sources = _sources()
    compiled = cached(
        cache_folder,
        "vocabulary-mqsc",
        vocabulary_digest(sources),
        lambda: cast(JsonValue, _compile(sources)),
    )
    return Vocabulary.from_compiled(cast("dict[str, object]", compiled))


def vocabulary_digest(sources: Mapping[str, bytes] | None = None) -> str:
    """Return the digest of the data and of the code that compiles it: changes when they do."""
    digest = sha256()
    for name, content in sorted((sources or _sources()).items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _sources() -> dict[str, bytes]:
    room = files("mqlint.vocabulary")
    found = {
        entry.name: entry.read_bytes()
        for entry in room.joinpath("data", "mqsc").iterdir()
        if entry.name.endswith(".yaml")
    }
    code = room.joinpath(_CODE)
    return {**found, _CODE: code.read_bytes()} if code.is_file() else found


def _compile(sources: Mapping[str, bytes]) -> dict[str, object]:
    from mqlint.config.reader import read_yaml  # here, as a warm cache needs no YAML
    from mqlint.vocabulary.compile import compile_mqsc

    return compile_mqsc(
        {
            name: read_yaml(content.decode(), name).plain()
            for name, content in sources.items()
            if name != _CODE
        }
    )
