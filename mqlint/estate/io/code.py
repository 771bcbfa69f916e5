"""The files that the program is made of, on disk or in a zip, and their digest.

What other code has worked out is worked out again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

PACKAGES = ("mqlint", "mqlint.grammar", "mqlint.policies")
"""In a checkout the last two are not below the first."""

_ENDINGS = (".py", ".lark", ".json", ".jsonl", ".yaml", ".html", ".css", ".js", ".txt")
_IRRELEVANT = frozenset({"cli", "report", "policies", "compiled"})
"""A change there leaves cached readings and judgements valid: the first two only show results, the
rules are part of what a judgement is found by, and the last repeats rules and vocabulary."""


def files_of(*packages: str) -> dict[str, Traversable]:
    """Return the code and data of packages by their names, as in `mqlint/grammar/mqsc.lark`."""
    found: dict[str, Traversable] = {}
    for package in packages:
        found.update(_below(files(package), package.replace(".", "/")))
    return dict(sorted(found.items()))


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for path in folder.iterdir():
        if path.is_dir():
            if path.name != "__pycache__":
                yield from _below(path, f"{name}/{path.name}")
        elif path.name.endswith(_ENDINGS):
            yield f"{name}/{path.name}", path


@cache
def digest_of_code() -> str:
    """Return the digest of all that readings and judgements are made by."""
    found = sha256()
    for name, file in files_of(*PACKAGES).items():
        if name.split("/")[1] not in _IRRELEVANT:
            content = file.read_bytes()
            found.update(f"{name}\0{len(content)}\0".encode())
            found.update(content)
    return found.hexdigest()
