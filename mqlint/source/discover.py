"""Which files to read, from the files, folders and patterns a person names."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from pathlib import Path

from mqlint.config.globs import Glob, GlobError, Globs, compile_glob
from mqlint.config.project import git_top
from mqlint.dataclass import frozen
from mqlint.source.display import display_path, listed

JUNK = frozenset(
    {".git", ".hg", ".svn", ".bzr", ".venv", "venv", "node_modules", "__pycache__", ".tox"}
)
"""Folders that are passed over: version control, and what programs leave."""

_WILD = "*?["


LEADS_OUT = "it is a link to a place outside the project"
ELSEWHERE = "it is a link to a folder that is not part of what is read"
LEADS_NOWHERE = "it is a link that leads nowhere"
"""Why links that were found are not read or followed."""

_SHOWN = 5


@frozen
class Discovery:
    """What was found.

    `files` are absolute, sorted, each once; `named` those of them that were named themselves
    rather than found in a folder or by a pattern. `missing` are the targets behind which there is
    nothing, as they were written. `excluded` are files named themselves that the configuration
    excludes: they are not in `files`. `left_out` are all files that it excludes, with the pattern
    that does. `leading_out` are symbolic links in folders that lead elsewhere, not in `files`, and
    why they are not followed.
    `notes` say of folders what Git does not tell of them, or that their submodules are not there.
    `left` are folders that were not searched, and `empty` those of submodules that are not there.
    """

    files: tuple[Path, ...]
    named: frozenset[Path]
    missing: tuple[str, ...]
    excluded: tuple[Path, ...] = ()
    left_out: Mapping[Path, str] = field(default_factory=dict)
    leading_out: Mapping[Path, str] = field(default_factory=dict)
    notes: Mapping[Path, str] = field(default_factory=dict)
    left: tuple[Path, ...] = ()
    empty: tuple[Path, ...] = ()


def submodules_unread(paths: Sequence[str]) -> str:
    """Return the sentence about the submodules of a checkout or a commit that are not read."""
    return f"files of these submodules are not read: {listed(paths, _SHOWN)}"


class Exclusion:
    """The patterns of `exclude`, which are relative to `root` (GlobError for a bad one)."""

    def __init__(self, root: Path, patterns: Sequence[str]) -> None:
        self._root = root
        self._patterns = patterns
        self._globs = Globs.of_exclude(patterns)

    def pattern_of(self, path: str | Path) -> str | None:
        if not self._patterns:
            return None
        at = next(self._globs.matching(display_path(path, self._root)), None)
        return None if at is None else self._patterns[at]


def discover(
    targets: Sequence[str | Path],
    root: Path,
    *,
    exclude: Sequence[str] = (),
    base: Path | None = None,
    folders: int | None = None,
    whole: str | Path | None = None,
) -> Discovery:
    """Return the files that `targets` name.

    A target is a file, a folder with all in it, or a pattern (`prod/**/*.mqsc`); relative ones
    start at `base`, by default the working folder. In a git checkout a folder gives the tracked
    files and the untracked ones that are not ignored, also those of submodules, but not those of
    other checkouts in it; elsewhere all files but those of version control and the usual junk.
    `exclude` are patterns relative to `root`: one without a slash holds at any depth, and a
    folder's holds for all in it (GlobError for a bad one).

    Only regular files are found. A symbolic link to a file is found under its own name when it
    leads to somewhere inside the root (or the folder named); links to folders are not followed,
    as git does not, and noted if their target is in no folder of `targets`. Files named themselves
    may be links to anywhere, or not be regular: reading them says so. So does reading a folder that
    may not be listed, which is found like a file.

    Of a folder outside any checkout, with `folders`, so many folders are searched, and more until a
    file is found. `whole` is the folder whose parts the targets are, if others search the rest.
    """
    start = Path(os.path.abspath(base or Path.cwd()))  # noqa: PTH100 must not follow links
    search = _Search(Path(os.path.abspath(root)), exclude, folders)  # noqa: PTH100
    if whole is not None:
        search.tops.append(os.path.realpath(whole))
    for target in targets:
        search.add(os.fspath(target), start)
    return search.result()


class _Search:
    def __init__(self, root: Path, exclude: Sequence[str], folders: int | None) -> None:
        self.root = root
        self.folders = folders
        self.left: list[str] = []
        self.exclusion = Exclusion(root, exclude)
        self.found: set[str] = set()
        self.named: set[str] = set()
        self.excluded: set[str] = set()
        self.left_out: dict[str, str] = {}
        self.leading_out: dict[str, str] = {}
        self.elsewhere: dict[str, str] = {}
        self.tops: list[str] = []
        self.unlisted: dict[str, str] = {}
        self.empty: dict[str, set[str]] = {}
        self.missing: list[str] = []

    def add(self, target: str, start: Path) -> None:
        path = _absolute(target, start)
        kind = _kind(path)
        if kind == "folder":
            self.found.update(self._inside(path, self.folders))
        elif kind is not None:
            (self.excluded if self._is_excluded(path) else self.named).add(path)
        elif not self._pattern(target, start):
            self.missing.append(target)

    def result(self) -> Discovery:
        files = sorted(self.found | self.named)
        submodules = {
            folder: submodules_unread([display_path(path, Path(folder)) for path in sorted(paths)])
            for folder, paths in self.empty.items()
        }
        notes = sorted({**submodules, **self.unlisted}.items())
        left = dict.fromkeys(self._left_elsewhere(), ELSEWHERE)
        leading_out = sorted({**self.leading_out, **left}.items())
        return Discovery(
            files=tuple(map(Path, files)),
            named=frozenset(map(Path, self.named)),
            missing=tuple(dict.fromkeys(self.missing)),
            excluded=tuple(map(Path, sorted(self.excluded))),
            left_out={Path(path): pattern for path, pattern in self.left_out.items()},
            leading_out={Path(path): reason for path, reason in leading_out},
            notes={Path(folder): note for folder, note in notes},
            left=tuple(map(Path, sorted(self.left))),
            empty=tuple(map(Path, sorted(chain.from_iterable(self.empty.values())))),
        )

    def _pattern(self, target: str, start: Path) -> bool:
        """Add the files a pattern fits; False when there are none."""
        text = target.replace("\\", "/") if os.sep == "\\" else target
        at = next((at for at, char in enumerate(text) if char in _WILD), -1)
        if at < 0 or "\0" in text:
            return False
        fixed, slash, _ = text[:at].rpartition("/")
        folder = _absolute(fixed + slash or ".", start)
        glob = _glob(text[len(fixed + slash) :])
        if glob is None or _kind(folder) != "folder":
            return False
        prefix = len(folder.rstrip(os.sep)) + 1
        fitting = {
            path
            for path in self._inside(folder)
            if glob.matches(path[prefix:].replace(os.sep, "/"))
        }
        self.found |= fitting
        return bool(fitting)

    def _inside(self, folder: str, folders: int | None = None) -> Iterator[str]:
        """Yield the regular files in `folder` that are not excluded; `folders` as of `discover`."""
        allowed = [os.path.realpath(self.root), os.path.realpath(folder)]
        self.tops.append(allowed[1])
        pending = deque([folder])
        most = None if folders is None or git_top(Path(folder)) else folders
        searched, is_empty = 0, True
        while pending:
            if most is not None and searched >= most and not is_empty:
                self.left += pending
                return
            searched += 1
            for path in self._in_folder(pending.popleft(), folder, pending, allowed):
                is_empty = False
                yield path

    def _in_folder(
        self, here: str, top: str, pending: deque[str], allowed: list[str]
    ) -> Iterator[str]:
        """Yield the files of a folder, or all that git knows below it; others go to `pending`."""
        in_git = (here == top and git_top(Path(here))) or _kind(f"{here}/.git")
        names = self._listed(here) if in_git else None
        if names is None:
            yield from self._walked(here, pending, allowed)
            return
        for path in _below_here(here, names, allowed):
            if _is_file(path, allowed):
                if not self._is_excluded(path):
                    yield path
            elif _is_submodule(path) and not self._is_excluded_folder(path):
                pending.append(path)
                if not _has_entries(path):
                    self.empty.setdefault(here, set()).add(path)
            else:
                self._note_link(path, allowed)

    def _listed(self, folder: str) -> list[str] | None:
        """The files that Git knows in a folder, None where it cannot be asked."""
        from mqlint.source.git import GitError, listed  # here, as named files may need no Git

        try:
            return listed(Path(folder))
        except GitError as error:
            self.unlisted[folder] = (
                f"Git cannot list the files, so those that it ignores are read too ({error})"
            )
            return None

    def _walked(self, folder: str, pending: deque[str], allowed: list[str]) -> Iterator[str]:
        try:
            with os.scandir(folder) as entries:
                inside = list(entries)
        except FileNotFoundError:
            return  # deleted after it was listed
        except OSError:
            yield folder  # reading it fails too, and the report says why
            return
        for entry in inside:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in JUNK and not self._is_excluded_folder(entry.path):
                    pending.append(entry.path)
            elif not _is_file(entry.path, allowed):
                self._note_link(entry.path, allowed)
            elif not self._is_excluded(entry.path):
                yield entry.path

    def _note_link(self, path: str, allowed: Sequence[str]) -> None:
        """Note a link that is not followed, unless it is excluded.

        What is behind a link that leads out is not looked at.
        """
        if not os.path.islink(path):  # noqa: PTH114 a str, as all here
            return
        to = os.path.realpath(path)
        is_inside = _is_inside(to, allowed)
        if not is_inside or not os.path.exists(to):  # noqa: PTH110
            if not self._is_excluded(path):
                self.leading_out[path] = LEADS_NOWHERE if is_inside else LEADS_OUT
        elif os.path.isdir(to) and os.path.basename(path) not in JUNK:  # noqa: PTH112, PTH119
            self.elsewhere[path] = to

    def _left_elsewhere(self) -> list[str]:
        """The links to folders that are not searched."""
        return [
            path
            for path, to in self.elsewhere.items()
            if not _is_inside(to, self.tops) and not self._is_excluded(path)
        ]

    def _is_excluded(self, path: str) -> bool:
        pattern = self.exclusion.pattern_of(path)
        if pattern is None:
            return False
        self.left_out[path] = pattern
        return True

    def _is_excluded_folder(self, path: str) -> bool:
        """Whether nothing in a folder is read; its files are counted all the same."""
        pattern = self.exclusion.pattern_of(path)
        if pattern is None:
            return False
        from mqlint.source.walk import walked  # here, as most projects exclude no folder

        for folder, names in walked(path, JUNK):
            self.left_out.update(
                dict.fromkeys((f"{folder}{os.sep}{name}" for name in names), pattern)
            )
        return True


def _absolute(target: str, start: Path) -> str:
    return os.path.abspath(os.path.join(start, target))  # noqa: PTH100, PTH118 keeps links


def _kind(path: str) -> str | None:
    """Return `folder` or `file` (anything else) for what the path leads to, None for nothing."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        # A link that leads nowhere is still something that was named.
        return "file" if "\0" not in path and os.path.islink(path) else None  # noqa: PTH114
    return "folder" if stat.S_ISDIR(mode) else "file"


