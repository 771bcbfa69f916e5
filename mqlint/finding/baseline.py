"""Baselines: the findings that were there when a team began, so that only new ones count.

A baseline is a multiset of findings by their fingerprint, which holds no line, path or value. Of
identical findings as many are known as were recorded, first those in the surroundings and at the
path that were recorded. Written as JSON, one finding a line in a fixed
order, so that two versions of the file can be compared by line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import astuple, fields, replace
from itertools import chain
from operator import attrgetter

from mqlint.config.json_reader import read_json
from mqlint.dataclass import frozen
from mqlint.finding.finding import Finding
from mqlint.finding.fingerprint import fingerprint
from mqlint.grouping import grouped
from mqlint.patterns import later

FILE_NAME = "mqlint-baseline.json"
"""The default name of the file."""

VERSION = 2
"""Raised when a reader of the file would have to know. In version 1 no entry has a `context`, and
fingerprints hold the repository's name if `mqlint.yaml` gives one: see `converted`."""

_FINGERPRINT = later(r"[0-9a-f]{32}\Z")
_CONFLICT = later(r"(?m)^(?:<{7}|={7}|>{7})")


class BaselineError(ValueError):
    """A file that is not a baseline; the text of the error says why."""


@frozen(order=True)
class BaselineEntry:
    """One finding that is known.

    `fingerprint` is its identity, shared by those that cannot be told from it; all else is for
    people, blank if it does not apply. `object` is its type and name, `path` is the file of the
    finding when it was recorded, and `context` a digest of the text around it.
    """

    rule: str
    name: str = ""
    site: str = ""
    queue_manager: str = ""
    object: str = ""
    attribute: str = ""
    path: str = ""
    fingerprint: str = ""
    context: str = ""

    @classmethod
    def of(cls, finding: Finding) -> BaselineEntry:
        rule, subject = finding.rule, finding.subject
        named = " ".join(filter(None, (subject.object_type, subject.object_name)))
        owner = (subject.site or "", subject.queue_manager or "", named, subject.attribute or "")
        place = finding.location
        return cls(rule.id, rule.name, *owner, place.path, finding.shared_fingerprint, place.around)

    @property
    def words(self) -> str:
        owner = "/".join(filter(None, (self.site, self.queue_manager)))
        parts = (self.rule, self.name, owner, self.object, self.attribute, self.path)
        return " ".join(filter(None, parts))


_KEYS = tuple(field.name for field in fields(BaselineEntry))


@frozen
class Split:
    """Findings parted by what is known: `new` and `known`, each in their order.

    `stale` are the entries that no finding matches.
    """

    new: list[Finding]
    known: list[Finding]
    stale: list[BaselineEntry]


def split(
    findings: Sequence[Finding],
    entries: Iterable[BaselineEntry],
    entry_of: Callable[[Finding], BaselineEntry] = BaselineEntry.of,
) -> Split:
    """Part findings by a multiset of entries."""
    known, stale = _matched([entry_of(finding) for finding in findings], entries)
    return Split(
        [finding for at, finding in enumerate(findings) if at not in known],
        [finding for at, finding in enumerate(findings) if at in known],
        stale,
    )


def surplus(entries: Iterable[BaselineEntry], over: Iterable[BaselineEntry]) -> list[BaselineEntry]:
    """Return the entries less as many of each fingerprint as there are in `over`."""
    entries = list(entries)
    less, _ = _matched(entries, over)
    return [entry for at, entry in enumerate(entries) if at not in less]


_ALIKE: tuple[Callable[[BaselineEntry], Hashable], ...] = (
    attrgetter("fingerprint", "context", "path"),
    attrgetter("fingerprint", "context"),
    attrgetter("fingerprint", "path"),
    attrgetter("fingerprint"),
)
"""What is compared, the best match first: what is left over is what came with a change."""


def _matched(
    wanted: Sequence[BaselineEntry], entries: Iterable[BaselineEntry]
) -> tuple[set[int], list[BaselineEntry]]:
    """Match each of `wanted` with one of the entries of its fingerprint while there are some.

    Return the indices of those that are matched, and the entries that are left.
    """
    matched: set[int] = set()
    left = sorted(entries)
    for key in _ALIKE:
        if not left:
            break
        waiting = grouped((key(entry), entry) for entry in reversed(left))
        for at, entry in enumerate(wanted):
            if at not in matched and waiting.get(key(entry)):
                waiting[key(entry)].pop()
                matched.add(at)
        left = sorted(chain.from_iterable(waiting.values()))
    return matched, left


def converted(
    entries: Iterable[BaselineEntry], findings: Iterable[Finding], repository: str
) -> tuple[BaselineEntry, ...]:
    """Return entries with the fingerprints that the findings they were made of have today.

    In version 1 what belongs to no queue manager of a site had the name of its repository in its
    fingerprint. An entry that was made of none of the findings stays as it is.
    """
    if not repository:
        return tuple(entries)  # both schemes give the same
    today = {
        fingerprint(
            finding.rule.id, finding.subject, finding.detail, repository
        ): finding.shared_fingerprint
        for finding in findings
    }
    return tuple(
        replace(entry, fingerprint=today.get(entry.fingerprint, entry.fingerprint))
        for entry in entries
    )


def written(entries: Iterable[BaselineEntry]) -> Iterator[str]:
    """Yield the text of a baseline; equal multisets give equal texts."""
    yield f'{{"version": {VERSION}, "findings": ['
    separator = "\n"
    for entry in sorted(entries):
        cells = {
            key: _plain(value) for key, value in zip(_KEYS, astuple(entry), strict=True) if value
        }
        yield separator + json.dumps(cells)
        separator = ",\n"
    yield "\n]}\n"


def _plain(text: str) -> str:
    """Text without the halves of a character that no file can hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def parsed(data: bytes) -> tuple[BaselineEntry, ...]:
    """Return the entries of a baseline; BaselineError if the bytes are not a baseline."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BaselineError("it is not UTF-8") from None
    try:
        found = read_json(text)
    except ValueError as error:
        raise BaselineError(_complaint(text, error)) from None
    if not isinstance(found, dict) or "version" not in found or "findings" not in found:
        raise BaselineError("it is not a baseline: create one with `mqlint baseline create`")
    version = found["version"]
    if type(version) is not int or not 1 <= version <= VERSION:
        raise BaselineError(
            f"its version is not between 1 and {VERSION}, which this mqlint can read"
        )
    if not isinstance(found["findings"], list):
        raise BaselineError("`findings` is not a list")
    return tuple(_entry(cells, at) for at, cells in enumerate(found["findings"], 1))


def _complaint(text: str, error: ValueError) -> str:
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        return f"line {line} is part of a merge conflict: keep the lines of both sides"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not valid JSON at line {error.lineno}, column {error.colno}"
    return "it is not valid JSON"


def _entry(cells: object, at: int) -> BaselineEntry:
    if not isinstance(cells, dict):
        raise BaselineError(f"finding {at} is not an object")
    unknown = [key for key in cells if key not in _KEYS]
    if unknown:
        raise BaselineError(f"finding {at} has the unknown key {unknown[0][:40]!r}")
    wrong = [key for key, value in cells.items() if not isinstance(value, str)]
    if wrong:
        raise BaselineError(f"finding {at}: {wrong[0]} is not text")
    if not cells.get("rule") or not _FINGERPRINT.match(cells.get("fingerprint", "")):
        raise BaselineError(f"finding {at} lacks a rule or a fingerprint of 32 digits")
    return BaselineEntry(**cells)
