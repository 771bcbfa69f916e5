"""SARIF 2.1.0, the format of code scanning (docs.oasis-open.org/sarif/sarif/v2.1.0).

A result's region holds the tokens at fault; an end column is the one behind the last character,
as ours are. Results stand worst first, then those that are known, then the suppressed: of more
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
from mqlint.finding import SCHEME, STATUSES, Finding, Location, Related, Rule, Severity
from mqlint.report.excerpt import Sources
from mqlint.report.json import Json, dump, in_force_object
from mqlint.report.line_hash import LineHashes
from mqlint.report.markdown import help_markdown, help_text, is_link
from mqlint.report.report import Report, Style
from mqlint.report.terminal import counted, visible
from mqlint.report.text import owner_of
from mqlint.report.uri import in_checkout, is_absolute, uri_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MAX_RESULTS = 25_000
"""GitHub takes no run with more results."""

MAX_STORED = 5_000
"""GitHub keeps no more results of a run than this."""

MAX_COMPRESSED = 10_000_000
"""GitHub takes no file that is larger than this after gzip, in bytes."""

MAX_LOCATIONS = 100
"""GitHub keeps no more locations of a result than this."""

_NOTES = 100
_LONG = 2_000
_SHORT = 1_000
_LINE = 200
_LINKS = 10
_LABEL = 100
_BASE = "%SRCROOT%"


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one SARIF log with one run; the same findings always give the same text."""
    known = [finding for part in report.known for finding in part.findings]
    findings = [*_worst_first(report.findings), *_worst_first(known)]
    findings += _worst_first(report.ignored)
    ids = sorted({finding.rule.id: finding.rule for finding in findings}.items())
    rules = [rule for _, rule in ids]
    index = {rule_id: at for at, (rule_id, _) in enumerate(ids)}
    driver = _driver(rules)
    states = _states(report)
    write = _Results(report, index)
    written = (
        dump(write.result(finding) | state)
        for finding, state in zip(findings[:MAX_RESULTS], states, strict=False)
    )
    results = _within_limits(written, MAX_COMPRESSED * 19 // 20 - _packed(dump(driver)))
    notes = _cuts(len(findings), len(results))
    for note in notes:
        report.warn(note)
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{\n"tool": '
    yield dump({"driver": driver}) + ',\n"columnKind": "unicodeCodePoints",\n"results": ['
    yield "\n" * bool(results) + ",\n".join(results) + "\n],\n"
    rest = dump({**_ABOUT, "invocations": [_invocation(report, notes)]})
    yield rest[1:-1] + "\n}]}\n"


_ABOUT: Mapping[str, Json] = {
    "automationDetails": {"id": "mqlint/"},
    "originalUriBaseIds": {_BASE: {"description": {"text": "The root of the checkout."}}},
}


def _worst_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -finding.severity)


def _states(report: Report) -> Iterator[dict[str, Json]]:
    """What each result says of findings before, nothing where the run compares with none.

    A result that is known is marked, not left out: a reader takes one that is missing for mended.
    """
    known = sum(len(part.findings) for part in report.known)
    for state, number in (("new", len(report.findings)), ("unchanged", known)):
        yield from repeat({"baselineState": state} if report.known else {}, number)
    yield from repeat({}, len(report.ignored))


def _within_limits(results: Iterable[str], room: int) -> list[str]:
    """The results that fit into `room` bytes when they are compressed."""
    kept: list[str] = []
    plain = packed = 0
    packer = zlib.compressobj(6)
    for result in results:
        data = result.encode()
        plain += len(data)
        packed += len(packer.compress(data))
        if plain > room and packed > room:
            break
        kept.append(result)
    return kept


def _packed(text: str) -> int:
    return len(zlib.compress(text.encode(), 6))


def _cuts(found: int, kept: int) -> list[str]:
    """What is to be said about results that are left out, here or at GitHub."""
    if kept < found:
        return [
            f"SARIF: {counted(found - kept, 'finding')} of {found:,} left out, the least severe, "
            "to stay within what GitHub accepts"
        ]
    if kept > MAX_STORED:
        return [f"SARIF: GitHub will keep {MAX_STORED:,} of {found:,} findings"]
    return []


def _driver(rules: Sequence[Rule]) -> dict[str, Json]:
    home: dict[str, Json] = {"informationUri": HOME_PAGE} if HOME_PAGE else {}
    return {
        "name": "mqlint",
        "version": __version__,
        "semanticVersion": __version__,
        **home,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Rule) -> dict[str, Json]:
    links = sorted(filter(is_link, rule.see), key=lambda link: not link.startswith("https:"))
    severity = rule.severity.get("default") or max(rule.severity.values(), default=Severity.NOTE)
    is_security = rule.group in _SECURITY_GROUPS
    described: dict[str, Json] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": _text(rule.summary, _SHORT)},
        "fullDescription": {"text": _text(" ".join((rule.why or rule.summary).split()), _SHORT)},
        "help": {"text": _braced(help_text(rule)), "markdown": _braced(help_markdown(rule))},
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
    return described


_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
"""The words of GitHub's own property of a rule."""

_SECURITY_GROUPS = frozenset({"security", "chlauth"})
_SECURITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.5", Severity.NOTE: "2.0"}
"""Scores that GitHub shows as high, medium and low (docs.github.com, "SARIF support for code
scanning", reportingDescriptor object)."""


class _Results:
    """Writes the results of a report."""

    def __init__(self, report: Report, index: Mapping[str, int]) -> None:
        """`index` has the place of each rule. Texts are asked from `report` file by file."""
        self._index = index
        self._below = report.below
        self._is_suppressing = bool(report.ignored)
        self._text_of = report.text_of
        self._sources = Sources(report)
        self._hashes: tuple[str, LineHashes | None] = ("", None)
        self._incidents: dict[tuple[str, str], list[Finding]] = {}
        for finding in report.findings:
            if finding.incident is not None:
                key = finding.rule.id, finding.incident
                self._incidents.setdefault(key, []).append(finding)

    def result(self, finding: Finding) -> dict[str, Json]:
        """Return one result; if one of a run says whether it is suppressed, all do (3.27.23)."""
        related = self._related(finding)
        where = finding.location
        result: dict[str, Json] = {
            "ruleId": finding.rule.id,
            "ruleIndex": self._index[finding.rule.id],
            "level": finding.severity.word,
            "message": {"text": _text(finding.message, _LONG) + _links(related)},
            "locations": [{**self._place(where), **_logical(finding)}],
            "partialFingerprints": {
                f"mqlint/{SCHEME}": finding.fingerprint,
                **self._line_hash(where),
            },
            "properties": _properties(finding),
        }
        if self._is_suppressing:
            result["suppressions"] = _suppressions(finding)
        if related:
            result["relatedLocations"] = [
                {
                    "id": number,
                    **_place(place.location, self._below),
                    "message": {"text": _text(place.message, _LONG)},
                }
                for number, place in enumerate(related, 1)
            ]
        return result

    def _related(self, finding: Finding) -> Sequence[Related]:
        """The related places, and those of the first other findings of its incident."""
        key = finding.rule.id, finding.incident or ""
        shown = {finding.location, *(place.location for place in finding.related)}
        others = (
            Related(other.location, owner_of(other) or other.message)
            for other in self._incidents.get(key, ())[: _LINKS + 1]
            if other.location not in shown
        )
        return [*finding.related, *others][: MAX_LOCATIONS - 1]

    def _place(self, where: Location) -> dict[str, Json]:
        """A place with its line as viewers show it."""
        excerpt = self._sources.excerpt(where, _LINE)
        if excerpt is None:
            return _place(where, self._below)
        line = where.start.line
        context: Json = {
            "startLine": line,
            "endLine": line,
            "snippet": {"text": excerpt.line},
        }
        physical: Json = {**_physical(where, self._below), "contextRegion": context}
        return {"physicalLocation": physical}

    def _line_hash(self, where: Location) -> dict[str, Json]:
        path, hashes = self._hashes
        if path != where.path:
            text = self._text_of(where.path)
            hashes = None if text is None else LineHashes(text)
            self._hashes = where.path, hashes
        value = None if hashes is None else hashes.of_line(where.start.line)
        return {} if value is None else {"primaryLocationLineHash": value}


def _links(related: Sequence[Related]) -> str:
    """Links from a message to the first related places, by their numbers (3.11.6)."""
    words = []
    for number, place in enumerate(related[:_LINKS], 1):
        label = visible(place.message)[:_LABEL].replace("\\", "\\\\")
        label = label.replace("[", "\\[").replace("]", "\\]")
        words.append(f"[{_braced(label) or 'here'}]({number})")
    return f" (see {', '.join(words)})" if words else ""


def _suppressions(finding: Finding) -> list[Json]:
    if finding.ignored is None:
        return []
    excuse = finding.ignored
    kind = "external" if excuse.by == "waiver" else "inSource"
    reason = _text(excuse.reason, _LONG)
    named = {"owner": excuse.owner, "ticket": excuse.ticket, "expires": excuse.expires}
    more = {key: visible(value) for key, value in named.items() if value}
    suppression: dict[str, Json] = {"kind": kind}
    if reason:
        suppression["justification"] = reason
    if more:
        suppression["properties"] = more
    return [suppression]


def _properties(finding: Finding) -> dict[str, Json]:
    subject = finding.subject
    values = {
        "confidence": finding.rule.confidence.word,
        "group": finding.rule.group,
        "incident": finding.incident,
        "repository": finding.repository or None,
        "queueManager": subject.queue_manager,
        "site": subject.site,
        "objectType": subject.object_type,
        "objectName": subject.object_name,
        "attribute": subject.attribute,
    }
    return {key: visible(value) for key, value in values.items() if value is not None}


def _place(where: Location, below: str) -> dict[str, Json]:
    return {"physicalLocation": _physical(where, below)}


def _physical(where: Location, below: str) -> dict[str, Json]:
    return {
        "artifactLocation": _artifact(where.path, below),
        "region": {
            "startLine": where.start.line,
            "startColumn": where.start.column,
            "endLine": where.end.line,
            "endColumn": where.end.column,
        },
    }


def _artifact(path: str, below: str) -> dict[str, Json]:
    uri = uri_of(in_checkout(path, below))
    return {"uri": uri} if is_absolute(path) else {"uri": uri, "uriBaseId": _BASE}


def _logical(finding: Finding) -> dict[str, Json]:
    """The MQ object, for viewers that can sort by it."""
    subject = finding.subject
    if subject.object_name is None or not subject.object_name.strip():
        return {}
    owner = [word for word in (subject.site, subject.queue_manager, subject.object_type) if word]
    name = visible(subject.object_name)
    full = "/".join([*map(visible, owner), name])
    return {"logicalLocations": [{"name": name, "fullyQualifiedName": full, "kind": "resource"}]}


def _invocation(report: Report, notes: Sequence[str]) -> dict[str, Json]:
    left_out = [row for row in report.coverage.files if row.status in _LEVELS]
    unread = [row for row in left_out if row.status == "unreadable"]
    stale = [entry for known in report.known for entry in known.stale]
    notifications: list[Json] = [{"level": "warning", "message": {"text": note}} for note in notes]
    notifications += [
        {
            "level": _LEVELS[row.status],
            "message": {"text": _text(f"not read: {row.reason or STATUSES[row.status]}", _LONG)},
            "locations": [
                {"physicalLocation": {"artifactLocation": _artifact(row.path, report.below)}}
            ],
        }
        for row in sorted(left_out, key=lambda row: _LEVELS[row.status])[:_NOTES]
    ]
    guesses: list[Json] = [
        {"level": "note", "message": {"text": _text(text, _LONG)}}
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
        "exitCodeDescription": _text(report.outcome or _EXITS.get(report.status, ""), _SHORT),
        "toolExecutionNotifications": notifications,
        "toolConfigurationNotifications": guesses,
        "properties": {
            **_coverage(report),
            **(
                {"inForce": [in_force_object(layer) for layer in report.in_force]}
                if report.in_force
                else {}
            ),
        },
    }


_LEVELS = {"unreadable": "error", "excluded": "note", "not-recognised": "note"}
"""How bad it is that a file was not checked, in words of SARIF and in their order."""


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
        "statementsThatMayNotRun": coverage.unjudged("may-not-run"),
        "commandsWithUnknownValues": coverage.unjudged("unknown-value"),
    }


def _text(text: str, most: int) -> str:
    """Text of a message: no control character, no link of a file's making, not too long."""
    shown = visible(text)
    if len(shown) > most:
        shown = shown[: most - 3] + "..."
    if "](" in shown:
        shown = shown.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return _braced(shown)


def _braced(text: str) -> str:
    """Braces stand for placeholders in SARIF; doubled they stand for themselves (3.11.5)."""
    return text.replace("{", "{{").replace("}", "}}")
