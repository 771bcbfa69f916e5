"""The rules of a SARIF log, and the program that has them."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint import HOME_PAGE, __version__
from mqlint.finding import Rule, Severity
from mqlint.report.json import Json
from mqlint.report.markdown import help_markdown, help_text, is_link
from mqlint.report.sarif.places import SHORT, braced, message_text


def driver_of(rules: Sequence[Rule]) -> dict[str, Json]:
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
        "shortDescription": {"text": message_text(rule.summary, SHORT)},
        "fullDescription": {
            "text": message_text(" ".join((rule.why or rule.summary).split()), SHORT)
        },
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
    return described


_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
"""The words of GitHub's own property of a rule."""
_SECURITY_GROUPS = frozenset({"security", "chlauth"})
_SECURITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.5", Severity.NOTE: "2.0"}
"""Scores that GitHub shows as high, medium and low (docs.github.com, "SARIF support for code
scanning", reportingDescriptor object)."""
