"""The steps that judge one connection, as they are taken."""

from __future__ import annotations

from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import Check, Outcome, Verdict


class Walk:
    """The steps so far: checks, assumptions (`taken`), and a record that only warns."""

    def __init__(self, record: Record | None, warned: Record | None) -> None:
        self.record = record
        self.checks: list[Check] = []
        self.taken: list[str] = []
        self.warned = warned
        self.enabled = True
        if warned is not None:
            self.check("warning", f"{warned.written()} has WARN(YES)")

    def check(self, step: str, result: str) -> None:
        self.checks.append(Check(step, result))

    def end(self, verdict: Verdict, user: str | None, why: str) -> Outcome:
        if verdict is Verdict.ALLOWED and self.warned is not None:
            verdict = Verdict.WARNED
        record = self.record or self.warned
        taken = tuple(dict.fromkeys(self.taken))
        return Outcome(verdict, user, record, why, tuple(self.checks), taken)

    def reason(self) -> str:
        """Return why a connection is allowed if no record refuses it."""
        if not self.enabled:
            return "CHLAUTH(DISABLED): no record is checked"
        if self.record is None:
            return "no record matches it" if self.warned is None else "the record only warns"
        return {"MAP": "the record maps it", "CHANNEL": "the record permits it"}.get(
            self.record.source or "", "the record only warns"
        )
