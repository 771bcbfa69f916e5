"""The register of queue managers that people keep, compared with what files describe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.config.csv_reader import read_csv
from mqlint.dataclass import frozen
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.document_findings import project_finding
from mqlint.finding import Finding, Location, Position, Subject
from mqlint.grouping import grouped

FILE_NAME = "queue-managers.csv"
"""The usual name of a register."""

_NAME, _SITE = "queue_manager", "site"


@frozen
class Registered:
    """A line of the register; `site` is None if the register does not name it."""

    queue_manager: str
    site: str | None
    path: str
    line: int


@frozen(order=True)
class DescribedManager:
    """A queue manager that files of a repository describe; `path` is one of these files."""

    queue_manager: str
    site: str
    repository: str
    path: str

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.queue_manager, self.site, self.repository


@frozen
class Match:
    """A queue manager of the register, of the files, or of both.

    `first` is the line of the register that lists it already, None for its first line.
    """

    registered: Registered | None
    described: DescribedManager | None
    first: int | None = None

    @property
    def queue_manager(self) -> str:
        found = self.registered or self.described
        return found.queue_manager if found is not None else ""

    @property
    def site(self) -> str | None:
        """Its site; that of the files if they have one."""
        of_files = self.described.site if self.described is not None else ""
        return of_files or (self.registered.site if self.registered is not None else None) or None


def register_from(text: str, path: str) -> tuple[Registered, ...]:
    """Return the lines of a register: CSV with `queue_manager` and optionally `site`.

    ConfigError if it is not CSV or the column is missing.
    """
    return tuple(
        Registered(row[_NAME].strip(), row[_SITE].strip() or None, path, line)
        for line, row in read_csv(text, path, (_NAME,), (_SITE,))
        if row[_NAME].strip()
    )


def matches(register: Sequence[Registered], described: Iterable[DescribedManager]) -> list[Match]:
    """Return each queue manager of the register and of the files once, in order of names.

    They match by name and site, and the rest by name alone, because the register and the files may
    name a site differently, and a site may be guessed from a folder.
    """
    by_name = grouped(
        (manager.queue_manager, manager)
        for manager in sorted({manager.identity: manager for manager in described}.values())
    )
    found, unmatched = [], []
    lines: dict[tuple[str, str | None], int] = {}
    for entry in register:
        first = lines.setdefault((entry.queue_manager, entry.site), entry.line)
        if first != entry.line:
            found.append(Match(entry, None, first))
            continue
        managers = by_name.get(entry.queue_manager, [])
        same = [manager for manager in managers if entry.site in (None, manager.site)]
        by_name[entry.queue_manager] = [other for other in managers if other not in same]
        found += [Match(entry, manager) for manager in same]
        if not same:
            unmatched.append(entry)
    for entry in unmatched:
        managers = by_name.get(entry.queue_manager, [])
        found.append(Match(entry, managers.pop(0) if managers else None))
    found += [Match(None, manager) for managers in by_name.values() for manager in managers]
    return sorted(found, key=lambda match: (match.queue_manager, match.site or ""))


def register_findings(found: Iterable[Match], context: JudgingContext) -> Iterator[Finding]:
    """Yield a finding for each queue manager that one side lacks, or that the register repeats."""
    for match in found:
        if match.registered is not None and match.first is not None:
            code, problem = "queue-manager-listed-twice", f"line {match.first} lists it already"
            path, line = match.registered.path, match.registered.line
        elif match.described is None and match.registered is not None:
            code, problem = "queue-manager-without-files", "no file that was read describes it"
            path, line = match.registered.path, match.registered.line
        elif match.registered is None and match.described is not None:
            code, problem = "queue-manager-not-registered", "the register does not list it"
            path, line = match.described.path, 1
        else:
            continue
        at = Location(path, Position(line, 1), Position(line, 1))
        subject = Subject(match.site, match.queue_manager, "qmgr", match.queue_manager)
        finding = project_finding(context, code, problem, at, subject=subject)
        if finding is not None:
            yield finding
