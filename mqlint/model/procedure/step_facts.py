"""Steps as facts: control commands, MQSC commands, and commands whose effect is not known.

These are the facts that have an order, so they are classes of their own and not a `DerivedFact`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Any, ClassVar, Final

from mqlint.finding import Location
from mqlint.language.mqsc import Command
from mqlint.late import late
from mqlint.model.core.action import action_of
from mqlint.model.core.fact import FormedFact
from mqlint.model.core.key import numbered
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Position, Text
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.model.facts.files.mqsc_file import EDITED
from mqlint.model.procedure.command_class import (
    MQSC_CLASSES,
    class_of,
    command_words,
    monitored,
    object_named,
)
from mqlint.model.procedure.named_file import file_of_other
from mqlint.model.procedure.procedure import (
    Procedure,
    cloned_before,
    comes_after,
    creates,
    is_contained,
    managers_named,
    neighbours,
    route_before,
    value_before,
)
from mqlint.model.procedure.refresh import unrefreshed
from mqlint.model.procedure.step_values import CONTROL_VALUES, ROBUSTNESS

if TYPE_CHECKING:
    from mqlint.language.script.step import Step, StepWord

_COPY_ATTRIBUTES = ("what", "direction", "from.page_set", "to.page_set")
STEP_ATTRIBUTES = (
    *"class command maybe scheduled object channel cluster option.*".split(),
    *"operands operands.known paths parts extents live other target.place reads gets".split(),
    "clusters.unrefreshed",
    "monitored",
    *"bare.before repository.before route.before running.before suspended.before".split(),
    *"release release.before".split(),
    *"cloned.before isolated.before started.after deleted.after".split(),
    *"script alone named file.of managers neighbours creates contained rebuilt sole".split(),
    *"volume.size primaries primary.before".split(),
    *ROBUSTNESS,
    *_COPY_ATTRIBUTES,
)
"""The attributes of steps besides those of MQSC commands."""


class StepFact(FormedFact):
    """One step of a procedure, at `position`.

    Every step has a `class` (what it does), a `command`, `maybe` (whether it is in a branch, a loop
    or a function) and `scheduled` (whether a clock runs it). A step that is not `certain` may not
    run, or runs for a queue manager that is not known.

    There may be as many as a text has lines, so attributes are computed from `source` on demand.
    `number` distinguishes equal ones.
    """

    __slots__ = ("number", "procedure", "source")

    type = "step"
    readers: ClassVar[Mapping[str, Callable[[Any], Value]]] = {
        "command": lambda step: step.name,
        "script": lambda step: step.procedure.origin.path,
        "scheduled": lambda step: flag(step.procedure.is_scheduled),
        "creates": lambda step: step.procedure.cached(creates),
        "started.after": lambda step: flag(comes_after(step.procedure, step.position, "start")),
        "deleted.after": lambda step: flag(comes_after(step.procedure, step.position, "delete")),
        "contained": lambda step: flag(is_contained(step.procedure)),
    }

    def __init__(self, procedure: Procedure, source: object = None) -> None:
        self.procedure = procedure
        self.source = source
        self.number = 1

    @property
    def manager(self) -> QueueManager:
        return self.procedure.manager

    @property
    def position(self) -> Position:
        """Its place among the steps of the procedure."""
        return (0, 0)

    @property
    def name(self) -> str:
        return ""

    @property
    def subject(self) -> str:
        """The command with its object, equal for steps that differ only in their number."""
        return self.name

    @property
    def key(self) -> str:
        """Its identity among the steps of the queue manager."""
        return numbered(self.subject, self.number)

    @property
    def certain(self) -> bool:
        return False

    @property
    def repeated(self) -> bool:
        """Whether a loop runs it, for each of what it is given, and no branch in the loop."""
        return False

    @property
    def block(self) -> str:
        """The branch, loop or function of which all steps run or none; blank for no such one."""
        return ""

    @property
    def title(self) -> str:
        """The command with the name of its object."""
        return self.name

    def value(self, attribute: str) -> Value:
        read = self.readers.get(attribute)
        return self._other_value(attribute) if read is None else read(self)

    def _other_value(self, attribute: str) -> Value:
        """The value of an attribute that no table has."""
        return ABSENT

    def where(self, attribute: str | None = None) -> Location:
        return self.procedure.place(self.position[0])


def _before(word: str) -> Callable[[StepFact], Value]:
    return lambda fact: value_before(fact.procedure, word, fact.position)


def _release_before(fact: StepFact) -> Value:
    """The release of the last setmqm before a strmqm, and of the last strmqm otherwise."""
    command = "setmqm" if fact.name == "strmqm" else "strmqm"
    return value_before(fact.procedure, command, fact.position)


def _alone(fact: ControlFact) -> Value:
    """Whether its script has no other command of its name.

    A dmpmqcfg of authorities alone does not save the attributes or objects that another one omits.
    """
    script, command = fact.procedure.script, fact.source.command
    same = (step for step in (*script.steps, *script.unbound) if step.command == command)
    others = (step for step in same if step is not fact.source)
    is_part = fact.value("option.-a") is ABSENT or any(
        fact.value(option) is not ABSENT for option in ("option.-t", "option.-n")
    )
    return "false" if any(not (is_part and _is_of_authorities(step)) for step in others) else "true"


def _is_of_authorities(step: Step) -> bool:
    """Whether a dmpmqcfg writes authority records and nothing else."""
    kinds = {option.name: option.value for option in step.options}
    return not step.open and (kinds.get("o") == "setmqaut" or kinds.get("x") == "authrec")


def _primaries(fact: ControlFact) -> Value:
    """How often its script creates the queue manager as the primary of an RDQM."""
    if not _creates_primary(fact.source):
        return ABSENT
    return fact.procedure.cached(_primaries_of_script)[_group_of(fact.source)]


def _primary_before(fact: ControlFact) -> Value:
    """Whether its script creates the primary before this secondary of an RDQM, on any host."""
    step = fact.source
    if step.command != "crtmqm" or step.option("sxs") is None:
        return ABSENT
    group = _group_of(step)
    number = fact.procedure.cached(_primaries_of_script).get(group, ABSENT)
    if number is ABSENT or number is UNKNOWN:
        return number
    steps = fact.procedure.script.steps
    primary = next(each for each in steps if _creates_primary(each) and _group_of(each) == group)
    return "true" if primary.span[0] < step.span[0] and not step.execution.maybe else "false"


def _creates_primary(step: Step) -> bool:
    return step.command == "crtmqm" and step.option("sx") is not None


def _group_of(step: Step) -> tuple[str | None, object]:
    """The queue manager and the role of the site: each site of a DR pair has an HA group.

    IBM's page "DR/HA RDQM worked example": `crtmqm -sx` creates the queue manager on a node of each
    site, with -rr p at the one and -rr s at the other.
    """
    role = step.option("rr")
    return step.queue_manager, role and role.value


def _primaries_of_script(procedure: Procedure) -> dict[tuple[str | None, object], Value]:
    """The numbers of primaries by queue manager and role of the site.

    One that deletes a queue manager, or creates it in a branch, may create it again. So does one
    that does not tell which site it creates it for.
    """
    steps = procedure.script.steps
    created = [step for step in steps if _creates_primary(step)]
    again = {step.queue_manager for step in steps if step.command == "dltmqm"}
    again |= {step.queue_manager for step in created if step.execution.maybe}
    numbers = Counter(map(_group_of, created))
    return {
        (name, role): UNKNOWN if name in again or role is UNKNOWN else str(number)
        for (name, role), number in numbers.items()
    }


def _gets(fact: ControlFact) -> Value:
    """What it reads, as `readings` of a document has it: its path, perhaps with other addresses."""
    if fact.source.edited is None:
        return _path_from(fact, fact.source.reads)
    path = _path_from(fact, fact.source.edited)
    return f"{path}{EDITED}" if isinstance(path, str) else path


def _path_from(fact: ControlFact, file: StepWord | None) -> Value:
    if file is None:
        return ABSENT
    folder = dirname(fact.procedure.origin.path)
    return normpath(join(folder, file.value)) if isinstance(file.value, str) else UNKNOWN


def _of_step(
    read: Callable[[QueueManager, Step], Value],
) -> Callable[[ControlFact], Value]:
    return lambda fact: read(fact.manager, fact.source)


def _copy_reader(attribute: str) -> Callable[[ControlFact], Value]:
    read = late("mqlint.model.zos.data_sets:copy_value")  # few files are of z/OS
    return lambda fact: read(fact.manager, fact.source, attribute)


class ControlFact(StepFact):
    """One control command; `option.-x` is the value of an option."""

    __slots__ = ("_bound",)

    source: Step
    readers: ClassVar = {
        **StepFact.readers,
        "reads": lambda fact: _path_from(fact, fact.source.reads),
        "gets": _gets,
        "alone": _alone,
        "managers": lambda fact: managers_named(fact.procedure),
        "neighbours": lambda fact: neighbours(fact.procedure, fact.source),
        "file.of": lambda fact: file_of_other(fact.procedure, fact.source),
        "cloned.before": lambda fact: cloned_before(fact.procedure, fact.source),
        "isolated.before": _before("isolated"),
        "running.before": _before("running"),
        "release.before": _release_before,
        "primaries": _primaries,
        "primary.before": _primary_before,
        "rebuilt": lambda fact: fact.procedure.script.rebuilt or ABSENT,
        **{name: _of_step(read) for name, read in (CONTROL_VALUES | ROBUSTNESS).items()},
        **{attribute: _copy_reader(attribute) for attribute in _COPY_ATTRIBUTES},
    }

    def __init__(self, procedure: Procedure, step: Step, bound: bool) -> None:
        """`bound` says whether it names the queue manager."""
        super().__init__(procedure, step)
        self._bound = bound

    @property
    def position(self) -> Position:
        return self.source.position

    @property
    def name(self) -> str:
        return self.source.command

    @property
    def certain(self) -> bool:
        return self._bound and not self.source.may_not_run

    @property
    def repeated(self) -> bool:
        return self._bound and self.source.execution.why == "loop"

    @property
    def block(self) -> str:
        return self.source.execution.block if self._bound else ""

    @property
    def form(self) -> object:
        step = self.source
        names = tuple([option.name for option in step.options])
        is_sole, maybe = step.sole != "", step.execution.maybe
        return type(self), step.command, step.action, is_sole, maybe, step.open, names

    def writes(self, attribute: str) -> bool:
        may_have, name = _OF_SOME.get(attribute), _option_name(attribute)
        if may_have is not None:
            return may_have(self.source)
        return name is not None and self.source.option(name) is not None

    def _other_value(self, attribute: str) -> Value:
        """The value of an option (`true` for one without, absent if not given)."""
        step, name = self.source, _option_name(attribute)
        if name is None:
            return ABSENT
        is_key = attribute.endswith(_KEY)
        given = [
            (option.key or UNKNOWN) if is_key else option.value
            for option in step.options
            if option.name == name
        ]
        if not given:
            return UNKNOWN if step.open else ABSENT
        values = ["true" if value is None else value for value in given]
        if len(values) == 1 or not (step.paths or (step.command, name) in _REPEATED):
            return values[-1]
        # All of them count in a command on files, and where each is another attribute.
        texts = tuple(value for value in values if isinstance(value, str))
        return texts if len(texts) == len(values) else UNKNOWN

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of an option that is written, else of the command."""
        name = _option_name(attribute or "")
        option = None if name is None else self.source.option(name)
        if option is None:
            return self.procedure.origin.location(self.source.span)
        start, end = option.span
        return self.procedure.origin.location((start, max(end, (option.value_span or (0, 0))[1])))


