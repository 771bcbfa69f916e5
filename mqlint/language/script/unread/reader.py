"""What a script runs and no file of the project shows, or runs in a way that is not followed.

The report lists it: a text that is not judged is not one without a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from posixpath import normpath

from mqlint.language.declaration import NamedFile
from mqlint.language.script.command import Command, CommandGroup, Word, base_name
from mqlint.language.script.commands import CommandReader, TextContext
from mqlint.language.script.folders import OF_SCRIPT
from mqlint.language.script.input.written import Input
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.posix.texts import sets_variable
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.unread.named import RunNames
from mqlint.language.script.unread.unfollowed import (
    ALIASING,
    aliases_in,
    given_commands,
    given_to_process,
    gives_command,
    gives_job,
    gives_lines,
    is_unfollowed,
    run_in,
    runs_alias,
    runs_arguments,
    runs_own_text,
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
    is_windows_shell,
    makes_block,
    may_be_script,
    prints_settings,
    reads_program,
)
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span

SOURCING = (".", "source")
"""Commands that run a file in the shell of the script."""
RUN_LATER = frozenset({"at", "batch", "crontab", "incrontab"})
"""Programs whose input is run at another time."""
_RUNS_LINES = ("xargs", "parallel")
_RUN_FIRST = ("BASH_ENV", "ENV")
"""Variables whose file a shell runs before its script."""
_DERIVED = later(
    r"\"?\$\{(?:!|\w{1,60}(?:,,?|\^\^?|(?:[#%/]|:[ \t(]*-?[\d$])[^{}\n]{0,200})\}\"?(?:\s|\Z))"
    r"|\"?%\w{1,60}:[~\w][^%\n]{0,80}%\"?[ \t]"
)
"""A variable that another one names, or that the shell changes or takes a part of.

