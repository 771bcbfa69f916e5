"""A finding: one rule broken by one thing at one place; and what a run did and did not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Literal

from mqlint.dataclass import frozen
from mqlint.finding.fix import fix_for
from mqlint.finding.location import Location, below
from mqlint.finding.rule import Rule, Severity
from mqlint.source.lines import Position

SIGN = "mqlint:"
"""Part of every such comment: a quick test that excludes most texts."""


@frozen
class Suppression:
    """One such comment.

    `rules` are the words in its brackets, as written; `reason` is what follows them, blank when
    nothing does. `start` and `end` are where the comment is, `since` and `until` (not included)
    what it covers: a finding that begins there. Nothing is covered when both are equal.
    """

    rules: tuple[str, ...]
    reason: str
    start: Position
    end: Position
    since: Position
    until: Position


@frozen(shared="site queue_manager object_type attribute subtype")
class Subject:
    """What a finding is about.

    `queue_manager` and `site` are None if they are not known. `object_type` is the lower-case word
    of MQ (`channel`, `qlocal`, `qmgr`, `stanza`, `step` ...). `subtype` is its CHLTYPE or AUTHTYPE.
    """

    site: str | None = None
    queue_manager: str | None = None
    object_type: str | None = None
    object_name: str | None = None
    attribute: str | None = None
    subtype: str | None = None


@frozen
class Related:
    """Another place that helps to understand a finding, and what is there."""

    location: Location
    message: str


@frozen
class Excuse:
    """Why a finding is suppressed.

    `by` is a comment in the file, whose `reason` may be blank, or a waiver, which has an owner
    and perhaps a ticket and the day (YYYY-MM-DD) on which it ends; they are blank elsewhere.
    """

    reason: str
    by: Literal["comment", "waiver"] = "comment"
    owner: str = ""
    ticket: str = ""
    expires: str = ""


@frozen
class Proposal:
    """A proven fix of a finding: a stretch of its file, and what is put in its place.

    A fix that is not safe changes what a script does, or lets a command run that is rejected as it
    is.
    """

    start: Position
    end: Position
    text: str
    is_safe: bool


@frozen
class Finding:
    """One rule broken by one subject at one place.

    `incident` is equal for all findings of one group that is wrong as a whole, None otherwise.
    `fingerprint` identifies the finding in its repository across runs, line moves and file
    renames; of several with an equal one all but the first get a fingerprint of their own, and keep
    that of the first in `first`. `detail` distinguished it from others of its rule and subject when
    its fingerprint was made. `repository` is the repository or project of a run about several in
    which it lies, blank in a run about one. `ignored` says why the finding is suppressed, None
    when it is not. `proposal` is a fix, in a run that looks for fixes.
    """

    rule: Rule
    severity: Severity
    message: str
    location: Location
    subject: Subject
    fingerprint: str
    incident: str | None = None
    related: tuple[Related, ...] = ()
    ignored: Excuse | None = None
    first: str = ""
    detail: str = ""
    repository: str = ""
    proposal: Proposal | None = None

    @property
    def fix(self) -> str:
        """What to do, as its rule says, with the name of the object."""
        return fix_for(self.rule.fix, self.subject)

    @property
    def shared_fingerprint(self) -> str:
        """The fingerprint that this finding shares with indistinguishable ones."""
        return self.first or self.fingerprint

    def below(self, folder: str) -> Finding:
        """Return the finding as it is from above the project's `folder`, which ends in a slash.

        Its paths begin with the folder, and that is its repository.
        """
        related = tuple(
            replace(place, location=_moved(place.location, folder)) for place in self.related
        )
        location, name = _moved(self.location, folder), folder.rstrip("/")
        return replace(self, location=location, related=related, repository=name)


def _moved(location: Location, folder: str) -> Location:
    return replace(location, path=below(folder, location.path))


NO_TEXT = "not a text file"
"""Why a file was not recognised that is none of MQ's."""

DOCUMENT = "a document: name it to check the commands in it"
"""Why a document with commands of MQ was not read that a search of folders found."""

UNCOUNTED = frozenset({None, NO_TEXT, DOCUMENT})
"""Reasons of files that no search is to check; those with other reasons are of MQ."""


STATUSES: Mapping[str, str] = {
    "checked": "checked",
    "without-mq": "without MQ configuration",
    "not-recognised": "not recognised",
    "unreadable": "unreadable",
    "excluded": "excluded",
}
"""What may become of a file, with the words of a report for people.

A file without MQ configuration is in a language that is mostly used for other things. An excluded
file is counted only if the command line names it.
"""


UNJUDGED: Mapping[str, str] = {
    "not-understood": "not understood",
    "not-followed": "not followed",
    "may-not-run": "checked separately",
    "unknown-value": "unknown value",
}
"""Why a statement was judged in part or not at all, with the words of a report for people."""

