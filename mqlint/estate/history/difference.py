"""Two scans compared: which findings are new, which are fixed, which remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Final

from mqlint.dataclass import NamedTuple, frozen
from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import scan_at
from mqlint.grouping import grouped

_Columns = tuple[str | None, ...]


class _Finding(NamedTuple):
    """A row of the table: its group, what it shares with others like it, its subject, its cells."""

    group: _Columns
    shared: _Columns
    subject: _Columns
    cells: _Columns


_Findings = dict[_Columns, _Finding]
"""Findings by repository and fingerprint."""

_KEY = ("repository", "fingerprint", "shared_fingerprint")
_SUBJECT = (
    *("repository", "rule", "site", "queue_manager", "object_type", "object_name", "attribute"),
    "path",
)
"""The columns that identify a finding if two scans made fingerprints in different ways."""


LISTED: Final = (
    *("severity", "rule", "repository", "path", "line", "site", "queue_manager"),
    *("object_type", "object_name", "message", "fingerprint"),
)
"""The columns of a listed finding, after whether it is new or fixed."""


@frozen
class Difference:
    """How the findings of two scans differ.

    `rows` has one for each group of findings: its values, and how many are new, fixed and
    remaining. `changes` has one for each new and each fixed finding: which of both, and the columns
    LISTED. `schemes` are the ways in which the scans made fingerprints. Where they differ
    `by_subject` counts the findings that remain by their subject and file, not their fingerprint.
    """

    rows: Sequence[Sequence[object]]
    changes: Sequence[Sequence[object]]
    schemes: tuple[str, str]
    by_subject: int


def difference(before: Path, after: Path, by: Sequence[str]) -> Difference:
    """Compare the findings of two scans, in groups by columns of the table `findings`.

    `before` and `after` are what `scan_at` takes. A finding is the same as another of its
    repository by its fingerprint; of identical findings, the lower of the two numbers
    remains. One that remains is counted where it is now, as its severity may have changed. Groups
    come in order. NoScanError as of `scan_at`.
    """
    (old_scheme, old), (scheme, now) = _findings(before, by), _findings(after, by)
    new = {key: finding for key, finding in now.items() if key not in old}
    gone = {key: finding for key, finding in old.items() if key not in now}
    _pair_off(gone, new, attrgetter("shared"))
    by_subject = 0
    if old_scheme != scheme:
        by_subject = _pair_off(gone, new, attrgetter("subject"))
    remaining = {key: finding for key, finding in now.items() if key not in new}
    counts = [
        Counter(finding.group for finding in found.values()) for found in (new, gone, remaining)
    ]
    groups = sorted({*chain(*counts)}, key=lambda values: [text or "" for text in values])
    lines = [(*group, *(count[group] for count in counts)) for group in groups]
    changes = [
        (change, *finding.cells)
        for change, found in (("new", new), ("fixed", gone))
        for finding in found.values()
    ]
    changes.sort(key=lambda cells: [str(cell or "") for cell in (cells[3], cells[4], *cells)])
    return Difference(lines, changes, (old_scheme, scheme), by_subject)


def _pair_off(gone: _Findings, new: _Findings, alike: Callable[[_Finding], _Columns]) -> int:
    """Take findings that are alike out of both, a pair at a time; return the number of pairs."""
    waiting = grouped((alike(finding), key) for key, finding in gone.items())
    pairs = 0
    for key, finding in list(new.items()):
        same = waiting.get(alike(finding))
        if same:
            del gone[same.pop()], new[key]
            pairs += 1
    return pairs


def _findings(out: Path, by: Sequence[str]) -> tuple[str, _Findings]:
    """The scheme of fingerprints of a scan, and its findings."""
    found: _Findings = {}
    folder, manifest = scan_at(out)
    for row in table_rows(folder, manifest, "findings", (*_KEY, *_SUBJECT, *LISTED, *by)):
        repository, fingerprint, shared = (row[name] for name in _KEY)
        found[repository, fingerprint] = _Finding(
            tuple(row[name] for name in by),
            (repository, shared or fingerprint),
            tuple(row[name] for name in _SUBJECT),
            tuple(row[name] for name in LISTED),
        )
    return manifest.fingerprints, found