One that is only the folder of a program is none.
"""
_PLAIN = later(r"(?:\./)?(?:\.\./)*+\w[\w./-]{0,200}\.\w{1,20}")
"""A path from the folder of a script, without variables."""
_OF_CMD = (".bat", ".cmd")
"""Files that cmd searches in its folder first."""
_LINE = 400
"""Characters before a command that are searched for what its group prints."""


class UnreadReader(CommandReader):
    """Reads the commands of one text, and notes texts that they run and that are not read.

    `scanner` is that of a script of sh, else None.
    """

    __slots__ = ("names", "runs_arguments", "scanner", "variables")

    def __init__(self, script: ScriptResults, context: TextContext, stdin: Input | None) -> None:
        super().__init__(script, context, stdin)
        self.scanner: PosixScanner | None = None
        self.runs_arguments: dict[Span, bool] = {}
        self.variables = RunVariables(context.source.text)
        self.names = RunNames(context.source.text, script.acting)

    def add_unfollowed(self, offset: int) -> None:
        self.script.unfollowed[self.context.source.host(offset)] = None

    def run_file(self, command: Command, file: Word) -> None:
        """Record a file that is run: one of the project is known, unless the script changes it."""
        start = command.words[0].start
        if self.is_unseen_file(command, file):
            self.add_unfollowed(start)
        elif not is_of_system(file.text) and not is_of_product(file.text, self.script.commands):
            made_of = self.script.files.files_of(file, self.context.source)
            if made_of is None and file.known and self.folders.of(command) == OF_SCRIPT:
                is_alone = file is command.words[0] and not file.text.lower().endswith(_OF_CMD)
                self._name_file(file, is_path="/" in file.text or not is_alone)
            for name in (file,) if made_of is None else made_of:
                self.await_file(name.text, self.context.source.host(start))

    def _name_file(self, file: Word, *, is_path: bool) -> None:
        """Record the path of a file that is run on this host; a mere command is none."""
        if is_path and not self.context.is_remote and _PLAIN.fullmatch(file.text) is not None:
            start = self.context.source.host(file.start)
            end = self.context.source.host(file.end - 1) + 1
            self.script.runs.append(NamedFile(normpath(file.text), (start, end)))

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
        is_other = command.words[0].text not in SOURCING and is_no_script(file.text)
        return (is_other and file.known) or self.is_unseen_word(command, file)

    def is_unseen_word(self, command: Command, file: Word) -> bool:
        """Whether a file in the folder of a command was fetched or made when the script runs."""
        inside = self.folders.of(command).is_fetched
        files, source = self.script.files, self.context.source
        return files.is_unseen(file, source, self._runs_unlisted, inside=inside)

    def _runs_unlisted(self, written: MappedText) -> bool:
        """Whether a text that was written has a command of MQ that is not listed yet."""
        at = run_in(written.text, self.script.acting)
        return at >= 0 and written.host(at) not in self.script.unfollowed

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
        return [None if part is None else self.flow.line(part) for part in group.take()]

    def has_command(self, parts: Iterable[Input | None]) -> bool:
        """Whether a printed text has a command of MQ."""
        texts = (part.text for part in parts if part is not None)
        return any(
            text is not None and run_in(text.text, self.script.acting) >= 0 for text in texts
        )

    def gets_unseen(self, command: Command, name: str, words: Sequence[Word]) -> bool:
        """Whether a program runs a text that is not here, or fetches MQSC that a container runs."""
        is_program = reads_program(name, words)
        runs_text = name in RUN_LATER or is_program
        if runs_text and given_commands(command, self.script.acting):
            return True
        if given_to_process(command, name, self.context.source.text, self.script.acting):
            return True
        if gives_job(command, name) and not self.is_read_job(command):
            return True
        if name in _RUNS_LINES and gives_lines(command, self.script.acting):
            return True
        group = command.piped.group if command.piped is not None else None
        if name == "crontab" and group is not None:
            # What `crontab -l` prints is not known, and is there already: `(crontab -l; echo ...)`
            text, end = self.context.source.text, words[0].start
            line = text[max(end - _LINE, 0) : end].rpartition("\n")[2]
            return self.has_command(self.printed_by(group)) or run_in(line, self.script.acting) >= 0
        runs_input = name in RUN_LATER - {"crontab", "incrontab"} or is_program
        if runs_input and command.piped is not None:
            return self.is_unseen(command.piped)
        if is_program and is_windows_shell(name) and command.stdin is not None:
            return self.is_unseen_file(command, command.stdin)
        is_fetched = any(is_configuration(word.text) for word in fetched(name.lower(), words))
        return is_fetched or evaluates(name, words)

    def run_later(self, command: Command, words: Sequence[Word]) -> None:
        """Record the script that `at -f` or `batch -f` names."""
        for option, file in pairwise(words):
            if option.text == "-f":
                self.run_file(command, file)

    def is_read_job(self, command: Command) -> bool:
        """Whether the job that a command gets is in a here-document that was read."""
        givers = (command, command.piped)
        bodies = [giver.body for giver in givers if giver is not None and giver.body is not None]
        host = self.context.source.host
        return any(host(body.host(0)) in self.script.jobs for body in bodies)

    def note_run(self, command: Command, words: Sequence[Word]) -> None:
        """Record what an unknown command runs: a text that is not here, a file, or a variable."""
        if self.runs_unseen(command, words):
            self.add_unfollowed(words[0].start)
        elif is_script_file(words[0].text):
            self.run_file(command, words[0])
        elif len(words) == 1 and is_blank(words[0].text):
            self.run_variable(words[0])

    def runs_unseen(self, command: Command, words: Sequence[Word]) -> bool:
        """Whether a command is a text that was fetched or made, or its name is in a variable."""
        written = self.context.source.text
        if not words[0].known and (
            _DERIVED.match(written, words[0].start) is not None
            or self.names.may_be_of_mq(written[words[0].start : words[0].end])
        ):
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
        return is_script and self.is_unseen_word(command, words[0])

    def is_known_later(self, command: Command, script: Word) -> bool:
        """Whether a text that is not known is an argument, or settings that a command prints."""
        inner = command.substitution
        written = self.context.source.text[script.start : script.end]
        return is_argument(written) or (inner is not None and prints_settings(inner.first))

    def note_assigned(self, command: Command) -> None:
        """Record a variable that has a command of MQ and that the script does not use.

        A program or another script may run it (`PS4`, `EDITOR`).
        """
        declares = command.words and sets_variable(command)
        for word in command.words[1:] if declares else command.assigned:
            name, _, value = word.text.partition("=")
            is_run = " " in value.strip() and run_in(value, self.script.acting) >= 0
            is_run = is_run and not self.variables.uses(name.rstrip("+"))
            if is_run or (name in _RUN_FIRST and is_no_script(value)):
                self.add_unfollowed(word.start)

    def note_text(self, command: Command, words: Sequence[Word]) -> None:
        """Record a command of MQ in a program of awk, or in a script that is written."""
        name = base_name(words[0].text)
        if name in ALIASING:
            self.script.aliases.update(aliases_in(words, self.script.acting))
        if runs_own_text(command, words, self.script.acting):
            self.add_unfollowed(words[0].start)
        else:
            for place in written_scripts(command, words, self.script.acting):
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
            is_run = runs_alias(words, self.script.aliases)
            is_run = is_run or is_unfollowed(command, words, commands)
        if is_run:
            self.add_unfollowed(words[0].start)
