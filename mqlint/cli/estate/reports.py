"""A report for each repository, for the code scanning of that repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.cli.common.output import Output, make_folder, write
from mqlint.finding import Checked, Coverage, FileCoverage, Finding
from mqlint.patterns import later
from mqlint.report.report import Report

if TYPE_CHECKING:
    from mqlint.estate.stages.scan import Scan

_FOREIGN = later(r"[^A-Za-z0-9._-]+")
_WHOLE = "mqlint"


def write_each(report: Report, scan: Scan, folder: Path) -> None:
    """Write `folder/NAME.sarif` for each repository; Refusal where that cannot be.

    A repository in which nothing was found has one too: that is how code scanning learns that
    what it showed is mended.
    """
    make_folder(folder)
    for name, part in _parts(report, scan):
        write(part, [Output("sarif", folder / f"{file_name(name)}.sarif")], "never")


def file_name(name: str) -> str:
    """Return the name of a file for a repository: its own, if that can be the name of a file."""
    if not name:
        return _WHOLE
    plain = _FOREIGN.sub("-", name).strip("-.")[:80]
    digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return plain if plain == name else f"{plain or _WHOLE}-{digest[:8]}"


def _parts(report: Report, scan: Scan) -> Iterator[tuple[str, Report]]:
    """The report of each repository, its paths as the repository has them."""
    from mqlint.estate.io.sources import repository_of

    names = scan.configuration.setup.repositories
    found = _shared(report.findings)
    ignored = _shared(report.ignored)
    known = [(group, _shared(group.findings)) for group in report.known]
    files: Mapping[str, list[FileCoverage]] = defaultdict(list)
    for row in report.coverage.files:
        name = repository_of(row.path, names)
        files[name].append(replace(row, path=_own(row.path, name)))
    for name in sorted(names):
        yield (
            name,
            replace(
                report,
                findings=found[name],
                ignored=ignored[name],
                known=[
                    replace(group, findings=parts[name]) for group, parts in known if parts[name]
                ],
                coverage=Coverage(
                    tuple(files[name]),
                    scan.checked.get(name, Checked()).without(files[name]),
                    scan.waiting.get(name, {}),
                ),
                in_force=[
                    layer
                    for layer in report.in_force
                    if layer.path is None or not name or layer.path == name
                ],
            ),
        )


def _shared(findings: Iterable[Finding]) -> Mapping[str, list[Finding]]:
    parts: Mapping[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        name, place = finding.repository, finding.location
        parts[name].append(replace(finding, location=replace(place, path=_own(place.path, name))))
    return parts


def _own(path: str, name: str) -> str:
    return path.removeprefix(f"{name}/") if name else path
