"""The start of mqlint.pyz: unpacks the file once, so that later starts cost what installed ones do.

The folder is in the cache of the user, under the digest of what it holds, and is used only if
nobody else may write to it, and not in a checkout of git: a change could bring it. Where it cannot
be made, Python runs mqlint from the file itself, and compiles all of it at each start.
"""

import os
import shutil
import stat
import sys
from pathlib import Path
from zipfile import ZipFile

DIGEST = "@DIGEST@"

if sys.version_info < (3, 11):  # noqa: UP036 a file that any Python may be given
    sys.exit(f"mqlint needs Python 3.11 or newer, and this is {sys.version.split()[0]}")


def cache() -> Path:
    """Return the folder for what this file unpacks."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "mqlint-pyz"
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "mqlint-pyz")
    return Path("~/.cache/mqlint-pyz").expanduser()


def is_ours(folder: Path) -> bool:
    """Tell whether a folder is this user's own, no link, and nobody else may write to it."""
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode):
        return False
    getuid = getattr(os, "getuid", None)
    return getuid is None or (state.st_uid == getuid() and not state.st_mode & 0o022)


def unpacked(archive: str) -> str:
    """Return the folder with what `archive` holds, unpacked if it is not there yet."""
    parent = cache()
    if any((above / ".git").exists() for above in parent.resolve().parents):
        raise PermissionError(f"{parent} is in a checkout of git")
    folder = parent / DIGEST
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_ours(parent):
        raise PermissionError(f"others may write to {parent}")
    if not folder.exists():
        new = parent / f".{DIGEST}.{os.getpid()}.{os.urandom(4).hex()}"
        new.mkdir(mode=0o700)
        try:
            with ZipFile(archive) as members:
                members.extractall(new)
            new.rename(folder)
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
            if not folder.exists():  # another start may have been faster
                raise
    if not is_ours(folder):
        raise PermissionError(f"others may write to {folder}")
    return str(folder)


def main() -> None:
    """Run mqlint from the folder, else from this file."""
    archive = str(Path(sys.path[0]).absolute())
    try:
        sys.path[0] = unpacked(archive)
    except (OSError, RuntimeError):
        sys.path[0] = archive
    sys.argv[0] = "mqlint"
    from mqlint.cli import main as program

    program()


if __name__ == "__main__":
    main()
