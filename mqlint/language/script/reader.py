"""MQ's commands in scripts of any shell, and the MQSC that the scripts hold.

The scanner of each shell yields `Command`s, which are read here one at a time. A script inside a
word (`sh -c "..."`), in the input of a shell or after sudo is read as a text of its own, and so is
the body of a function for each call. Commands that ssh sends to a named host are steps of that
host, and those in a named container steps of the container; if the name is not known, each is
judged alone. Nothing is executed, and what depends on running is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from mqlint.finding import diagnostic
from mqlint.language.execution import Execution
from mqlint.language.script.calls.prefixes import repeated
from mqlint.language.script.calls.wrappers import (
    CONTAINER_PROGRAMS,
    elsewhere,
    exec_input_fault,
    host_of,
    is_batch,
    is_harmless,
    later_script,
    reads_script,
    script_file,
    task_command,
    unwrapped,
)
from mqlint.language.script.command import Command, CommandGroup, Word, base_name, without_input
from mqlint.language.script.commands import CommandReader, TextContext
from mqlint.language.script.input.functions import Functions
from mqlint.language.script.input.source import DataFlow, Input, WrittenFiles, finish_pipe
from mqlint.language.script.posix.frames import not_closed
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.step import ShellScript
from mqlint.language.script.unread.unfollowed import (
    AWK,
    aliases_in,
    given_commands,
    gives_command,
    is_given_mqsc,
    is_unfollowed,
    run_in,
    runs_arguments,
    written_scripts,
)
from mqlint.language.script.unread.unseen import (
    RunVariables,
    evaluates,
    fetched,
    is_argument,
    is_blank,
    is_configuration,
    is_given_unknown,
    is_interpreter,
    is_no_script,
    is_of_product,
    is_of_system,
    is_script_file,
    makes_block,
    may_be_script,
    prints_settings,
    reads_program,
)
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

_OF_MQ = later(r"(?:mq|MQ)(?!tt|TT)")
"""MQTT alone is mostly the protocol of another product."""
_SOURCING = (".", "source")
_RUN_LATER = frozenset({"at", "batch", "crontab"})
"""Programs whose input is run at another time."""
_LINE = 400
"""Characters before a command that are searched for what its group prints."""
_NAME = later(r"[\w.:-]{1,80}")
_WRAPPERS = 8
"""How many words sudo and the like have at most before another one."""


class TextReader(CommandReader):
    """Reads one text, and the texts inside it: nested scripts, inputs of shells, functions.

    `scanner` is that of a script of sh, else None. `called` are its functions whose calls were
    read, and `following` those whose bodies are being read.
    """

    __slots__ = (
        "called",
        "following",
        "functions",
        "of_mq",
        "runs_arguments",
        "scanner",
        "variables",
    )

    def __init__(
        self, script: ScriptResults, context: TextContext, stdin: Input | None, folder: str = ""
    ) -> None:
        super().__init__(script, context, stdin, folder)
        self.functions = Functions(context.source.text)
        self.scanner: PosixScanner | None = None
        self.called: set[Span] = set()
        self.of_mq: dict[Span, bool] = {}
        self.runs_arguments: dict[Span, bool] = {}
        self.following: frozenset[str] = frozenset()
        self.variables = RunVariables(context.source.text)

    def read(self, scanned: Iterable[Command] | None) -> None:
        """Read every command; those of another language than sh are `scanned` already."""
        script, context = self.script, self.context
        if scanned is None:
            self.scanner = PosixScanner(context.source.text, script.budget)
            scanned = self.scanner.scan()
        self.commands(scanned)
        if self.scanner is not None:
            if context.is_file and _OF_MQ.search(context.source.text) is not None:
                scanner, text = self.scanner, context.source.text
                script.diagnostics += not_closed(text, scanner.left_open, scanner.last_quote)
            for name, span in [*self.scanner.functions.items(), *self.scanner.replaced]:
                if span not in self.called:
                    self.inside(name, context).commands(self.scanner.called(name, span))
            for name, span in self.scanner.never_run():
                self.inside(name, context).commands(self.scanner.called(name, span))
        for call, word, queue_manager in self.functions.calls():
            printed = Input(word.mapped.within(context.source))
            maybe = call.maybe or queue_manager is None
            execution = Execution(maybe, "function", schedule=context.execution.schedule)
            others = [other for other in call.words if other is not word]
            model = script.model(self.targets.model(word.start, others))
            script.embed(printed, execution, queue_manager, place=call.place, model=model)

    def commands(self, scanned: Iterable[Command]) -> None:
        for command in scanned:
            if command.here is not None:
                if command.here.not_ended is not None:
                    start, end = map(self.context.source.host, command.here.not_ended)
                    delimiter = command.here.delimiter
                    found = diagnostic("here-document", (start, end), delimiter=delimiter)
                    self.script.diagnostics.append(found)
                maybe = self.context.execution.maybe
                self.script.add_resources(command, self.context.source, maybe=maybe)
            self.functions.define(command)
            self.note_processes(command)
            self.command(command)
            finish_pipe(command)

    def command(self, command: Command) -> None:
        """Read one command, if it is one of MQ's or runs a script."""
        words, script = unwrapped(command.words)
        if len(words) < len(command.words) and not self.context.is_remote:
            self.note_own_network(command)
        if len(words) > 1 and words[0].text in _SOURCING:
            words = words[1:] if base_name(words[1].text) == "setmqenv" else words
        later = later_script(words) or task_command(words) if script is None and words else None
        if later is not None and words[0].text != "eval":
            command = replace(command, maybe=True, why=command.why or "function", block=None)
        script = script or later
        if script is not None:
            self.nested(command, script, self.flow.input(command) or self.stdin)
            return
        remote = _behind_variable_or_host(words, self.script.commands)
        if remote is not None:
            self.other_host(command, remote)
            return
        if command.words and (not words or words[0].text in _SOURCING):
            self.shell(command)
        name = base_name(words[0].text).lstrip(PLACEHOLDER) if words else ""
        self.program(command, name, words)
        if words or command.group is not None:
            self.flow.write(command, words)
        spec = self.script.commands.get(name)
        if spec is not None:
            self.control(command, spec, words)
        elif words:
            self.other(command, words)
        elif command.words and not self.context.is_remote:
            self.add_call(command.words[0])
            if not reads_script(command.words):
                self.note_unfollowed(command, command.words, is_own=False)

    def shell(self, command: Command) -> None:
        """Read what a shell without a script, or `source`, gets: its input, or a file."""
        file = None
        if reads_script(command.words):
            self.input_script(command)
        else:
            file = script_file(command.words)
        if file is not None:
            self.run_file(command, file)

    def run_file(self, command: Command, file: Word) -> None:
        """Record a file that is run: one of the project is known, unless the script changes it."""
        start = command.words[0].start
        if self.is_unseen_file(command, file):
            self.add_unfollowed(start)
        elif not is_of_system(file.text) and not is_of_product(file.text, self.script.commands):
            made_of = self.script.files.files_of(file, self.context.source)
            for name in (file,) if made_of is None else made_of:
                self.await_file(name.text, self.context.source.host(start))

    def run_variable(self, word: Word) -> None:
        """Record a variable that is a whole command, unless it is an argument or an answer."""
        written = self.context.source.text[word.start : word.end]
        if self.variables.may_be_command(written):
            self.script.awaited.append(("", self.context.source.host(word.start)))

    def is_unseen_file(self, command: Command, file: Word) -> bool:
        """Whether a file that is run was made when the script runs, or is none of a shell."""
        if self.context.source.text.startswith("<(", file.start):
            inner = command.substitution
            return self.is_unseen(inner.only or inner.first if inner is not None else None)
        is_other = command.words[0].text not in _SOURCING and is_no_script(file.text)
        return (is_other and file.known) or self.script.files.is_unseen(file, self.context.source)

    def is_unseen(self, printing: Command | None) -> bool:
        """Whether no text here is what a command prints, or that has commands of MQ."""
        group = printing.group if printing is not None and not printing.words else None
        if group is not None:
            parts = self.printed_by(group)
            return None in parts or self.has_command(parts)
        printed = self.flow.printed(printing) if printing is not None else None
        if printing is None or printed is None:
            return not prints_settings(printing)
        if printed.text is not None:
            text = printed.text.text
            return is_blank(text) or run_in(text, self.script.acting) >= 0
        return printed.file is not None and self.is_unseen_file(printing, printed.file)

    def printed_by(self, group: CommandGroup) -> list[Input | None]:
        """What the commands of a group print; None for one that is not known."""
        return [None if part is None else self.flow.line(part) for part in group.take()]

    def has_command(self, parts: Iterable[Input | None]) -> bool:
        """Whether a printed text has a command of MQ."""
        texts = (part.text for part in parts if part is not None)
        return any(
            text is not None and run_in(text.text, self.script.acting) >= 0 for text in texts
        )

    def program(self, command: Command, name: str, words: Sequence[Word]) -> None:
        """Read what programs of systems run or send: `at`, `find`, `docker`, `kubectl`, `curl`."""
        if self.gets_unseen(command, name, words):
            self.add_unfollowed(words[0].start)
        elif name in ("find", "xargs"):
            self.repeated(command, words)
        elif name in CONTAINER_PROGRAMS and not self.context.is_remote:
            self.script.add_container(words, self.binder, maybe=self.execution(command).maybe)
        elif name in ("kubectl", "oc"):
            self.script.add_holder(words)
        elif name == "curl":
            self.script.add_requests(command, words, self.context.source, self.execution(command))

    def gets_unseen(self, command: Command, name: str, words: Sequence[Word]) -> bool:
        """Whether a program runs a text that is not here, or fetches MQSC that a container runs."""
        is_program = reads_program(name, words)
        runs_text = name in _RUN_LATER or is_program
        if runs_text and given_commands(command, self.script.acting):
            return True
        group = command.piped.group if command.piped is not None else None
        if name == "crontab" and group is not None:
            # What `crontab -l` prints is not known, and is there already: `(crontab -l; echo ...)`
            text, end = self.context.source.text, words[0].start
            line = text[max(end - _LINE, 0) : end].rpartition("\n")[2]
            return self.has_command(self.printed_by(group)) or run_in(line, self.script.acting) >= 0
        runs_input = name in _RUN_LATER - {"crontab"} or is_program
        if runs_input and command.piped is not None:
            return self.is_unseen(command.piped)
        is_fetched = any(is_configuration(word.text) for word in fetched(name.lower(), words))
        return is_fetched or evaluates(name, words)

    def note_own_network(self, command: Command) -> None:
        """Record that a prefix such as `unshare -n` gives the command a network of its own."""
        for at, word in enumerate(command.words[:_WRAPPERS]):
            if base_name(word.text) == "unshare":
                touching = self.touching(command, command.words[at:])
                if touching is not None:
                    words = command.words[at:]
                    self.script.steps.append(self.file_step(command, touching, words))

    def other(self, command: Command, words: Sequence[Word]) -> None:
        """Read a command that does not belong to MQ."""
        context = self.context
        is_known_host = not context.is_remote or context.execution.host
        touching = self.touching(command, words) if is_known_host else None
        done = len(self.script.steps) + len(self.script.remote)
        is_own = words[0].text.lower() in self.functions.defined
        harmless = not is_own and is_harmless(words)
        if touching is not None:
            self.script.steps.append(self.file_step(command, touching, words))
        elif not harmless:
            self.add_call((words if context.is_remote else command.words)[0])
        if harmless or touching is not None:
            self.note_text(command, words)
        elif self.runs_unseen(command, words):
            self.add_unfollowed(words[0].start)
        elif is_script_file(words[0].text):
            self.run_file(command, words[0])
        elif len(words) == 1 and is_blank(words[0].text):
            self.run_variable(words[0])
        if context.is_remote:
            if not harmless and touching is None:
                self.note_unfollowed(command, words, is_own=False)
            self.add_typos(words, paths=False, is_fed=False)
            return
        paths = harmless or touching is not None
        self.add_typos(words, paths=paths, is_fed=is_given_mqsc(command))
        if not harmless and not self.follow(command, words):
            maybe = self.execution(command).maybe
            self.functions.call(words, maybe, len(self.script.embedded))
            if touching is None and done == len(self.script.steps) + len(self.script.remote):
                self.note_unfollowed(command, words, is_own=is_own)

    def runs_unseen(self, command: Command, words: Sequence[Word]) -> bool:
        """Whether a command is a text that was fetched or made, or its name is in a variable."""
        written = self.context.source.text
        if written.startswith(("${!", '"${!'), words[0].start) and not words[0].known:
            return True
        if makes_block(written, words[0].start):
            return True
        if len(words) == 1 and written.startswith(PLACEHOLDER, words[0].start):
            # In the text that another shell gives; a whole one is noted with its command.
            return is_blank(words[0].text) and not is_blank(written)
        if is_given_unknown(words):
            return True
        if is_interpreter(base_name(words[0].text)) and len(words) > 1:
            return written.startswith("<(", words[1].start)
        is_script = may_be_script(words[0].text)
        return is_script and self.script.files.is_unseen(words[0], self.context.source)

    def note_text(self, command: Command, words: Sequence[Word]) -> None:
        """Record a command of MQ in a program of awk, or in a script that is written."""
        name = base_name(words[0].text)
        if name == "alias":
            self.script.aliases.update(aliases_in(words, self.script.acting))
        elif name in AWK:
            if any(run_in(word.text, self.script.acting, is_awk=True) >= 0 for word in words[1:]):
                self.add_unfollowed(words[0].start)
        elif command.outputs or name == "tee":
            for place in written_scripts(command, name, self.script.acting):
                self.add_unfollowed(place)

    def note_unfollowed(self, command: Command, words: Sequence[Word], *, is_own: bool) -> None:
        """Record a command that may run one of MQ.

        A function of the script gave no step: it may run its words only if it runs a variable.
        """
        commands = self.script.acting
        span = self.scanner.functions.get(words[0].text) if is_own and self.scanner else None
        if span is not None:
            if span not in self.runs_arguments:
                body = self.context.source.text[slice(*span)]
                self.runs_arguments[span] = runs_arguments(body)
            is_run = self.runs_arguments[span] and gives_command(words, commands)
        else:
            is_run = words[0].text in self.script.aliases
            is_run = is_run or is_unfollowed(command, words, commands)
        if is_run:
            self.add_unfollowed(words[0].start)

    def add_unfollowed(self, offset: int) -> None:
        self.script.unfollowed[self.context.source.host(offset)] = None

    def repeated(self, command: Command, words: Sequence[Word]) -> None:
        """Read the commands of MQ and the scripts that find or xargs run."""
        is_fed = base_name(words[0].text) == "find"
        for inner in repeated(words):
            runs, script = unwrapped(inner)
            is_of_mq = script is not None or (
                runs and base_name(runs[0].text) in self.script.commands
            )
            if is_of_mq:
                why, block = command.why or "loop", None
                once = replace(command, words=inner, maybe=True, why=why, block=block)
                self.command(once if is_fed else without_input(once))

    # texts inside the text

    def inside(self, name: str, context: TextContext, stdin: Input | None = None) -> TextReader:
        """Return a reader of the body of the function `name`, which has the input `stdin`."""
        inner = copy(self)
        inner.context, inner.stdin = context, stdin
        inner.flow = DataFlow(context.source, self.script.files, stdin)
        inner.following = self.following | {name}
        return inner

    def follow(self, command: Command, words: Sequence[Word]) -> bool:
        """Read the body of a function that is called; False if it gives no MQSC."""
        name, scanner = words[0].text, self.scanner
        span = scanner.functions.get(name) if scanner is not None else None
        if scanner is None or span is None or name in self.following:
            return False
        size = span[1] - span[0]
        if not self.concerns_mq(words, span) or not self.script.budget.calls(size):
            return False
        if not self.goes_deeper(self.context.depth + 1, size, 1):
            return False
        execution = replace(self.execution(command), called_at=self.place(words[0].start))
        if self.following:
            why = execution.why or "function"
            execution = replace(execution, maybe=True, why=why, block="")
        context = replace(self.context, depth=self.context.depth + 1, execution=execution)
        before = len(self.script.embedded)
        inner = self.inside(name, context, self.flow.input(command) or self.stdin)
        inner.commands(scanner.called(name, span, words[1:]))
        self.called.add(span)
        return len(self.script.embedded) > before

    def concerns_mq(self, words: Sequence[Word], span: Span) -> bool:
        """Return whether a call of a function may run a command of MQ.

        It may if MQ is named in the call, in the function or in a function that it names.
        """
        if span not in self.of_mq:
            text = self.context.source.text
            functions = self.scanner.functions if self.scanner is not None else {}
            names = set(_NAME.findall(text, *span)) & functions.keys()
            spans = [span, *(functions[name] for name in names)]
            self.of_mq[span] = any(_OF_MQ.search(text, *function) for function in spans)
        return self.of_mq[span] or any(_OF_MQ.search(word.text) for word in words)

    def other_host(self, command: Command, words: Sequence[Word]) -> None:
        """Read the MQSC of a command that runs on another host or in a container."""
        fault = exec_input_fault(command, words, self.binder.span(command.words))
        if fault is not None:
            self.script.diagnostics.append(fault)
        self.add_call(command.words[0])
        if not self.goes_deeper(self.context.depth, 0, len(words)):
            return
        remote = copy(self)
        outer, host = self.context.execution, host_of(unwrapped(command.words)[0])
        sent_at = outer.sent_at
        if sent_at is None:
            sent_at = self.place(command.words[0].start)
        remote.context = replace(
            self.context,
            depth=self.context.depth + 1,
            is_remote=True,
            execution=replace(outer, host=host, sent_at=sent_at),
        )
        if len(words) == 1 and (len(words[0].text.split()) > 1 or is_blank(words[0].text)):
            remote.nested(command, words[0], self.flow.input(command))
        elif words:
            remote.command(replace(command, words=list(words)))
        else:
            remote.input_script(command)
        self.stdin = remote.stdin

    def input_script(self, command: Command) -> None:
        """Read the script that a shell gets as its input."""
        script = self.flow.script(command)
        if script is not None:
            self.nested(command, script, None)
        elif command.stdin is not None:
            is_fed = command.stdin.start == command.words[0].start  # by `>(sh)`
            if is_fed or self.is_unseen_file(command, command.stdin):
                self.add_unfollowed(command.words[0].start)
        elif command.piped is not None and self.is_unseen(command.piped):
            self.add_unfollowed(command.words[0].start)

    def nested(self, command: Command, script: Word, stdin: Input | None) -> None:
        """Read the script in the word `script`, which has the input `stdin`."""
        goes_in = self.goes_deeper(
            self.context.depth, len(script.text), len(script.mapped.segments)
        )
        if not (goes_in and script.known):
            self.add_call(script)
        if is_blank(script.text) and not self.is_known_later(command, script):
            self.add_unfollowed(script.start)
        if not goes_in:
            return
        is_task = task_command(command.words) is not None
        inner = TextContext(
            source=script.mapped.within(self.context.source),
            depth=self.context.depth + 1,
            execution=self.execution(command),
            globs=not is_task,
            is_remote=self.context.is_remote,
            is_checked=None if is_task or command.maybe else self.is_checked(command),
        )
        language = "cmd" if is_task or is_batch(command.words) else "shell"
        scanned = scanned_in(language, inner.source.text, self.script.budget)
        TextReader(self.script, inner, stdin, self.folder).read(scanned)

    def is_known_later(self, command: Command, script: Word) -> bool:
        """Whether a text that is not known is an argument, or settings that a command prints."""
        inner = command.substitution
        written = self.context.source.text[script.start : script.end]
        return is_argument(written) or (inner is not None and prints_settings(inner.first))

    def goes_deeper(self, depth: int, characters: int, pieces: int) -> bool:
        """Return whether a text of this size inside `depth` others is read.

        A text directly in the file is read without spending: it is read only once more.
        """
        budget = self.script.budget
        return budget.enters(depth) and (depth == 0 or budget.spend(characters, pieces))


