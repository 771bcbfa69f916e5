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
from functools import lru_cache

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.execution import Execution
from mqlint.language.rest import AS_TEXT
from mqlint.language.script.calls.prefixes import repeated, together
from mqlint.language.script.calls.wrappers import (
    CONTAINER_PROGRAMS,
    elsewhere,
    exec_input_fault,
    host_of,
    is_batch,
    is_harmless,
    later_script,
    reads_script,
    runs_at_exit,
    script_file,
    task_command,
    unwrapped,
)
from mqlint.language.script.command import Command, Word, base_name, without_input
from mqlint.language.script.commands import TextContext
from mqlint.language.script.faults.checks import check_fault, relevant_faults
from mqlint.language.script.faults.operations import operation_fault
from mqlint.language.script.faults.own_input import own_input
from mqlint.language.script.faults.permissions import opened_keys
from mqlint.language.script.input.data_flow import DataFlow, finish_pipe
from mqlint.language.script.input.functions import Functions
from mqlint.language.script.input.written import Input, WrittenFiles
from mqlint.language.script.posix.frames import not_closed
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.posix.sites import called_by_site
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.step import ShellScript
from mqlint.language.script.unread.reader import RUN_LATER, SOURCING, UnreadReader
from mqlint.language.script.unread.unfollowed import (
    gives_command,
    is_given_mqsc,
    runs_alias,
    started_processes,
)
from mqlint.language.script.unread.unseen import is_blank, is_fed_unseen
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

_LEAVES = later(
    r"(?i)(?<!! )\bdspmq\b(?>[^\n]{0,200}?\b(?:running\b(?![^\n]{0,80}\|\|)|ended\b))"
    r"[^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\b(?:exit|return|continue)\b"
)
"""A script, or a turn of a loop, that goes no further while a queue manager runs."""
_OF_MQ = later(r"(?:mq|MQ)(?!tt|TT)")
"""MQTT alone is mostly the protocol of another product."""
_NAME = later(r"[\w.:-]{1,80}")
_CALLING = frozenset({"curl", "wget", "http", "https", "xh"})
"""Programs that send requests."""
_COPYING = frozenset("tar gtar cp volume snapmirror rbd symclone symmir symrdf rdqmdr".split())
"""Commands that only touch files, disks or replicas, and run no other command."""
_WRAPPERS = 8
"""How many words sudo and the like have at most before another one."""


