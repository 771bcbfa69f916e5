"""The files that say how a repository is judged: its settings, and what these name.

They are found where the repository is listed and sent to the driver, which alone compiles them.
A repository may be hostile: what is outside of it is not read, and what is sent is bounded.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from mqlint.config.errors import ConfigError
from mqlint.config.extends import Extension, Shared, digest_of, extended, text_of
from mqlint.config.loader import read_settings, settings_from
from mqlint.config.node import Node
from mqlint.config.project import CONFIG_NAMES
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.estate.io.content import LIMIT as DOCUMENT
from mqlint.estate.io.content import Place, Places
from mqlint.finding import waiver
from mqlint.source import project_files
from mqlint.source.archive import Member
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, read
from mqlint.source.walk import walked

CONFIGS: Final = (*CONFIG_NAMES, waiver.FILE_NAME)
"""Files at the top of a repository that are looked for whether or not they are named."""

LIMIT = 4 << 20
"""The largest file of settings, waivers or policies that is sent, in bytes."""

POLICIES = 1_000
"""The most policies of its own that are sent of a repository."""

TOTAL = 16 << 20
"""The most bytes of policies that are sent of a repository."""

NAMES = 100
"""The most files and folders of policies that settings may name."""

Content = bytes | Unreadable
"""The bytes of a file that says how a repository is judged, or why they are not known."""

Texts = Mapping[str, Content]
"""Files that say how a repository is judged, by their paths in it."""

_TOO_MANY: Final = Unreadable(
    f"the repository has more than {POLICIES:,} policies, or {TOTAL:,} bytes of policies"
)

_OUTSIDE = "the settings name it, but it is outside the repository and is not read"
_NOT_THERE = "the settings name it, but no such file or folder exists"
_ENDINGS = (".yaml", ".yml")


@frozen
class ConfigNames:
    """The files that settings name, as paths in reports: `files`, and those of `policies`.

    `outside` are those outside the repository, `optional` those that need not exist.
    """

    files: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @classmethod
    def by(cls, settings: Settings, others: Iterable[str] = ()) -> ConfigNames:
        """Return what settings name, with `others`: what ESTATE names for many repositories."""
        others = [place_of(other) for other in others if _is_inside(other)]
        files = [file for file in (settings.waivers, settings.baseline) if file]
        policies = settings.policies[:NAMES]
        outside = [file for file in (*files, *policies) if not _is_inside(file)]
        own = [place_of(file) for file in files if _is_inside(file)]
        return cls(
            tuple(dict.fromkeys((*own, *others))),
            tuple(dict.fromkeys(place_of(policy) for policy in policies if _is_inside(policy))),
            tuple(dict.fromkeys(map(place_of, outside))),
            (*CONFIGS, *others),
        )

    def policies_among(self, paths: Iterable[str]) -> list[str]:
        """Return the policies among files of the repository, in the order they are named."""
        paths = list(paths)
        found = (path for policy in self.policies for path in sorted(_under(policy, paths)))
        return list(dict.fromkeys(found))

    def missing(self, paths: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield what is not among `paths`, all that is found in the repository, and why."""
        for name in self.outside:
            yield name, _OUTSIDE
        for file in self.files:
            if file not in paths and file not in self.optional:
                yield file, _NOT_THERE
        for policy in self.policies:
            if not any(_under(policy, paths)):
                yield policy, _NOT_THERE


def place_of(name: str) -> str:
    """Return what settings name as the path that reports have of it."""
    path = posixpath.normpath(name)
    return display_path(path, Path("/")) if _is_inside(path) else path


def _is_inside(name: str) -> bool:
    path = posixpath.normpath(name)
    out = path.startswith(("/", "../")) or path == ".." or Path(path).is_absolute()
    return not out and not project_files.is_in_git(PurePosixPath(path))


def _under(name: str, paths: Iterable[str]) -> Iterator[str]:
    """The files that the name of a file or a folder of policies stands for."""
    folder = "" if name == "." else f"{name}/"
    for path in paths:
        if path == name or (path.startswith(folder) and path.endswith(_ENDINGS)):
            yield path


class RepositoryFiles(Protocol):
    def paths(self) -> Collection[str]:
        """Return those that are listed."""

    def beside(self, names: Iterable[str]) -> None:
        """Add what a listing passes over of files, and of policies in folders, of these names."""

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        """Yield the bytes of some of them."""


@frozen
class FolderFiles:
    """A folder, and the files that were found in it; `whole` where it is the repository."""

    root: Path
    found: Mapping[str, Path]
    whole: bool
    others: dict[str, Path] = field(default_factory=dict)

    def paths(self) -> Collection[str]:
        return {**self.found, **self.others}.keys()

    def beside(self, names: Iterable[str]) -> None:
        """What git does not track is heeded all the same, if it is here."""
        files = project_files.OnDisk(self.root)
        for name in names if self.whole else ():
            for file in _walked(self.root / name):
                path = display_path(file, self.root)
                if len(self.others) > POLICIES:
                    return
                if path not in self.found and files.fault(file) is None:
                    self.others[path] = file

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        for path in paths:
            yield path, read(self.found.get(path) or self.others[path], limit=DOCUMENT)


def _walked(place: Path) -> Iterator[Path]:
    """A file, or the files of YAML in a folder."""
    if os.path.isfile(place):  # noqa: PTH113 False for a name that no file can have
        yield place
    for folder, names in walked(place):
        for name in sorted(names):
            file = Path(folder, name)
            if name.endswith(_ENDINGS) and os.path.isfile(file):  # noqa: PTH113
                yield file


