"""The two sides of a comparison, and which queue manager of A is compared with which of B.

A side is files, folders, or the files of a commit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.options import option
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect, owners_of
from mqlint.config.project import git_top
from mqlint.config.settings import Compare
from mqlint.dataclass import frozen
from mqlint.engine import Analyser, Input
from mqlint.engine.loading.load import Loaded
from mqlint.engine.project import Project
from mqlint.grouping import grouped
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.model.comparison.managers import Comparison, compared
from mqlint.model.comparison.written import SAME_TEXT, Rename
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import QueueManager
from mqlint.report.terminal import visible
from mqlint.source.commit import AtCommit, contents
from mqlint.source.display import display_path
from mqlint.source.git import GitError, commit_of

ORDER = "attributes objects renames"
"""The options, as `--help` lists them."""


def renames_help(side: str) -> dict[str, str]:
    """Return the help of --rename, which maps the names of one side."""
    text = f"Read OLD as NEW in names and values of {side}. May be given several times."
    return {"renames": text}


@frozen
class ComparisonOptions:
    """What is left out of a comparison, and which names of one side are mapped."""

    attributes: tuple[str, ...] = option(
        "--ignore ATTRIBUTE",
        "Leave out an attribute: DESCR, channel.CONNAME, stanza.*. May be given several times.",
        multiple=True,
    )
    objects: tuple[str, ...] = option(
        "--ignore-object NAME",
        "Leave out objects: 'SYSTEM.*', 'qlocal:TMP.*'. May be given several times.",
        multiple=True,
    )
    renames: tuple[str, ...] = option("--rename OLD=NEW", multiple=True)

    @property
    def ignored(self) -> Ignored:
        return Ignored(tuple(map(str.upper, self.attributes)), tuple(map(str.upper, self.objects)))

    @property
    def rename(self) -> Callable[[str], str]:
        """What renames as --rename says; BadParameter if it is not OLD=NEW."""
        pairs = []
        for word in self.renames:
            old, sign, new = word.partition("=")
            if not old or not sign:
                raise click.BadParameter(f"--rename {word!r}: write it as OLD=NEW")
            pairs.append((old, new))
        if not pairs:
            return str

        def rename(text: str) -> str:
            for old, new in pairs:
                text = text.replace(old, new)
            return text

        return rename


MappedManagers = Mapping[QueueManagerKey, QueueManager]
"""Queue managers as their files describe them after a mapping, by their keys before it."""


@frozen
class UnreadFile:
    """A file of one side that was not read, or only in part, and why.

    `digest` is that of its bytes, blank for one that could not be read.
    """

    path: str
    why: str
    digest: str = ""


@frozen
class Side:
    """One side: its label, its queue managers, and what was not understood of it.

    `folder` is what the paths of its files begin with that is not the same on the other side;
    `digests` are those of the bytes of its files, by path. `configured` is what the configuration
    leaves out of comparisons. `mapped` returns its queue managers with other names and values.
    """

    label: str
    folder: str
    managers: list[QueueManager]
    gaps: list[UnreadFile]
    digests: Mapping[str, str]
    configured: Compare
    mapped: Callable[[Rename], MappedManagers]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The attributes and objects that the configuration leaves out, as it writes them."""
        return (*self.configured.ignore, *self.configured.ignore_objects)

    def without(self, ignored: Ignored) -> Ignored:
        """Return what to leave out: what the options say, and what the configuration says."""
        attributes = map(str.upper, self.configured.ignore)
        objects = map(str.upper, self.configured.ignore_objects)
        return Ignored((*ignored.attributes, *attributes), (*ignored.objects, *objects))

    def inner(self, path: str) -> str:
        return path.removeprefix(self.folder)


def sides_of(words: Sequence[str], options: ProjectOptions) -> tuple[Side, Side]:
    """Return both sides of A and B, or of BASE..HEAD.

    UsageError for another number of words. Refusal if a side cannot be read, or has no
    configuration.
    """
    if len(words) not in (1, 2):
        raise click.UsageError("name two files or folders, A and B, or two commits as BASE..HEAD")
    sides = _commits(words[0], options) if len(words) == 1 else _places(words, options)
    for side in sides:
        if not side.digests and not side.gaps:
            raise Refusal(f"no MQ configuration in {side.label}")
    return sides


