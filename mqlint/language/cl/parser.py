"""Programs of CL on IBM i: what they do with queue managers, their journals, libraries and files.

Nothing is executed. A variable is known where it is declared with a value that nothing changes;
what depends on running is unknown otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Never

from mqlint.dataclass import frozen, mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.cl.command import ClValue, values
from mqlint.language.cl.flow import Flow, Leaf, is_secret
from mqlint.language.cl.objects import About, Libraries, about, may_be, texts
from mqlint.language.cl.source import commands
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import (
    Embedded,
    ShellScript,
    Span,
    Step,
    StepOption,
    StepPath,
    StepWord,
)
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.cl import ClSpec, ClVocabulary
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance, nearest
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_HOLE = later(r"\{(\?|[A-Z0-9]+)\}")
_FOLDERS = ("", "../")
_ENDINGS = (".mqsc", ".MQSC", "")


_LONG = 5
"""From how many letters on one wrong letter tells that another parameter is meant."""

_NOTHING: Mapping[str, Never] = {}


@mutable
class _BoundCommand:
    """A command with the values of its parameters, and where those stand.

    `strange` are words that are no parameters, each with the one that is meant; `about` tells what
    a command of the system is about. Most commands of a long text have nothing of all this.
    """

    leaf: Leaf
    spec: ClSpec
    values: Mapping[str, tuple[ClValue, ...] | Unknown]
    places: Mapping[str, Span]
    strange: Mapping[str, str]
    about: About | None = None

    def text(self, key: str) -> str | Unknown:
        """Return the values of a parameter joined by blanks, blank where it is not written."""
        found = self.values.get(key, ())
        if isinstance(found, Unknown):
            return UNKNOWN
        known = [value.value for value in found if isinstance(value.value, str)]
        return " ".join(known) if len(known) == len(found) else UNKNOWN

    @property
    def named(self) -> str | None:
        """The queue manager that its own parameter names."""
        value = self.text(self.spec.queue_manager) if self.spec.queue_manager else ""
        special = isinstance(value, Unknown) or value.startswith("*")
        return None if special or not value else str(value)


@frozen
class _Coverage:
    """What a program as a whole saves and records: see `_saved` and `_imaged`."""

    journals: str | Unknown
    images: str | Unknown


@mutable
class _Program:
    """Reads one program."""

    vocabulary: ClVocabulary
    control: Mapping[str, ControlSpec]
    budget: Budget
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)

    def read(self, text: str) -> ShellScript:
        """Read every command, then bind each to a queue manager."""
        flow = Flow(self.vocabulary, self.budget).read(commands(text))
        self.calls += flow.calls
        self.secrets += flow.secrets
        bound = [*self.bound(flow)]
        libraries = self.libraries(bound)
        bound = [command for command in bound if self.is_of_mq(command, libraries)]
        coverage = _Coverage(_saved(bound, self.calls), _imaged(bound))
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
        )

    def bound(self, flow: Flow) -> Iterator[_BoundCommand]:
        """Yield the commands with their values; a program that is gone is a step without any."""
        leaves, flow.leaves = flow.leaves, []
        for leaf in leaves:
            if leaf.spec is None:
                self.steps.append(_gone(leaf))
            elif not leaf.command.arguments:
                yield _BoundCommand(leaf, leaf.spec, _NOTHING, _NOTHING, _NOTHING)
            else:
                yield self.with_values(leaf, leaf.spec, flow)

    def with_values(self, leaf: Leaf, spec: ClSpec, flow: Flow) -> _BoundCommand:
        """Bind the parameters of a command."""
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
            meant = _meant(key, spec)
            if meant:
                strange[key] = meant
            bound.setdefault(key, values(argument, flow.known))
            places.setdefault(key, argument.span)
        return _BoundCommand(leaf, spec, bound, places, strange)

    def libraries(self, bound: Sequence[_BoundCommand]) -> Libraries:
        """Return what the program says of queue managers' libraries."""
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

    def is_of_mq(self, bound: _BoundCommand, libraries: Libraries) -> bool:
        """Whether a command is about MQ; what may be is a call that may do anything."""
        if not bound.spec.touches:
            return True
        bound.about = about(bound.spec, bound.values, libraries)
        if bound.about is None and may_be(bound.spec, bound.values):
            self.calls.append(bound.leaf.command.span[0])
        return bound.about is not None

    def step(self, bound: _BoundCommand, libraries: Libraries, coverage: _Coverage) -> None:
        """Keep the step of one command, and the MQSC that does the same."""
        leaf, spec = bound.leaf, bound.spec
        name = bound.named or _owner(bound.about, libraries)
        found = bound.about or About()
        step = Step(
            command=spec.name,
            action=found.action or _action(bound),
            options=tuple(_options(bound, coverage)),
            operands=(),
            queue_manager=name,
            span=leaf.command.span,
            command_span=leaf.command.name_span,
            maybe=leaf.maybe,
            schedule=leaf.schedule,
            paths=tuple(StepPath(path, part, span) for path, part, span in found.parts),
            every=found.every or _says(bound, spec.queue_manager, "*ALL"),
        )
        if spec.mqsc:
            self.embed(bound, step)
        self.steps.append(_reading(bound, step) if step.action == "mqsc" else step)

    def embed(self, bound: _BoundCommand, step: Step) -> None:
        """Keep the MQSC command that does the same as one of CL."""
        inner = _as_mqsc(bound)
        if inner is not None:
            self.embedded.append(
                Embedded(
                    "mqsc",
                    inner.text,
                    inner.segments,
                    inner.end,
                    step.queue_manager,
                    PLACEHOLDER in inner.text,
                    step.maybe,
                    step.schedule,
                )
            )

    def shell(self, source: MappedText, maybe: bool) -> None:
        """Read what the shell of IBM i is given."""
        from mqlint.language.script.reader import parse_embedded_command  # only for QSH

        found = parse_embedded_command(source, None, self.control, self.budget, maybe=maybe)
        self.steps += found.steps
        self.embedded += found.embedded
        self.secrets += found.secrets
        self.calls += found.calls