def _is_creation(step: Step) -> bool:
    return step.command == "crtmqm"


_OF_SOME: Mapping[str, Callable[[Step], bool]] = {
    "class": lambda step: step.action == "unpack",  # of an archive with the queue manager's name
    "primaries": _is_creation,
    "primary.before": _is_creation,
    "sole": lambda step: step.sole != "",
    "volume.size": _is_creation,
    "what": lambda step: step.action in ("copy", "restore"),
}
"""Attributes of which all commands of a form have one value, except the commands for which it is
true: those of most have none."""
CHEAP: Final = ("command", "maybe", "option.*", *_OF_SOME)


def _option_name(attribute: str) -> str | None:
    """The name of an option without its hyphen, None if the attribute is not an option."""
    is_option = attribute.startswith("option.")
    return attribute.removeprefix("option.").removesuffix(_KEY).lstrip("-") if is_option else None


_KEY = ".key"
"""The end of an attribute for the key of NAME=VALUE, which may be known without the value."""
_REPEATED = frozenset({("addmqinf", "v"), ("crtmqm", "iv")})
"""Options that a command takes several times, with NAME=VALUE."""


def _channel(fact: MqscFact) -> Value:
    is_channel = fact.source.form.shape.noun == "CHANNEL"
    return object_named(fact.source) if is_channel else ABSENT


