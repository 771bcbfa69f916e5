"""MQ's commands in scripts of any shell, and the MQSC that the scripts hold.

The scanner of each shell yields `Command`s; what a command does is decided here, one at a time.
sudo, su and the like are looked through; `sh -c "..."` is read as a script of its own, and so is
what a shell is given as input. Of what runs on another host or in a container (ssh, docker exec)
only the MQSC is read: which steps follow one another is not known there. Nothing is executed, and
what depends on running is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mqlint.language.base import Context, Parsed
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.binding import (
    Binder,
    first_line_apart,
    queue_manager_of,
    where_output_goes,
)
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.control import parse_control
from mqlint.language.script.files.command import FED_BY_PIPES, file_command
from mqlint.language.script.files.options import is_open
from mqlint.language.script.files.touched import FileCommand
from mqlint.language.script.functions import Functions
from mqlint.language.script.input import (
    DataFlow,
    Input,
    WrittenFiles,
    feeding_processes,
    finish_pipe,
)
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.processes import NO_PROCESSES
from mqlint.language.script.resources import in_resources
from mqlint.language.script.robustness import Robustness
from mqlint.language.script.setmqaut import as_authrec
from mqlint.language.script.step import (
    Embedded,
    ShellScript,
    Slip,
    Span,
    Step,
    StepOption,
    StepWord,
)
from mqlint.language.script.typos import command_slip, is_control_file, path_slip
from mqlint.language.script.wrappers import (
    elsewhere,
    is_batch,
    is_harmless,
    reads_script,
    unwrapped,
)
from mqlint.language.text.mapped import MappedText, whole
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec

_OF_OBJECTS = frozenset({"mqsc", "authorise"})
"""What commands do that define objects and grants, wherever they run."""
_FIRST_WORD = re.compile(r"\s*(?:def|alt|dis|del|set|sta|sto|ref|cle|res|\*)", re.I)


@dataclass(slots=True)
class _Script:
    """A script with all scripts inside it: what to look for, and what was found so far.

    `commands` are the control commands, `files` those that the script writes, `schedule` that of
    a line of a crontab.
    """

    commands: Mapping[str, ControlSpec]
    files: WrittenFiles
    schedule: str | None = None
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)

    @property
    def budget(self) -> Budget:
        """The budget of the document."""
        return self.files.budget

    def read(
        self, context: _TextContext, given: Input | None, scanned: Iterable[Command] | None = None
    ) -> ShellScript:
        """Read the whole script, whose commands are `scanned` in another language than sh."""
        _Text(self, context, given).read(scanned)
        for text in self.files.left():
            self.embed(text)
        return ShellScript(
            tuple(self.steps),
            tuple(self.embedded),
            tuple(self.secrets),
            tuple(self.calls),
            tuple(self.slips),
        )

    def embed(
        self, given: Input, queue_manager: str | None = None, *, place: int | None = None
    ) -> None:
        """Keep the MQSC that a command is given, as the last or at a place among the others."""
        text = given.text
        if text is None or not text.text:
            return
        found = Embedded(
            *("mqsc", text.text, text.segments, text.end, queue_manager),
            *(given.expands, given.maybe, self.schedule),
            verbatim=given.verbatim,
        )
        self.embedded.insert(len(self.embedded) if place is None else place, found)


@dataclass(frozen=True, slots=True)
class _TextContext:
    """Where a text stands: `source` says where in the file, `depth` in how many others.

    `maybe` tells that it may not run; `globs` that a shell reads it, which puts names of files
    for patterns; `is_file` that it is a file of its own, whose results nobody else sees;
    `is_remote` that it runs on another host.
    """

    source: MappedText
    depth: int = 0
    maybe: bool = False
    globs: bool = False
    is_file: bool = False
    is_remote: bool = False


class _Text:
    """Reads one text: the script, or one that stands in a word or an input of it.

    `given` is what the text is given as input, until a command reads that; `folder` where its
    commands run, blank where that is not known.
    """

    __slots__ = (
        *("binder", "context", "flow", "folder", "functions", "given", "robustness", "script"),
    )

    def __init__(
        self, script: _Script, context: _TextContext, given: Input | None, folder: str = ""
    ) -> None:
        text = context.source.text
        self.script = script
        self.context = context
        self.given = given
        self.folder = folder
        self.robustness = Robustness(text)
        self.flow = DataFlow(context.source, script.files, given)
        self.functions = Functions(text)
        globs = context.globs and self.robustness.patterns_count
        self.binder = Binder(context.source, globs)

    def read(self, scanned: Iterable[Command] | None) -> None:
        """Read every command; those of another language come `scanned`."""
        script, context = self.script, self.context
        if scanned is None:
            scanned = PosixScanner(context.source.text, script.budget).scan()
        for command in scanned:
            if command.here is not None:
                script.embedded.extend(
                    in_resources(command, context.source, script.budget, maybe=context.maybe)
                )
            self.functions.define(command)
            self.command(command, context)
            finish_pipe(command)
        for call, word, queue_manager in self.functions.calls():
            given = Input(
                word.mapped.within(context.source),
                not word.known,
                maybe=call.maybe or queue_manager is None,
            )
            script.embed(given, queue_manager, place=call.place)

    def command(self, command: Command, context: _TextContext) -> None:
        """Read one command, if it is one of MQ's or runs a script."""
        words, script = unwrapped(command.words)
        remote = None
        if script is None and not context.is_remote:
            remote = _behind_variable_or_host(words, self.script.commands)
        if remote is not None:
            self.other_host(command, remote, context)
            return
        if script is not None:
            self.nested(command, script, self.flow.input(command) or self.given, context)
            return
        if not words and command.words and reads_script(command.words):
            self.fed(command, context)
        if words or command.group is not None:
            self.flow.write(command, words)
        spec = self.script.commands.get(base_name(words[0].text)) if words else None
        if spec is not None and (not context.is_remote or spec.action in _OF_OBJECTS):
            self.control(command, spec, words, context)
        elif not context.is_remote:
            self.other(command, words, context)

    def other(self, command: Command, words: Sequence[Word], context: _TextContext) -> None:
        """Read a command that is none of MQ's."""
        touching = self.touching(command, words, context) if words else None
        harmless = bool(words) and is_harmless(words)
        if touching is not None:
            self.script.steps.append(self.file_step(command, touching, words, context))
        elif command.words and not harmless:
            self.calls(command.words[0])
        if words:
            self.slips(words, paths=harmless or touching is not None)
            if not harmless:
                maybe = context.maybe or command.maybe
                self.functions.call(words, maybe, len(self.script.embedded))

    def calls(self, word: Word) -> None:
        """Note that the command which begins with a word may do anything."""
        self.script.calls.append(self.context.source.host(word.start))

    def slips(self, words: Sequence[Word], *, paths: bool) -> None:
        """Keep what is near one of MQ's words: a path, or else the command."""
        found: list[Slip | None]
        if not paths:
            found = [command_slip(words, self.script.commands, self.binder.span(words[:1]))]
        elif any(is_control_file(word.text) for word in words[1:]):
            return
        else:
            found = [path_slip(word, self.binder.span([word])) for word in words[1:]]
        self.script.slips.extend(
            slip for slip in found if slip and slip.written not in self.robustness.own
        )

    def touching(
        self, command: Command, words: Sequence[Word], context: _TextContext
    ) -> FileCommand | None:
        """Return what a command does to queue managers' files; cd changes the folder."""
        name = base_name(words[0].text).lower()
        if name in ("cd", "chdir"):
            known = len(words) > 1 and not (command.maybe or context.maybe)
            self.folder = words[-1].text if known else ""
            return None
        piped = command.piped.words if command.piped is not None else ()
        processes = feeding_processes(command) if name in FED_BY_PIPES else NO_PROCESSES
        return file_command(name, words, self.folder, piped, processes)

    def file_step(
        self, command: Command, touching: FileCommand, words: Sequence[Word], context: _TextContext
    ) -> Step:
        """Return the step of a command that touches queue managers' files."""
        name = base_name(words[0].text).lower()
        return Step(
            command=name,
            action=touching.action,
            options=tuple(self.binder.file_options(touching, name)),
            operands=tuple(self.binder.word(word) for word in words[1:]),
            queue_manager=touching.queue_manager,
            span=self.binder.span(words),
            command_span=self.binder.span(words[:1]),
            maybe=context.maybe or command.maybe,
            schedule=self.script.schedule,
            paths=tuple(self.binder.paths(touching)),
            other=None if touching.other is None else self.binder.word(touching.other),
            every=touching.every,
            open=is_open(words, touching.other),
            unguarded=tuple(
                self.robustness.unguarded(touched.word for touched in touching.touched)
            ),
        )

    def other_host(self, command: Command, words: Sequence[Word], context: _TextContext) -> None:
        """Read what is run on another host or in a container, for its MQSC."""
        self.calls(command.words[0])
        if not self.goes_deeper(context.depth, 0, len(words)):
            return
        context = replace(context, depth=context.depth + 1, is_remote=True)
        if len(words) == 1 and len(words[0].text.split()) > 1:
            self.nested(command, words[0], self.flow.input(command), context)
        elif words:
            self.command(replace(command, words=list(words)), context)
        else:
            self.fed(command, context)

    def fed(self, command: Command, context: _TextContext) -> None:
        """Read the script that a shell is given as its input."""
        script = self.flow.script(command)
        if script is not None:
            self.nested(command, script, None, context)

    def nested(
        self, command: Command, script: Word, given: Input | None, context: _TextContext
    ) -> None:
        """Read the script that stands in a word; `given` is what is given to it as input."""
        goes_in = self.goes_deeper(context.depth, len(script.text), len(script.mapped.segments))
        if not (goes_in and script.known):
            self.calls(script)
        if not goes_in:
            return
        inner = _TextContext(
            source=script.mapped.within(context.source),
            depth=context.depth + 1,
            maybe=context.maybe or command.maybe,
            globs=True,
            is_remote=context.is_remote,
        )
        scanned = None
        if is_batch(command.words):
            scanned = batch_commands(inner.source.text, self.script.budget)
        _Text(self.script, inner, given, self.folder).read(scanned)

    def goes_deeper(self, depth: int, characters: int, pieces: int) -> bool:
        """Whether a script or command of this size that stands in `depth` others is followed.

        What stands in the file itself is, without spending: it is read once more.
        """
        budget = self.script.budget
        return budget.enters(depth) and (depth == 0 or budget.spend(characters, pieces))

    def control(
        self, command: Command, spec: ControlSpec, words: Sequence[Word], context: _TextContext
    ) -> None:
        """Read a control command, with the MQSC that it is given."""
        form = parse_control(spec, [word.text for word in words])
        options = tuple(self.binder.option(spec, words, option) for option in form.options)
        operands = tuple(self.binder.word(words[number]) for number in form.operands)
        queue_manager = queue_manager_of(spec, options, operands)
        given = None
        if spec.action == "mqsc":
            given = self.flow.named(form, words, queue_manager)
            given = given or self.flow.input(command, queue_manager)
            if given is None:
                given, self.given = self.given, None
        span = self.binder.span(words)
        step = Step(
            command=spec.name,
            action=spec.action,
            options=options,
            operands=operands,
            queue_manager=queue_manager,
            span=span,
            command_span=self.binder.span(words[:1]) if len(words) > 1 else span,
            maybe=context.maybe or command.maybe,
            open=form.open,
            reads=self.reads(given, options),
            schedule=self.script.schedule,
            output=where_output_goes(command),
            checked=self.robustness.is_checked(command) if context.is_file else None,
        )
        self.script.secrets.extend(_secrets(spec, step))
        if not context.is_remote:
            self.script.steps.append(step)
        if spec.action == "mqsc":
            self.run_mqsc(step, given)
        elif spec.action == "authorise":
            self.authorise(words, step)

    def run_mqsc(self, step: Step, given: Input | None) -> None:
        """Keep the MQSC that runmqsc is given, less the password before it that -u asks for."""
        if given is None or given.text is None:
            if step.reads is None:
                self.script.calls.append(step.span[0])
            return
        text = given.text
        if step.option("u") is not None and not _FIRST_WORD.match(text.text):
            password, text = first_line_apart(text)
            self.script.secrets.append(password)
        given = replace(given, text=text, maybe=given.maybe or step.maybe)
        self.script.embed(given, step.queue_manager)

    def authorise(self, words: Sequence[Word], step: Step) -> None:
        """Keep what setmqaut does as the MQSC that does the same."""
        mapped = as_authrec(words) if step.command == "setmqaut" else None
        if mapped is not None:
            expands = any(not word.known for word in words)
            given = Input(mapped.within(self.context.source), expands, maybe=step.maybe)
            self.script.embed(given, step.queue_manager)

    def reads(self, given: Input | None, options: Sequence[StepOption]) -> StepWord | None:
        """Return the file that runmqsc reads."""
        for option in options:
            if option.name == "f" and option.value is not None and option.value_span:
                return StepWord(option.value, option.value_span)
        file = given.file if given is not None else None
        return None if file is None else self.binder.word(file)


