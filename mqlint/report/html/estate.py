"""What the tables of a scan add to a report: whose repositories are, and earlier scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from mqlint.dataclass import frozen
from mqlint.finding import Finding

Key = tuple[str, str]
"""What identifies a finding in an estate: its repository and its fingerprint."""


@frozen
class Repository:
    """A repository: its team, how much of it was read, and why the rest was not."""

    name: str
    team: str = ""
    checked: int = 0
    unreadable: int = 0
    not_recognised: int = 0
    commands: int = 0
    understood: int = 0
    fault: str = ""


@frozen
class Control:
    """A control of a framework, such as a standard, and the ids of its rules."""

    name: str
    title: str
    rules: Sequence[str] = ()


@frozen
class Count:
    """The number of findings of a scan with one site, team and severity (1 to 3)."""

    site: str
    team: str
    severity: int
    number: int


@frozen
class PassCount:
    """How many verdicts of rules a scan has with one site and team, and how many of them pass."""

    site: str
    team: str
    passed: int
    total: int


@frozen
class EarlierScan:
    """A scan in numbers: its id, when it began (UTC, ISO 8601), its findings and verdicts."""

    scan: str
    began: str
    counts: Sequence[Count] = ()
    passed: Sequence[PassCount] = ()


@frozen
class Verdicts:
    """How many rules of the queue managers of a site have each verdict.

    Of the faults, exceptions cover `excepted`.
    """

    site: str
    passed: int = 0
    failed: int = 0
    excepted: int = 0
    unknown: int = 0


@frozen
class Estate:
    """What is known of an estate beside a report.

    `scans` are those of which the numbers are known, the oldest first, the last one that of the
    report. `new` are the findings that the one before did not have; None if it is the only one.
    `fixed` are those that only the one before had. `first_seen` tells when the earliest scan that
    has a finding began (UTC, ISO 8601). `verdicts` are those of each site, `missing` the values
    that are most often not known, with the number of verdicts that they leave open.
    """

    repositories: Sequence[Repository] = ()
    scans: Sequence[EarlierScan] = ()
    new: frozenset[Key] | None = None
    fixed: Sequence[Finding] = ()
    first_seen: Mapping[Key, str] = field(default_factory=dict)
    controls: Sequence[Control] = ()
    verdicts: Sequence[Verdicts] = ()
    missing: Sequence[tuple[str, int]] = ()
