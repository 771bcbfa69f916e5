"""Programs of CL on IBM i: their effect on queue managers, journals, libraries and files.

Nothing is executed. A variable is known if it is declared with a value that nothing changes; what
depends on running is unknown otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.cl.bound import (
    NOTHING,
    BoundCommand,
    ProgramCoverage,
    action_of,
    as_mqsc,
    has_value,
    meant_parameter,
    options_of,
)
from mqlint.language.cl.command import ClValue, values
from mqlint.language.cl.flow import Flow, Leaf
from mqlint.language.cl.objects import About, Libraries, about, may_be, texts
from mqlint.language.cl.source import commands
from mqlint.language.execution import Execution
from mqlint.language.script.step import (
    Embedded,
    ShellScript,
    Step,
    StepOption,
    StepPath,
    StepWord,
)
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import with_placeholders
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.cl import ClSpec, ClVocabulary
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_FOLDERS = ("", "../")
_ENDINGS = (".mqsc", ".MQSC", "")
_CALL = 80
"""Characters in which a call names its program."""
_RUNS_TEXT = later(r"(?i)\b(?:QCMDEXC|QCAPCMD)\b")


@mutable
class _Program:
    vocabulary: ClVocabulary
    control: Mapping[str, ControlSpec]
    budget: Budget
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    unfollowed: list[int] = field(default_factory=list)
    awaited: list[tuple[str, int]] = field(default_factory=list)

    def read(self, text: str) -> ShellScript:
        """Read every command, then bind each to a queue manager."""
        flow = Flow(self.vocabulary, self.budget).read(commands(text))
        self.calls += flow.calls
        self.secrets += flow.secrets
        self.unfollowed += flow.unfollowed
        bound = [*self.bound(flow)]
        libraries = self.libraries(bound)
        bound = [command for command in bound if self.is_of_mq(command, libraries)]
        coverage = ProgramCoverage(*_saved(bound, self.calls), _imaged(bound))
        bound.reverse()
        while bound:  # a command is not needed any more when it is a step
            self.step(bound.pop(), libraries, coverage)
        for source, maybe in flow.scripts:
            self.shell(source, maybe)
        return ShellScript(
            tuple(sorted(self.steps, key=lambda step: step.span)),
            tuple(self.embedded),
            tuple(self.secrets),
            tuple(sorted(self.calls)),
            diagnostics=tuple(flow.faults),
            unfollowed=tuple(self.unfollowed),
            awaited=(*self.awaited, *_made(text, flow.calls)),
        )

    def bound(self, flow: Flow) -> Iterator[BoundCommand]:
        """Yield the commands with their values; a call of a removed program is a step."""
        leaves, flow.leaves = flow.leaves, []
        for leaf in leaves:
            if leaf.spec is None:
                self.steps.append(_gone(leaf))
            elif not leaf.command.arguments:
                yield BoundCommand(leaf, leaf.spec, NOTHING, NOTHING, NOTHING)
            else:
                yield self.with_values(leaf, leaf.spec, flow)

    def with_values(self, leaf: Leaf, spec: ClSpec, flow: Flow) -> BoundCommand:
        strange: dict[str, str] = {}
        bound: dict[str, tuple[ClValue, ...] | Unknown] = {}
        places: dict[str, Span] = {}
        place = 0
        for argument in leaf.command.arguments:
            key = argument.key
            if not key:
                key = spec.parameters[place] if place < len(spec.parameters) else ""
                place += 1
            if not key:
                continue
            meant = meant_parameter(key, spec)
            if meant:
                strange[key] = meant
            bound.setdefault(key, values(argument, flow.known))
            places.setdefault(key, argument.span)
        return BoundCommand(leaf, spec, bound, places, strange)

    def libraries(self, bound: Sequence[BoundCommand]) -> Libraries:
        """Return the libraries of queue managers that the program names."""
        names = (command.named for command in bound)
        libraries = Libraries(
            self.vocabulary, dict.fromkeys(name for name in names if name is not None)
        )
        for command in bound:
            name = command.named if command.spec.name == "CRTMQM" else None
            library = command.text("MQMLIB") if name is not None else ""
            if name and isinstance(library, str) and library[:1] not in ("", "*"):
                libraries.assign(library, name)
        return libraries

    def is_of_mq(self, bound: BoundCommand, libraries: Libraries) -> bool:
        """Whether a command is about MQ; what may be is a call that may do anything."""
        if not bound.spec.touches:
            return True
        bound.about = about(bound.spec, bound.values, libraries)
        if bound.about is None and may_be(bound.spec, bound.values):
            self.calls.append(bound.leaf.command.span[0])
        return bound.about is not None

    def step(self, bound: BoundCommand, libraries: Libraries, coverage: ProgramCoverage) -> None:
        """Keep the step of one command, and the MQSC that does the same."""
        leaf, spec = bound.leaf, bound.spec
        name = bound.named or _owner(bound.about, libraries)
        found = bound.about or About()
        step = Step(
            command=spec.name,
            action=found.action or action_of(bound),
            options=tuple(options_of(bound, coverage)),
            operands=(),
            queue_manager=name,
            span=leaf.command.span,
            command_span=leaf.command.name_span,
            execution=Execution(leaf.maybe, schedule=leaf.schedule),
            paths=tuple(StepPath(path, part, span) for path, part, span in found.parts),
            every=found.every or has_value(bound, spec.queue_manager, "*ALL"),
        )
        if spec.mqsc:
            self.embed(bound, step)
        if step.action == "mqsc":
            step = _reading(bound, step, self.budget)
            reads = step.reads.value if step.reads is not None else None
            name = reads.rpartition("/")[2] if isinstance(reads, str) else ""
            self.awaited.append((name.partition(".")[0], step.span[0]))
        self.steps.append(step)

    def embed(self, bound: BoundCommand, step: Step) -> None:
        """Keep the MQSC command that does the same as one of CL."""
        inner = as_mqsc(bound)
        if inner is not None:
            self.embedded.append(
                Embedded(
                    "mqsc",
                    inner.text,
                    inner.segments,
                    inner.end,
                    step.queue_manager,
                    step.execution,
                )
            )

    def shell(self, source: MappedText, maybe: bool) -> None:
        """Read a script for the shell of IBM i."""
        from mqlint.language.script.reader import parse_embedded_command  # only for QSH

        found = parse_embedded_command(source, Execution(maybe), self.control, self.budget)
        self.steps += found.steps
        self.embedded += found.embedded
        self.secrets += found.secrets
        self.calls += found.calls
        self.unfollowed += found.unfollowed
        self.awaited += found.awaited


def _made(text: str, calls: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield the calls of programs that run the command in a variable."""
    for at in calls:
        if _RUNS_TEXT.search(text, at, at + _CALL) is not None:
            yield "", at


