"""Steps as facts: control commands, MQSC commands, and what cannot be seen."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Shape, Templated, decode
from mqlint.language.text.templates import is_known
from mqlint.model.core.action import action_of
from mqlint.model.core.key import numbered
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Position, Text
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.resources import COPY_KEYS, copy_value
from mqlint.model.procedure.refresh import unrefreshed
from mqlint.model.procedure.robustness import CARE_KEYS, care_value

if TYPE_CHECKING:
    from mqlint.language.script.step import Step
    from mqlint.model.procedure.procedure import Procedure

_OF_QUEUE_MANAGERS = {"START": "start", "STOP": "end"}
_OF_OBJECTS = {"DELETE": "delete-object", "START": "start-object", "STOP": "stop-object"}
_OF_RIGHTS = frozenset({"AUTHREC", "CHLAUTH", "POLICY"})
QUIET = frozenset({"define", "authorise", "set", "display"})
"""Classes of MQSC that are no facts of their own: the objects they make are, or nothing is."""
MQSC_CLASSES = (
    *"define alter delete-object set authorise display refresh reset resolve".split(),
    *"start-object stop-object suspend resume clear purge ping archive backup recover move".split(),
)
"""The classes of what runmqsc can run."""
STEP_KEYS = (
    *"class command maybe scheduled object channel cluster option.*".split(),
    *"operands paths parts other reads clusters.unrefreshed".split(),
    *CARE_KEYS,
    *COPY_KEYS,
)
"""What steps can be asked besides the attributes of MQSC commands."""


class StepFact:
    """One step of a procedure, at `position`.

    Every step has a `class` (what it does), a `command`, `maybe` (whether it stands in a branch, a
    loop or a function) and `scheduled` (whether a clock runs it). A step that is not `certain` may
    not run, or runs for a queue manager that is not known.

    There may be as many as a text has lines, so a step keeps what it was read from (`source`), and
    all else is worked out when somebody asks. `number` tells equal ones apart.
    """

    __slots__ = ("number", "procedure", "source")

    type = "step"

    def __init__(self, procedure: Procedure, source: object = None) -> None:
        """Keep what it was read from."""
        self.procedure = procedure
        self.source = source
        self.number = 1

    @property
    def manager(self) -> QueueManager:
        """The queue manager that it is for."""
        return self.procedure.manager

    @property
    def position(self) -> Position:
        """Its place among the steps of the procedure."""
        return (0, 0)

    @property
    def name(self) -> str:
        """The command."""
        return ""

    @property
    def what(self) -> str:
        """The command with what it is about, equal for steps that are told apart by number."""
        return self.name

    @property
    def key(self) -> str:
        """Its identity among the steps of the queue manager."""
        return numbered(self.what, self.number)

    @property
    def certain(self) -> bool:
        """Whether it runs, for this queue manager, whenever the procedure does."""
        return False

    @property
    def title(self) -> str:
        """The command with the name of what it is about."""
        return self.name

    def value(self, attribute: str) -> Value:
        """Return what is known of any step."""
        if attribute == "command":
            return self.name
        if attribute == "scheduled":
            return "true" if self.procedure.is_scheduled else "false"
        return ABSENT

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the step."""
        return self.procedure.place(self.position[0])


