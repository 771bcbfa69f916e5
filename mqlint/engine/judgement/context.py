"""The inputs of judging, for a whole project."""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.finding import Rule, Severity
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.grading import Grading
from mqlint.source.checkout import Checkout


@frozen(eq=False)
class JudgingContext:
    """The assembly, the rules and their severities.

    `checkout` has the files that documents may name, None if that is not known.
    """

    assembly: Assembly
    rulebook: Rulebook
    grading: Grading
    checkout: Checkout | None = None

    def severity(self, rule: Rule, path: str) -> Severity | None:
        """Return the severity of `rule` for what one document says; None when it does not run."""
        role = self.assembly.placement.role_of(path)
        return self.grading.severity_in(self.profiles_at(path), rule, role)

    def profiles_at(self, path: str) -> frozenset[str]:
        """Return all profiles that judge what a document says."""
        role = self.assembly.placement.role_of(path)
        return self.grading.profiles_at(role, self.assembly.profiles_of(path))
