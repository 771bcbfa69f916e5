"""One step of a plan: what changes of one object, by which commands, and what that takes."""

from __future__ import annotations

from typing import Literal

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.model.change.dependants import Dependant
from mqlint.vocabulary.effects import Effect

Kind = Literal["define", "alter", "delete", "replace"]
"""The change of an object; `replace` deletes it and defines it again."""


@frozen
class AttributeChange:
    """One attribute: its value before and after as text, and when the change takes effect.

    The attribute is blank for the object as a whole.
    """

    attribute: str
    before: str | None
    after: str | None
    effect: Effect


@frozen
class PlanQuestion:
    """What must be asked before the plan is run, and the command that answers it (or none)."""

    text: str
    command: str = ""


@frozen
class PlanStep:
    """The commands for one object.

    `commands` are MQSC, and `undo` takes them back, in the order to be run. `by_hand` are
    attributes with a secret, which no command here sets. `gaps` say what the undo does not restore.
    `stops` and `starts` are run before and after, `undo_stops` and `undo_starts` are those of the
    undo, and `refresh` is run in between. `queues` are those that a stopped channel has open.
    `dependants` name the object after the change. `rank` sorts the steps.
    """

    kind: Kind
    type: str
    name: str
    subtype: str | None
    changes: tuple[AttributeChange, ...]
    commands: tuple[str, ...]
    undo: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    questions: tuple[PlanQuestion, ...] = ()
    stops: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    undo_stops: tuple[str, ...] = ()
    undo_starts: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    queues: frozenset[str] = frozenset()
    dependants: tuple[Dependant, ...] = ()
    place: Location | None = None
    rank: tuple[int, int, int, str] = (0, 0, 0, "")
