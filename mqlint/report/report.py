"""What every format is given: the outcome of a run, and how it is to look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from mqlint.dataclass import frozen
from mqlint.finding import Coverage, Finding

if TYPE_CHECKING:
    from mqlint.config.estate.controls import Control
    from mqlint.finding.baseline import BaselineEntry
    from mqlint.report.in_force import InForce
    from mqlint.report.topology import Topology


def no_text(path: str) -> str | None:
    """The source of a report that shows no source lines."""
    return None


def no_topology() -> Topology:
    """Return the topology of a report that knows no queue managers."""
    from mqlint.report.topology import Topology  # here, as one format needs it

    return Topology()


def tell_nobody(text: str) -> None:
    """Discard a warning: the default of a report."""


@frozen
class Known:
    """Findings that were there before, and so do not count.

    `kind` is `baseline` for a file, `base` for a commit; `source` is the name of either. `stale`
    are the entries of a baseline that match no finding any more.
    """

    kind: Literal["baseline", "base"]
    source: str
    findings: Sequence[Finding] = ()
    stale: Sequence[BaselineEntry] = ()


@frozen
class Report:
    """The outcome of one run.

    `findings` are in order of place; `ignored` are those that comments and waivers suppress,
    `known` those that were there before, by where: what is left are the new ones. `text_of` gives
    the text of a path without its secrets, None if there is none. `root` is the folder that paths
    are relative to, blank for the working folder; `below` is where it is in its git checkout
    (`mq/conf`), blank for the top. `status` is what the run exits with; `outcome` says why, where
    that is not what the findings call for. `warn` is told what a format had to leave out.
    `in_force` is what makes the run judge otherwise than by default. `topology` gives the queue
    managers, their clusters and channels; a format that shows them calls it. `advice` are commands
    that show more than this run.
    """

    findings: Sequence[Finding] = ()
    coverage: Coverage = field(default_factory=Coverage)
    assumptions: Sequence[str] = ()
    text_of: Callable[[str], str | None] = no_text
    root: str = ""
    below: str = ""
    status: int = 0
    outcome: str = ""
    warn: Callable[[str], None] = tell_nobody
    ignored: Sequence[Finding] = ()
    known: Sequence[Known] = ()
    in_force: Sequence[InForce] = ()
    topology: Callable[[], Topology] = no_topology
    advice: Sequence[str] = ()
    controls: Sequence[Control] = ()
    """Controls of standards that rules are mapped to."""


@frozen
class Style:
    """How a report for people is to look; formats for programs ignore it.

    `width` is in terminal cells. `alike` is the number of equal complaints about one queue
    manager that are still printed one by one; with more of them they become one entry. None
    prints each finding on its own, incidents included. `quiet` leaves the summary out; `verbose`
    lists all that was not read or not judged.
    """

    width: int = 100
    color: bool = False
    alike: int | None = 5
    quiet: bool = False
    verbose: bool = False
