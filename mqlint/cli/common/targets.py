"""The files that the paths of a command line name, by the project that judges them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import option
from mqlint.cli.common.project import Session, shown_path
from mqlint.config.estate.placement import Placement
from mqlint.config.project import OneOwner, Owners, Project, git_top, limits_of
from mqlint.dataclass import frozen
from mqlint.engine import Input, inputs_of
from mqlint.grouping import grouped
from mqlint.language.registry import LANGUAGES
from mqlint.report.terminal import counted, visible
from mqlint.source.discover import LEADS_OUT, Discovery, Exclusion, discover
from mqlint.source.display import display_path

MOST_CONTEXT = 20_000
"""Of a folder with more files, only those are read that are near what is named."""

Ownership = Owners | OneOwner
"""Which project a file belongs to."""


@frozen
class Targets:
    """What to judge of a project, what to read beside it, and whether folders were searched.

    `complete` says that the whole project is judged. `left_out` are the files that `exclude`
    leaves out, with the pattern that does. `notes` say what is not read, or read in another way.
    """

    inputs: list[Input]
    context: list[Input] = field(default_factory=list)
    searched: bool = False
    complete: bool = False
    left_out: Mapping[Path, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def everything(self) -> list[Input]:
        """All files of the project, those to be judged in the form in which they are given."""
        documents = (*self.context, *self.inputs)
        return list({document.path: document for document in documents}.values())


@frozen
class Scope:
    session: Session
    targets: Targets


@frozen
class Naming:
    """The options that say what the files are that the command line names."""

    language: str | None = option(
        "--language NAME",
        "The language of the files named and of standard input.",
        type=click.Choice(sorted(LANGUAGES)),
    )
    filtered: bool = option(
        "--filtered",
        "PATHS come from a filter such as pre-commit: ignore files without MQ configuration.",
    )
    stdin_filename: str | None = option(
        "--stdin-filename NAME",
        "File name of the text on standard input (PATH `-`), used to check it.",
    )


def scopes_of(
    paths: Sequence[str],
    owners: Ownership,
    session_of: Callable[[Project], Session],
    naming: Naming | None = None,
) -> list[Scope]:
    """Return the projects that PATHS belong to, in order of their roots, each with its files.

    Refusal where there is nothing after a path.
    """
    named = [path for path in paths if path != "-"]
    session_of = cache(session_of)
    naming = naming or Naming()
    search = _Search(owners, session_of, naming)
    for project, words in grouped((owners.of(Path(path)), path) for path in named).items():
        search.add(project, words)
    if search.missing:
        raise Refusal(f"no such file or folder: {', '.join(map(visible, search.missing))}")
    if len(named) < len(paths):
        search.add_standard_input(naming.stdin_filename)
    elif naming.stdin_filename is not None:
        raise click.UsageError("--stdin-filename needs the path - (standard input)")
    with_stdin = len(named) < len(paths)
    return [
        Scope(session_of(project), search.targets(project, named, with_stdin=with_stdin))
        for project in sorted(search.inputs, key=lambda project: project.root)
    ]


def owners_of(session: Session, paths: Sequence[str]) -> Ownership:
    """Return what finds the projects of PATHS: only one if the command line names it."""
    return OneOwner(session.project) if session.config_named else Owners(starts_of(paths))


def starts_of(paths: Sequence[str]) -> list[Path]:
    """Return where the projects of PATHS are looked for: standard input is in this folder."""
    return [Path(path) for path in paths if path != "-"] or [Path()]


def collect(session: Session, paths: Sequence[str]) -> Targets:
    """Return the files of PATHS that belong to the project of `session`.

    For commands about one project: Refusal where a path that is named belongs to another one; a
    warning where files in its folders do.
    """
    project = session.project
    owners = owners_of(session, paths)
    for path in paths:
        other = owners.of(Path(path))
        if other != project:
            raise Refusal(
                f"{path} belongs to another project ({_config_of(other)}): "
                "name the paths of one project, or the configuration with --config"
            )
    found = scopes_of(paths, owners, session.beside)
    for scope in found:
        if scope.session.project != project and scope.targets.inputs:
            number = counted(len(scope.targets.inputs), "file")
            config = _config_of(scope.session.project)
            click.echo(f"mqlint: {number} of another project not checked ({config})", err=True)
    own = (scope.targets for scope in found if scope.session.project == project)
    return next(own, Targets([]))


def _config_of(project: Project) -> str:
    return visible(shown_path(project.config_path or project.root))


class _Search:
    """Finds the files of paths, and groups them by project."""

    def __init__(
        self, owners: Ownership, session_of: Callable[[Project], Session], naming: Naming
    ) -> None:
        self.owners = owners
        self.session_of = session_of
        self.naming = naming
        self.inputs: dict[Project, list[Input]] = {}
        self.left_out: dict[Project, dict[Path, str]] = {}
        self.notes: dict[Project, dict[str, None]] = {}
        self.missing: list[str] = []
        self.searched = False

    def add(self, project: Project, words: Sequence[str]) -> None:
        """Find the files that words of one project name; folders may hold files of others."""
        self.inputs.setdefault(project, [])
        refused = [
            path for path in map(_absolute, words) if path.is_dir() and fault_of(path, project)
        ]
        for document in inputs_of(refused, project.root):
            self.inputs[project].append(self._named(document, project))
        words = [word for word in words if _absolute(word) not in refused]
        found = self._discover(words, project)
        self.missing += found.missing
        self.searched |= any(Path(word).is_dir() for word in words)
        self.searched |= len(found.files) > len(found.named)
        for owner, files in self._parted(found.files).items():
            included = files if owner == project else self._not_excluded(owner, files)
            inputs = (
                self._named(document, owner) if document.file in found.named else document
                for document in inputs_of(included, owner.root)
            )
            self.inputs.setdefault(owner, []).extend(inputs)
        for owner, links in self._parted(found.leading_out).items():
            self.inputs.setdefault(owner, []).extend(
                replace(document, file=None, unread=found.leading_out[document.file or Path()])
                for document in inputs_of(links, owner.root)
            )
        if not self.naming.filtered:
            for document in inputs_of(found.excluded, project.root):
                excluded = found.left_out.get(document.file or Path(), "")
                self.inputs[project].append(replace(document, named=True, excluded=excluded))

    def add_standard_input(self, name: str | None) -> None:
        project = self.owners.of(Path(name or "."))
        document = self._named(standard_input(name, project.root), project)
        self.inputs.setdefault(project, []).append(document)

    def _named(self, document: Input, project: Project) -> Input:
        return replace(
            document,
            fault=fault_of(document.file, project),
            language=self.naming.language or "",
            named=not self.naming.filtered,
        )

    def targets(self, project: Project, named: Sequence[str], *, with_stdin: bool) -> Targets:
        """Return what is judged of a project, and the rest of it as context."""
        places = list(map(_absolute, named))
        whole = any(place == project.root or place in project.root.parents for place in places)
        context: Sequence[Path] = ()
        if not whole and not self._stands_alone(project, places):
            found = self._discover([project.root], project)
            files = self._parted(found.files).get(project, ())
            context = [file for file in files if file != project.config_path]
        number = len(context)
        if number > MOST_CONTEXT:
            context = self._near(context, project)
        left = number - len(context)
        notes = [*self.notes.get(project, ())]
        if left:
            notes.append(f"nothing in {left:,} other files of this folder is about the named files")
        return Targets(
            self.inputs[project],
            inputs_of(context, project.root),
            self.searched,
            whole and not with_stdin,
            self.left_out.get(project, {}),
            notes,
        )

    def _near(self, files: Sequence[Path], project: Project) -> list[Path]:
        """The files in the folders of what is named, and those of its queue managers."""
        placement = Placement(self.session_of(project).settings)
        named = self.inputs[project]
        folders = {document.file.parent for document in named if document.file is not None}
        owners = {placement.queue_manager_of(document.path) for document in named} - {None}

        def is_near(file: Path) -> bool:
            if not folders.isdisjoint(file.parents):
                return True
            path = display_path(file, project.root)
            return bool(owners) and placement.queue_manager_of(path) in owners

        return [file for file in files if is_near(file)]

    def _discover(self, words: Sequence[str | Path], project: Project) -> Discovery:
        exclude = self.session_of(project).settings.exclude
        found = discover(words, project.root, exclude=exclude)
        self.left_out.setdefault(project, {}).update(found.left_out)
        for folder, note in found.notes.items():
            owner = self.owners.of(folder)
            place = "" if folder == owner.root else f"{display_path(folder, owner.root)}: "
            self.notes.setdefault(owner, {})[f"{place}{note}"] = None
        return found

    def _parted(self, files: Iterable[Path]) -> dict[Project, list[Path]]:
        known: dict[str, Project] = {}

        def owner(file: Path) -> Project:
            folder = os.path.dirname(file)  # noqa: PTH120 thousands of calls
            if folder not in known:
                known[folder] = self.owners.of_file(file)
            return known[folder]

        return grouped((owner(file), file) for file in files)

    def _not_excluded(self, project: Project, files: Iterable[Path]) -> list[Path]:
        """The files found in a folder of another project that their own does not exclude."""
        exclusion = Exclusion(project.root, self.session_of(project).settings.exclude)
        patterns = {file: exclusion.pattern_of(file) for file in files}
        left_out = {file: pattern for file, pattern in patterns.items() if pattern is not None}
        self.left_out.setdefault(project, {}).update(left_out)
        return [file for file, pattern in patterns.items() if pattern is None]

    @staticmethod
    def _stands_alone(project: Project, places: Sequence[Path]) -> bool:
        """Whether only the named files are read: no project, or all of them are outside of it."""
        if project.config_path is None and git_top(project.root) is None:
            return True
        return bool(places) and not any(place.is_relative_to(project.root) for place in places)


def fault_of(file: Path | None, project: Project) -> str:
    """Why a named file is not read: the author of a link decides where it leads."""
    top = limits_of(project)
    is_loose = project.config_path is None and git_top(project.root) is None
    if file is None or is_loose or not file.is_relative_to(top):
        return ""
    inside = Path(os.path.realpath(file)).is_relative_to(os.path.realpath(top))
    return "" if inside else LEADS_OUT


def standard_input(name: str | None, root: Path) -> Input:
    """Return the text on standard input as a document, called `name`."""
    data = sys.stdin.buffer.read()
    path = "-" if name is None else display_path(Path(name).absolute(), root)
    return Input(path, data=data)


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 must not follow links
