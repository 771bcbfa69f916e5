"""The last lines of a report for people: how much was found, and how much was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import STATUSES, UNCOUNTED, UNJUDGED, Coverage, Finding, Severity
from mqlint.report.report import Known, Report
from mqlint.report.terminal import counted, wrap

_MOST_SHOWN = 5


@frozen
class SummaryHints:
    """Where a reader finds what the summary only counts: suppressed findings, rules, and files.

    `shown` are the paths of unreadable files that lines above the summary name.
    """

    ignored: str = " (--no-ignores shows them)"
    rules: str = " (see --verbose)"
    files: str = " (see --verbose)"
    shown: Collection[str] = ()


_OPTIONS = SummaryHints()


def summary(
    report: Report, width: int, *, verbose: bool = False, more: SummaryHints = _OPTIONS
) -> Iterator[str]:
    """Yield the lines of the summary; one when nothing was found, ignored, assumed or unjudged.

    With `verbose` all that was not read or not judged is listed.
    """
    findings, coverage = report.findings, report.coverage
    read = f"{_files(coverage)}{_commands(coverage)}"
    if findings:
        found, paths = _counts(findings)
        number = counted(len(paths), "file")
        yield from wrap(f"{_of_severities(found)} in {number}.", width)
        yield from wrap(f"{read}.", width)
    else:
        yield from wrap(f"No {'new ' * bool(report.known)}findings: {read}.", width)
    yield from _unjudged(coverage, width)
    yield from _waiting(coverage, width, more, verbose=verbose)
    if report.ignored:
        yield from wrap(f"{_ignored(report.ignored)}{more.ignored}.", width)
    for known in report.known:
        yield from _known(known, width)
    if report.in_force:
        from mqlint.report.in_force import block  # here, as most runs have nothing in force

        yield from block(report.in_force, width)
    for text in report.assumptions:
        yield from wrap(text, width, "assumed: ")
    for status, word in _NOT_READ:
        yield from _not_read(coverage, status, word, width, more, verbose=verbose)
    yield from _statements(coverage, width, more, verbose=verbose)
    if findings and report.root:
        yield from wrap(f"paths are relative to {report.root}", width)
    if findings:
        yield f"next: mqlint explain {_foremost(found)}"
    for command in report.advice:
        yield f"next: {command}"


def _statements(
    coverage: Coverage, width: int, more: SummaryHints, *, verbose: bool
) -> Iterator[str]:
    """Yield each statement that was checked in part or not at all, with its place and why.

    Without `verbose` only the first ones that were not followed: nothing in them is checked.
    """
    found = [
        (row, statement)
        for row, statement in coverage.statements()
        if verbose or statement.kind == "not-followed"
    ]
    shown = len(found) if verbose else _MOST_SHOWN
    for row, statement in found[:shown]:
        why = f" ({statement.reason})" if statement.reason else ""
        text = f"{row.path}:{statement.line}{why}: {statement.text}"
        yield from wrap(text, width, f"{UNJUDGED[statement.kind]}: ")
    if len(found) > shown:
        yield f"not followed: {len(found) - shown:,} more{more.files}"


def _ignored(findings: Sequence[Finding]) -> str:
    waived = sum(
        finding.ignored is not None and finding.ignored.by == "waiver" for finding in findings
    )
    reasons = (
        (len(findings) - waived, "ignored by comments in the files"),
        (waived, "waived"),
    )
    return ", ".join(f"{counted(number, 'finding')} {how}" for number, how in reasons if number)


def _known(known: Known, width: int) -> Iterator[str]:
    """The sentence about findings that are not new."""
    where = "in the baseline" if known.kind == "baseline" else "already in"
    number = counted(len(known.findings), "existing finding")
    yield from wrap(f"{number} ({where} {known.source}) hidden.", width)
    if known.stale:
        text = f"baseline entries that no longer match a finding: {len(known.stale):,}"
        yield from wrap(f"{text} (to remove them: mqlint baseline update)", width)
        for entry in known.stale[:_MOST_SHOWN]:
            yield from wrap(entry.words, width, "stale: ")
        if len(known.stale) > _MOST_SHOWN:
            yield f"stale: {len(known.stale) - _MOST_SHOWN:,} more (mqlint baseline show)"


def severity_counts(findings: Sequence[Finding]) -> str:
    """Return how many findings each severity has, the worst first."""
    return _of_severities(_counts(findings)[0]) or "no findings"


_Counts = Counter[tuple[Severity, str]]
"""How many findings a rule has of a severity."""


def _counts(findings: Iterable[Finding]) -> tuple[_Counts, set[str]]:
    """The counts and the files of findings, in one pass: they may be read from a file."""
    counts: _Counts = Counter()
    paths = set()
    for finding in findings:
        counts[finding.severity, finding.rule.id] += 1
        paths.add(finding.location.path)
    return counts, paths


def _of_severities(counts: _Counts) -> str:
    numbers: Counter[Severity] = Counter()
    for (severity, _), number in counts.items():
        numbers[severity] += number
    return ", ".join(counted(numbers[key], key.word) for key in sorted(numbers, reverse=True))


def _files(coverage: Coverage) -> str:
    """How many files were read, and how many were not."""
    words = [f"{counted(coverage.count('checked'), 'file')} checked"]
    for status, phrase in STATUSES.items():
        if status != "checked" and (number := coverage.count(status)):
            words.append(f"{number:,} {phrase}")
    return ", ".join(words)


def _commands(coverage: Coverage) -> str:
    """The share of commands understood, never rounded up: all but one is not 100 %."""
    seen, understood = coverage.commands, coverage.understood
    if not seen:
        return ""
    if seen == understood:
        return f"; {counted(seen, 'command')}, all understood"
    share = 1000 * understood // seen / 10
    return f"; {understood:,} of {counted(seen, 'command')} understood ({share} %)"


_NOT_READ = (
    ("unreadable", "unreadable"),
    ("excluded", "excluded"),
    ("not-recognised", "not read"),
    ("without-mq", "no MQ configuration"),
    ("checked", "read in part"),
)


def _unjudged(coverage: Coverage, width: int) -> Iterator[str]:
    """Yield the number of statements that were checked without their context or a value."""
    of_which = (
        ("not-followed", "that may have commands of MQ, which mqlint could not follow"),
        ("may-not-run", "in a branch, loop or function: checked separately"),
        ("unknown-value", "with an unknown value (template or variable)"),
    )
    for kind, words in of_which:
        if number := coverage.unjudged(kind):
            yield from wrap(f"{counted(number, 'statement')} {words}.", width)


def _waiting(coverage: Coverage, width: int, more: SummaryHints, *, verbose: bool) -> Iterator[str]:
    """Yield the number of rules that need more configuration, or with `verbose` their ids."""
    for key, rules in coverage.waiting.items() if verbose else ():
        yield from wrap(f"{', '.join(rules)}", width, f"rules that need `{key}`: ")
    if coverage.waiting and not verbose:
        number = len({rule for rules in coverage.waiting.values() for rule in rules})
        keys = ", ".join(f"`{key}`" for key in coverage.waiting)
        need = "rule needs" if number == 1 else "rules need"
        yield from wrap(f"{number:,} {need} {keys} in mqlint.yaml{more.rules}.", width)


def _not_read(
    coverage: Coverage, status: str, word: str, width: int, more: SummaryHints, *, verbose: bool
) -> Iterator[str]:
    """The files of a status, with the reason: the first ones, or all.

    Those that could not be read are shown in any case, of others those that have a reason.
    """
    always = status in ("unreadable", "excluded") or (verbose and status != "checked")
    rows = [
        row
        for row in coverage.files
        if row.status == status and (always or row.reason not in UNCOUNTED)
        if status != "unreadable" or row.path not in more.shown
    ]
    shown = len(rows) if verbose else _MOST_SHOWN
    for row in rows[:shown]:
        reason = f": {row.reason}" if row.reason else ""
        yield from wrap(row.path + reason, width, f"{word}: ")
    if len(rows) > shown:
        yield f"{word}: {len(rows) - shown:,} more{more.files}"


def _foremost(counts: _Counts) -> str:
    """The rule to look at first: of the worst severity, and of those the most frequent."""
    return min(counts, key=lambda key: (-key[0], -counts[key], key[1]))[1]