@frozen
class IndexedFiles:
    """Files that are all listed: by their paths what `fetch` takes, to read some in one pass."""

    names: Mapping[str, str]
    fetch: Callable[[Mapping[str, str]], Iterator[tuple[str, bytes | Unreadable]]]

    def paths(self) -> Collection[str]:
        return self.names.keys()

    def beside(self, names: Iterable[str]) -> None:
        """Do nothing: all is listed."""

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        return self.fetch({path: self.names[path] for path in paths})


def commit_files(top: Path, contents: Mapping[str, str]) -> IndexedFiles:
    """Return the files of a commit of a repository of git, by the ids of their contents."""

    def fetch(wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        places = Places()
        try:
            for path, oid in wanted.items():
                yield path, places.read(Place("git", str(top), oid))
        finally:
            places.close()

    return IndexedFiles(contents, fetch)


def archive_files(
    members: Callable[[], Iterator[Member]], names: Mapping[str, str]
) -> IndexedFiles:
    """Return the files of an archive, which `members` reads from its beginning."""

    def fetch(wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        left = {name: path for path, name in wanted.items()}
        for member in members() if left else ():
            path = left.pop(member.name, None)
            if path is not None:
                yield path, member.data
            if not left:
                return

    return IndexedFiles(names, fetch)


@frozen
class ConfigFile:
    """A file for the driver, or why it is not in the repository at all if it `is_missing`."""

    path: str
    data: Content
    is_missing: bool = False


def files_to_send(files: RepositoryFiles, others: Iterable[str]) -> Iterator[ConfigFile]:
    """Yield the files that say how a repository is judged; `others` as of `ConfigNames.by`."""
    files.beside(CONFIGS)
    there = files.paths()
    texts = files.read([config for config in CONFIGS if config in there])
    known = {path: _within(data, LIMIT) for path, data in texts}
    _add_what_they_extend(files, known)
    yield from map(ConfigFile, known, known.values())
    named = _named_in(known, others)
    files.beside((*named.files, *named.policies))
    paths = files.paths()
    wanted = [file for file in named.files if file in paths and file not in known]
    for path, data in files.read(wanted):
        yield ConfigFile(path, _within(data, LIMIT if path.endswith(_ENDINGS) else DOCUMENT))
    policies = [policy for policy in named.policies_among(paths) if policy not in known]
    yield from _bounded(files, policies)
    for path, reason in named.missing(paths):
        yield ConfigFile(path, Unreadable(reason), is_missing=True)


def _bounded(files: RepositoryFiles, policies: list[str]) -> Iterator[ConfigFile]:
    """Policies, as many as may be sent; the first that may not is reported."""
    left = TOTAL
    for path, data in files.read(policies[:POLICIES]):
        text = _within(data, LIMIT)
        left -= len(text) if isinstance(text, bytes) else 0
        yield ConfigFile(path, text if left >= 0 else _TOO_MANY)
    for path in policies[POLICIES : POLICIES + 1]:
        yield ConfigFile(path, _TOO_MANY)


def bytes_of(data: Content, path: str) -> bytes:
    """Return the bytes of a file; ConfigError says why they are not known."""
    if isinstance(data, Unreadable):
        raise ConfigError(path, 1, 1, f"cannot be read: {data.reason}")
    return data


def _within(data: Content, limit: int) -> Content:
    if isinstance(data, bytes) and len(data) > limit:
        return Unreadable(f"larger than the limit of {limit:,} bytes")
    return data


def _root_in(texts: Texts) -> Node | None:
    """The settings at the top of a repository; ConfigError or UnicodeDecodeError for no YAML."""
    data = next((texts[name] for name in CONFIG_NAMES if name in texts), None)
    if not isinstance(data, bytes):
        return None
    return read_settings(data.decode("utf-8-sig"), CONFIG_NAMES[0])


def with_shared(root: Node, get: Callable[[str], Content | None], name: str = "") -> Node:
    """Return settings with the files of the repository `name` that they extend.

    `get` returns a file, None if there is none.
    """

    def find(entry: Extension) -> Shared:
        if entry.package:
            raise entry.node.error(
                "a repository of an estate cannot extend a package: use `defaults` in ESTATE"
            )
        data = get(entry.file) if _is_inside(entry.file) else None
        if not isinstance(data, bytes):
            reason = "it is not in the repository" if data is None else data.reason
            raise entry.node.error(f"cannot read {entry.file}: {reason}")
        path = f"{name}/{entry.file}" if name else entry.file
        return Shared(text_of(data, entry), path, entry.file, digest_of({"": data}))

    return extended(root, find).root


def _add_what_they_extend(files: RepositoryFiles, texts: dict[str, Content]) -> None:
    """Add the files that the settings among `texts` extend."""

    def get(path: str) -> Content | None:
        if path not in texts:
            files.beside([path])
            for _, data in files.read([path] if path in files.paths() else []):
                texts[path] = _within(data, LIMIT)
        return texts.get(path)

    with suppress(ConfigError, UnicodeDecodeError):
        root = _root_in(texts)
        if root is not None:
            with_shared(root, get)


def _named_in(texts: Texts, others: Iterable[str]) -> ConfigNames:
    """The files that the settings at the top of a repository name.

    Only `others` where they are wrong: such a repository is not judged, and the driver says why.
    """
    try:
        root = _root_in(texts)
        settings = Settings() if root is None else settings_from(with_shared(root, texts.get))
    except (ConfigError, UnicodeDecodeError):
        settings = Settings()
    return ConfigNames.by(settings, others)
