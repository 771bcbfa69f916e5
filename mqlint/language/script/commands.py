"""Commands of scripts as steps: control commands with their MQSC, and commands on files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.dataclass import frozen
from mqlint.finding import diagnostic
from mqlint.language.execution import CERTAIN, Execution
from mqlint.language.mqsc.value import Secret
from mqlint.language.objects.spelling import SETMQAUT
from mqlint.language.script.binding import (
    Binder,
    first_line_apart,
    leaves_out_queue_manager,
    output_folder,
    output_replaced,
    printed_text,
    queue_manager_of,
    where_output_goes,
)
from mqlint.language.script.calls.setmqaut import as_authrecs
from mqlint.language.script.command import NO_PROCESSES, Command, Word, base_name, operands_of
from mqlint.language.script.control import ControlForm, parse_control
from mqlint.language.script.faults.robustness import Robustness
from mqlint.language.script.faults.typos import command_typo, is_control_file, path_typo
from mqlint.language.script.files.command import FED_BY_PIPES, file_command
from mqlint.language.script.files.path import depth_below
from mqlint.language.script.files.touched import FileCommand, is_open, only_part
from mqlint.language.script.folders import OF_SCRIPT, Folder, Folders, enters
from mqlint.language.script.input.data_flow import DataFlow, feeding_processes
from mqlint.language.script.input.written import Input
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.step import Step, StepOption, StepWord, Typo
from mqlint.language.script.target import Targets
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER, is_template_line
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.control import ControlSpec

_REMOVING = frozenset("rm unlink shred del erase remove-item ri".split())
_OF_OBJECTS = frozenset({"mqsc", "authorise"})
"""Actions that define objects and grants, on whatever host they run."""
_CHANGE = later(r"(?im)^[ \t]*(?:def|alt|set|ref|res|cle)")
"""A command of MQSC that is expected to succeed, unlike DELETE and STOP."""
_OTHER_CHANGE = later(r"(?im)^[ \t]*(?:alt|set|ref|res|cle|del)|(?<!no)replace\b")
"""A command that changes or removes an object, or replaces it if it exists."""
_WHOLE_VARIABLE = later(r"\"?\$\{?(\w{1,60})\}?\"?")
_FIRST_WORD = later(r"(?i)\s*(?:def|alt|dis|del|set|sta|sto|ref|cle|res|\*)")


@frozen
class TextContext:
    """The circumstances in which the commands of a text run.

    `source` maps the text to the file, and `depth` counts the texts around it. `execution` is that
    of the text, `folder` the one in which its commands run. `globs` is true if a shell reads the
    text, which replaces patterns by names of files. `is_file` is true for a whole file: nothing
    else can check its results. `is_remote` is true if the text runs on another host, also on one
    that is not known. `is_checked` says whether the script checks the result of the command that
    runs the text, None if that is not known. `ends_on_fault`: its shell gets the option -e.
    """

    source: MappedText
    depth: int = 0
    execution: Execution = CERTAIN
    folder: Folder = OF_SCRIPT
    globs: bool = False
    is_file: bool = False
    is_remote: bool = False
    is_checked: bool | None = None
    ends_on_fault: bool = False


_SEARCHES = frozenset({"grep", "egrep", "fgrep"})


class CommandReader:
    """Reads the commands of one text into steps.

    `stdin` is the input of the text, until a command reads it.
    """

    __slots__ = (
        *("binder", "context", "flow", "folders", "stdin", "is_remote_text"),
        *("processes", "robustness", "script", "targets"),
    )

    def __init__(self, script: ScriptResults, context: TextContext, stdin: Input | None) -> None:
        text = context.source.text
        self.script = script
        self.context = context
        self.is_remote_text = context.is_remote
        self.stdin = stdin
        self.folders = Folders(text, context.folder)
        self.processes: dict[str, frozenset[str]] = {}
        self.robustness = Robustness(
            text, is_file=context.is_file, ends_on_fault=context.ends_on_fault
        )
        self.flow = DataFlow(context.source, script.files, stdin)
        self.targets = Targets(text, is_file=context.is_file)
        self.binder = Binder(context.source, context.globs and self.robustness.patterns_count)

    @property
    def is_known_host(self) -> bool:
        """Whether the commands run on this host, or on another one whose name is known."""
        return not self.context.is_remote or bool(self.context.execution.host)

    def execution(self, command: Command) -> Execution:
        """Return the circumstances of the text, with the doubt about the command itself."""
        outer = self.context.execution
        if not command.maybe and not command.why:
            return outer
        block = ""
        if command.block is not None and (outer.block or not outer.maybe):
            block = f"{outer.block}/{self.context.source.host(command.block)}"
        return replace(
            outer, maybe=outer.maybe or command.maybe, why=outer.why or command.why, block=block
        )

    def is_checked(self, command: Command) -> bool | None:
        """Whether the script checks the result of a command, None if that is not known."""
        outer = self.context.is_checked
        if not self.context.is_file and outer is None:
            return None
        return bool(outer) or self.robustness.is_checked(command, has_caller=self.context.is_file)

    def place(self, offset: int) -> int:
        """Return the offset in the file at which a command runs: that of the call of its function.

        `offset` is its offset in the text.
        """
        called_at = self.context.execution.called_at
        return self.context.source.host(offset) if called_at is None else called_at

    def add_call(self, word: Word) -> None:
        """Record that the command that begins with `word` may do anything."""
        self.script.calls.append(self.place(word.start))

    def await_file(self, name: str, place: int) -> None:
        """Record a file that is run or read, and an offset; its folder may be unknown."""
        name = base_name(name)
        if name and PLACEHOLDER not in name:
            self.script.awaited.append((name, place))

    def add_typos(self, words: Sequence[Word], *, paths: bool, is_fed: bool) -> None:
        """Record words that may be typos of MQ's: with `paths` the paths, otherwise the command."""
        found: list[Typo | None]
        if paths:
            named = [word for word in words[1:] if "mq" in word.text.lower()]
            if any(is_control_file(word.text) for word in named):
                return
            found = [path_typo(word, self.binder.span([word])) for word in named]
        else:
            span = self.binder.span(words[:1])
            found = [command_typo(words, self.script.commands, span, is_fed=is_fed)]
        self.script.typos.extend(
            typo for typo in found if typo and typo.written not in self.robustness.own
        )

    # commands that touch files

    def touching(self, command: Command, words: Sequence[Word]) -> FileCommand | None:
        """Return what a command does to queue managers' files."""
        name = base_name(words[0].text).lower()
        piped = _first_of_pipe(command)
        processes = self._processes(command, words) if name in FED_BY_PIPES else NO_PROCESSES
        return file_command(name, words, self.folders.of(command).path, piped, processes)

    def enter(self, command: Command, words: Sequence[Word]) -> None:
        """Record the folder that the next commands run in, if `cd` or the like changes it."""
        if enters(words):
            into = words[-1] if len(words) > 1 else None
            is_fetched = into is not None and self.script.files.enters_fetched(
                into, self.context.source, inside=self.folders.of(command).is_fetched
            )
            is_certain = not self.execution(command).maybe and self.is_known_host
            self.folders.enter(command, into if is_certain else None, is_fetched=is_fetched)

    def touch(self, command: Command, words: Sequence[Word]) -> bool:
        """Add the step of a command that touches queue managers' files; False if it does not."""
        touching = self.touching(command, words)
        if touching is not None:
            self.script.steps.append(self.file_step(command, touching, words))
        return touching is not None

    def note_processes(self, command: Command) -> None:
        """Record the variables that hold what commands print that name processes of MQ."""
        inner = command.substitution
        if inner is None or not inner.processes:
            return
        is_loop = len(command.words) > 1 and command.words[0].text == "for"
        names = [command.words[1].text] if is_loop else [word.text for word in command.assigned]
        self.processes.update((name.partition("=")[0], inner.processes) for name in names)

    def note_search(self, command: Command) -> None:
        """Record whether a grep in a pipe finds processes by the name of a queue manager."""
        words = command.words
        if not words or base_name(words[0].text) not in _SEARCHES:
            return
        options = "".join(word.text for word in words[1:] if word.text.startswith("-"))
        patterns = operands_of(words[1:])
        if patterns and "v" not in options:
            pattern = patterns[0]
            name = pattern.text if pattern.known else self._model(words, [pattern])
            kind = "named" if name in self.script.managers else "other"
            command.piped_processes |= {kind}

    def _processes(self, command: Command, words: Sequence[Word]) -> frozenset[str]:
        """The processes that a command is about: by its pipe, its words and their variables."""
        found = feeding_processes(command)
        for word in words[1:] if self.processes else ():
            variable = _WHOLE_VARIABLE.fullmatch(self.context.source.text, word.start, word.end)
            found |= self.processes.get(variable[1], NO_PROCESSES) if variable else NO_PROCESSES
        return found

    def file_step(self, command: Command, touching: FileCommand, words: Sequence[Word]) -> Step:
        name, execution = base_name(words[0].text).lower(), self.execution(command)
        if touching.action == "clone":  # the disk is not for the storage that clones it
            execution = replace(execution, host="")
        return Step(
            command=name,
            action=touching.action,
            options=tuple(self.binder.file_options(touching, name)),
            operands=tuple(self.binder.word(word) for word in words[1:]),
            queue_manager=self._owner(touching),
            span=self.binder.span(words),
            command_span=self.binder.span(words[:1], words),
            execution=execution,
            paths=tuple(self.binder.paths(touching)),
            other=None if touching.other is None else self.binder.word(touching.other),
            every=touching.every,
            open=is_open(words, touching.other),
            sole=self._sole_part(touching, words),
            unguarded=tuple(
                self.robustness.unguarded(touched.word for touched in touching.touched)
            ),
            replaces=self._removed(name, touching),
            model=self._model_of_files(touching, words),
        )

    def _owner(self, touching: FileCommand) -> str | None:
        """The queue manager of the files; RDQM names its volumes in lower case."""
        name = touching.queue_manager
        if name is None or not all("/vols/" in path.path for path in touching.touched):
            return name
        found = [known for known in self.script.managers if known.lower() == name]
        return found[0] if len(found) == 1 else name

    def _model_of_files(self, touching: FileCommand, words: Sequence[Word]) -> str | None:
        """The model of the queue manager in the path of the first files, None if it is unknown."""
        first = touching.touched[0] if touching.touched else None
        if first is None or touching.queue_manager is not None or self.is_remote_text:
            return None
        depth = depth_below(first.path)
        if depth is None or not first.path.endswith(first.word.text) or self.context.is_remote:
            return None
        called_at = self.context.execution.called_at
        model = self.targets.folder_model(words[0].start, first.word, depth, called_at=called_at)
        model = self.script.model(model) if model else ""
        return model if model and self.targets.is_of_first_call(model, called_at) else None

    def _sole_part(self, touching: FileCommand, words: Sequence[Word]) -> str:
        """Return the part that a command copies, if it is all that its script copies."""
        if not self.context.is_file or not self.robustness.copies_once:
            return ""
        return only_part(touching, words)

    def _removed(self, name: str, touching: FileCommand) -> str:
        """Return the configuration file that a command removes and that nothing else names."""
        if name not in _REMOVING or touching.action != "edit" or not self.context.is_file:
            return ""
        path = touching.touched[0].path
        file = path.replace("\\", "/").rpartition("/")[2]
        return path if self.context.source.text.count(file) == 1 else ""

    # control commands

    def control(self, command: Command, spec: ControlSpec, words: Sequence[Word]) -> bool:
        """Add the step of a control command, and its MQSC; False if no text here is its input."""
        form = parse_control(spec, [word.text for word in words])
        printed = printed_text(command)
        options = tuple(self.binder.option(spec, words, option, printed) for option in form.options)
        operands = tuple(self.binder.operand(spec, words[number]) for number in form.operands)
        queue_manager = queue_manager_of(spec, options, operands)
        takes_default = leaves_out_queue_manager(spec, options, operands)
        creator = self.script.default if takes_default and not self.context.is_remote else None
        if creator is not None:
            queue_manager = creator.queue_manager
        is_mqsc = spec.action == "mqsc"
        stdin = self._input(command, form, words, queue_manager) if is_mqsc else None
        naming = [] if queue_manager else _naming(spec, form, words)
        model = "" if queue_manager else self._model(words, naming)
        span = self.binder.span(words)
        step = Step(
            command=spec.name,
            action=spec.action,
            options=options,
            operands=operands,
            queue_manager=queue_manager,
            span=span,
            command_span=self.binder.span(words[:1], words) if len(words) > 1 else span,
            execution=self.execution(command),
            # The name after crtmqm -q may be known only when the script runs.
            open=form.open or (creator is not None and queue_manager is None),
            reads=self._file_read(stdin, options) if is_mqsc else None,
            also=_further_files(stdin),
            lost=is_mqsc and _is_lost(command, stdin),
            edited=self.binder.word(stdin.edited) if stdin and stdin.edited else None,
            has_input=self._has_input(command) if spec.action == "dead-letter" else None,
            program=words[0].text,
            replaces=self._replaced(command) if spec.action == "dump" else "",
            output=where_output_goes(command),
            folder=output_folder(command),
            directory=self.folders.of(command).path,
            checked=self.is_checked(command),
            fatal=not self.context.is_checked and self.robustness.is_fatal(command),
            waits=self.context.is_file and self.context.globs and self._waits(command),
            failure=self._failure(command, spec, stdin),
            background=self._is_in_background(command) and not self.robustness.pauses(command),
            model=self._model_of_step(model, naming),
            of_windows=self.script.of_windows,
        )
        step = replace(step, varies=True) if self._varies(command, step) else step
        self.script.secrets.extend(_secrets(spec, step))
        self.script.managers.add(queue_manager or model)
        self._add_step(step)
        if is_mqsc:
            self._run_mqsc(step, stdin, model)
        elif spec.action == "authorise":
            self._authorise(words, step, model)
        elif spec.action == "dead-letter" and command.here is not None:
            self.script.add_rules(command, self.context.source)
        return not is_mqsc or stdin is not None

    def _input(
        self, command: Command, form: ControlForm, words: Sequence[Word], queue_manager: str | None
    ) -> Input | None:
        """Return what runmqsc reads; the input of the text, if it has no other, only once."""
        own = self.flow.named(form, words, queue_manager)
        own = own or self.flow.input(command, queue_manager)
        if own is None:
            own, self.stdin = self.stdin, None
        return own

    def _varies(self, command: Command, step: Step) -> bool:
        """Whether a command surely runs, and only the values of its options may be others."""
        if not command.tried or self.context.execution.maybe:
            return False
        names = [step.program, step.queue_manager or "", *(option.name for option in step.options)]
        return not any(
            value.startswith("-") or any(value in name for name in names) for value in command.tried
        )

    def _waits(self, command: Command) -> bool:
        """Whether the script surely waits for a command: it is in no branch, loop or function."""
        return not command.why and self.robustness.is_foreground(command)

    def _failure(self, command: Command, spec: ControlSpec, stdin: Input | None) -> str:
        """How the script hides that a command fails, blank if it does not or if it may."""
        found = self.robustness.failure(command) if _matters(spec, stdin) else ""
        return "" if found == "ignored" and _is_expected(stdin) else found

    def _add_step(self, step: Step) -> None:
        """Add a control command to the steps of the script or of a host, or to the remote ones."""
        is_remote = self.context.is_remote
        if step.command == "crtmqm" and step.option("q") and not is_remote:
            self.script.default = step
        if not is_remote or _is_step_of_host(step):
            self.script.steps.append(step)
        elif step.is_secondary or step.option("sx") is not None:
            self.script.steps.append(replace(step, execution=replace(step.execution, host="")))
        else:
            self.script.remote.append(step)
            self.script.calls.append(step.span[0])

    def _replaced(self, command: Command) -> str:
        """Return the file that the output of a command replaces, if it runs in a file of a script.

        A branch may avoid it, and steps of jobs may run on different hosts or days.
        """
        is_branch = "branch" in (command.why, self.context.execution.why)
        is_here = self.context.is_file and not is_branch
        return output_replaced(command, self.context.source.text) if is_here else ""

    def _has_input(self, command: Command) -> bool | None:
        """Whether a command may have an input; None if it has that of whoever runs the script.

        In a scheduled text, a group around it may give it one. A shell that is not interactive
        gives a command in the background an empty one (POSIX, "Asynchronous Lists").
        """
        text = self.context.source.text
        if self.context.execution.schedule is not None:
            return self.stdin is not None or "<" in text or "|" in text
        if not self._is_in_background(command):
            return None
        if command.stdin is not None and command.stdin.text == "/dev/null":
            return False
        return self.stdin is not None or command.has_input

    def _is_in_background(self, command: Command) -> bool:
        return self.context.globs and self.robustness.is_in_background(command)

    def _model(self, words: Sequence[Word], naming: Sequence[Word]) -> str:
        """Return a text that commands for the same queue manager share, although it is not known.

        It is blank in a text that runs on another host, as that host is not known. Templates are
        covered here, so the place of the name follows them: see `with_names`.
        """
        if self.is_remote_text:
            return ""
        called_at = self.context.execution.called_at
        written = self.targets.model(
            words[0].start, naming, remote=self.context.is_remote, called_at=called_at
        )
        if naming and PLACEHOLDER in written:
            start, end = self.binder.span(naming)
            written += f"{PLACEHOLDER}{start}-{end}"
        return self.script.model(written)

    def _model_of_step(self, model: str, naming: Sequence[Word]) -> str | None:
        """The model of a command that names its queue manager, None if it may be another one."""
        if not model or not naming:
            return None
        called_at = self.context.execution.called_at
        is_same = self.targets.is_same_in_calls(naming)
        return model if is_same or self.targets.is_of_first_call(model, called_at) else None

    def _run_mqsc(self, step: Step, stdin: Input | None, model: str) -> None:
        """Add the MQSC that runmqsc reads, without the password in the first line (option -u)."""
        if stdin is None or stdin.text is None:
            if step.reads is None:
                self.script.calls.append(step.span[0])
            elif isinstance(step.reads.value, str):
                self.await_file(step.reads.value, step.span[0])
            return
        text = stdin.text
        if text.text and step.option("u") is not None and not _FIRST_WORD.match(text.text):
            written = text.text.partition("\n")[0].strip()
            password, text = first_line_apart(text)
            self.script.secrets.append(password)
            if is_hidden(written):
                option = "-u, in its input"
                found = diagnostic("control-password", password, command="runmqsc", option=option)
                self.script.diagnostics.append(found)
        execution = step.execution
        if stdin.maybe or step.option("v") is not None:  # -v only verifies
            execution = replace(execution, maybe=True)
        stdin = replace(stdin, text=text)
        self.script.embed(stdin, execution, step.queue_manager, model=model)

    def _authorise(self, words: Sequence[Word], step: Step, model: str) -> None:
        """Add the MQSC that does the same as a setmqaut command, for each user and group."""
        for number, mapped in enumerate(as_authrecs(words) if step.command == "setmqaut" else ()):
            if number and not self.script.budget.spend(len(mapped.text), len(mapped.segments)):
                return
            command_line, owner = Input(mapped.within(self.context.source)), step.queue_manager
            self.script.embed(command_line, step.execution, owner, model=model, spelling=SETMQAUT)

    def _file_read(self, stdin: Input | None, options: Sequence[StepOption]) -> StepWord | None:
        for option in options:
            if option.name == "f" and option.value is not None and option.value_span:
                return StepWord(option.value, option.value_span)
        file = stdin.file if stdin is not None else None
        return None if file is None else self.binder.word(file)


