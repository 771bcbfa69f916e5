"""The queue managers that job steps are for, as the names of data sets show.

A queue manager of z/OS has a name of up to four characters, which by convention is a qualifier of
the names of its data sets: `MQ.MQ7A.PSID01`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.language.declaration import Declared
from mqlint.language.jcl.job_step import JobStep
from mqlint.language.script.step import Step
from mqlint.patterns import later

PROCEDURE = "CSQYASCP"
"""The program of a queue manager."""
_OWN = later(r"(?:CSQP\d{3,4}|BSDS[12])")
_NAMED = later(r"(?:.*\.)?(?!V\d{3}\.)(?=[A-Z@#$]*(?:\d|MQ|QM))([A-Z@#$][A-Z0-9@#$]{3})\.[A-Z]+\d+")
"""A data set with a qualifier that is hardly the name of an environment (PROD) or a release."""
_PARTS = ("from", "to", "DSNAME")


def bind(jobs: Sequence[JobStep]) -> None:
    """Give steps without a queue manager the one that their data sets name, of those of a text.

    Otherwise they are for the queue manager that other steps of the same job name.
    """
    known = {job.queue_manager for job in jobs if job.queue_manager is not None}
    of_job: dict[str, set[str]] = {}
    for job in jobs if len(known) > 1 else ():
        if job.queue_manager is None:
            found = known & {word for name in job.data_sets() for word in name.split(".")}
            job.queue_manager = found.pop() if len(found) == 1 else None
        if job.queue_manager is not None:
            of_job.setdefault(job.job, set()).add(job.queue_manager)
    for job in jobs:
        names = known if len(known) == 1 else of_job.get(job.job, set())
        if job.queue_manager is None and len(names) == 1:
            job.queue_manager = next(iter(names))


def owner_signs(
    jobs: Iterable[JobStep], steps: Iterable[Step], declared: Iterable[Declared]
) -> Iterator[tuple[str, str]]:
    """Yield what shows the queue manager of a text: (queue manager, data set) pairs.

    The queue manager is that of a procedure which has the data set as its own, otherwise blank: the
    text is then for whom the data set belongs to. A name without a period is that of a job.
    """
    for job in jobs:
        if job.program == PROCEDURE:
            own = [dd.written for name, dd in job.dds.items() if _OWN.fullmatch(name)]
            owner = job.queue_manager or _by_names(own)
            yield from ((owner, name) for name in own)
        elif job.queue_manager is None:
            yield "", job.job.upper()
            yield from (("", name) for name in job.data_sets())
    for step in steps if any(job.queue_manager is None for job in jobs) else ():
        for text in map(step.text, _PARTS):
            yield from (("", name) for name in text.split())
    for found in declared:
        if found.queue_manager is None and found.type == "data_set":
            yield "", found.name


def _by_names(own: Sequence[str]) -> str:
    """The queue manager that is the last but one qualifier of all data sets, blank for none."""
    matches = [_NAMED.fullmatch(name) for name in own]
    found = {match[1] if match is not None else "" for match in matches}
    return found.pop() if len(found) == 1 else ""
