"""The variables that the jobs of a pipeline give to their scripts, if their values are known."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.source.lines import Span

if TYPE_CHECKING:
    from mqlint.language.variables.job import Job


class Given(NamedTuple):
    """The known variables of a script, and the offset of its job; -1 if it is in none."""

    values: Mapping[str, str]
    job: int


NOTHING_GIVEN = Given({}, -1)
_EXPANDED = frozenset("$`%\\")
_MOST = 100


def with_variables(given: Given, more: Mapping[str, str | None]) -> Given:
    """Return what a script is given after more variables are set.

    A value is unknown if it is None, or has a sign that the program which sets it may expand. None
    is known if they are many: each script of a file gets all that are set before it.
    """
    both = {**given.values, **more}
    known = {name: value for name, value in both.items() if value and not _EXPANDED & {*value}}
    return Given(known if len(known) <= _MOST else {}, given.job)


class GivenVariables:
    """The variables of the scripts of one file; `names` are all, with a known value or not.

    Of several jobs with one script, those of a matrix, a variable has the value that all have. A
    script outside all jobs, as below `post` of Jenkins, gets what all jobs have. Azure gives the
    variables to scripts with names in capitals, `mq.qmgr` as MQ_QMGR.
    """

    def __init__(self, jobs: Iterable[Job], *, job: int | None = None) -> None:
        """`job` is the offset of the one job of the file, None if it may have several."""
        found: dict[Span, Given] = {}
        outside: dict[str, str] | None = None
        self.names: set[str] = set()
        for each in jobs:
            of_azure = {name.upper().replace(".", "_"): each.values[name] for name in each.values}
            given = {**of_azure, **each.values}
            self.names.update(given)
            values = {name: value for name, value in given.items() if value is not None}
            outside = values if outside is None else _common(outside, values)
            for span in each.spans:
                before = found.get(span)
                own = values if before is None else _common(before.values, values)
                found[span] = Given(own, each.spans[0][0] if job is None else job)
        self._outside = Given(outside or {}, -1 if job is None else job)
        self._found = sorted(found.items())
        self._starts = [span[0] for span, _ in self._found]

    def at(self, offset: int) -> Given:
        """Return the variables of the script at an offset."""
        number = bisect(self._starts, offset) - 1
        (_, end), given = self._found[number] if number >= 0 else ((0, 0), self._outside)
        return given if offset < end else self._outside


def _common(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in first.items() if second.get(name) == value}
