"""The last steps of a scan: findings with those of the register, and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import cached_property
from operator import add
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from mqlint.dataclass import frozen
from mqlint.engine.judgement.register import DescribedManager, Match, matches, register_findings
from mqlint.estate.history.store import Draft
from mqlint.estate.io.sources import Source
from mqlint.estate.stages.audit import (
    About,
    Account,
    control_rows,
    exception_rows,
    inventory_rows,
    repository_rows,
    rule_batches,
    scan_row,
)
from mqlint.estate.stages.collect import KNOWN, NEW, Configuration
from mqlint.estate.stages.context import worker_context
from mqlint.estate.stages.findings import FoundFindings
from mqlint.estate.stages.frame import Frame
from mqlint.estate.stages.messages import Message, finding_message
from mqlint.estate.tables.batches import Values, rows
from mqlint.estate.tables.schema import FINDINGS, TABLES, without_labels
from mqlint.finding import Checked

_OF_FILE: Final = without_labels(TABLES["files"]).names
_OF_FINDING: Final = without_labels(FINDINGS).names
_REPORTED: Final = pa.array([NEW, KNOWN])
_ALIKE: Final = ["repository", "status", "language", "reason"]
_ACCOUNTED: Final = pa.schema(
    [TABLES["files"].field(name) for name in (*_ALIKE, "commands", "understood")]
)


@frozen(slots=False)
class Results:
    """The last steps of a scan, whose rows are in this process.

    `faults` are the reasons why files cannot be judged, by path, and `notes` what a person should
    know of how repositories are read.
    """

    draft: Draft
    configuration: Configuration
    faults: Mapping[str, str]
    notes: Mapping[str, str]

    @cached_property
    def matches(self) -> Sequence[Match]:
        """The register, if there is one, compared with the queue managers of all files.

        Asked when the table of queue managers is complete.
        """
        register = self.configuration.register
        if register is None:
            return ()
        columns = ["repository", "site", "queue_manager", "files"]
        described = (
            DescribedManager(row["queue_manager"], row["site"] or "", row["repository"], path)
            for row in rows(self.draft.read("queue_managers", columns))
            for path in row["files"][:1]
        )
        return matches(register, described)

    @cached_property
    def accounts(self) -> Sequence[Account]:
        """What became of the files. Asked when the table of files is complete."""
        files = pa.Table.from_batches(self.draft.read("files", _ACCOUNTED.names), _ACCOUNTED)
        sums = [([], "count_all"), ("commands", "sum"), ("understood", "sum")]
        names = [*_ALIKE, "count_all", "commands_sum", "understood_sum"]
        alike = files.group_by(_ALIKE, use_threads=False).aggregate(sums).select(names)
        accounts = (Account(*row.values()) for row in alike.to_pylist())
        return sorted(accounts, key=lambda account: [cell or "" for cell in account])

    def of_register(self) -> Iterator[Message]:
        """Yield findings of queue managers that the register or the repositories lack.

        Those of no repository are judged by the settings of the first one that has valid settings,
        or else by the default ones.
        """
        setup = self.configuration.setup
        names = [name for name, found in setup.repositories.items() if not found.fault]
        context = worker_context(setup)
        for match in self.matches:
            home = "" if match.described is None else match.described.repository
            judge = home if home in names else next(iter(names), "")
            kind = "finding" if match.described else "absent"
            for finding in register_findings([match], context.of(judge)):
                yield finding_message(finding, home)._replace(kind=kind)

    def write(
        self, settled: Frame, found: FoundFindings, about: About | None, sources: Sequence[Source]
    ) -> None:
        """Leave the tables whose rows pass through this process; `settled` are rows of SETTLED."""
        configuration, stamp = self.configuration, self.draft.stamp
        self._mark_unjudged()
        with self.draft.writing() as tables:
            for batch in settled.batches():
                found.add(batch)
                reported = batch.filter(pc.is_in(batch.column("state"), _REPORTED))
                tables.add("findings", reported.select(_OF_FINDING))
            tables.add_rows("coverage", self.accounts)
            if about is None:
                return
            began, setup = stamp.scanned, configuration.setup
            tables.add_rows("scans", [scan_row(about, setup, self.accounts, stamp.scan, began)])
            repositories = repository_rows(sources, self.accounts, setup, self.notes, began)
            tables.add_rows("repositories", repositories)
            for batch in rule_batches(about, configuration):
                tables.add("rules", batch)
            tables.add_rows("exceptions", exception_rows(found.excepted()))
            tables.add_rows("inventory", inventory_rows(self.matches))
            tables.add_rows("controls", control_rows(about))

    def _mark_unjudged(self) -> None:
        """Report files as unreadable whose queue managers could not be checked."""
        if self.faults:
            given = rows(self.draft.read("files", _OF_FILE))
            with self.draft.rewriting("files") as tables:
                tables.add_rows("files", (tuple(self._marked(row).values()) for row in given))

    def _marked(self, row: Values) -> Values:
        reason = self.faults.get(row["path"])
        if reason is None:
            return row
        nothing = {"commands": 0, "understood": 0, "feeds": [], "counts": [], "unjudged": []}
        return row | nothing | {"status": "unreadable", "reason": reason, "digest": None}


def checked(accounts: Iterable[Account]) -> Mapping[str, Checked]:
    """Return how much was checked, by repository."""
    found: dict[str, Checked] = {}
    for name, status, _, _, *sizes in accounts:
        if status == "checked":
            before = astuple(found.get(name, Checked()))
            found[name] = Checked(*map(add, before, sizes))
    return found
