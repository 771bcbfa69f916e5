"""Folders to any depth: `os.walk` of Python 3.11 calls itself for each level."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from pathlib import Path


def walked(top: str | Path, without: Container[str] = ()) -> Iterator[tuple[str, list[str]]]:
    """Yield each folder from `top` on with the names of its files, not those behind links.

    Folders of the names `without`, and those that cannot be listed, are left out.
    """
    pending = [os.fspath(top)]
    while pending:
        folder = pending.pop()
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not entry.is_dir():
                        names.append(entry.name)
                    elif not entry.is_symlink() and entry.name not in without:
                        pending.append(entry.path)
        except OSError:
            continue
        yield folder, names