def _naming(spec: ControlSpec, form: ControlForm, words: Sequence[Word]) -> list[Word]:
    """Return the words of a control command that name its queue manager."""
    if spec.queue_manager == "operand":
        return [words[number] for number in form.operands[-1:]]
    return [
        words[option.value]
        for option in form.options
        if option.name == spec.queue_manager and option.value >= 0
    ]


def _first_of_pipe(command: Command) -> Sequence[Word]:
    """Return the words of the command on the left of a pipe; past filters if it lists files."""
    left = command.piped
    return () if left is None else (left.listing or left.words)


def _matters(spec: ControlSpec, stdin: Input | None) -> bool:
    """Whether it matters if a command fails: it does not if its MQSC only asks or deletes."""
    text = stdin.text if stdin is not None else None
    return spec.action != "mqsc" or text is None or _CHANGE.search(text.text) is not None


def _is_expected(stdin: Input | None) -> bool:
    """Whether MQSC fails when it runs again: it defines objects that exist, and does no more."""
    text = stdin.text if stdin is not None else None
    return text is not None and _OTHER_CHANGE.search(text.text) is None


def _further_files(stdin: Input | None) -> tuple[str, ...]:
    """Return the files that runmqsc reads after the first one."""
    others = stdin.others if stdin is not None else ()
    return tuple(word.text for word in others if word.known)


def _is_step_of_host(step: Step) -> bool:
    """Whether a command that ssh sends is a step of its host.

    Files that it reads may be of either host, and hosts may have queue managers of one name, each
    created in its own way.
    """
    is_known = step.execution.host and step.queue_manager is not None
    is_alone = step.action not in _OF_OBJECTS or (step.action == "mqsc" and step.reads is None)
    return bool(is_known) and step.action != "create" and is_alone


def _is_lost(command: Command, stdin: Input | None) -> bool:
    """Return whether a command reads something that is not known."""
    if stdin is None:
        return command.has_input
    if stdin.text is not None:
        return any(map(is_template_line, stdin.text.text.splitlines()))
    return stdin.file is None or not stdin.file.known


def _secrets(spec: ControlSpec, step: Step) -> Iterator[Span]:
    """Yield the places of the passwords of a control command, known or not."""
    for option in step.options:
        if option.value_span and (option.name in spec.secret or isinstance(option.value, Secret)):
            yield option.value_span