def _below_here(here: str, names: Iterable[str], allowed: Sequence[str]) -> Iterator[str]:
    """Yield the paths of names that git gives, less those that a crafted index leads elsewhere.

    Git names what its index holds, be it `../x`, a file in `.git`, or one behind a folder that is
    a link by now.
    """
    real: dict[str, str] = {}
    known: dict[str, bool] = {}
    for name in names:
        path = os.path.join(here, name)  # noqa: PTH118 thousands of them, as str
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in known:
            known[folder] = _is_inside(_real(folder, real), allowed)
        if known[folder]:
            yield path


def _real(folder: str, known: dict[str, str]) -> str:
    """Return the real path of a folder; `known` has those of the folders above, each asked once."""
    above, name = os.path.split(folder)
    if name in ("", ".", "..") or os.path.islink(folder):  # noqa: PTH114 a str, as all here
        return os.path.realpath(folder)
    if above not in known:
        known[above] = os.path.realpath(above)
    return os.path.join(known[above], name)  # noqa: PTH118


def _is_file(path: str, allowed: Sequence[str]) -> bool:
    """Return whether `path` is a regular file, or a link to one below an allowed folder."""
    try:
        mode = os.lstat(path).st_mode
        if not stat.S_ISLNK(mode):
            return stat.S_ISREG(mode)
        real = os.path.realpath(path, strict=True)
        return _is_inside(real, allowed) and stat.S_ISREG(os.stat(real).st_mode)  # noqa: PTH116
    except PermissionError:
        return True  # reading it fails too, and the report says why
    except (OSError, ValueError, RuntimeError):
        return False  # deleted after it was listed, or a loop of links


def _is_submodule(path: str) -> bool:
    """Return whether a path that git gives is a submodule; other checkouts end with a slash.

    Those are not followed: most are further copies of the same repository.
    """
    if path.endswith("/"):
        return False
    return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114


def _has_entries(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return True  # reading it says why


def _is_inside(path: str, folders: Sequence[str]) -> bool:
    """Return whether a real path is one of the folders or below it, and not in a repository of git.

    `.git` holds credentials, and no file of the checkout.
    """
    for folder in folders:
        top = folder.rstrip(os.sep)
        if path == folder or path.startswith(top + os.sep):
            return f"{os.sep}.git{os.sep}" not in path[len(top) :].lower() + os.sep
    return False


def _glob(pattern: str) -> Glob | None:
    try:
        return compile_glob(pattern)
    except GlobError:
        return None
