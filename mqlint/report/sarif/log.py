"""SARIF 2.1.0, the format of code scanning (docs.oasis-open.org/sarif/sarif/v2.1.0).

A result's region holds the tokens at fault. An end column is the one after the last character, as
in mqlint. Results are sorted: worst first, then known ones, then suppressed ones. Of more
than 5,000 GitHub keeps 5,000, and of more than 25,000, or of more than 10 MB compressed, it takes
nothing (docs.github.com, "SARIF results exceed one or more limits"), so what is over is cut from
the end. GitHub shows a related location only if the message links to it, and follows an alert by
`primaryLocationLineHash` alone. Source lines are those of the text without its secrets.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat

from mqlint import HOME_PAGE, __version__
from mqlint.config.estate.controls import Control
from mqlint.dataclass import frozen
from mqlint.finding import STATUSES, Finding, Rule, Severity
from mqlint.grouping import grouped
from mqlint.report.json import Json, dump, in_force_object
from mqlint.report.markdown import help_markdown, help_text, is_link
from mqlint.report.report import Report, Style
from mqlint.report.sarif.places import BASE, LONG, SHORT, artifact, braced, message, message_text
from mqlint.report.sarif.results import Results
from mqlint.report.terminal import counted

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MAX_RESULTS = 25_000
"""Limit of the results of a run that GitHub accepts."""

MAX_STORED = 5_000
"""Limit of the results that GitHub stores of a run."""

MAX_COMPRESSED = 10_000_000
"""Limit of a file that GitHub accepts, in bytes after gzip."""


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one SARIF log with one run; the same findings always give the same text."""
    known = [finding for part in report.known for finding in part.findings]
    findings = [*_worst_first(report.findings), *_worst_first(known)]
    findings += _worst_first(report.ignored)
    ids = sorted({finding.rule.id: finding.rule for finding in findings}.items())
    rules = [rule for _, rule in ids]
    index = {rule_id: at for at, (rule_id, _) in enumerate(ids)}
    taxonomies = _Taxonomies.of(report.controls)
    driver = driver_of(rules, taxonomies)
    states = _states(report)
    write = Results(report, index)
    written = (
        dump(write.result(finding) | state)
        for finding, state in zip(findings[:MAX_RESULTS], states, strict=False)
    )
    packed = zlib.compress(dump(driver).encode(), 6)
    results = _within_limits(written, MAX_COMPRESSED * 19 // 20 - len(packed))
    notes = _cuts(len(findings), len(results))
    for note in notes:
        report.warn(note)
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{\n"tool": '
    yield dump({"driver": driver}) + ',\n"columnKind": "unicodeCodePoints",\n"results": ['
    yield "\n" * bool(results) + ",\n".join(results) + "\n],\n"
    rest = dump(
        {
            **_ABOUT,
            "invocations": [invocation_of(report, notes)],
            **({"taxonomies": taxonomies.described()} if report.controls else {}),
        }
    )
    yield rest[1:-1] + "\n}]}\n"


_ABOUT: Mapping[str, Json] = {
    "automationDetails": {"id": "mqlint/"},
    "originalUriBaseIds": {BASE: {"description": {"text": "The root of the checkout."}}},
}


def _worst_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -finding.severity)


def _states(report: Report) -> Iterator[dict[str, Json]]:
    """What each result says of findings before, nothing if the run compares with none.

    Known results are marked, not omitted, because a viewer treats a missing result as fixed.
    """
    known = sum(len(part.findings) for part in report.known)
    for state, number in (("new", len(report.findings)), ("unchanged", known)):
        yield from repeat({"baselineState": state} if report.known else {}, number)
    yield from repeat({}, len(report.ignored))


def _within_limits(results: Iterable[str], room: int) -> list[str]:
    """The results that fit into `room` bytes when they are compressed."""
    stored: list[str] = []
    plain = packed = 0
    packer = zlib.compressobj(6)
    for result in results:
        data = result.encode()
        plain += len(data)
        packed += len(packer.compress(data))
        if plain > room and packed > room:
            break
        stored.append(result)
    return stored


def _cuts(found: int, stored: int) -> list[str]:
    """Return notes about results that mqlint or GitHub omits."""
    if stored < found:
        return [
            f"SARIF: {counted(found - stored, 'finding')} of {found:,} left out, the least severe, "
            "to stay within what GitHub accepts"
        ]
    if stored > MAX_STORED:
        return [f"SARIF: GitHub will keep {MAX_STORED:,} of {found:,} findings"]
    return []


def driver_of(rules: Sequence[Rule], taxonomies: _Taxonomies) -> dict[str, Json]:
    supported = taxonomies.supported()
    home: dict[str, Json] = {"informationUri": HOME_PAGE} if HOME_PAGE else {}
    return {
        "name": "mqlint",
        "version": __version__,
        "semanticVersion": __version__,
        **home,
        **({"supportedTaxonomies": supported} if supported else {}),
        "rules": [_rule(rule, taxonomies.relationships(rule.id)) for rule in rules],
    }


def _rule(rule: Rule, relationships: Sequence[Json]) -> dict[str, Json]:
    links = sorted(filter(is_link, rule.see), key=lambda link: not link.startswith("https:"))
    severity = rule.severity.get("default") or max(rule.severity.values(), default=Severity.NOTE)
    is_security = rule.group in _SECURITY_GROUPS
    described: dict[str, Json] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": message(rule.summary, SHORT),
        "fullDescription": message(" ".join((rule.why or rule.summary).split()), SHORT),
        "help": {"text": braced(help_text(rule)), "markdown": braced(help_markdown(rule))},
        "defaultConfiguration": {"level": severity.word},
        "properties": {
            # The schema wants each once, and one group has the name of the mark.
            "tags": [*dict.fromkeys(("ibm-mq", *["security"] * is_security, rule.group))],
            "group": rule.group,
            "confidence": rule.confidence.word,
            "precision": rule.confidence.word,
            "problem.severity": _PROBLEM[severity],
            **({"security-severity": _SECURITY[severity]} if is_security else {}),
        },
    }
    if HOME_PAGE:
        described["helpUri"] = f"{HOME_PAGE}/policies/{rule.id}"
    elif links:
        described["helpUri"] = links[0]
    if rule.aliases:
        described["deprecatedIds"] = list(rule.aliases)
    if relationships:
        described["relationships"] = list(relationships)
    return described


