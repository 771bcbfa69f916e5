"""Messages that one step of a job copies and a later one deletes.

"z/OS MVS JCL Reference", COND: a step runs whatever the return codes of earlier steps are, unless
COND, that of the JOB statement too, or an IF prevents it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.language.jcl.job_step import JobStep
from mqlint.language.script.step import Step, StepOption

_KEYS = ("QUEUE", "Q", "PSID")


@mutable
class Copies:
    """The steps that copy the messages of a queue or page set, by the job and what they copy."""

    steps: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def noted(self, job: JobStep, found: Iterable[Step]) -> Iterator[Step]:
        """Yield the statements of a job step.

        An EMPTY that runs even if the copy failed has the options `emptied`, which is what it
        empties, and `copied`, which is the step with the copy.
        """
        for step in found:
            option = step.option(*_KEYS)
            what = option.value if option is not None else None
            if option is None or not isinstance(what, str):
                yield step
                continue
            kind = "PSID" if option.name == "PSID" else "QUEUE"
            key = job.job, kind, what.strip("'").lstrip("0")
            if step.action == "unload":
                self.steps.setdefault(key, job.label)
            copied = self.steps.get(key, job.label) if step.action == "empty" else job.label
            if copied != job.label and copied and not (job.conditional or job.maybe):
                emptied = f"{'page set' if kind == 'PSID' else 'queue'} {key[2]}"
                values = (("emptied", emptied), ("copied", copied))
                added = (StepOption(name, value, step.span, step.span) for name, value in values)
                step = replace(step, options=(*step.options, *added))
            yield step
