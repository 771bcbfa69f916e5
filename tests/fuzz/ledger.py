"""What all sittings of a campaign came to, target by target; kept between them.

The ledger of the repository is where that of a new machine goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.fuzz import kept
from tests.fuzz.targets import TARGETS, FuzzTarget

LAST_FIFTH = 5


@dataclass
class Account:
    """The sittings of one target.

    `edges` are those that its kept inputs reach, `last_new` is the number of executions after
    which the last of them was met. `processor` is in seconds. `finds` counts inputs that failed,
    whether fixed by now or not.
    """

    executions: int = 0
    edges: int = 0
    last_new: int = 0
    processor: float = 0.0
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

    def __init__(self, folder: Path = kept.FOLDER) -> None:
        """Read what is there; `folder` also holds the kept inputs, a folder for each target."""
        self.folder = folder
        self._file = folder / "ledger.json"
        source = self._file if self._file.exists() else kept.LEDGER
        rows = json.loads(source.read_text("utf-8")) if source.exists() else {}
        self.accounts = {name: Account(**rows.get(name, {})) for name in TARGETS}

    def save(self) -> None:
        """Write it, instead of what is there."""
        self.write(self._file)

    def write(self, file: Path) -> None:
        """Write it, a line for each target."""
        rows = (
            f"{json.dumps(name)}: {json.dumps(asdict(account))}"
            for name, account in self.accounts.items()
        )
        draft = file.with_suffix(".new")
        draft.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
        draft.replace(file)

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

    def as_markdown(self) -> str:
        """Return the table for documentation, and a sentence before it."""
        accounts = self.accounts
        complete = sum(not account.left(TARGETS[name]) for name, account in accounts.items())
        executions = sum(account.executions for account in accounts.values())
        rows = [
            f"{complete} of {len(accounts)} targets are complete, after {executions:,} executions.",
            "",
            "| target | executions | edges | last new edge | finds | state |",
            "|---|---:|---:|---:|---:|---|",
        ]
        for name, account in accounts.items():
            left = account.left(TARGETS[name])
            rows.append(
                f"| {name} | {account.executions:,} | {account.edges:,} | {account.last_new:,} "
                f"| {account.finds} | {f'{left:,} more' if left else 'complete'} |"
            )
        return "\n".join(rows)
