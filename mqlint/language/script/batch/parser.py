"""MQ's commands in batch files of Windows (`.cmd`, `.bat`), and the MQSC that the files hold."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.script.batch.expansion import batch_faults
from mqlint.language.script.batch.scanner import BatchScanner
from mqlint.language.script.faults.environment import ended_by_setmqenv, environment_faults
from mqlint.language.script.faults.members import member_faults
from mqlint.language.script.faults.pitfalls import local_samples
from mqlint.language.script.reader import parse_scanned
from mqlint.vocabulary.control import in_any_case


def read(text: str, context: Context) -> Parsed:
    return Parsed(
        script=parse_scanned(
            text,
            BatchScanner(text, context.budget).scan(),
            in_any_case(context.vocabulary.control),
            context.budget,
        ),
        diagnostics=(
            *environment_faults(text),
            *batch_faults(text),
            *ended_by_setmqenv(text),
            *local_samples(text),
            *member_faults(text),
        ),
    )
