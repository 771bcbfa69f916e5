"""Loading the vocabulary that the package ships: from its YAML, or from the cache.

The only module of the room that needs YAML, and that only when the cache does not have what is
asked for. A language that a run does not meet is not loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from mqlint.computed import LazyMapping
from mqlint.config.cache import JsonValue, cached
from mqlint.config.data import data_of, shipped_value
from mqlint.vocabulary.vocabulary import Vocabulary

DOCUMENTS = ("mqsc", "ini", "control", "zos", "cl", "effects")
"""The parts of a Vocabulary: MQSC, stanzas, control commands, jobs of z/OS, CL of IBM i.

`effects` says when a change of an attribute takes effect.
"""

TABLES = ("applications", "ccdt", "chlauth", "kubernetes", "urbancode")
"""What few runs need: keys of files other than MQSC, and the steps of channel authentication."""


def load_vocabulary(cache_folder: Path | None = None) -> Vocabulary:
    """Return what MQ knows; the compiled form is kept in `cache_folder` if there is one."""
    shipped = LazyMapping(
        {name: name for name in DOCUMENTS}, partial(_load, cache_folder=cache_folder)
    )
    return Vocabulary.from_compiled(shipped)


def compiled_table(name: str) -> Mapping[str, object]:
    """Return the plain data of one of TABLES, which the `SHAPE` of its module loads."""
    return _load(name, None)


def compiled_vocabulary(name: str) -> JsonValue:
    return _compile(name, _sources(name))


def _load(name: str, cache_folder: Path | None) -> Mapping[str, object]:
    shipped = shipped_value(f"vocabulary_{name}")
    if isinstance(shipped, dict):
        return cast("dict[str, object]", shipped)
    sources = _sources(name)
    compiled = cached(
        cache_folder,
        f"vocabulary-{name}",
        _digest(sources, ("compile.py" if name == "mqsc" else f"{name}.py", "shape.py")),
        lambda: _compile(name, sources),
        dict,
    )
    return cast("dict[str, object]", compiled)


def _sources(name: str) -> dict[str, bytes]:
    """The YAML of one vocabulary: one file, or all of a folder."""
    place = data_of("mqlint.vocabulary").joinpath("data", name)
    if place.is_dir():
        found = sorted(place.iterdir(), key=lambda entry: entry.name)
        return {path.name: path.read_bytes() for path in found if path.name.endswith(".yaml")}
    file = f"{name}.yaml"
    return {file: data_of("mqlint.vocabulary").joinpath("data", file).read_bytes()}


def _digest(sources: Mapping[str, bytes], modules: Iterable[str]) -> str:
    """A digest of the data and of the code that compiles it: changes when they do."""
    code = {name: data_of("mqlint.vocabulary").joinpath(name) for name in modules}
    contents = {name: file.read_bytes() if file.is_file() else b"" for name, file in code.items()}
    from hashlib import sha256  # here, as a wheel brings what this is for

    digest = sha256()
    for name, content in sorted({**sources, **contents}.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _compile(name: str, sources: Mapping[str, bytes]) -> JsonValue:
    from mqlint.config.reader import read_yaml  # here, as a warm cache needs no YAML

    roots = (read_yaml(text.decode(), file) for file, text in sources.items())
    if name == "mqsc":
        from mqlint.vocabulary.compile import compile_mqsc

        return cast("JsonValue", compile_mqsc(*roots))
    return cast("JsonValue", import_module(f"mqlint.vocabulary.{name}").SHAPE.check(*roots))