def _places(words: Sequence[str], options: ProjectOptions) -> tuple[Side, Side]:
    """The files and folders, or standard input, that two words name."""
    first = options.session(words[:1])
    second = first.beside(options.session(words[1:]).project)
    analyser = Analyser(first.vocabulary)
    return _on_disk(first, words[0], analyser), _on_disk(second, words[1], analyser)


def _on_disk(session: Session, word: str, analyser: Analyser) -> Side:
    place = Path(os.path.abspath(word))  # noqa: PTH100 must not follow links
    shown = display_path(place, session.project.root)
    is_root = place == session.project.root
    folder = "" if is_root or not place.is_dir() else f"{shown.rstrip('/')}/"
    inputs = collect(session, [word]).inputs
    if not place.is_dir() and word != "-":
        folder = shown  # a file is compared with a file, whatever they are called
    return _side(word, folder, inputs, session, analyser)


def _commits(word: str, options: ProjectOptions) -> tuple[Side, Side]:
    base, dots, head = word.partition("..")
    if not dots or head.startswith("."):
        raise Refusal(
            f"{visible(word)!r} is one path: name two, A and B, or two commits as BASE..HEAD"
        )
    session = options.session()
    root = session.project.root
    top = git_top(root)
    if top is None:
        raise Refusal(f"{word} needs git: {root} is not in a checkout")
    analyser = Analyser(session.vocabulary)
    found = [_at(session, top, name or "HEAD", analyser) for name in (base, head)]
    return found[0], found[1]


def _at(session: Session, top: Path, name: str, analyser: Analyser) -> Side:
    """The project as it was at a commit, under the configuration of now."""
    project = session.project
    owners = owners_of(session, ())
    with refusing(GitError, name):
        past = AtCommit(top, commit_of(top, name), f" at {name}")
        files = [
            file
            for file in past.files(project.root, session.settings.exclude)
            if owners.of_file(file.place) == project
        ]
        inputs = [Input(path, data=data) for path, data in contents(past.top, files)]
    side = _side(name, "", inputs, session, analyser)
    read = {found.path for found in inputs}
    missing = [UnreadFile(file.path, "it is too large") for file in files if file.path not in read]
    side.gaps.extend(missing)
    return side


def _side(
    label: str, folder: str, inputs: Iterable[Input], session: Session, analyser: Analyser
) -> Side:
    sources = {source.path: source for source in inputs}
    project = Project.of(list(sources.values()), session.settings, analyser)
    digests = {path: reading.digest for path, reading in project.readings.items()}
    gaps = list(_gaps(project.loaded, sources))
    compare = session.settings.compare
    managers = project.managers()
    keys = [manager.key for manager in managers]

    def mapped(rename: Rename) -> MappedManagers:
        return _mapped(project, list(sources.values()), keys, rename, session, analyser)

    return Side(label, folder, managers, gaps, digests, compare, mapped)


def _mapped(
    project: Project,
    inputs: Sequence[Input],
    keys: Iterable[QueueManagerKey],
    rename: Rename,
    session: Session,
    analyser: Analyser,
) -> MappedManagers:
    """The queue managers of the files with their texts mapped; none if that may change commands."""
    texts = []
    for source in inputs:
        data = source.load()
        try:
            text = data.decode() if isinstance(data, bytes) else ""
        except UnicodeDecodeError:
            return {}
        texts.append(replace(source, file=None, data=rename(text).encode()))
    after = Project.of(texts, session.settings, analyser)
    if any(
        _understood(found) != _understood(after.loaded[path])
        for path, found in project.loaded.items()
    ):
        return {}
    by_key = {manager.key: manager for manager in after.managers()}
    renamed = {key: replace(key, name=rename(key.name)) for key in keys}
    pairs = ((key, by_key.get(key) or by_key.get(renamed[key])) for key in keys)
    return {key: manager for key, manager in pairs if manager is not None}


def _understood(found: Loaded) -> tuple[str, int, int]:
    row = found.coverage
    return row.status, row.commands, row.understood


def _gaps(loaded: Mapping[str, Loaded], sources: Mapping[str, Input]) -> Iterator[UnreadFile]:
    for path in sorted(loaded):
        document = loaded[path]
        row, reading = document.coverage, document.reading
        if reading is None:
            if row.is_missed:
                data = sources[path].load()
                digest = sha256(data).hexdigest() if isinstance(data, bytes) else ""
                yield UnreadFile(path, row.reason or row.status, digest)
            continue
        if row.gaps:
            yield UnreadFile(path, "; ".join(row.gaps), reading.digest)


