"""The output of mqlint: rules, diagnostics, locations, findings and their fingerprints."""

from mqlint.finding.finding import (
    DOCUMENT,
    NO_TEXT,
    STATUSES,
    UNCOUNTED,
    UNJUDGED,
    Awaited,
    Checked,
    Coverage,
    Excuse,
    FileCoverage,
    Finding,
    Proposal,
    Related,
    Subject,
    Suppression,
    Unjudged,
    rules_waiting,
)
from mqlint.finding.fingerprint import SCHEME, fingerprint, numbered, with_ordinals
from mqlint.finding.location import Location, below
from mqlint.finding.rule import Confidence, Diagnostic, Rule, Severity, diagnostic, names_of
from mqlint.source.lines import Position

__all__ = [
    "DOCUMENT",
    "NO_TEXT",
    "SCHEME",
    "STATUSES",
    "UNCOUNTED",
    "UNJUDGED",
    "Awaited",
    "Checked",
    "Confidence",
    "Coverage",
    "Diagnostic",
    "Excuse",
    "FileCoverage",
    "Finding",
    "Location",
    "Position",
    "Proposal",
    "Related",
    "Rule",
    "Severity",
    "Subject",
    "Suppression",
    "Unjudged",
    "below",
    "diagnostic",
    "fingerprint",
    "names_of",
    "numbered",
    "rules_waiting",
    "with_ordinals",
]
