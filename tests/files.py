"""Folders of files, and checkouts of git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
OPTIONS = (*WHO, "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")
NO_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by path below a folder, with the folders they need; return the folder."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def git(*words: str | Path, cwd: Path) -> str:
    """Run git as one person, whatever this machine has set, and return what it prints.

    CalledProcessError if it fails.
    """
    variables = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *OPTIONS, *map(str, words)],
        cwd=cwd,
        env={**variables, **NO_SETTINGS},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()
