"""One YAML document of the package's data, compiled, from the cache where that is warm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import cast

from mqlint.config.cache import JsonValue, cached


def load_shipped(
    name: str, compiler: Callable[[object], dict[str, object]], cache_folder: Path | None
) -> Mapping[str, object]:
    """Return `data/NAME.yaml` as `compiler`, of the module NAME, makes plain data of it.

    With a `cache_folder` the compiled form is kept there, under the digest of data and module.
    """
    room = files("mqlint.vocabulary")
    data = room.joinpath("data", f"{name}.yaml").read_bytes()
    code = room.joinpath(f"{name}.py")
    digest = sha256(data + b"\0" + (code.read_bytes() if code.is_file() else b"")).hexdigest()

    def build() -> JsonValue:
        from mqlint.config.reader import read_yaml  # here, as a warm cache needs no YAML

        return cast("JsonValue", compiler(read_yaml(data.decode(), f"{name}.yaml").plain()))

    return cast("dict[str, object]", cached(cache_folder, f"vocabulary-{name}", digest, build))