NO_OWNER, LOST, ABSENT_FILE = "unknown queue manager", "unknown input", "not a file of the project"
UNREAD_FILE = "a file that mqlint does not read"
REASONS = ("function", "branch", "loop", NO_OWNER, LOST, ABSENT_FILE, UNREAD_FILE)
"""More of it: where a statement is that may not run, what is unknown, or what is not followed."""


@frozen(order=True)
class Unjudged:
    """A statement that was checked in part or not at all.

    `kind` is a word of `UNJUDGED`, `reason` one of `REASONS`, or blank.
    """

    line: int
    text: str
    kind: str
    reason: str = ""


@frozen
class Awaited:
    """A statement that is not followed if no file of the project has this name; blank for none.

    `is_fed` is true if it gives the file to a queue manager: then the file must be read too.
    """

    name: str
    statement: Unjudged
    is_fed: bool = False


@frozen
class FileCoverage:
    """What became of one file: `status` is a word of `STATUSES`.

    `reason` says why a file could not be read, or what a file of MQ is that is not read; of one
    that is checked, what in it is unknown as its budget is spent.
    `commands` counts the MQSC commands in it, `understood` those that parse and whose
    attributes the vocabulary knows well enough to check. `counts` are the numbers of statements
    that were checked in part or not at all, by the words of `UNJUDGED`; `unjudged` are the first
    of each kind, by line.
    """

    path: str
    status: str
    language: str | None = None
    encoding: str | None = None
    reason: str | None = None
    commands: int = 0
    understood: int = 0
    counts: Mapping[str, int] = field(default_factory=dict, compare=False)
    unjudged: tuple[Unjudged, ...] = field(default=(), compare=False)

    @property
    def is_missed(self) -> bool:
        """Whether it was to be checked and was not, or is of MQ and mqlint cannot read it."""
        if self.status == "not-recognised":
            return self.reason not in UNCOUNTED
        return self.status in ("unreadable", "excluded")

    @property
    def gaps(self) -> tuple[str, ...]:
        """What in it is not understood, and the reason why it was not read as a whole."""
        missed = self.commands - self.understood
        commands = f"{missed} of {self.commands} commands not understood" if missed else ""
        return tuple(filter(None, (commands, self.reason)))


@frozen
class Checked:
    """Files that were checked, and the MQSC commands in them, as of `FileCoverage`."""

    files: int = 0
    commands: int = 0
    understood: int = 0

    def without(self, rows: Iterable[FileCoverage]) -> Checked:
        """Return the others, less files that have rows of their own."""
        found = [row for row in rows if row.status == "checked"]
        return Checked(
            self.files - len(found),
            self.commands - sum(row.commands for row in found),
            self.understood - sum(row.understood for row in found),
        )


def rules_waiting(
    parts: Iterable[Mapping[str, tuple[str, ...]]],
) -> dict[str, tuple[str, ...]]:
    """Return the rules that wait in one of the parts, by what they wait for."""
    found: dict[str, set[str]] = {}
    for part in parts:
        for key, rules in part.items():
            found.setdefault(key, set()).update(rules)
    return {key: tuple(sorted(rules)) for key, rules in sorted(found.items())}


@frozen
class Coverage:
    """What a run read: a row a file, sorted by path.

    Of a whole estate there are rows of those files alone that were not checked, or only in part;
    the others are counted in `checked`. `waiting` are the rules that have something to judge and
    are silent for want of a key in the configuration, by that key.
    """

    files: tuple[FileCoverage, ...] = field(default_factory=tuple)
    checked: Checked = field(default_factory=Checked)
    waiting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def commands(self) -> int:
        return self.checked.commands + sum(row.commands for row in self.files)

    @property
    def understood(self) -> int:
        return self.checked.understood + sum(row.understood for row in self.files)

    def count(self, status: str) -> int:
        counted = self.checked.files if status == "checked" else 0
        return counted + sum(row.status == status for row in self.files)

    @property
    def missed(self) -> int:
        """Number of files that were to be checked and were not, or that mqlint cannot read."""
        return sum(row.is_missed for row in self.files)

    def unjudged(self, kind: str) -> int:
        """Number of statements that were judged in part or not at all, of one kind."""
        return sum(row.counts.get(kind, 0) for row in self.files)

    def statements(self) -> Iterator[tuple[FileCoverage, Unjudged]]:
        """Yield the statements that were judged in part or not at all, with their files."""
        return ((row, statement) for row in self.files for statement in row.unjudged)

    def checked_paths(self) -> Iterator[str]:
        return (row.path for row in self.files if row.status == "checked")
