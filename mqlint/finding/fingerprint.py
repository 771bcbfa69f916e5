"""Fingerprints: the identity of a finding that survives line moves and file renames.

Made of the rule, the subject and a detail that the rule's kind chooses; never of a value, a
secret, a line, a path, a repository or a count of other things, so that it is the same in a hook,
in a pull request and in a scan of an estate. It tells apart the findings of one repository: those
of several repositories also differ by the repository's name beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mqlint.finding.finding import Finding, Subject
from mqlint.grouping import grouped
from mqlint.source.digest import hex_digest

SCHEME = "v2"
"""The way in which fingerprints are made, for whoever keeps them.

In `v1` the name of the repository stood for a site that is not known, and equal findings were
numbered by their place.
"""


def fingerprint(rule_id: str, subject: Subject, detail: str = "", repository: str = "") -> str:
    """Return the 32 hexadecimal digits that identify a finding of `rule_id` about `subject`.

    `detail` tells apart several findings of one rule about one subject, for example the word
    that was misspelt; it must not hold a value that may change or be secret. With `repository` it
    is what a repository of that name had in the scheme `v1`; without one both are alike.
    """
    if subject.queue_manager is not None:
        owner = ("qmgr", subject.site or repository, subject.queue_manager)
    else:
        owner = ("repository", repository, "")
    parts = (
        rule_id,
        *owner,
        subject.object_type or "",
        subject.object_name or "",
        subject.attribute or "",
        detail,
    )
    return _digest("\x1f".join(parts))


def with_ordinals(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order of place, equal fingerprints made distinct by `numbered`."""
    ordered = sorted(findings, key=_order)
    equal = grouped(
        ((finding.repository, finding.fingerprint), at) for at, finding in enumerate(ordered)
    )
    for (_, shared), members in equal.items():
        # By what is around them, not by place: a file that is renamed or moved changes nothing.
        members.sort(key=lambda at: ordered[at].location.around)
        own = numbered(shared, (ordered[at].location.around for at in members))
        for at, found in zip(members, own, strict=True):
            if found != shared:
                ordered[at] = replace(ordered[at], fingerprint=found, first=shared)
    return ordered


def numbered(shared: str, surroundings: Iterable[str]) -> Iterator[str]:
    """Yield a fingerprint for each finding of one repository with the fingerprint `shared`.

    They come in the order of what is around them (`Location.around`). The first keeps the
    fingerprint. The others get one by what stands around them, and a number where that is equal
    too: of one more, one fingerprint is new, and those that were there are there still.
    """
    before, number = None, 0
    for at, around in enumerate(surroundings):
        number = number + 1 if around == before else 1
        before = around
        yield _digest(f"{shared}\x1f{around}\x1f{number}") if at else shared


def _digest(text: str) -> str:
    return hex_digest(text.encode("utf-8", "surrogatepass"))[:32]


def _order(finding: Finding) -> tuple[object, ...]:
    return (finding.location, finding.rule.id, finding.fingerprint, finding.message)