def _meant(key: str, spec: ClSpec) -> str:
    """The parameter that is meant by a word that is none, blank where it may be a newer one."""
    if key in spec.instead:
        return spec.instead[key]
    if key in spec.parameters:
        return ""
    if spec.complete:
        return nearest(key, spec.parameters)
    if spec.evidence != "document" or len(key) < _LONG:
        return ""
    meant = nearest(key, spec.parameters)
    return meant if meant and distance(key, meant, 1) == 1 else ""


def _gone(leaf: Leaf) -> Step:
    """The step of a program that no release has any more."""
    command = leaf.command
    text = command.arguments[0].source.text.strip().strip("'").upper()
    options = (StepOption("old", "true", command.span, command.span),)
    name = f"CALL {text.rpartition('/')[2]}"
    return Step(
        name, "quiesce", options, (), None, command.span, command.name_span, leaf.maybe, every=True
    )


def _says(bound: _BoundCommand, key: str, word: str) -> bool:
    return bool(key) and bound.text(key) == word


def _owner(found: About | None, libraries: Libraries) -> str | None:
    """The one queue manager whose files, folders or library a command names."""
    if found is None or found.every:
        return None
    named = {*found.queue_managers, *(libraries.owner(library) for library in found.libraries)}
    return next(iter(named)) if len(named) == 1 else None


def _action(bound: _BoundCommand) -> str:
    """What a command does: MQSC that is only looked at is not run."""
    option = bound.text("OPTION")
    if bound.spec.action == "mqsc" and option not in ("", "*RUN"):
        return "verify"
    return bound.spec.action


def _options(bound: _BoundCommand, coverage: _Coverage) -> Iterator[StepOption]:
    """The parameters of a command, and what follows from them."""
    span = bound.leaf.command.span
    for key in bound.values:
        where, value = bound.places[key], bound.text(key)
        if is_secret(key) and isinstance(value, str):
            yield StepOption(key, Secret.of(value), where, where)
            continue
        yield StepOption(key, value, where, where)
        option = bound.spec.same.get(f"{key} {value}") if isinstance(value, str) else None
        if option is not None:
            yield StepOption(option, None, where)
    for key, text in (bound.about.facts if bound.about is not None else {}).items():
        yield StepOption(key, text, span, span)
    refused = next(_refused(bound), None)
    if refused is not None:
        key, given = refused
        yield StepOption("refused", f"{key}({given.value})", given.span, given.span)
        yield StepOption("allowed", ", ".join(bound.spec.takes[key]), span, span)
    lacking = _lacking(bound)
    if lacking:
        yield StepOption("lacks", lacking, span, span)
    for strange, meant in list(bound.strange.items())[:1]:
        yield StepOption("strange", strange, bound.places[strange], bound.places[strange])
        yield StepOption("meant", meant, span, span)
    if bound.spec.name == "ENDMQM" and bound.text("ENDCCTJOB") == "*YES":
        image = bound.text("RCDMQMIMG")
        yield StepOption(
            "images", image if isinstance(image, Unknown) else _yes(image != "*NO"), span, span
        )
    if bound.spec.action == "image":
        yield StepOption("all", coverage.images, span, span)
    if bound.spec.action == "copy":
        yield StepOption("journals", coverage.journals, span, span)


def _refused(bound: _BoundCommand) -> Iterator[tuple[str, ClValue]]:
    """Yield the values that parameters do not take, with the parameter."""
    for key, found in bound.values.items():
        if isinstance(found, Unknown):
            continue
        for value in found:
            if isinstance(value.value, str) and not bound.spec.accepts(key, value.value):
                yield key, value