def _behind_variable_or_host(
    words: Sequence[Word], commands: Mapping[str, ControlSpec]
) -> Sequence[Word] | None:
    """Return the command that runs on another host, or after a variable: `$SUDO runmqsc`."""
    if len(words) > 1 and words[0].text and not words[0].text.strip(PLACEHOLDER):
        return words[1:] if base_name(words[1].text) in commands else None
    return elsewhere(words)


def read_script(
    script: ScriptResults,
    context: TextContext,
    stdin: Input | None = None,
    scanned: Iterable[Command] | None = None,
) -> ShellScript:
    """Read a whole script, whose commands are `scanned` if it is not one of sh."""
    TextReader(script, context, stdin).read(scanned)
    for text in script.files.unread_files():
        script.embed(text, replace(context.execution, maybe=text.maybe))
    for name, text in script.files.stanzas():
        script.embed_stanzas(name, text)
    return script.script()


def scanned_in(language: str, text: str, budget: Budget) -> Iterator[Command] | None:
    """Return the simple commands of a script in `cmd` or `powershell`; None for one of sh.

    The scanner of a language is loaded for the first script in it.
    """
    if language == "cmd":
        from mqlint.language.script.batch.scanner import BatchScanner

        return BatchScanner(text, budget).scan()
    if language == "powershell":
        from mqlint.language.script.powershell.scanner import PowershellScanner

        return PowershellScanner(text, budget).scan()
    return None


def parse_embedded_command(
    source: MappedText,
    execution: Execution,
    commands: Mapping[str, ControlSpec],
    budget: Budget,
    stdin: MappedText | None = None,
    *,
    globs: bool = True,
    scanned: Iterable[Command] | None = None,
    shared: bool = False,
) -> ShellScript:
    """Read a command inside another file, such as a line of a crontab.

    `stdin` is the input that the file gives to it. `globs` is true if a shell reads it, which
    replaces patterns by names of files. The commands of another language than sh are `scanned`
    already.
    """
    context = TextContext(source, execution=execution, globs=globs)
    script = ScriptResults(commands, WrittenFiles(budget), source.host(0), shared)
    return read_script(script, context, None if stdin is None else Input(stdin), scanned)