class ControlFact(StepFact):
    """One control command; `option.-x` is the value of an option."""

    __slots__ = ("_bound", "_step")

    def __init__(self, procedure: Procedure, step: Step, bound: bool) -> None:
        """`bound` tells whether it names the queue manager."""
        super().__init__(procedure, step)
        self._step = step
        self._bound = bound

    @property
    def position(self) -> Position:
        """Where it begins."""
        return self._step.span[0], 0

    @property
    def name(self) -> str:
        """The command."""
        return self._step.command

    @property
    def certain(self) -> bool:
        """Whether it names the queue manager and stands in no branch."""
        return self._bound and not self._step.maybe

    def value(self, attribute: str) -> Value:
        """Return `class`, or an option's value (`true` for one without, absent if not given)."""
        if attribute == "class":
            return self._step.action
        if attribute == "maybe":
            return "true" if self._step.maybe else "false"
        if attribute in COPY_KEYS:
            return copy_value(self.manager, self._step, attribute)
        if not attribute.startswith("option."):
            return self._words(attribute)
        return self._option(attribute.removeprefix("option.").lstrip("-"))

    def _option(self, name: str) -> Value:
        """The value of an option; those of all that are so called for a command on files."""
        step = self._step
        found = [option.value for option in step.options if option.name == name]
        if not found:
            return UNKNOWN if step.open else ABSENT
        values = ["true" if value is None else value for value in found]
        if len(values) == 1 or not step.paths:
            return values[-1]
        texts = tuple(value for value in values if isinstance(value, str))
        return texts if len(texts) == len(values) else UNKNOWN

    def _words(self, attribute: str) -> Value:
        """The command's own words, and the files of a queue manager that it touches."""
        step = self._step
        if attribute == "operands":
            words = tuple(
                operand.value for operand in step.operands if isinstance(operand.value, str)
            )
            return words if len(words) == len(step.operands) else UNKNOWN
        if attribute == "paths":
            paths = tuple(path.path for path in step.paths)
            return (paths or ABSENT) if all(map(is_known, paths)) else UNKNOWN
        if attribute == "parts":
            return tuple(dict.fromkeys(path.part for path in step.paths)) or ABSENT
        if attribute == "other":
            return ABSENT if step.other is None else step.other.value
        if attribute == "reads":
            return self._reads
        if attribute in CARE_KEYS:
            return care_value(self.manager, step, self.procedure.origin.path, attribute)
        return super().value(attribute)

    @property
    def _reads(self) -> Value:
        """The path of the file that it reads, as the script finds it from its own folder."""
        if self._step.reads is None:
            return ABSENT
        name = self._step.reads.value
        folder = dirname(self.procedure.origin.path)
        return normpath(join(folder, name)) if isinstance(name, str) else UNKNOWN

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of an option that is written, else of the command."""
        name = (attribute or "").removeprefix("option.")
        option = self._step.option(name.removeprefix("-")) if name != attribute else None
        if option is None:
            return self.procedure.origin.location(self._step.span)
        start, end = option.span
        return self.procedure.origin.location((start, max(end, (option.value_span or (0, 0))[1])))


class EventFact(StepFact):
    """One MQSC command; its attributes are its values, as written.

    `object`, `channel` and `cluster` are what it names; a command that is about no channel has no
    `channel`.
    """

    __slots__ = ("_text",)

    source: Command

    def __init__(self, procedure: Procedure, text: Text, command: Command) -> None:
        """`text` is the MQSC that the command, which is understood, stands in."""
        super().__init__(procedure, command)
        self._text = text

    @property
    def position(self) -> Position:
        """Where it begins, or where the step stands that reads the file it stands in."""
        return self._text.position(self.source)

    @property
    def name(self) -> str:
        """The verb and the noun."""
        shape = self.source.form.shape
        return f"{shape.verb} {shape.noun}"

    @property
    def what(self) -> str:
        """The command with the name of its object."""
        name = self._object
        return f"{self.name} {name}" if isinstance(name, str) else self.name

    @property
    def certain(self) -> bool:
        """Whether it stands in no branch."""
        text = self._text
        return not (self.source.maybe or text.maybe or text.origin.maybe)

    @property
    def _layer(self) -> Layer | None:
        """What the command says, read as if it changed an object."""
        command, origin = self.source, self._text.origin
        action = action_of(command, self.manager.vocabulary)
        if action is None:
            return None
        return Layer(command, action, origin, origin, Change.ALTER, 0, maybe=False)

    @property
    def title(self) -> str:
        """The command with the name of its object."""
        name = self.value("object")
        return f"{self.name}({name})" if isinstance(name, str) else self.name

    def value(self, attribute: str) -> Value:
        """Return what it says of an attribute (upper case), or what it is about."""
        if attribute == "class":
            return class_of(self.source.form.shape)
        if attribute == "maybe":
            return "false" if self.certain else "true"
        if attribute == "object":
            return self._object
        if attribute in ("channel", "cluster"):
            return self._named(attribute)
        if attribute == "clusters.unrefreshed":
            return unrefreshed(self)
        if not attribute.isupper():
            return super().value(attribute)
        layer = self._layer
        written = None if layer is None else layer.value(attribute)
        return ABSENT if written is None else written

    @property
    def _object(self) -> Value:
        """The name in the parentheses behind the noun."""
        command = self.source
        slot = command.form.shape.name_slot
        if slot < 0:
            return ABSENT
        raw = command.values[slot]
        return UNKNOWN if isinstance(raw, Templated) else decode(raw)

    def _named(self, binding: str) -> Value:
        """The channel or cluster it is about; SUSPEND and RESUME name theirs in an attribute."""
        shape = self.source.form.shape
        if shape.noun == binding.upper():
            return self._object
        if binding == "cluster" and shape.verb in ("SUSPEND", "RESUME"):
            return UNKNOWN if "CLUSNL" in shape.words else self.value("CLUSTER")
        return ABSENT

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of an attribute it writes, else of the command."""
        layer = self._layer if attribute is not None else None
        span = None if layer is None or attribute is None else layer.span_of(attribute)
        return self._text.origin.location(span or self.source.span())


class UnseenFact(StepFact):
    """What may do anything: a command of another program, or MQSC that is not here."""

    __slots__ = ("_mqsc", "_position")

    def __init__(self, procedure: Procedure, position: Position, mqsc: bool) -> None:
        """`mqsc` tells that it can only be MQSC."""
        super().__init__(procedure)
        self._position = position
        self._mqsc = mqsc

    @property
    def position(self) -> Position:
        """Its place."""
        return self._position

    def value(self, attribute: str) -> Value:
        """Nothing is known but what MQSC cannot be."""
        return MQSC_CLASSES if self._mqsc and attribute == "class" else UNKNOWN


def class_of(shape: Shape) -> str:
    """Return what MQSC commands of a shape do, as policies say it; blank for what is no command."""
    found = shape.cache.get("class")
    if found is None:
        found = shape.cache["class"] = _class(shape.verb or "", shape.noun or "")
    return str(found)


def _class(verb: str, noun: str) -> str:
    if not verb or not noun:
        return ""
    if noun == "QMGR" and verb in _OF_QUEUE_MANAGERS:
        return _OF_QUEUE_MANAGERS[verb]
    if verb == "SET" and noun in _OF_RIGHTS:
        return "authorise"
    return _OF_OBJECTS.get(verb, verb.lower())