def _lacking(bound: _BoundCommand) -> str:
    """The first parameter that the command needs and that is not written, blank for none."""
    spec = bound.spec
    if not bound.values or bound.strange or bound.leaf.command.prompted:
        return ""
    needed = [*spec.requires]
    for given, others in spec.after.items():
        key, _, value = given.partition(" ")
        needed += others if bound.text(key) == value else ()
    return next((key for key in needed if key not in bound.values), "")


def _yes(true: bool) -> str:
    return "true" if true else "false"


def _imaged(bound: Sequence[_BoundCommand]) -> str | Unknown:
    """Whether the program records images of all objects: true, false, `several` commands."""
    images = [command for command in bound if command.spec.action == "image"]
    if any(image.text("OBJ") == image.text("OBJTYPE") == "*ALL" for image in images):
        return "true"
    if any(isinstance(image.text(key), Unknown) for image in images for key in ("OBJ", "OBJTYPE")):
        return UNKNOWN
    return "several" if len(images) > 1 else "false"


def _saved(bound: Sequence[_BoundCommand], calls: Sequence[int]) -> str | Unknown:
    """Whether the program saves a library of a queue manager: true, false, or not known.

    `allusr` where it saves all user libraries, which those of queue managers are not.
    """
    saves = [
        command.about
        for command in bound
        if command.spec.action == "copy" and command.about is not None
    ]
    if any(part == "log" for save in saves for _, part, _ in save.parts):
        return "true"
    if calls:
        return UNKNOWN
    return "allusr" if any(save.facts.get("library") == "*ALLUSR" for save in saves) else "false"


def _reading(bound: _BoundCommand, step: Step) -> Step:
    """Return the step of STRMQMMQSC with the files that may hold its member."""
    member = bound.text("SRCMBR")
    if isinstance(member, Unknown) or member[:1] in ("", "*"):
        return replace(step, reads=StepWord(UNKNOWN, step.command_span))
    file = bound.text("SRCFILE")
    folder = "" if isinstance(file, Unknown) else file.rpartition("/")[2] or "QMQSC"
    span = texts(bound.values, "SRCMBR")[0][1]
    names = tuple(dict.fromkeys(_places(member, folder)))
    return replace(step, reads=StepWord(names[0], span), also=names[1:])


def _places(member: str, folder: str) -> Iterator[str]:
    """Where a source member may stand, beside the program: by itself, or in its source file."""
    for ending in _ENDINGS:
        for name in (member.lower(), member):
            for up in _FOLDERS:
                yield f"{up}{name}{ending}"
                if folder:
                    yield f"{up}{folder}/{name}{ending}"
                    yield f"{up}{folder.lower()}/{name}{ending}"


def _as_mqsc(bound: _BoundCommand) -> MappedText | None:
    """Return the MQSC that does the same, None where a value is missing or ends a string."""
    builder = MappedTextBuilder()
    start = bound.leaf.command.name_span[0]
    at = 0
    for hole in _HOLE.finditer(bound.spec.mqsc):
        builder.add(bound.spec.mqsc[at : hole.start()], start, 0)
        at = hole.end()
        if hole[1] == "?":
            builder.add(PLACEHOLDER * 3, start, 0)
            continue
        value, span = _filled(bound, hole[1])
        if value is None or "'" in value or "\n" in value:
            return None
        builder.add(value, span[0], span[1] - span[0])
    builder.add(bound.spec.mqsc[at:], start, 0)
    return builder.finish(bound.leaf.command.span[1])


def _filled(bound: _BoundCommand, key: str) -> tuple[str | None, Span]:
    """What stands for a parameter in MQSC, and where it is written."""
    place = bound.leaf.command.name_span
    found = bound.values.get(key, ())
    if isinstance(found, Unknown) or len(found) > 1:
        return PLACEHOLDER * 3, place
    if found:
        written, place = found[0].value, found[0].span
        if isinstance(written, Unknown):
            return PLACEHOLDER * 3, place
    else:
        written = bound.spec.defaults.get(key, "")
    words = bound.spec.words.get(key)
    return (words.get(written) if words else written) or None, place


def parse_cl(
    text: str,
    vocabulary: ClVocabulary,
    control: Mapping[str, ControlSpec],
    budget: Budget | None = None,
) -> ShellScript:
    """Read a source member of CL; whatever the text, something is returned.

    `control` are the control commands to look for in what QSH is given.
    """
    return _Program(vocabulary, control, budget or Budget(len(text))).read(with_placeholders(text))


def read(text: str, context: Context) -> Parsed:
    """Read a program of CL as a document."""
    vocabulary = context.vocabulary
    return Parsed(script=parse_cl(text, vocabulary.cl, vocabulary.control, context.budget))