def _behind_variable_or_host(
    words: Sequence[Word], commands: Mapping[str, ControlSpec]
) -> Sequence[Word] | None:
    """Return the command that runs on another host, or behind a variable: `$SUDO runmqsc`."""
    if len(words) > 1 and words[0].text and not words[0].text.strip(PLACEHOLDER):
        return words[1:] if base_name(words[1].text) in commands else None
    return elsewhere(words)


def _secrets(spec: ControlSpec, step: Step) -> Iterator[Span]:
    """Yield where the passwords of a control command stand, known or not."""
    for option in step.options:
        if option.value_span and (option.name in spec.secret or isinstance(option.value, Secret)):
            yield option.value_span


def batch_commands(text: str, budget: Budget) -> Iterator[Command]:
    """Return the simple commands of what `cmd /c` is given."""
    from mqlint.language.script.batch.scanner import (
        BatchScanner,  # only for scripts that run such a command
    )

    return BatchScanner(text, budget).scan()


def parse_shell(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a shell script; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    context = _TextContext(whole(text), globs=True, is_file=True)
    return _Script(commands, WrittenFiles(budget or Budget(len(text)))).read(context, None)


def parse_scanned(
    text: str, scanned: Iterable[Command], commands: Mapping[str, ControlSpec], budget: Budget
) -> ShellScript:
    """Read a script of another language, of which `scanned` are the simple commands."""
    return _Script(commands, WrittenFiles(budget)).read(_TextContext(whole(text)), None, scanned)


def parse_embedded_command(
    source: MappedText,
    schedule: str | None,
    commands: Mapping[str, ControlSpec],
    budget: Budget,
    given: MappedText | None = None,
    *,
    maybe: bool = False,
    globs: bool = True,
    scanned: Iterable[Command] | None = None,
) -> ShellScript:
    """Read a command that stands in another file, as in a line of a crontab.

    `given` is what the command is given as input, where the host says so; `maybe` tells that a
    condition of the host decides whether it runs; `globs` that a shell reads it, which puts names
    of files for patterns. What is in another language than that of a shell comes `scanned`.
    """
    stdin = None if given is None else Input(given)
    context = _TextContext(source, maybe=maybe, globs=globs)
    return _Script(commands, WrittenFiles(budget), schedule).read(context, stdin, scanned)


def read_shell(text: str, context: Context) -> Parsed:
    """Read a script of a shell as a document."""
    return Parsed(script=parse_shell(text, context.vocabulary.control, context.budget))
