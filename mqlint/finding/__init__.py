"""What the tool says: rules, diagnostics, locations, findings and their fingerprints."""

from mqlint.finding.finding import Coverage, FileCoverage, Finding, Related, Subject
from mqlint.finding.fingerprint import fingerprint, with_ordinals
from mqlint.finding.location import Location
from mqlint.finding.rule import Confidence, Diagnostic, Rule, Severity
from mqlint.finding.suppression import Suppression
from mqlint.source.lines import Position

__all__ = [
    "Confidence",
    "Coverage",
    "Diagnostic",
    "FileCoverage",
    "Finding",
    "Location",
    "Position",
    "Related",
    "Rule",
    "Severity",
    "Subject",
    "Suppression",
    "fingerprint",
    "with_ordinals",
]
