"""The steps by which a queue manager decides on a connection, each with its source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mqlint.dataclass import frozen
from mqlint.vocabulary.load import compiled_table
from mqlint.vocabulary.shape import FLAG, TEXT, entries, optional, required, sections


@frozen
class EvaluationStep:
    """One step; chlauth.yaml describes the fields."""

    name: str
    summary: str = required(TEXT)
    source: str = required(TEXT)
    read: bool = optional(FLAG, True)


SHAPE: Final = sections({"steps": entries(EvaluationStep)})


@cache
def evaluation_steps() -> Mapping[str, EvaluationStep]:
    """Return the steps by their names, in the order in which they are taken."""
    return SHAPE.load(compiled_table("chlauth"))["steps"]


def recalled(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences of the named steps whose page was not read."""
    steps = (evaluation_steps()[name] for name in dict.fromkeys(names))
    return tuple(f"{step.summary} (recalled: {step.source})" for step in steps if not step.read)
