"""Fingerprints: the identity of a finding that survives line moves and file renames.

Made of the rule, the subject and a detail that the rule's kind chooses; never of a value, a
secret, a line, a path or a count of other things. Equal ones are told apart by an ordinal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from mqlint.finding.finding import Finding, Subject


def fingerprint(rule_id: str, subject: Subject, detail: str = "") -> str:
    """Return the 32 hexadecimal digits that identify a finding of `rule_id` about `subject`.

    `detail` tells apart several findings of one rule about one subject, for example the word
    that was misspelt; it must not hold a value that may change or be secret.
    """
    if subject.queue_manager is not None:
        owner = ("qmgr", subject.site or subject.repository, subject.queue_manager)
    else:
        owner = ("repository", subject.repository, "")
    parts = (
        rule_id,
        *owner,
        subject.object_type or "",
        subject.object_name or "",
        subject.attribute or "",
        detail,
    )
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def with_ordinals(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order of place, equal fingerprints made distinct by an ordinal.

    The first keeps its fingerprint, so that adding a second does not change the first.
    """
    ordered = sorted(findings, key=_order)
    seen: Counter[str] = Counter()
    result = []
    for finding in ordered:
        seen[finding.fingerprint] += 1
        ordinal = seen[finding.fingerprint]
        if ordinal > 1:
            text = f"{finding.fingerprint}\x1f{ordinal}"
            own = sha256(text.encode()).hexdigest()[:32]
            finding = replace(finding, fingerprint=own, first=finding.fingerprint)
        result.append(finding)
    return result


def _order(finding: Finding) -> tuple[object, ...]:
    return (finding.location, finding.rule.id, finding.fingerprint, finding.message)
