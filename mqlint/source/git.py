"""What git knows of the files in a checkout, asked of git itself."""

from __future__ import annotations

import os
from pathlib import Path

_TIMEOUT = 60.0
_COMMAND = (
    "git",
    "-c",
    "core.fsmonitor=false",  # a checkout's own configuration may name a program here
    "-c",
    "core.quotePath=false",
)


def listed(folder: Path) -> list[str] | None:
    """Return the files below `folder` that git tracks or would track, relative to it.

    None where git cannot say: not installed, no checkout, one of another owner, too slow, or
    the folder itself is ignored, so that whoever names it means what git does not track. Files
    deleted from disk are among the names; submodules and checkouts inside are not descended, and
    stand as one name, with or without a slash at its end.
    """
    out = _run(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if out is None or (not out and _run(folder, "check-ignore", "-q", ".") is not None):
        return None
    return sorted({os.fsdecode(name) for name in out.split(b"\0") if name})


def _run(folder: Path, *arguments: str) -> bytes | None:
    import subprocess  # here, as files that are named need no git

    try:
        done = subprocess.run(  # noqa: S603 fixed words, no shell
            [*_COMMAND, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def _environment() -> dict[str, str]:
    """Hand git our environment, less what a hook's git says of its own index and folder.

    Nothing is read from it here. Without optional locks a listing never blocks a commit.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0"}