_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
"""The words of GitHub's own property of a rule."""
_SECURITY_GROUPS = frozenset({"security", "chlauth"})
_SECURITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.5", Severity.NOTE: "2.0"}
"""Scores that GitHub shows as high, medium and low (docs.github.com, "SARIF support for code
scanning", reportingDescriptor object)."""


_NOTES = 100


def invocation_of(report: Report, notes: Sequence[str]) -> dict[str, Json]:
    """Return the run, with `notes` on what the log leaves out."""
    left_out = [row for row in report.coverage.files if row.status in _LEVELS]
    unread = [row for row in left_out if row.status == "unreadable"]
    stale = [entry for known in report.known for entry in known.stale]
    notifications: list[Json] = [{"level": "warning", "message": {"text": note}} for note in notes]
    notifications += [
        {
            "level": _LEVELS[row.status],
            "message": message(f"not read: {row.reason or STATUSES[row.status]}", LONG),
            "locations": [{"physicalLocation": artifact(row.path, report.below)}],
        }
        for row in sorted(left_out, key=lambda row: _LEVELS[row.status])[:_NOTES]
    ]
    guesses: list[Json] = [
        {"level": "note", "message": message(text, LONG)}
        for text in (
            *(f"assumed: {assumption}" for assumption in report.assumptions[:_NOTES]),
            *(f"stale in the baseline: {entry.words}" for entry in stale[:_NOTES]),
            *(f"in force: {text}" for text in _in_force(report)),
            *(
                f"rules that need {key} in mqlint.yaml: {', '.join(rules)}"
                for key, rules in report.coverage.waiting.items()
            ),
        )
    ]
    return {
        # Not where what was asked for was not done: a file was not read, or nothing was recognised.
        "executionSuccessful": report.status in (0, 1) and not unread,
        "exitCode": report.status,
        "exitCodeDescription": message_text(report.outcome or _EXITS.get(report.status, ""), SHORT),
        "toolExecutionNotifications": notifications,
        "toolConfigurationNotifications": guesses,
        "properties": {
            **_coverage(report),
            **({"inForce": [*map(in_force_object, report.in_force)]} if report.in_force else {}),
        },
    }


_LEVELS = {"unreadable": "error", "excluded": "note", "not-recognised": "note"}
"""The SARIF levels of files that were not checked, in order of severity."""


def _in_force(report: Report) -> list[str]:
    if not report.in_force:
        return []
    from mqlint.report.in_force import sentence  # here, as most runs have nothing in force

    return [sentence(layer) for layer in report.in_force[:_NOTES]]


_EXITS = {
    0: "no finding at or above the threshold",
    1: "a finding at or above the threshold exists",
    3: "folders were searched and no file was recognised",
}


def _coverage(report: Report) -> dict[str, Json]:
    coverage = report.coverage
    return {
        "filesChecked": coverage.count("checked"),
        "filesWithoutMq": coverage.count("without-mq"),
        "filesNotRecognised": coverage.count("not-recognised"),
        "filesUnreadable": coverage.count("unreadable"),
        "filesExcluded": coverage.count("excluded"),
        "commands": coverage.commands,
        "commandsUnderstood": coverage.understood,
        "statementsNotFollowed": coverage.unjudged("not-followed"),
        "statementsThatMayNotRun": coverage.unjudged("may-not-run"),
        "commandsWithUnknownValues": coverage.unjudged("unknown-value"),
    }


@frozen
class _Taxonomies:
    """The controls by framework, and in each by id; several files may map the same control."""

    frameworks: Sequence[tuple[str, Sequence[tuple[str, Sequence[Control]]]]] = ()

    @classmethod
    def of(cls, controls: Iterable[Control]) -> _Taxonomies:
        frameworks = grouped((control.framework, control) for control in controls)
        return cls(
            [
                (name, list(grouped((control.id, control) for control in found).items()))
                for name, found in frameworks.items()
            ]
        )

    def described(self) -> list[Json]:
        """Return what the run says of them."""
        return [
            {"name": name, "taxa": [_taxon(key, found) for key, found in controls]}
            for name, controls in self.frameworks
        ]

    def supported(self) -> list[Json]:
        return [{"name": name, "index": at} for at, (name, _) in enumerate(self.frameworks)]

    def relationships(self, rule: str) -> list[Json]:
        return [
            {
                "target": {
                    "id": key,
                    "index": place,
                    "toolComponent": {"name": name, "index": at},
                },
                "kinds": ["relevant"],
            }
            for at, (name, controls) in enumerate(self.frameworks)
            for place, (key, found) in enumerate(controls)
            if any(rule in control.rules for control in found)
        ]


def _taxon(key: str, found: Sequence[Control]) -> Json:
    title = next((control.title for control in found if control.title), "")
    return {
        "id": key,
        **({"shortDescription": message(title, SHORT)} if title else {}),
    }
