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
from copy import copy
from dataclasses import field, replace

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.binding import (
    Binder,
    first_line_apart,
    output_folder,
    queue_manager_of,
    where_output_goes,
)
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.container_run import PROGRAMS as CONTAINER_PROGRAMS
from mqlint.language.script.container_run import container_run
from mqlint.language.script.control import ControlForm, parse_control
from mqlint.language.script.environment import environment_faults, unsourced
from mqlint.language.script.expansion import expansion_faults
from mqlint.language.script.files.command import FED_BY_PIPES, file_command
from mqlint.language.script.files.options import is_open
from mqlint.language.script.files.touched import FileCommand
from mqlint.language.script.functions import Functions
from mqlint.language.script.hosts.task import task_command
from mqlint.language.script.input import (
    DataFlow,
    Input,
    WrittenFiles,
    feeding_processes,
    finish_pipe,
)
from mqlint.language.script.log_files import log_faults
from mqlint.language.script.mounts import mount_faults
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.processes import NO_PROCESSES
from mqlint.language.script.resources import in_resources
from mqlint.language.script.robustness import Robustness
from mqlint.language.script.setmqaut import as_authrec
from mqlint.language.script.step import (
    Embedded,
    ShellScript,
    Span,
    Step,
    StepOption,
    StepWord,
    Typo,
)
from mqlint.language.script.target import Targets
from mqlint.language.script.typos import command_typo, is_control_file, path_typo
from mqlint.language.script.wrappers import (
    elsewhere,
    is_batch,
    is_harmless,
    later_script,
    reads_script,
    unwrapped,
)
from mqlint.language.text.mapped import MappedText, whole
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec

_OF_OBJECTS = frozenset({"mqsc", "authorise"})
"""What commands do that define objects and grants, wherever they run."""
_OF_MQ = later(r"mq|MQ")
_NAME = later(r"[\w.:-]{1,80}")
_MQSC_FILES = (".mqsc", ".mqs")
_FIRST_WORD = later(r"\s*(?:def|alt|dis|del|set|sta|sto|ref|cle|res|\*)", re.I)


@mutable
class _Script:
    """A script with all scripts inside it: what to look for, and what was found so far.

    `commands` are the control commands, `files` those that the script writes, `schedule` that of
    a line of a crontab. It stands `at` an offset of the file.
    """

    commands: Mapping[str, ControlSpec]
    files: WrittenFiles
    schedule: str | None = None
    at: int = 0
    shared: bool = False
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    typos: list[Typo] = field(default_factory=list)
    declared: list[Declared] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    remote: list[Step] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)

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
            tuple(self.typos),
            tuple(self.declared),
            tuple(self.diagnostics),
            tuple(self.remote),
            tuple(self.fed),
        )

    def add_resources(self, command: Command, context: _TextContext) -> None:
        """Keep what the resources of Kubernetes say that a command is given."""
        found = in_resources(command, context.source, self.budget, maybe=context.maybe)
        if found is not None:
            self.embedded.extend(found.embedded)
            self.declared.extend(found.declared)
            self.diagnostics.extend(found.diagnostics)

    def add_container(self, words: Sequence[Word], binder: Binder) -> None:
        """Keep the queue manager of a container that a command starts."""
        found = container_run(words, binder)
        if found is not None:
            self.declared.append(found[0])
            self.diagnostics.extend(found[1])

    def add_requests(self, command: Command, words: Sequence[Word], context: _TextContext) -> None:
        """Keep the MQSC that a call of the administrative REST API sends."""
        has_body = any("runCommand" in word.text or "@" in word.text for word in words)
        if not has_body and command.here is None:
            return
        from mqlint.language.script.rest_calls import files_of, requests_of  # few have such calls

        self.fed += files_of(words)
        maybe, why = context.maybe or command.maybe, context.why or command.why
        self.embedded += requests_of(command, words, context.source, maybe=maybe, why=why)

    def embed(
        self,
        given: Input,
        queue_manager: str | None = None,
        *,
        place: int | None = None,
        model: str = "",
    ) -> None:
        """Keep the MQSC that a command is given, as the last or at a place among the others.

        What names no queue manager, and has no `model`, is for one of its own.
        """
        text = given.text
        if text is None or not text.text:
            return
        at = "" if self.shared and model else self.at
        own = f"{at}:{model or len(self.embedded)}"
        end = max(text.end, text.segments[-1][1] + 1)  # make defines variables after their use too
        found = Embedded(
            *("mqsc", text.text, text.segments, end, queue_manager),
            *(given.expands, given.maybe, self.schedule),
            model=own if queue_manager is None else "",
            why=given.why,
            at=given.at,
            verbatim=given.verbatim,
        )
        self.embedded.insert(len(self.embedded) if place is None else place, found)


