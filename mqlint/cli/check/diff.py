"""`mqlint check --diff BASE`: only findings that a change brought, in any file.

The configuration, policies, waivers and baseline of BASE judge: what the change makes less strict
does not count, unless the command line accepts it, and is reported.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from mqlint.cli.check.comparison import read_baseline
from mqlint.cli.check.run import RunOptions, checkout_of
from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import Ownership, Scope
from mqlint.config.errors import ConfigError
from mqlint.config.project import CONFIG_NAMES, OneOwner, Owners, Project, config_in, git_top
from mqlint.config.settings import Settings, Templates
from mqlint.dataclass import frozen
from mqlint.engine import Input, Run
from mqlint.engine.change import EarlierProject, check_change, in_order, narrowed
from mqlint.engine.document.unjudged import names_of_files
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.engine.judgement.exceptions import (
    Baseline,
    Loosening,
    Terms,
    findings_of,
    is_looser,
    loosenings,
)
from mqlint.engine.loading.load import load_for
from mqlint.finding import Coverage, Finding, Location
from mqlint.finding.baseline import converted
from mqlint.grouping import grouped
from mqlint.language.script.unread.mentions import mentions
from mqlint.policy.load import compile_sources
from mqlint.report import Known
from mqlint.source.checkout import Checkout
from mqlint.source.commit import AtCommit, PastFile, contents
from mqlint.source.discover import Exclusion, discover
from mqlint.source.display import display_path
from mqlint.source.git import (
    GitError,
    commit_of,
    content_id,
    empty_tree,
    is_tracked,
    submodule_at,
)
from mqlint.source.lines import Position
from mqlint.source.read import read
from mqlint.source.secrets import without_secrets
from mqlint.vocabulary import Target

_UNREAD = ("not-recognised", "without-mq")


class CommitChange:
    """The change of projects since a commit, and the sessions that judge it."""

    def __init__(self, base: str, first: Session, paths: Iterable[Path], *, accept: bool) -> None:
        """`base` is the commit as it is named; with `accept` the exceptions of the change count.

        `paths` are those that are judged, `first` is the session of the first one.
        """
        self._base = base
        self._first = first
        self._top = git_top(first.project.root)
        self._accept = accept
        self._past: dict[tuple[Path, str], AtCommit] = {}
        self.owners: Ownership = (
            OneOwner(first.project)
            if first.config_named
            else Owners(paths, config_in if accept else self._config_in)
        )

    def session_of(self, project: Project) -> Session:
        now = self._first.beside(project)
        return (
            now if self._accept else replace(now, past=self._judge(project.root), first=self._first)
        )

    def judge(self, scope: Scope, settings: Settings, options: RunOptions) -> tuple[Run, Known]:
        """Judge a project now and at the commit; return the new findings, and the known ones.

        Refusal where git cannot tell what was.
        """
        session, paths = scope.session, {document.path for document in scope.targets.inputs}
        base, now = self._terms(scope, options)
        suppressing = Suppressing(options.ignores, now.waivers)
        criteria = Criteria.of(
            settings, session.analyser, session.rulebook, options.profiles, suppressing
        )
        criteria = replace(criteria, checkout=checkout_of(session.project))
        compared = check_change(
            scope.targets.everything,
            self._before(scope, Suppressing(options.ignores, base.waivers)),
            criteria,
            jobs=options.jobs,
            accepted=self._accept,
        )
        judged = [*compared.now.findings, *compared.then.findings]
        parts = compared.parts
        compared.now.findings = parts.new
        shown = paths if now.waivers is None else {*paths, now.waivers.path}
        run = narrowed(compared.now, shown)
        base, now = (_converted(terms, judged) for terms in (base, now))
        exceptions = [
            *(loosening for loosening in compared.added if loosening.location.path in paths),
            *loosenings(base, now, session.rulebook.rules),
            *self._moved(scope, compared.then.coverage, compared.now.coverage),
        ]
        if exceptions:
            found = findings_of(exceptions, criteria.context, accepted=self._accept)
            run.findings = sorted([*run.findings, *found], key=in_order)
            run.texts = {**now.texts, **run.texts}
        known = [finding for finding in parts.known if finding.location.path in shown]
        return run, Known("base", self._base, known)

    @property
    def _asking(self) -> AbstractContextManager[None]:
        return refusing(GitError, f"--diff {self._base}")

    def _before(self, scope: Scope, suppressing: Suppressing) -> EarlierProject:
        session, project = scope.session, scope.session.project
        now = _documents(scope)
        past = self._at(project.root, self._base)
        with self._asking:
            files = [
                file
                for file in past.files(project.root, session.settings.exclude)
                if self.owners.of_file(file.place) == project
            ]
            same = frozenset(file.path for file in files if _holds(now.get(file.path), file))
            changed = [file for file in files if file.path not in same]
            inputs = [Input(path, data=data) for path, data in contents(past.top, changed)]
        return EarlierProject(same, inputs, suppressing, Checkout.of(past, project.root))

    def _moved(self, scope: Scope, then: Coverage, now: Coverage) -> Iterator[Loosening]:
        """The files that were checked, and that the change moves to where less is."""
        yield from _moved_in_part(then, now)
        unread = {row.path for row in now.files if row.status in _UNREAD}
        present = {row.path for row in now.files} - unread
        gone = {row.path: row for row in then.files if row.status == "checked"}
        gone = {path: row for path, row in gone.items() if path not in present}
        if not gone:
            return
        root = scope.session.project.root
        past = self._at(root, self._base)
        yield from _replaced_by_links(gone, root)
        found_now = discover([root], root)
        yield from _replaced_by_submodules(gone, root, found_now.empty)
        with self._asking:
            files = past.files(root)
            removed = [file for file in files if file.path in gone]
            known = {file.path for file in files} - gone.keys()
            elsewhere = self._arrivals(scope, found_now.files, known)
            arrivals = [*elsewhere, *_unread(scope, unread - known)]
            mqsc = {path for path, row in gone.items() if row.language == "mqsc"}
            found = list(moves(dict(contents(past.top, removed)), arrivals, mqsc))
        yield from found
        hidden = {loosening.location.path for loosening in found}
        languages = {path: gone[path].language for path in gone.keys() & unread - hidden}
        yield from _running_unread(scope, languages)

    def _arrivals(
        self, scope: Scope, files: Iterable[Path], known: Container[str]
    ) -> Iterator[Arrival]:
        """The files that are not `known`, and that the project does not check, or less strictly."""
        session, root = scope.session, scope.session.project.root
        for file in files:
            path, owner = display_path(file, root), self.owners.of_file(file)
            if path in known:
                continue
            other = session if owner == session.project else self.session_of(owner)
            pattern = Exclusion(owner.root, other.settings.exclude).pattern_of(file)
            why = f"which `exclude: {pattern}` excludes" if pattern is not None else ""
            if not why and owner != session.project and _is_looser(session, other):
                why = f"where the settings of {display_path(owner.root, root)} are less strict"
            data = read(file) if why else b""
            if isinstance(data, bytes) and why:
                yield Arrival(path, data, why)

    def _terms(self, scope: Scope, options: RunOptions) -> tuple[Terms, Terms]:
        first, root = self._first, scope.session.project.root
        past = self._judge(root)
        if first.config_named:
            then, now = replace(first, past=past, first=first), first
        else:
            then = replace(first.beside(Project(root, self._config_in(root))), past=past)
            now = first.beside(Project(root, config_in(root)))
        nested = () if first.config_named else _nested(scope.targets.everything)
        return self._then(then, options), replace(terms_of(now, options), nested=nested)

    def _then(self, session: Session, options: RunOptions) -> Terms:
        try:
            return terms_of(session, options)
        except (ConfigError, Refusal):
            if self._accept:
                return Terms()  # what is wrong there granted nothing
            raise

    def _config_in(self, folder: Path) -> Path | None:
        """The configuration in a folder at the commit; outside of checkouts that of now."""
        if git_top(folder) is None:
            return config_in(folder)
        past = self._judge(folder)
        return next((folder / name for name in CONFIG_NAMES if past.exists(folder / name)), None)

    def _judge(self, folder: Path) -> AtCommit:
        """The configuration files that judge: those of BASE itself, not of the merge base.

        The author of a change chooses its merge base, and could choose a commit of years ago.
        """
        return self._at(folder, self._base.removesuffix("..."))

    def _at(self, folder: Path, name: str) -> AtCommit:
        top = git_top(folder)
        if top is None:
            raise Refusal(f"--diff needs git: {folder}, the project folder, is not in a checkout")
        if (top, name) not in self._past:
            with self._asking:
                commit = self._commit_of(top, name)
                self._past[top, name] = AtCommit(top, commit, f" at {name}")
        return self._past[top, name]

    def _commit_of(self, top: Path, name: str) -> str:
        """The commit that a name stands for; of a submodule the one that BASE has of it.

        A submodule has branches of its own, which a change could choose.
        """
        outer = git_top(top.parent) if top != self._top else None
        if outer is not None and is_tracked(outer, path := top.relative_to(outer).as_posix()):
            known = submodule_at(outer, self._commit_of(outer, name), path)
            return known or empty_tree(top)
        return commit_of(top, name, or_empty=True)


def _unread(scope: Scope, paths: Container[str]) -> Iterator[Arrival]:
    """The files of a project that are in no language that is known."""
    for path, document in _documents(scope).items():
        data = document.load() if path in paths else None
        if isinstance(data, bytes):
            is_about_mq = mentions(data.decode(errors="replace"))
            yield Arrival(path, data, "which mqlint does not read", is_about_mq)


def _running_unread(scope: Scope, languages: Mapping[str, str | None]) -> Iterator[Loosening]:
    """The files that were scripts of MQ, and that run texts or files now which are not read.

    `languages` has what they were read as. Other scripts without a command of MQ may run any text.
    """
    documents = _documents(scope)
    names = names_of_files(documents)
    for path, language in languages.items():
        document = replace(documents[path], language=language or "")
        reading = load_for(document, Target(), Templates(), scope.session.analyser).reading
        if reading is None:
            continue
        missing = (at for name, at in reading.used_files if name.casefold() not in names)
        place = min((*reading.unfollowed, *missing), default=-1)
        if place >= 0:
            line = reading.lines.position(place).line
            location = Location(path, Position(line, 1), Position(line + 1, 1))
            what = f"hides commands of {path}: it runs a text or file that mqlint does not read"
            yield _avoided(what, location, path)


def _moved_in_part(then: Coverage, now: Coverage) -> Iterator[Loosening]:
    """The files that lost half of their MQSC or more, and run a text that is not read instead."""
    before = {row.path: row for row in then.files if row.status == "checked"}
    for row in now.files:
        past = before.get(row.path)
        if row.status != "checked" or past is None or not past.commands:
            continue
        followed, follows = (each.counts.get("not-followed", 0) for each in (past, row))
        if 2 * row.commands > past.commands or follows <= followed:
            continue
        known = {statement.text for statement in past.unjudged}
        unread = (each for each in row.unjudged if each.kind == "not-followed")
        place = next((each.line for each in unread if each.text not in known), 1)
        location = Location(row.path, Position(place, 1), Position(place + 1, 1))
        what = f"hides commands of {row.path}: it runs a text or file that mqlint does not read"
        yield _avoided(what, location, row.path)


def _documents(scope: Scope) -> dict[str, Input]:
    return {document.path: document for document in scope.targets.everything}


def _is_looser(session: Session, other: Session) -> bool:
    """Whether another project is judged by fewer rules, or less strictly."""
    rules = session.rulebook.rules
    lacks = rules.keys() - other.rulebook.rules.keys()
    return bool(lacks) or is_looser(session.settings, other.settings, rules)


def terms_of(session: Session, options: RunOptions) -> Terms:
    """Return what a project is judged by; Refusal or ConfigError where that is wrong."""
    root, config = session.project.root, session.project.config_path
    waivers = waivers_of(session, complete=True) if options.ignores else None
    known, file = Baseline(), session.baseline_path
    if file is not None:
        text = session.text_of(file, named=session.baseline is not None)
        known = Baseline(display_path(file, root), text, read_baseline(session, file))
    texts = {known.path: known.text}
    if waivers is not None:
        texts[waivers.path] = waivers.text
    shown = "" if config is None else display_path(config, root)
    if config is not None:
        texts[shown] = session.text_of(config, named=session.config_named)
    texts |= {shared.name: shared.text for shared in session.shared}
    compiled = compile_sources(session.own_policies, session.vocabulary)
    return Terms(
        settings=session.settings,
        config=shown,
        written=session.written,
        names={shared.path: shared.name for shared in session.shared},
        waivers=waivers,
        known=known,
        policies={
            policy["id"]: (display_path(source.path, root), policy)
            for source, policy in zip(session.own_policies, compiled, strict=True)
        },
        texts={path: without_secrets(text) for path, text in texts.items()},
    )


def _converted(terms: Terms, findings: Iterable[Finding]) -> Terms:
    """The terms with the current fingerprints in their baseline."""
    entries = converted(terms.known.entries, findings, terms.settings.repository)
    return replace(terms, known=replace(terms.known, entries=entries))


def _nested(files: Sequence[Input]) -> tuple[str, ...]:
    """The configurations that the change adds in folders of the project."""
    paths = (file.path.rpartition("/") for file in files)
    return tuple(f"{folder}/{name}" for folder, _, name in paths if folder and name in CONFIG_NAMES)


def _holds(now: Input | None, file: PastFile) -> bool:
    """Whether a file has the content that it had at the commit."""
    data = now.load() if now is not None else None
    return isinstance(data, bytes) and content_id(data, file.oid) == file.oid


_MOST_ALIKE = 8
"""A line that more of the removed files have tells nothing about where one of them is now."""

_LEAST_ALIKE = 3
"""From this number of common lines on, half of the shorter file is enough."""


@frozen
class Arrival:
    """A file that a change adds, where less is checked: its path, content and the reason.

    What is without `mq` may be the rest of a file whose commands of MQ are removed.
    """

    path: str
    data: bytes
    why: str
    mq: bool = True


def moves(
    gone: Mapping[str, bytes], arrivals: Iterable[Arrival], mqsc: Container[str]
) -> Iterator[Loosening]:
    """Yield the arrivals that have most lines of a file that the change removes.

    `mqsc` are the paths of those that hold nothing but MQSC.
    """
    sizes = {path: len(_lines(data)) for path, data in gone.items()}
    holders = grouped((line, path) for path, data in gone.items() for line in _lines(data))
    for arrival in arrivals:
        lines = _lines(arrival.data)
        shared: Counter[str] = Counter()
        for line in lines:
            paths = holders.get(line, ())
            shared.update(paths if len(paths) <= _MOST_ALIKE else ())
        source = next((path for path, data in gone.items() if data == arrival.data), None)
        if source is None and shared:
            source, number = shared.most_common(1)[0]
            least, most = sorted((sizes[source], len(lines)))
            is_alike = 2 * number >= (least if number >= _LEAST_ALIKE else most)
            if not is_alike or not (arrival.mq or source in mqsc):
                source = None
        if source == arrival.path:
            yield _avoided(f"hides {source}: mqlint no longer reads it", _start(source), source)
        elif source is not None:
            what = f"moves {source} to {arrival.path}, {arrival.why}"
            yield _avoided(what, _start(arrival.path), source)


def _replaced_by_links(gone: Iterable[str], root: Path) -> Iterator[Loosening]:
    """Yield the files that are links now, or in folders that are, to what is not in the project."""
    root = root.resolve()
    for path in gone:
        places = (*reversed((root / path).relative_to(root).parents[:-1]), Path(path))
        link = next((root / place for place in places if (root / place).is_symlink()), root)
        target = Path(os.path.realpath(link))
        if not (target.exists() and target.is_relative_to(root)):
            yield _avoided(
                f"replaces {path} by a link out of the project, or to nothing", _start(path), path
            )


def _replaced_by_submodules(
    gone: Iterable[str], root: Path, empty: Sequence[Path]
) -> Iterator[Loosening]:
    """Yield the files that are in folders of submodules now, which are not checked out."""
    for path in gone:
        folder = next((folder for folder in empty if folder in (root / path).parents), None)
        if folder is not None:
            what = f"replaces {path} by a file of a submodule that is not checked out"
            yield _avoided(what, _start(path), path)


def _start(path: str) -> Location:
    return Location(path, Position(1, 1), Position(2, 1))


def _avoided(what: str, location: Location, source: str) -> Loosening:
    return Loosening("setting-loosened", location, f"the change {what}", source, applies=True)


def _lines(data: bytes) -> set[bytes]:
    """Return the lines without what is the same to MQSC: blanks and the case of letters."""
    return {line for row in data.lower().splitlines() if (line := b" ".join(row.split()))}
