"""The queue managers that job steps are for, as the names of data sets show.

A queue manager of z/OS has a name of up to four characters, which by convention is a qualifier of
the names of its data sets: `MQ.MQ7A.PSID01`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.language.declaration import Declared
from mqlint.language.jcl.job_step import JobStep, StepOwner
from mqlint.language.script.step import Step
from mqlint.patterns import later

PROCEDURE = "CSQYASCP"
"""The program of a queue manager."""
_OWN = later(r"(?:CSQP\d{3,4}|BSDS[12])")
_NAMED = later(r"(?:.*\.)?(?!V\d{3}\.)(?=[A-Z@#$]*(?:\d|MQ|QM))([A-Z@#$][A-Z0-9@#$]{3})\.[A-Z]+\d+")
"""A data set with a qualifier that is hardly the name of an environment (PROD) or a release."""
_PARTS = ("from", "to", "DSNAME")


def settle(job: JobStep) -> None:
    """Give the owner of a job step the names that its DD statements have."""
    owner = job.owner
    owner.queue_manager = job.queue_manager
    if job.program == PROCEDURE:
        owner.own = tuple(dd.written for name, dd in job.dds.items() if _OWN.fullmatch(name))
    else:
        owner.names = tuple(job.data_sets())


def bind(owners: Sequence[StepOwner]) -> None:
    """Give steps without a queue manager the one that their data sets name, of those of a text.

    Otherwise they are for the queue manager that other steps of the same job name.
    """
    known = {owner.queue_manager for owner in owners if owner.queue_manager is not None}
    of_job: dict[str, set[str]] = {}
    for owner in owners if len(known) > 1 else ():
        if owner.queue_manager is None:
            found = known & {word for name in owner.names for word in name.split(".")}
            owner.queue_manager = found.pop() if len(found) == 1 else None
        if owner.queue_manager is not None:
            of_job.setdefault(owner.job, set()).add(owner.queue_manager)
    for owner in owners if known else ():
        names = known if len(known) == 1 else of_job.get(owner.job, set())
        if owner.queue_manager is None and len(names) == 1:
            owner.queue_manager = next(iter(names))


def owner_signs(
    owners: Iterable[StepOwner],
    steps: Iterable[tuple[Step, StepOwner]],
    declared: Iterable[tuple[Declared, StepOwner]],
) -> Iterator[tuple[str, str, int]]:
    """Yield what shows the queue managers of a text, with the places of its job steps.

    Each is the queue manager of a procedure and a data set that it has as its own. For a step
    without a queue manager, that is blank: the step is for whom the data set belongs to. A name
    without a period is that of the job.
    """
    for owner in owners:
        stated = owner.queue_manager or _by_names(owner.own)
        yield from ((stated, name, owner.at) for name in owner.own)
        if owner.queue_manager is None:
            yield "", owner.job.upper(), owner.at
            yield from (("", name, owner.at) for name in owner.names)
    for step, owner in steps:
        for text in map(step.text, _PARTS) if owner.queue_manager is None else ():
            yield from (("", name, owner.at) for name in text.split())
    for found, owner in declared:
        if owner.queue_manager is None and found.type == "data_set":
            yield "", found.name, owner.at


def _by_names(own: Sequence[str]) -> str:
    """The queue manager that is the last but one qualifier of all data sets, blank for none."""
    matches = [_NAMED.fullmatch(name) for name in own]
    found = {match[1] if match is not None else "" for match in matches}
    return found.pop() if len(found) == 1 else ""
