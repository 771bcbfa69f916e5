"""Variables of a script whose values are known before it runs."""

from __future__ import annotations

from mqlint.source.budget import Budget


class Variables(dict[str, str]):
    """What variables hold, by their names.

    A value that is put in the place of its name is a copy: `expanded` spends the document's budget.
    """

    __slots__ = ("_budget",)

    def __init__(self, budget: Budget) -> None:
        """Start with none."""
        super().__init__()
        self._budget = budget

    def expanded(self, name: str) -> str | None:
        """Return the value to put in the place of `name`; None if it is not known."""
        value = self.get(name)
        return value if value is not None and self._budget.spend(len(value)) else None
