"""The digest of the program itself: what was worked out by other code is worked out anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_ENDINGS = (".py", ".lark", ".json", ".yaml")
_ROOMS = frozenset(
    {
        *("config", "source", "finding", "vocabulary", "syntax", "validity", "model", "chlauth"),
        *("policy", "engine", "spark", "grammar"),
    }
)


@cache
def digest_of_code() -> str:
    """Return the digest of all that readings and judgements are made by, on disk or in a zip."""
    found = sha256()
    for package in ("mqlint", "mqlint.grammar"):
        for name, content in _contents(files(package), "", package == "mqlint"):
            found.update(f"{package}/{name}\0{len(content)}\0".encode())
            found.update(content)
    return found.hexdigest()


def _contents(folder: Traversable, prefix: str, rooms: bool) -> Iterator[tuple[str, bytes]]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{prefix}{one.name}"
        if one.is_dir():
            if one.name != "__pycache__" and (not rooms or one.name in _ROOMS):
                yield from _contents(one, f"{name}/", False)
        elif not rooms and one.name.endswith(_ENDINGS):
            yield name, one.read_bytes()
