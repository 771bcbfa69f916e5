"""What executors need to judge, and what each of their processes builds from it once."""

from __future__ import annotations

import json
import pickle
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from mqlint.config.globs import Glob, compile_glob
from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly
from mqlint.engine.run import grading_of
from mqlint.estate.io.code import digest_of_code
from mqlint.estate.tables.writer import Sink
from mqlint.policy.build import Compiled
from mqlint.policy.judge import Grading
from mqlint.policy.rulebook import Rulebook
from mqlint.source.gc_control import gc_relaxed
from mqlint.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Book:
    """Compiled rules, with the values that repositories give to parameters.

    Where some are of one repository alone `rules` are those, and `shared` is the place, earlier in
    `Setup.books`, of the others.
    """

    rules: tuple[Compiled, ...]
    shared: int | None = None


@dataclass(frozen=True)
class Repository:
    """How one repository is judged: settings, severities, the place of its rules in `Setup.books`.

    Where its settings cannot be read `fault` tells why, and none of its files is judged; `faults`
    tell, by path, why files of its settings are not heeded. `digest` differs where judgements do.
    """

    settings: Settings = field(default_factory=Settings)
    grading: Grading = field(default_factory=Grading)
    book: int = 0
    fault: str = ""
    digest: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Own:
    """What one repository has of its own: compiled policies, and files that are not heeded."""

    policies: tuple[Compiled, ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Setup:
    """All that judging needs, in a form that can be sent: plain data, no open files.

    Every task of a scan is given one, which a process unpacks once. `repositories` go by their
    names; one that stands alone has none. `reading` and `judging` are digests of what readings and
    judgements depend on besides settings and documents, `digest` differs for setups that differ.
    """

    vocabulary: Mapping[str, Mapping[str, object]]
    books: tuple[Book, ...]
    repositories: Mapping[str, Repository]
    reading: str = ""
    judging: str = ""
    digest: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Be sent in one piece, which is the same for each task."""
        return _received, (self.digest, self._packed)

    @cached_property
    def _packed(self) -> bytes:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return zlib.compress(pickle.dumps(values))


def _received(digest: str, packed: bytes) -> Setup:
    """Return the setup that was sent: where the process has its tools, the one that they have."""
    known = _toolboxes.get(digest)
    if known is not None:
        return known.setup
    return Setup(**pickle.loads(zlib.decompress(packed)))  # noqa: S301 within what is one already


def setup_of(
    vocabulary: Mapping[str, Mapping[str, object]],
    rulebook: Rulebook,
    settings: Settings,
    profiles: Sequence[str] = (),
) -> Setup:
    """Return what executors need for one project: the compiled `vocabulary`, rules and settings.

    The rules go with the values that the settings give to parameters; ConfigError as of
    `Rulebook.tuned`.
    """
    return setup_for(vocabulary, rulebook, {"": settings}, {}, profiles)


def setup_for(
    vocabulary: Mapping[str, Mapping[str, object]],
    rulebook: Rulebook,
    settings: Mapping[str, Settings],
    faults: Mapping[str, str],
    profiles: Sequence[str] = (),
    own: Mapping[str, Own] = MappingProxyType({}),
) -> Setup:
    """Return what executors need for an estate of repositories, by their names.

    `faults` are those whose settings cannot be read, and why. Repositories that give parameters
    the same values share their rules; to these come the policies that each has of its `own`.
    ConfigError as of `Rulebook.tuned`.
    """
    shelf = _Shelf(rulebook)
    nothing = Own()
    repositories = {name: Repository(fault=said) for name, said in faults.items()}
    for name, one in settings.items():
        has = own.get(name, nothing)
        digest = _digest(repr(one), sorted(profiles), has.policies)
        repositories[name] = Repository(
            one, grading_of(one, profiles), shelf.place(one, has), "", digest, has.faults
        )
    reading = _digest(vocabulary, digest_of_code())
    judging = _digest(reading, list(rulebook.compiled))
    told = {name: [one.digest, one.fault, dict(one.faults)] for name, one in repositories.items()}
    whole = _digest(judging, told)
    return Setup(vocabulary, tuple(shelf.books), repositories, reading, judging, whole)


class _Shelf:
    """The rules of all repositories, equal ones once."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._places: dict[str, int] = {}
        self.books: list[Book] = []

    def place(self, settings: Settings, own: Own) -> int:
        """The place of the rules of a repository."""
        ids = {policy["id"] for policy in own.policies}
        of_own = [parameter for parameter in settings.parameters if parameter.rule in ids]
        others = [parameter for parameter in settings.parameters if parameter.rule not in ids]
        shared = self._put(None, repr(others), lambda: self._rulebook.tuned(others))
        if not ids:
            return shared
        key = _digest(repr(of_own), own.policies)
        return self._put(shared, key, lambda: Rulebook(own.policies).tuned(of_own))

    def _put(self, shared: int | None, key: str, make: Callable[[], Rulebook]) -> int:
        place = self._places.setdefault(f"{shared} {key}", len(self.books))
        if place == len(self.books):
            self.books.append(Book(tuple(make().compiled), shared))
        return place


def _digest(*parts: object) -> str:
    content = json.dumps(parts, sort_keys=True)
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


class Tools:
    """What it takes to judge the files of one repository."""

    def __init__(self, repository: Repository, assembly: Assembly, rulebook: Rulebook) -> None:
        """The rules are shared with other repositories."""
        self.repository = repository
        self.assembly = assembly
        self.rulebook = rulebook
        self.grading = repository.grading
        self._excluding: list[Glob] = [
            compile_glob(item, beneath=True, floating=True) for item in repository.settings.exclude
        ]

    def excludes(self, path: str) -> bool:
        """Whether the settings exclude a file."""
        own = self.assembly.placement.own(path)
        return any(glob.matches(own) for glob in self._excluding)


class Toolbox:
    """What a process builds from a setup: the parser, the rules and the assemblies."""

    def __init__(self, setup: Setup) -> None:
        """Build what all repositories share; the rest is built when it is asked for."""
        self.setup = setup
        self.vocabulary = Vocabulary.from_compiled(setup.vocabulary)
        self.analyser = Analyser(self.vocabulary)
        self._books: dict[int, Rulebook] = {}
        self._tools: dict[str, Tools] = {}

    def of(self, name: str) -> Tools:
        """Return the tools for a repository."""
        found = self._tools.get(name)
        if found is None:
            repository = self.setup.repositories.get(name, Repository(fault="it is not known"))
            assembly = Assembly(repository.settings, self.vocabulary, repository=name)
            book = self.book(repository.book) if self.setup.books else Rulebook(())
            found = self._tools[name] = Tools(repository, assembly, book)
        return found

    def book(self, place: int) -> Rulebook:
        """Return the rules at a place of `Setup.books`."""
        found = self._books.get(place)
        if found is None:
            book = self.setup.books[place]
            if book.shared is None:
                found = Rulebook(book.rules)
            else:
                found = Rulebook.extended(self.book(book.shared), book.rules)
            self._books[place] = found
        return found


_toolboxes: dict[str, Toolbox] = {}


def toolbox(setup: Setup) -> Toolbox:
    """Return this process's tools for `setup`, built at the first call."""
    found = _toolboxes.get(setup.digest)
    if found is None:
        _toolboxes.clear()
        found = _toolboxes[setup.digest] = Toolbox(setup)
    gc_relaxed()  # each time: Spark's Python collects after each task, and a parser thaws
    return found


@dataclass(frozen=True)
class Job:
    """What the stages of one scan are given.

    That is the setup, the folder of what scans keep, and where tables are written.
    """

    setup: Setup
    keep: Path
    sink: Sink