class TextReader(UnreadReader):
    """Reads one text, and the texts inside it: nested scripts, inputs of shells, functions.

    `called` are its functions whose calls were read, and `following` those whose bodies are being
    read.
    """

    __slots__ = ("called", "following", "functions", "of_mq", "quiet")

    def __init__(self, script: ScriptResults, context: TextContext, stdin: Input | None) -> None:
        super().__init__(script, context, stdin)
        self.functions = Functions(context.source.text)
        self.called: set[Span] = set()
        self.of_mq: dict[Span, bool] = {}
        self.quiet: dict[Span, bool] = {}
        self.following: frozenset[str] = frozenset()

    def read(self, scanned: Iterable[Command] | None) -> None:
        """Read every command; those of another language than sh are `scanned` already."""
        script, context = self.script, self.context
        if scanned is None:
            self.scanner = PosixScanner(context.source.text, script.budget)
            if script.given and not context.is_remote:
                self.scanner.bindings.give(script.given)
            if context.is_file:
                self.scanner.bindings.sourced = script.sourced
            scanned = self.scanner.scan()
            text = context.source.text
            if "dspmq" in text:
                script.calls += (self.place(found.end()) for found in _LEAVES.finditer(text))
        else:
            for place in started_processes(context.source.text, script.acting):
                self.add_unfollowed(place)
        self.commands(scanned)
        if self.scanner is not None:
            if context.is_file and _OF_MQ.search(context.source.text) is not None:
                scanner, text = self.scanner, context.source.text
                script.diagnostics += not_closed(text, scanner.left_open, scanner.open_quote)
                script.diagnostics += self.after_exit(scanner.exited)
            for name, span in [*self.scanner.functions.items(), *self.scanner.replaced]:
                if span not in self.called:
                    self.inside(name, context).commands(self.scanner.called(name, span))
            for name, span in self.scanner.never_run():
                self.inside(name, context).commands(self.scanner.called(name, span))
        for call, word, queue_manager in self.functions.calls():
            printed = Input(word.mapped.within(context.source))
            maybe = call.maybe or queue_manager is None
            outer = context.execution
            execution = Execution(maybe, "function", schedule=outer.schedule, run=outer.run)
            others = [other for other in call.words if other is not word]
            model = script.model(self.targets.model(word.start, others))
            script.embed(printed, execution, queue_manager, place=call.place, model=model)

    def after_exit(self, exited: int) -> Iterator[Diagnostic]:
        """Yield the first command of MQ after the `exit` that ends the script, if it has one."""
        end = self.context.source.host(exited) if exited >= 0 else None
        later = [step for step in self.script.steps if end is not None and step.span[0] > end]
        if later:
            first = min(later, key=lambda step: step.span)
            yield diagnostic("after-exit", first.command_span, name=first.command)

    def commands(self, scanned: Iterable[Command]) -> None:
        for command in scanned:
            if command.here is not None:
                if command.here.not_ended is not None:
                    start, end = map(self.context.source.host, command.here.not_ended)
                    delimiter = command.here.delimiter
                    found = diagnostic("here-document", (start, end), delimiter=delimiter)
                    self.script.diagnostics.append(found)
                if self.context.is_file:
                    self.script.add_here(command)
                maybe = self.context.execution.maybe
                self.script.add_resources(command, self.context.source, maybe=maybe)
            self.functions.define(command)
            self.note_processes(command)
            self.note_assigned(command)
            self.command(command)
            finish_pipe(command)
            self.note_search(command)

    def command(self, command: Command) -> None:
        """Read one command: a script that it runs, a command elsewhere, or the command itself."""
        words, script = unwrapped(command.words)
        if len(words) < len(command.words) and not self.context.is_remote:
            self.note_own_network(command)
        if len(words) > 1 and words[0].text in SOURCING:
            words = words[1:] if base_name(words[1].text) == "setmqenv" else words
        later = None
        if script is None:
            later = later_script(command, words, self.context.source.text) or task_command(words)
        if later is not None and (not words or words[0].text != "eval"):
            command = replace(command, maybe=True, why=command.why or "function", block=None)
        script = script or later
        if script is not None:
            self.nested(command, script, self.given(command))
        elif (remote := _after_variable_or_host(words, self.script.commands)) is not None:
            self.other_host(command, remote)
        else:
            self.own_command(command, words)

    def own_command(self, command: Command, words: Sequence[Word]) -> None:
        """Read a command that runs here; `words` are those after sudo and the like."""
        if command.words and (not words or words[0].text in SOURCING):
            self.shell(command)
        name = base_name(words[0].text).lstrip(PLACEHOLDER) if words else ""
        self.program(command, name, words)
        check = check_fault(name, words, command, self.binder) if words else None
        if self.context.is_remote == self.is_remote_text:  # the files are of one host
            check = check or own_input(command, words, self.context.source.text, self.binder)
        if check is not None:
            self.script.checks[check.start, check.end] = check
        if words or command.group is not None:
            self.flow.write(command, words)
        if words:
            self.enter(command, words)
        spec = self.script.commands.get(name)
        if spec is not None:
            if not self.control(command, spec, words) and is_fed_unseen(command):
                self.add_unfollowed(words[0].start)
        elif words:
            self.other(command, words)
        elif command.words and not self.context.is_remote:
            self.add_call(command.words[0])
            fed = command.stdin if command.words[0].text == "exec" else None
            is_none = fed is None or fed.text == "/dev/null"
            if not is_none and _feeds_runmqsc(self.context.source.text):
                self.add_unfollowed(command.words[0].start)  # what it reads from here on
            elif not reads_script(command.words):
                self.note_unfollowed(command, command.words, is_own=False)

    def shell(self, command: Command) -> None:
        """Read what a shell without a script, or `source`, gets: its input, or a file."""
        if reads_script(command.words):
            self.input_script(command)
        elif (file := script_file(command.words)) is not None:
            self.run_file(command, file)

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
        elif name in _CALLING:
            self.request(command, words)
        elif name in RUN_LATER:
            self.run_later(command, words)
        elif name == "chmod":
            self.change_mode(command, words)
        text = self.context.source.text
        fault = operation_fault(name, words, text)
        if fault is not None:
            unknown = (word for word in words if not word.known and word.text == fault.name)
            shown = next((text[word.start : word.end] for word in unknown), fault.name)
            shown = shown.strip("\"'")
            span = self.binder.span([*words])
            found = diagnostic(fault.code, span, name=shown[:80], how=fault.how)
            self.script.diagnostics.append(found)

    def change_mode(self, command: Command, words: Sequence[Word]) -> None:
        """Record that every user may read a key in the folder of the command."""
        opened = opened_keys(words, self.folders.of(command).path)
        if opened is not None:
            mode, key = opened
            span = self.binder.span([mode])
            found = diagnostic(
                "open-to-all", span, command=f"chmod {mode.text}", does="read", path=key
            )
            self.script.diagnostics.append(found)

    def request(self, command: Command, words: Sequence[Word]) -> None:
        """Read the MQSC that a call of the REST API sends, or note that it is not known."""
        if not any("/" in word.text or AS_TEXT in word.text for word in words[1:]):
            return
        source, execution = self.context.source, self.execution(command)
        files = self.script.add_requests(command, words, source, execution)
        if files is None:
            self.add_unfollowed(words[0].start)
        else:
            for file in files:
                self.await_file(file, self.context.source.host(words[0].start))

    def note_own_network(self, command: Command) -> None:
        """Record that a prefix such as `unshare -n` gives the command a network of its own."""
        for at, word in enumerate(command.words[:_WRAPPERS]):
            if base_name(word.text) == "unshare":
                self.touch(command, command.words[at:])

    def other(self, command: Command, words: Sequence[Word]) -> None:
        """Read a command that does not belong to MQ."""
        context = self.context
        touches = self.is_known_host and self.touch(command, words)
        done = len(self.script.steps) + len(self.script.remote)
        is_own = words[0].text.lower() in self.functions.defined
        is_renamed = runs_alias(words, self.script.aliases)
        harmless = not is_own and not is_renamed and is_harmless(words)
        is_known = harmless or touches
        is_quiet = not is_known and self.is_quiet(words)
        gives_mqsc = None if harmless or context.is_remote else self.follow(command, words)
        if is_known:
            self.note_text(command, words)
        else:
            if gives_mqsc is None and not is_quiet:
                self.add_call((words if context.is_remote else command.words)[0])
            self.note_run(command, words)
        if context.is_remote:
            if not is_known:
                self.note_unfollowed(command, words, is_own=False)
            self.add_typos(words, paths=False, is_fed=False)
            return
        self.add_typos(words, paths=is_known, is_fed=is_given_mqsc(command))
        if not harmless and not gives_mqsc:
            maybe = self.execution(command).maybe
            self.functions.call(words, maybe, len(self.script.embedded))
            if not touches and done == len(self.script.steps) + len(self.script.remote):
                self.note_unfollowed(command, words, is_own=is_own)

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
                run = replace(command, words=inner, maybe=True, why=why, block=block, tried=())
                self.command(run if is_fed else without_input(run))

    # texts inside the text

    def inside(self, name: str, context: TextContext, stdin: Input | None = None) -> TextReader:
        """Return a reader of the body of the function `name`, which has the input `stdin`."""
        inner = copy(self)
        inner.context, inner.stdin = context, stdin
        inner.flow = DataFlow(context.source, self.script.files, stdin)
        inner.following = self.following | {name}
        return inner

    def follow(self, command: Command, words: Sequence[Word]) -> bool | None:
        """Read the body of a function that is called: whether it gives MQSC, None if not read."""
        name, scanner = words[0].text, self.scanner
        span = scanner.functions.get(name) if scanner is not None else None
        if scanner is None or span is None or name in self.following:
            return None
        of_sites = name in called_by_site(self.context.source.text)
        if of_sites and span in self.called:
            return True
        size = span[1] - span[0]
        if not self.concerns_mq(words, span) or not self.script.budget.calls(size):
            return None
        if not self.goes_deeper(self.context.depth + 1, size, 1):
            return None
        # For each site, the call in its branch is certain.
        execution = self.context.execution if of_sites else self.execution(command)
        execution = replace(execution, called_at=self.place(words[0].start))
        if self.following:
            why = execution.why or "function"
            execution = replace(execution, maybe=True, why=why, block="")
        context = replace(self.context, depth=self.context.depth + 1, execution=execution)
        before = len(self.script.embedded)
        inner = self.inside(name, context, self.given(command))
        if _LEAVES.search(self.context.source.text, *span) is not None:
            inner.add_call(words[0])
        inner.commands(scanner.called(name, span, () if of_sites else words[1:]))
        self.called.add(span)
        return len(self.script.embedded) > before

    def is_quiet(self, words: Sequence[Word]) -> bool:
        """Whether a command is a function that only prints and the like, whatever it is given."""
        name, scanner = words[0].text, self.scanner
        span = scanner.functions.get(name) if scanner is not None else None
        if scanner is None or span is None or name in self.following:
            return False
        if self.concerns_mq(words, span):
            return False
        if span not in self.quiet:
            done = len(self.script.calls), len(self.script.steps), len(self.script.embedded)
            self.inside(name, self.context).commands(scanner.called(name, span))
            self.called.add(span)
            script = self.script
            self.quiet[span] = done == (len(script.calls), len(script.steps), len(script.embedded))
        return self.quiet[span]

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
        scheduled = self.context.execution.schedule is not None
        span = self.binder.span(command.words)
        fault = exec_input_fault(command, words, span, scheduled=scheduled)
        if fault is not None:
            self.script.diagnostics.append(fault)
        program = base_name(words[0].text.partition(" ")[0]) if words else ""
        if program not in _COPYING:
            self.add_call(command.words[0])
        own = [word for word in command.words if not words or word.start < words[0].start]
        if gives_command(own, self.script.acting):
            self.add_unfollowed(command.words[0].start)
        if not self.goes_deeper(self.context.depth, 0, len(words)):
            return
        remote = copy(self)
        sending = unwrapped(command.words)[0]
        outer, host = self.context.execution, host_of(sending)
        is_ssh = base_name(sending[0].text) == "ssh"
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
            remote.nested(command, words[0], self.given(command))
        elif is_ssh and any(sign in word.text for word in words for sign in "'\""):
            remote.nested(command, together(words), self.given(command))
        elif words:
            remote.command(replace(command, words=list(words)))
        else:
            remote.input_script(command)
        self.stdin = remote.stdin

    def input_script(self, command: Command) -> None:
        """Read the script that a shell gets as its input."""
        script, given = self.flow.script(command), self.stdin
        if self.context.is_file:
            self.script.add_here(command, is_script=True)
        if script is not None:
            self.nested(command, script, None)
        elif given is not None and given.text is not None and not command.has_input:
            self.stdin = None
            shell = Word(given.text, command.words[0].start, command.words[-1].end)
            self.nested(command, shell, None, source=given.text)
        elif command.stdin is not None:
            is_fed = command.stdin.start == command.words[0].start  # by `>(sh)`
            if is_fed or self.is_unseen_file(command, command.stdin):
                self.add_unfollowed(command.words[0].start)
        elif (
            self.is_unseen(command.piped)
            if command.piped is not None
            else self.has_command((self.stdin,))
        ):
            self.add_unfollowed(command.words[0].start)

    def given(self, command: Command) -> Input | None:
        """Return what the texts that a command runs read: its input, or that of this text."""
        own = self.flow.input(command)
        return own or (Input() if command.has_input else self.stdin)

    def nested(
        self,
        command: Command,
        script: Word,
        stdin: Input | None,
        source: MappedText | None = None,
    ) -> None:
        """Read a script that a command runs; `source` maps it to the file if `script` does not."""
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
        execution = self.execution(command)
        if runs_at_exit(command.words):
            execution = replace(execution, called_at=self.context.source.end)
        inner = TextContext(
            source=source or script.mapped.within(self.context.source),
            depth=self.context.depth + 1,
            execution=execution,
            folder=self.folders.of(command),
            globs=not is_task,
            is_remote=self.context.is_remote,
            is_checked=None if is_task or command.maybe else self.is_checked(command),
        )
        language = "cmd" if is_task or is_batch(command.words) else "shell"
        scanned = scanned_in(language, inner.source.text, self.script.budget)
        TextReader(self.script, inner, stdin).read(scanned)

    def goes_deeper(self, depth: int, characters: int, pieces: int) -> bool:
        """Return whether a text of this size inside `depth` others is read.

        A text directly in the file is read without spending: it is read only once more.
        """
        budget = self.script.budget
        return budget.enters(depth) and (depth == 0 or budget.spend(characters, pieces))


@lru_cache(maxsize=8)  # each `exec` of a text asks
def _feeds_runmqsc(text: str) -> bool:
    return "runmqsc" in text


def _after_variable_or_host(
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
    script.of_windows = scanned is not None
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
    given: Mapping[str, str] = {},
    job: int = -1,
    ends_on_fault: bool = False,
) -> ShellScript:
    """Read a command inside another file, such as a line of a crontab.

    `stdin` is the input that the file gives to it. `globs` is true if a shell reads it, which
    replaces patterns by names of files. The commands of another language than sh are `scanned`
    already. `given` are variables with a known value, and `job` is the offset of the job whose
    other scripts get the same variables. `ends_on_fault`: the shell gets the option -e.
    """
    context = TextContext(source, execution=execution, globs=globs, ends_on_fault=ends_on_fault)
    files = WrittenFiles(budget)
    results = ScriptResults(commands, files, source.host(0), shared, job=job, given=given)
    script = read_script(results, context, None if stdin is None else Input(stdin), scanned)
    faults = relevant_faults([*results.checks.values()], source.text)
    return replace(script, diagnostics=(*script.diagnostics, *faults))