@frozen
class Result:
    """The comparison of two sides.

    `alone` are queue managers and files that only one side has, `same_gaps` the number of files
    that are equal on both sides and not understood as a whole. `left_out` are the attributes and
    objects that the configuration leaves out.
    """

    comparisons: list[Comparison]
    alone: list[Difference]
    same_gaps: int
    left_out: tuple[str, ...] = ()

    @property
    def differences(self) -> list[Difference]:
        return [
            *self.alone,
            *(found for comparison in self.comparisons for found in comparison.differences),
        ]


def compare_sides(a: Side, b: Side, ignored: Ignored, rename: Rename) -> Result:
    """Compare all queue managers of two sides, and what of the files was not read."""
    ignored, left_out = a.without(ignored), a.left_out
    pairs, only_a, only_b = _paired(a, b, rename)
    alone = [_alone(manager, a, in_a=True) for manager in only_a]
    alone += [_alone(manager, b, in_a=False) for manager in only_b]
    same = _same_gaps(a, b)
    for side, in_a in ((a, True), (b, False)):
        alone += [
            Difference("undecided", "file", gap.path, why=f"{'A' if in_a else 'B'}: {gap.why}")
            for gap in side.gaps
            if (side.inner(gap.path), gap.digest) not in same
        ]
    found = [
        _without_same_text(compared(left, right, ignored, rename), a, b) for left, right in pairs
    ]
    return Result(found, alone, len(same), left_out)


def _without_same_text(comparison: Comparison, a: Side, b: Side) -> Comparison:
    """A comparison without stanzas that a template leaves open in files of the same bytes."""
    remaining = [
        found
        for found in comparison.differences
        if found.state != "undecided"
        or found.type != "stanza"
        or found.place_a is None
        or found.place_b is None
        or a.digests.get(found.place_a.path) != b.digests.get(found.place_b.path)
    ]
    left_out = len(comparison.differences) - len(remaining)
    notes = dict(comparison.notes)
    if left_out:
        notes[SAME_TEXT] = notes.get(SAME_TEXT, 0) + left_out
    return replace(comparison, differences=tuple(remaining), notes=tuple(sorted(notes.items())))


def _same_gaps(a: Side, b: Side) -> set[tuple[str, str]]:
    """Files not understood that have the same name and bytes on both sides."""

    def keys(side: Side) -> set[tuple[str, str]]:
        return {(side.inner(gap.path), gap.digest) for gap in side.gaps if gap.digest}

    return keys(a) & keys(b)


def _paired(
    a: Side, b: Side, rename: Rename
) -> tuple[list[tuple[QueueManager, QueueManager]], list[QueueManager], list[QueueManager]]:
    """Pairs by site and name, by name alone, by path; the only ones of both sides."""
    left, right = list(a.managers), list(b.managers)
    pairs: list[tuple[QueueManager, QueueManager]] = []
    if len(left) == 1 and len(right) == 1:
        return [(left[0], right[0])], [], []
    for with_site in (True, False):
        theirs = _by_identity(right, b, str, with_site=with_site)
        for identity, managers in _by_identity(left, a, rename, with_site=with_site).items():
            others = theirs.get(identity, [])
            if len(managers) == 1 and len(others) == 1:
                pairs.append((managers[0], others[0]))
                left.remove(managers[0])
                right.remove(others[0])
    pairs.sort(key=lambda pair: pair[1].key)
    return pairs, left, right


def _by_identity(
    managers: Iterable[QueueManager], side: Side, rename: Rename, *, with_site: bool
) -> dict[tuple[str, ...], list[QueueManager]]:
    return grouped(
        (tuple(_identity(manager, side, rename, with_site)), manager) for manager in managers
    )


def _identity(manager: QueueManager, side: Side, rename: Rename, with_site: bool) -> Iterator[str]:
    key = manager.key
    if key.anonymous:
        yield from ("file", side.inner(key.name), side.inner(key.model))
        yield key.site if with_site else ""
        return
    yield from ("name", rename(key.name))
    if with_site:
        yield from (key.site, side.inner(f"{key.folder}/") if key.folder else "")


def _alone(manager: QueueManager, side: Side, *, in_a: bool) -> Difference:
    return Difference(
        "only-in-a" if in_a else "only-in-b",
        "file" if manager.key.anonymous else "queue manager",
        side.inner(manager.key.name) if manager.key.anonymous else manager.key.title,
    )