def _gone(leaf: Leaf) -> Step:
    """The step of a program that no release has any more."""
    command = leaf.command
    text = command.arguments[0].source.text.strip().strip("'").upper()
    options = (StepOption("old", "true", command.span, command.span),)
    name = f"CALL {text.rpartition('/')[2]}"
    spans, execution = (command.span, command.name_span), Execution(leaf.maybe)
    return Step(name, "quiesce", options, (), None, *spans, execution, every=True)


def _owner(found: About | None, libraries: Libraries) -> str | None:
    """The one queue manager whose files, folders or library a command names."""
    if found is None or found.every:
        return None
    owners = {*found.queue_managers, *(libraries.owner(library) for library in found.libraries)}
    return next(iter(owners)) if len(owners) == 1 else None


def _imaged(bound: Sequence[BoundCommand]) -> str | Unknown:
    """Whether the program records images of all objects: true, false, `several` commands."""
    images = [command for command in bound if command.spec.action == "image"]
    if any(image.text("OBJ") == image.text("OBJTYPE") == "*ALL" for image in images):
        return "true"
    if any(isinstance(image.text(key), Unknown) for image in images for key in ("OBJ", "OBJTYPE")):
        return UNKNOWN
    return "several" if len(images) > 1 else "false"


def _saved(
    bound: Sequence[BoundCommand], calls: Sequence[int]
) -> tuple[str | Unknown, str | Unknown]:
    """Return whether the program saves the library, and the files, of a queue manager.

    Each is true, false, or not known. The former is `allusr` if it saves all user libraries, which
    those of queue managers are not.
    """
    saves = [
        command.about
        for command in bound
        if command.spec.action == "copy" and command.about is not None
    ]
    parts = {part for save in saves for _, part, _ in save.parts}
    absent: str | Unknown = UNKNOWN if calls else "false"
    is_of_users = any(save.facts.get("library") == "*ALLUSR" for save in saves)
    journals = "allusr" if is_of_users and not calls else absent
    return "true" if "log" in parts else journals, "true" if parts - {"log"} else absent


def _reading(bound: BoundCommand, step: Step, budget: Budget) -> Step:
    """Return the step of STRMQMMQSC with the files that may hold its member.

    A member may have thirty names of files, so they count as derived text.
    """
    member = bound.text("SRCMBR")
    if isinstance(member, Unknown) or member[:1] in ("", "*"):
        return replace(step, reads=StepWord(UNKNOWN, step.command_span))
    file = bound.text("SRCFILE")
    folder = "" if isinstance(file, Unknown) else file.rpartition("/")[2] or "QMQSC"
    span = texts(bound.values, "SRCMBR")[0][1]
    names = tuple(dict.fromkeys(_places(member, folder)))
    if not budget.spend(sum(map(len, names))):
        return replace(step, reads=StepWord(UNKNOWN, span))
    return replace(step, reads=StepWord(names[0], span), also=names[1:])


def _places(member: str, folder: str) -> Iterator[str]:
    """The paths of a source member, relative to the program: alone, or in its source file."""
    for ending in _ENDINGS:
        for name in (member.lower(), member):
            for up in _FOLDERS:
                yield f"{up}{name}{ending}"
                if folder:
                    yield f"{up}{folder}/{name}{ending}"
                    yield f"{up}{folder.lower()}/{name}{ending}"


def read(text: str, context: Context) -> Parsed:
    vocabulary = context.vocabulary
    program = _Program(vocabulary.cl, vocabulary.control, context.budget)
    return Parsed(script=program.read(with_placeholders(text)))