@frozen
class _TextContext:
    """Where a text stands: `source` says where in the file, `depth` in how many others.

    `maybe` tells that it may not run, `why` for what reason; `globs` that a shell reads it, which
    puts names of files for patterns; `is_file` that it is a file of its own, whose results nobody
    else sees; `is_remote` that it runs on another host. `at` is the offset of the call that runs
    it, for the body of a function.
    """

    source: MappedText
    depth: int = 0
    maybe: bool = False
    globs: bool = False
    is_file: bool = False
    is_remote: bool = False
    why: str = ""
    at: int | None = None


class _Text:
    """Reads one text: the script, or one that stands in a word or an input of it.

    `given` is what the text is given as input, until a command reads that; `folder` where its
    commands run, blank where that is not known. `scanner` is that of the text if it is a script of
    sh; `called` are its functions whose calls were read, `following` those that are being read.
    """

    __slots__ = (
        *("binder", "called", "context", "flow", "folder", "following", "functions", "given"),
        *("of_mq", "robustness", "scanner", "script", "targets"),
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
        self.targets = Targets(text)
        globs = context.globs and self.robustness.patterns_count
        self.binder = Binder(context.source, globs)
        self.scanner: PosixScanner | None = None
        self.called: set[Span] = set()
        self.of_mq: dict[Span, bool] = {}
        self.following: frozenset[str] = frozenset()

    def read(self, scanned: Iterable[Command] | None) -> None:
        """Read every command; those of another language come `scanned`."""
        script, context = self.script, self.context
        if scanned is None:
            self.scanner = PosixScanner(context.source.text, script.budget)
            scanned = self.scanner.scan()
        self.commands(scanned)
        if self.scanner is not None:
            for name, span in [*self.scanner.functions.items(), *self.scanner.replaced]:
                if span not in self.called:
                    self.inside(name, context).commands(self.scanner.called(name, span))
            for name, span in self.scanner.never_run():
                self.inside(name, context).commands(self.scanner.called(name, span))
        for call, word, queue_manager in self.functions.calls():
            given = Input(
                word.mapped.within(context.source),
                not word.known,
                maybe=call.maybe or queue_manager is None,
                why="function",
            )
            others = [other for other in call.words if other is not word]
            model = self.targets.model(word.start, others)
            script.embed(given, queue_manager, place=call.place, model=model)

    def commands(self, scanned: Iterable[Command]) -> None:
        """Read the commands of the text, or of a function of it."""
        script, context = self.script, self.context
        for command in scanned:
            if command.here is not None:
                script.add_resources(command, context)
            self.functions.define(command)
            self.command(command, context)
            finish_pipe(command)

    def inside(self, name: str, context: _TextContext, given: Input | None = None) -> _Text:
        """Return what reads the body of a function of the text, which is `given` an input."""
        inner = copy(self)
        inner.context, inner.given = context, given
        inner.flow = DataFlow(context.source, self.script.files, given)
        inner.following = self.following | {name}
        return inner

    def follow(self, command: Command, words: Sequence[Word], context: _TextContext) -> bool:
        """Read the body of a function that is called; False if no MQSC comes of it."""
        name, scanner = words[0].text, self.scanner
        span = scanner.functions.get(name) if scanner is not None else None
        if scanner is None or span is None or name in self.following:
            return False
        size = span[1] - span[0]
        if not self.concerns_mq(words, span) or not self.script.budget.spares(size):
            return False
        if not self.goes_deeper(context.depth + 1, size, 1):
            return False
        context = replace(
            context,
            depth=context.depth + 1,
            maybe=context.maybe or command.maybe or bool(self.following),
            why=context.why or command.why or ("function" if self.following else ""),
            at=self.place(words[0].start),
        )
        before = len(self.script.embedded)
        inner = self.inside(name, context, self.flow.input(command) or self.given)
        inner.commands(scanner.called(name, span, words[1:]))
        self.called.add(span)
        return len(self.script.embedded) > before

    def concerns_mq(self, words: Sequence[Word], span: Span) -> bool:
        """Whether a call of a function may run a command of MQ: one is named there, or near it."""
        if span not in self.of_mq:
            text = self.context.source.text
            functions = self.scanner.functions if self.scanner is not None else {}
            names = set(_NAME.findall(text, *span)) & functions.keys()
            spans = [span, *(functions[name] for name in names)]
            self.of_mq[span] = any(_OF_MQ.search(text, *each) for each in spans)
        return self.of_mq[span] or any(_OF_MQ.search(word.text) for word in words)

    def command(self, command: Command, context: _TextContext) -> None:
        """Read one command, if it is one of MQ's or runs a script."""
        words, script = unwrapped(command.words)
        if len(words) > 1 and words[0].text in (".", "source"):
            words = words[1:] if base_name(words[1].text) == "setmqenv" else words
        if script is None and words:
            script = later_script(words) or task_command(words)
            if script is not None and words[0].text != "eval":
                command = replace(command, maybe=True, why=command.why or "function")
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
        if words and base_name(words[0].text) in CONTAINER_PROGRAMS and not context.is_remote:
            self.script.add_container(words, self.binder)
        if words and base_name(words[0].text) == "curl":
            self.script.add_requests(command, words, context)
        if words or command.group is not None:
            self.flow.write(command, words)
        spec = self.script.commands.get(base_name(words[0].text)) if words else None
        if spec is not None:
            self.control(command, spec, words, context)
        elif not context.is_remote:
            self.other(command, words, context)
        elif words:
            self.typos(words, paths=False, is_fed=False)

    def other(self, command: Command, words: Sequence[Word], context: _TextContext) -> None:
        """Read a command that is none of MQ's."""
        touching = self.touching(command, words, context) if words else None
        harmless = bool(words) and is_harmless(words)
        if touching is not None:
            self.script.steps.append(self.file_step(command, touching, words, context))
        elif command.words and not harmless:
            self.calls(command.words[0])
        if words:
            is_fed = command.stdin is not None and command.stdin.text.endswith(_MQSC_FILES)
            self.typos(words, paths=harmless or touching is not None, is_fed=is_fed)
            if not harmless and not self.follow(command, words, context):
                maybe = context.maybe or command.maybe
                self.functions.call(words, maybe, len(self.script.embedded))

    def calls(self, word: Word) -> None:
        """Note that the command which begins with a word may do anything."""
        self.script.calls.append(self.place(word.start))

    def place(self, offset: int) -> int:
        """Return where in the file what is at an offset runs: where its function is called."""
        return self.context.source.host(offset) if self.context.at is None else self.context.at

    def typos(self, words: Sequence[Word], *, paths: bool, is_fed: bool) -> None:
        """Keep what is near one of MQ's words: a path, or else the command."""
        found: list[Typo | None]
        if not paths:
            span = self.binder.span(words[:1])
            found = [command_typo(words, self.script.commands, span, is_fed=is_fed)]
        elif any(is_control_file(word.text) for word in words[1:]):
            return
        else:
            found = [path_typo(word, self.binder.span([word])) for word in words[1:]]
        self.script.typos.extend(
            typo for typo in found if typo and typo.written not in self.robustness.own
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
            why=context.why or command.why,
            at=context.at,
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
        is_task = task_command(command.words) is not None
        inner = _TextContext(
            source=script.mapped.within(context.source),
            depth=context.depth + 1,
            maybe=context.maybe or command.maybe,
            why=context.why or command.why,
            at=context.at,
            globs=not is_task,
            is_remote=context.is_remote,
        )
        scanned = None
        if is_task or is_batch(command.words):
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
            why=context.why or command.why,
            at=context.at,
            open=form.open,
            reads=self.reads(given, options),
            also=_further_files(given),
            lost=spec.action == "mqsc" and _is_lost(command, given),
            schedule=self.script.schedule,
            output=where_output_goes(command),
            folder=output_folder(command),
            checked=self.robustness.is_checked(command) if context.is_file else None,
        )
        self.script.secrets.extend(_secrets(spec, step))
        if not context.is_remote or step.is_secondary or step.option("sx") is not None:
            self.script.steps.append(step)
        else:
            self.script.remote.append(step)
        if spec.action not in _OF_OBJECTS:
            return
        model = "" if queue_manager else self.model(spec, form, words, context)
        if spec.action == "mqsc":
            self.run_mqsc(step, given, model)
        else:
            self.authorise(words, step, model)

    def model(
        self, spec: ControlSpec, form: ControlForm, words: Sequence[Word], context: _TextContext
    ) -> str:
        """Return what tells the queue manager of a command from others, none of them known.

        Blank stands for one that no other command is for. Of a text that runs on another host it
        is not known which host that is.
        """
        if self.context.is_remote:
            return ""
        if spec.queue_manager == "operand":
            named = [words[number] for number in form.operands[-1:]]
        else:
            named = [
                words[option.value]
                for option in form.options
                if option.name == spec.queue_manager and option.value >= 0
            ]
        return self.targets.model(words[0].start, named, remote=context.is_remote)

    def run_mqsc(self, step: Step, given: Input | None, model: str) -> None:
        """Keep the MQSC that runmqsc is given, less the password before it that -u asks for."""
        if given is None or given.text is None:
            if step.reads is None:
                self.script.calls.append(step.span[0])
            return
        text = given.text
        if step.option("u") is not None and not _FIRST_WORD.match(text.text):
            password, text = first_line_apart(text)
            self.script.secrets.append(password)
        given = replace(given, text=text, maybe=given.maybe or step.maybe, why=step.why)
        given = replace(given, at=step.at)
        self.script.embed(given, step.queue_manager, model=model)

    def authorise(self, words: Sequence[Word], step: Step, model: str) -> None:
        """Keep what setmqaut does as the MQSC that does the same."""
        mapped = as_authrec(words) if step.command == "setmqaut" else None
        if mapped is not None:
            expands = any(not word.known for word in words)
            source = self.context.source
            given = Input(mapped.within(source), expands, None, step.maybe, step.why, step.at)
            self.script.embed(given, step.queue_manager, model=model)

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


def _further_files(given: Input | None) -> tuple[str, ...]:
    """Return the files that runmqsc reads after the first one."""
    others = given.others if given is not None else ()
    return tuple(word.text for word in others if word.known)


def _is_lost(command: Command, given: Input | None) -> bool:
    """Whether a command gets something to read that is not known."""
    if given is not None:
        return given.text is None and given.file is not None and not given.file.known
    return (command.piped or command.source or command.stdin or command.string) is not None


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
    context = _TextContext(whole(text), is_file=True)
    return _Script(commands, WrittenFiles(budget)).read(context, None, scanned)


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
    shared: bool = False,
) -> ShellScript:
    """Read a command that stands in another file, as in a line of a crontab.

    `given` is what the command is given as input, where the host says so; `maybe` tells that a
    condition of the host decides whether it runs; `globs` that a shell reads it, which puts names
    of files for patterns. What is in another language than that of a shell comes `scanned`.
    """
    stdin = None if given is None else Input(given)
    context = _TextContext(source, maybe=maybe, globs=globs)
    script = _Script(commands, WrittenFiles(budget), schedule, source.host(0), shared)
    return script.read(context, stdin, scanned)


def read_shell(text: str, context: Context) -> Parsed:
    """Read a script of a shell as a document."""
    return Parsed(
        script=parse_shell(text, context.vocabulary.control, context.budget),
        diagnostics=[
            *environment_faults(text),
            *unsourced(text),
            *log_faults(text),
            *mount_faults(text),
            *expansion_faults(text),
        ],
    )
