"""Loading the vocabulary that the package ships: from its YAML, or from the cache.

The only module of the room that needs YAML, and that only when the cache does not have what is
asked for. A language that a run does not meet is not loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import cast

from mqlint.config.cache import JsonValue, cached
from mqlint.config.data import data_of
from mqlint.vocabulary.vocabulary import Vocabulary

DOCUMENTS = ("mqsc", "ini", "control", "zos", "cl")
"""The vocabularies there are: of MQSC, stanzas, control commands, jobs of z/OS, CL of IBM i."""

_CODE: Mapping[str, str] = {
    "mqsc": "compile.py",
    "ini": "ini.py",
    "control": "control.py",
    "zos": "zos.py",
    "cl": "cl.py",
}


def load_vocabulary(cache_folder: Path | None = None) -> Vocabulary:
    """Return what MQ knows; the compiled form is kept in `cache_folder` if there is one."""
    return Vocabulary.from_compiled(_Shipped(cache_folder))


class _Shipped(Mapping[str, Mapping[str, object]]):
    """The compiled vocabularies, each loaded when it is first asked for."""

    def __init__(self, cache_folder: Path | None) -> None:
        self._cache_folder = cache_folder
        self._loaded: dict[str, Mapping[str, object]] = {}

    def __getitem__(self, name: str) -> Mapping[str, object]:
        if name not in self._loaded:
            if name not in DOCUMENTS:
                raise KeyError(name)
            self._loaded[name] = _load(name, self._cache_folder)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(DOCUMENTS)

    def __len__(self) -> int:
        return len(DOCUMENTS)


def _load(name: str, cache_folder: Path | None) -> Mapping[str, object]:
    sources = _sources(name)
    compiled = cached(
        cache_folder,
        f"vocabulary-{name}",
        _digest(sources, _CODE[name]),
        lambda: cast("JsonValue", _compile(name, sources)),
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


def _digest(sources: Mapping[str, bytes], code: str) -> str:
    """A digest of the data and of the code that compiles it: changes when they do."""
    module = data_of("mqlint.vocabulary").joinpath(code)
    parts = {**sources, code: module.read_bytes() if module.is_file() else b""}
    digest = sha256()
    for name, content in sorted(parts.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _compile(name: str, sources: Mapping[str, bytes]) -> dict[str, object]:
    from mqlint.config.reader import read_yaml  # here, as a warm cache needs no YAML

    documents = {file: read_yaml(text.decode(), file).plain() for file, text in sources.items()}
    if name == "mqsc":
        from mqlint.vocabulary.compile import compile_mqsc

        return compile_mqsc(documents)
    compiler: Callable[[object], dict[str, object]]
    if name == "ini":
        from mqlint.vocabulary.ini import compile_ini as compiler
    elif name == "zos":
        from mqlint.vocabulary.zos import compile_zos as compiler
    elif name == "cl":
        from mqlint.vocabulary.cl import compile_cl as compiler
    else:
        from mqlint.vocabulary.control import compile_control as compiler
    return compiler(documents[f"{name}.yaml"])