def _cluster(fact: MqscFact) -> Value:
    """The cluster it is about; SUSPEND and RESUME name theirs in an attribute."""
    shape = fact.source.form.shape
    if shape.noun == "CLUSTER":
        return object_named(fact.source)
    if shape.verb in ("SUSPEND", "RESUME"):
        return UNKNOWN if "CLUSNL" in shape.words else fact.value("CLUSTER")
    return ABSENT


class MqscFact(StepFact):
    """One MQSC command; its attributes are its values, as written.

    `object`, `channel` and `cluster` are what it names; a command that is about no channel has no
    `channel`. `monitored` is the first attribute of a DISPLAY that is blank without monitoring.
    """

    __slots__ = ("_text",)

    source: Command
    readers: ClassVar = {
        **StepFact.readers,
        "class": lambda fact: class_of(fact.source.form.shape),
        "maybe": lambda fact: "false" if fact.certain else "true",
        "object": lambda fact: object_named(fact.source),
        "channel": _channel,
        "cluster": _cluster,
        "monitored": lambda fact: monitored(fact.source.form.shape),
        "clusters.unrefreshed": lambda fact: unrefreshed(fact.procedure),
        "repository.before": _before("repository"),
        "route.before": lambda fact: route_before(fact.manager, fact.source),
        "bare.before": _before("bare"),
        "running.before": _before("running"),
        "suspended.before": _before("suspended"),
    }

    def __init__(self, procedure: Procedure, text: Text, command: Command) -> None:
        """`text` is the MQSC that has the command, which is understood."""
        super().__init__(procedure, command)
        self._text = text

    @property
    def origin(self) -> Origin:
        return self._text.origin

    @property
    def position(self) -> Position:
        """Its offset, or that of the step that reads its file."""
        return self._text.position(self.source)

    @property
    def name(self) -> str:
        return command_words(self.source)

    @property
    def subject(self) -> str:
        name = object_named(self.source)
        return f"{self.name} {name}" if isinstance(name, str) else self.name

    @property
    def form(self) -> object:
        return type(self), self.source.form.shape, self.certain

    def writes(self, attribute: str) -> bool:
        return attribute.isupper()

    @property
    def certain(self) -> bool:
        return not (self.source.maybe or self._text.execution.maybe)

    @property
    def block(self) -> str:
        return "" if self.source.maybe else self._text.execution.block

    @property
    def _layer(self) -> Layer | None:
        """The command, read as if it changed an object."""
        command, origin = self.source, self.origin
        action = action_of(command, self.manager.vocabulary)
        if action is None:
            return None
        return Layer(command, action, origin, origin, Change.ALTER, 0, maybe=False)

    @property
    def title(self) -> str:
        name = object_named(self.source)
        return f"{self.name}({name})" if isinstance(name, str) else self.name

    def _other_value(self, attribute: str) -> Value:
        layer = self._layer if attribute.isupper() else None
        value = None if layer is None else layer.value(attribute)
        return ABSENT if value is None else value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of an attribute it writes, else of the command."""
        layer = self._layer if attribute is not None else None
        span = None if layer is None or attribute is None else layer.span_of(attribute)
        return self.origin.location(span or self.source.span())


class UnseenFact(StepFact):
    """A step that may do anything: a command of another program, or MQSC that is not here."""

    __slots__ = ("_is_mqsc", "_position")

    def __init__(self, procedure: Procedure, position: Position, is_mqsc: bool) -> None:
        """`is_mqsc` is true if it can only be MQSC."""
        super().__init__(procedure)
        self._position = position
        self._is_mqsc = is_mqsc

    @property
    def position(self) -> Position:
        return self._position

    @property
    def form(self) -> object:
        return type(self), self._is_mqsc

    def value(self, attribute: str) -> Value:
        """Nothing is known but the class of MQSC."""
        return MQSC_CLASSES if self._is_mqsc and attribute == "class" else UNKNOWN
