"""Control commands against what MQ knows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.target import Level, level_text

if TYPE_CHECKING:
    from mqlint.syntax.step import Step


def check_steps(
    steps: Iterable[Step], known: Mapping[str, ControlSpec], level: Level | None
) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield the steps whose command is gone at `level`, with what is wrong; none without a level.

    That may be a command of another host, at another level: `target:` is about the queue managers.
    """
    for step in steps if level is not None else ():
        spec = known.get(step.command)
        if spec is None or spec.removed is None or level is None or level < spec.removed:
            continue
        data = {
            "word": spec.name,
            "since": level_text(spec.removed),
            "level": level_text(level),
            "hint": f"; use {spec.instead}" if spec.instead else "",
        }
        yield step, Diagnostic("removed", *step.command_span, data)
