"""Variables of a script that have a known value before the script runs."""

from __future__ import annotations

from mqlint.source.budget import Budget


class Variables(dict[str, str]):
    """The known values of variables, by name.

    To replace a name by its value copies the value, so `expanded` spends the budget of the
    document. `missed` are the names that were asked for and are not known, in order; None if they
    are not collected.
    """

    __slots__ = ("_budget", "missed")

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self._budget = budget
        self.missed: list[str] | None = None

    def expanded(self, name: str) -> str | None:
        """Return the value to put in the place of `name`; None if it is not known."""
        value = self.get(name)
        if value is None and self.missed is not None:
            self.missed.append(name)
        return value if value is not None and self._budget.spend(len(value)) else None
