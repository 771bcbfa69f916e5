"""What all sittings of a campaign came to, target by target; kept between them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.fuzz.targets import TARGETS, FuzzTarget

LAST_FIFTH = 5


@dataclass
class Account:
    """The sittings of one target.

    `edges` are those that its kept inputs reach, `last_new` is the number of executions after
    which the last of them was met. `finds` counts inputs that failed, whether fixed by now or not.
    """

    executions: int = 0
    edges: int = 0
    last_new: int = 0
    seconds: float = 0.0
    sittings: int = 0
    finds: int = 0

    def left(self, target: FuzzTarget) -> int:
        """Return how many executions are missing until the campaign is complete.

        So many were tried as the target wants, and the last fifth of them met no new edge.
        """
        wanted = max(target.wanted, -(-self.last_new * LAST_FIFTH // (LAST_FIFTH - 1)))
        return max(0, wanted - self.executions)


class Ledger:
    """The accounts of all targets, in one file."""

    def __init__(self, folder: Path) -> None:
        """Read what is there; `folder` also holds the kept inputs, a folder for each target."""
        self.folder = folder
        self._file = folder / "ledger.json"
        rows = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        self.accounts = {name: Account(**rows.get(name, {})) for name in TARGETS}

    def save(self) -> None:
        """Write it, in place of what is there."""
        draft = self._file.with_suffix(".new")
        rows = {name: asdict(account) for name, account in self.accounts.items()}
        draft.write_text(json.dumps(rows, indent=1), "utf-8")
        draft.replace(self._file)

    def table(self) -> Iterable[str]:
        """Yield the lines of a table for people."""
        yield f"{'target':18} {'executions':>11} {'edges':>7} {'last new':>10} {'finds':>6}  state"
        for name, account in self.accounts.items():
            left = account.left(TARGETS[name])
            state = f"{left:,} more" if left else "complete"
            yield (
                f"{name:18} {account.executions:11,} {account.edges:7,} {account.last_new:10,} "
                f"{account.finds:6}  {state}"
            )
        rows = self.accounts.values()
        executions, edges = sum(row.executions for row in rows), sum(row.edges for row in rows)
        finds = sum(row.finds for row in rows)
        yield f"{'all':18} {executions:11,} {edges:7,} {'':10} {finds:6}"
