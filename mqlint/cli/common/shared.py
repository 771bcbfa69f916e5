"""The targets of `extends:` in a configuration: files of the project, and installed packages.

A package is looked for where pip installs for this Python, by its metadata. Nothing of it is
imported or run, and nothing is downloaded.
"""

from __future__ import annotations

import site
import sysconfig
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mqlint.config.extends import Extended, Extension, Shared, digest_of, extended, text_of
from mqlint.config.node import Node
from mqlint.config.project import CONFIG_NAMES
from mqlint.source.display import display_path
from mqlint.source.project_files import LIMIT, OnDisk
from mqlint.source.read import Unreadable, read

if TYPE_CHECKING:
    from mqlint.cli.common.project import Session

_NAME = CONFIG_NAMES[0]
_MOST_FILES = 2_000


def with_shared(root: Node, session: Session) -> Extended:
    """Return the configuration of a session with what it extends; ConfigError at a fault."""

    def find(entry: Extension) -> Shared:
        return _installed(entry) if entry.package else _file(entry, session)

    return extended(root, find)


def _file(entry: Extension, session: Session) -> Shared:
    path = session.project.root / entry.file
    data = session.files.read(path)
    if isinstance(data, Unreadable):
        raise entry.node.error(f"cannot read {entry.file}: {data.reason}")
    name = display_path(path, session.project.root)
    return Shared(text_of(data, entry), session.shown(path), name, digest_of({"": data}))


def _installed(entry: Extension) -> Shared:
    """The configuration in a package; its digest is that of all YAML files beside and below it."""
    found = _distribution(entry)
    paths = [PurePosixPath(file) for file in found.files or () if PurePosixPath(file).name == _NAME]
    inside = [path for path in paths if not path.is_absolute() and ".." not in path.parts]
    inside = [path for path in inside if not path.parts[0].endswith((".dist-info", ".data"))]
    if len(inside) != 1:
        raise entry.node.error(
            f"package {entry.package} has {len(inside)} files {_NAME}, expected 1"
        )
    config = Path(str(found.locate_file(inside[0]))).absolute()
    files = _yaml_files(config.parent, entry)
    name = f"package {entry.package} {found.version}"
    text = text_of(files[_NAME], entry)
    return Shared(text, str(config), name, digest_of(files), str(config.parent))


def _distribution(entry: Extension) -> Distribution:
    folders = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    found = next(iter(Distribution.discover(name=entry.package, path=folders)), None)
    if found is None:
        raise entry.node.error(f"package {entry.package} is not installed in {', '.join(folders)}")
    return found


def _yaml_files(folder: Path, entry: Extension) -> dict[str, bytes]:
    paths = OnDisk(folder).inside(folder)
    if len(paths) > _MOST_FILES:
        raise entry.node.error(f"package {entry.package} has more than {_MOST_FILES} YAML files")
    files = {}
    for path in paths:
        data = read(path, limit=LIMIT)
        if isinstance(data, Unreadable):
            raise entry.node.error(f"cannot read {path.name} of {entry.name}: {data.reason}")
        files[path.relative_to(folder).as_posix()] = data
    return files
