"""MQ's commands in shell scripts and crontabs, and the MQSC that the scripts hold.

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
from mqlint.language.ini.parser import holds_secret
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.binding import feeding, first_line_apart, queue_manager_of
from mqlint.language.script.command import Command, Word
from mqlint.language.script.control import FormOption, parse_control
from mqlint.language.script.files.command import FED_BY_PIPES, file_command
from mqlint.language.script.files.options import is_open, option_names
from mqlint.language.script.files.touched import FileCommand
from mqlint.language.script.functions import Feeders
from mqlint.language.script.input import Files, Input, Reading
from mqlint.language.script.posix.scanner import Scanner
from mqlint.language.script.resources import in_resources
from mqlint.language.script.robustness import Care, is_pattern, where_output_goes
from mqlint.language.script.setmqaut import as_authrec
from mqlint.language.script.step import (
    Embedded,
    ShellScript,
    Slip,
    Span,
    Step,
    StepOption,
    StepPath,
    StepWord,
)
from mqlint.language.script.typos import command_slip, is_control_file, path_slip
from mqlint.language.script.wrappers import (
    base_name,
    elsewhere,
    is_batch,
    is_harmless,
    reads_script,
    unwrapped,
)
from mqlint.language.text.mapped import Cooked, whole
from mqlint.language.text.templates import COVER
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_OF_OBJECTS = frozenset({"mqsc", "authorise"})
"""What commands do that define objects and grants, wherever they run."""
_FIRST_WORD = re.compile(r"\s*(?:def|alt|dis|del|set|sta|sto|ref|cle|res|\*)", re.I)


@dataclass(slots=True)
class _Reader:
    """Reads one script; `source` says where its text stands in the file.

    `files` are those that it writes, with the budget of the document.
    `globs` tells that a shell reads it, which puts names of files for patterns; `whole` that it is
    a file of its own, whose results nobody else sees; `away` that it runs on another host.
    """

    source: Cooked
    commands: Mapping[str, ControlSpec]
    files: Files
    schedule: str | None = None
    depth: int = 0
    maybe: bool = False
    given: Input | None = None
    folder: str = ""
    globs: bool = False
    whole: bool = False
    away: bool = False
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)

    budget: Budget = field(init=False)
    care: Care = field(init=False)
    reading: Reading = field(init=False)
    feeders: Feeders = field(init=False)

    def __post_init__(self) -> None:
        """Patterns may be switched off for the whole script."""
        self.budget = self.files.budget
        self.care = Care(self.source.text)
        self.reading = Reading(self.source, self.files, self.given)
        self.globs = self.globs and self.care.patterns_count

    def read(self, scanned: Iterable[Command] | None = None) -> ShellScript:
        """Read every command; those of another language come `scanned`."""
        if scanned is None:
            scanned = Scanner(self.source.text, self.budget).scan()
        commands = list(scanned)
        self.reading.scanned = commands
        self.feeders = Feeders(self.source.text, commands)
        for command in commands:
            if command.here is not None:
                found = in_resources(command, self.source, self.budget, maybe=self.maybe)
                self.embedded.extend(found)
            self.command(command)
        if self.depth == 0:
            for text in self.files.left():
                self.embed(text)
        return ShellScript(
            tuple(self.steps),
            tuple(self.embedded),
            tuple(self.secrets),
            tuple(self.calls),
            tuple(self.slips),
        )

    def command(self, command: Command) -> None:
        """Read one command, if it is one of MQ's or runs a script."""
        words, script = unwrapped(command.words)
        behind = self.behind(words) if script is None and not self.away else None
        if behind is not None:
            self.other_host(command, behind)
            return
        if script is not None:
            self.nested(command, script, self.reading.input(command) or self.given)
            return
        if not words and command.words and reads_script(command.words):
            self.fed(command)
        if words or command.group is not None:
            self.reading.write(command, words)
        spec = self.commands.get(base_name(words[0].text)) if words else None
        if spec is not None and (not self.away or spec.action in _OF_OBJECTS):
            self.step(command, spec, words)
        elif not self.away:
            self.other(command, words)

    def other(self, command: Command, words: Sequence[Word]) -> None:
        """Read a command that is none of MQ's."""
        touching = self.touching(command, words) if words else None
        harmless = bool(words) and is_harmless(words)
        if touching is not None:
            self.steps.append(self.file_step(command, touching, words))
        elif command.words and not harmless:
            self.calls.append(self.host(command.words[0].start))
        if words:
            self.slip(words, paths=harmless or touching is not None)
        if words and not harmless:
            for word, queue_manager in self.feeders.given(words):
                maybe = self.maybe or command.maybe or queue_manager is None
                given = Input(word.cooked.within(self.source), not word.known, maybe=maybe)
                self.embed(given, queue_manager)

    def slip(self, words: Sequence[Word], *, paths: bool) -> None:
        """Keep what is near one of MQ's words: a path, or else the command."""
        if paths:
            rightly = any(is_control_file(word.text) for word in words[1:])
            found = [path_slip(word, self.word(word).span) for word in words[1:] if not rightly]
        else:
            found = [command_slip(words, self.commands, self.word(words[0]).span)]
        self.slips.extend(
            one for one in found if one is not None and one.written not in self.care.own
        )

    def touching(self, command: Command, words: Sequence[Word]) -> FileCommand | None:
        """Return what a command does to queue managers' files; cd changes the folder."""
        name = base_name(words[0].text).lower()
        if name in ("cd", "chdir"):
            target = words[-1] if len(words) > 1 else None
            known = target is not None and not (command.maybe or self.maybe)
            self.folder = target.text if known and target is not None else ""
            return None
        piped = command.piped.words if command.piped is not None else ()
        fed = feeding(command, self.budget) if name in FED_BY_PIPES else ()
        return file_command(name, words, self.folder, piped, fed)

    def file_step(self, command: Command, found: FileCommand, words: Sequence[Word]) -> Step:
        """Return the step of a command that touches queue managers' files."""
        return Step(
            command=base_name(words[0].text).lower(),
            action=found.action,
            options=tuple(self.file_options(found, base_name(words[0].text).lower())),
            operands=tuple(self.word(word) for word in words[1:]),
            queue_manager=found.queue_manager,
            span=(self.host(words[0].start), self.host(words[-1].end)),
            command_span=self.word(words[0]).span,
            maybe=self.maybe or command.maybe,
            schedule=self.schedule,
            paths=tuple(
                StepPath(touched.path, touched.leads_to.part, self.word(touched.word).span)
                for touched in found.touched
            ),
            other=None if found.other is None else self.word(found.other),
            every=found.every,
            open=is_open(words, found.other),
            unguarded=tuple(self.care.unguarded(touched.word for touched in found.touched)),
        )

    def file_options(self, found: FileCommand, name: str) -> Iterator[StepOption]:
        """Yield the options of the command `name`, one for each letter of a bundle."""
        for word, behind in found.options:
            span = self.word(word).span
            for option, value in option_names(name, word.text):
                if behind is None:
                    yield StepOption(option, value, span)
                else:
                    bound = self.word(behind)
                    yield StepOption(option, bound.value, span, bound.span)

    def behind(self, words: Sequence[Word]) -> Sequence[Word] | None:
        """Return the command that runs on another host, or behind a variable: `$SUDO runmqsc`."""
        if len(words) > 1 and words[0].text and not words[0].text.strip(COVER):
            return words[1:] if base_name(words[1].text) in self.commands else None
        return elsewhere(words)

    def other_host(self, command: Command, words: Sequence[Word]) -> None:
        """Read what is run on another host or in a container, for its MQSC."""
        self.calls.append(self.host(command.words[0].start))
        if not self.goes_deeper(0, len(words)):
            return
        self.away = True
        self.depth += 1
        if len(words) == 1 and len(words[0].text.split()) > 1:
            self.nested(command, words[0], self.reading.input(command))
        elif words:
            self.command(replace(command, words=list(words)))
        else:
            self.fed(command)
        self.depth -= 1
        self.away = False

    def fed(self, command: Command) -> None:
        """Read the script that a shell is given as its input."""
        script = self.reading.script(command)
        if script is not None:
            self.nested(command, script, None)

    def nested(self, command: Command, script: Word, given: Input | None) -> None:
        """Read the script that stands in a word; `given` is what is given to it as input."""
        goes_in = self.goes_deeper(len(script.text), len(script.cooked.segments))
        if not (goes_in and script.known):
            self.calls.append(self.host(script.start))
        if not goes_in:
            return
        source = script.cooked.within(self.source)
        maybe = self.maybe or command.maybe
        inner = _Reader(
            *(source, self.commands, self.files, self.schedule, self.depth + 1, maybe, given),
            globs=True,
        )
        inner.away = self.away
        inner.steps, inner.embedded, inner.secrets = self.steps, self.embedded, self.secrets
        inner.calls, inner.folder, inner.slips = self.calls, self.folder, self.slips
        inner.read(batch_commands(source.text, self.budget) if is_batch(command.words) else None)

    def goes_deeper(self, characters: int, pieces: int) -> bool:
        """Whether a script or command of this size that stands in this one is followed.

        What stands in the file itself is, without spending: it is read once more.
        """
        if not self.budget.enters(self.depth):
            return False
        return self.depth == 0 or self.budget.spend(characters, pieces)

    def step(self, command: Command, spec: ControlSpec, words: Sequence[Word]) -> None:
        """Bind the words of one control command."""
        form = parse_control(spec, [word.text for word in words])
        options = tuple(self.option(spec, words, option) for option in form.options)
        operands = tuple(self.word(words[number]) for number in form.operands)
        queue_manager = queue_manager_of(spec, options, operands)
        given = None
        if spec.action == "mqsc":
            given = self.reading.named(form, words, queue_manager)
            given = given or self.reading.input(command, queue_manager)
        if given is None and spec.action == "mqsc":
            given, self.given = self.given, None
        step = Step(
            command=spec.name,
            action=spec.action,
            options=options,
            operands=operands,
            queue_manager=queue_manager,
            span=(self.host(words[0].start), self.host(words[-1].end)),
            command_span=(self.host(words[0].start), self.host(words[0].end)),
            maybe=self.maybe or command.maybe,
            open=form.open,
            reads=self.reads(given, options),
            schedule=self.schedule,
            output=where_output_goes(command),
            checked=self.care.is_checked(command) if self.whole else None,
        )
        if not self.away:
            self.steps.append(step)
        if spec.action == "mqsc" and step.reads is None and (given is None or given.text is None):
            self.calls.append(step.span[0])
        if given is not None and given.text is not None:
            given = replace(given, maybe=given.maybe or step.maybe)
            self.embed(given, queue_manager, asks=step.option("u") is not None)
        if spec.action == "authorise":
            self.authorise(words, step)

    def authorise(self, words: Sequence[Word], step: Step) -> None:
        """Keep what setmqaut does as the MQSC that does the same."""
        cooked = as_authrec(words) if step.command == "setmqaut" else None
        if cooked is not None:
            expands = any(not word.known for word in words)
            given = Input(cooked.within(self.source), expands, maybe=step.maybe)
            self.embed(given, step.queue_manager)

    def reads(self, given: Input | None, options: Sequence[StepOption]) -> StepWord | None:
        """Return the file that runmqsc reads."""
        for option in options:
            if option.name == "f" and option.value is not None and option.value_span:
                return StepWord(option.value, option.value_span)
        file = given.file if given is not None else None
        return None if file is None else self.word(file)

    def embed(self, given: Input, queue_manager: str | None = None, *, asks: bool = False) -> None:
        """Keep the MQSC that a command is given, less the password before it that it `asks` for."""
        text = given.text
        if text is None:
            return
        if asks and not _FIRST_WORD.match(text.text):
            password, text = first_line_apart(text)
            self.secrets.append(password)
        if not text.text:
            return
        self.embedded.append(
            Embedded(
                "mqsc",
                text.text,
                text.segments,
                text.end,
                queue_manager,
                given.expands,
                given.maybe,
                self.schedule,
            )
        )

    def option(self, spec: ControlSpec, words: Sequence[Word], option: FormOption) -> StepOption:
        """Bind one option."""
        word = words[option.word]
        span = (self.host(word.start), self.host(word.end))
        if option.value < 0:
            return StepOption(option.name, None, span, known=option.known)
        holder = words[option.value]
        bound = self.word(holder, option.offset)
        value = bound.value
        name = value.partition("=")[0] if isinstance(value, str) else ""
        hidden = option.name in spec.secret or (option.name in spec.inserts and holds_secret(name))
        if hidden:
            self.secrets.append(bound.span)
            value = value if isinstance(value, Unknown) else Secret.of(value)
        return StepOption(option.name, value, span, bound.span, option.known, bound.globs)

    def word(self, word: Word, offset: int = 0) -> StepWord:
        """Bind one word, or the part of it from `offset`."""
        start = word.cooked.host(offset) if offset else word.start
        span = (self.host(start), self.host(word.end))
        globs = self.globs and is_pattern(word)
        return StepWord(word.text[offset:] if word.known else UNKNOWN, span, globs)

    def host(self, offset: int) -> int:
        """Return the file's offset of an offset of this script."""
        return self.source.host(offset)


def batch_commands(text: str, budget: Budget) -> list[Command]:
    """Return the simple commands of what `cmd /c` is given."""
    from mqlint.language.script.batch.scanner import (
        CmdScanner,  # only for scripts that run such a command
    )

    return CmdScanner(text, budget).scan()


def parse_shell(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a shell script; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    files = Files(budget or Budget(len(text)))
    return _Reader(whole(text), commands, files, globs=True, whole=True).read()


def parse_scanned(
    text: str, scanned: Iterable[Command], commands: Mapping[str, ControlSpec], budget: Budget
) -> ShellScript:
    """Read a script of another language, of which `scanned` are the simple commands."""
    return _Reader(whole(text), commands, Files(budget)).read(scanned)


def parse_embedded_command(
    source: Cooked,
    schedule: str | None,
    commands: Mapping[str, ControlSpec],
    budget: Budget,
    given: Cooked | None = None,
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
    files = Files(budget)
    reader = _Reader(source, commands, files, schedule, maybe=maybe, given=stdin, globs=globs)
    return reader.read(scanned)


def read_shell(text: str, context: Context) -> Parsed:
    """Read a script of a shell as a document."""
    return Parsed(script=parse_shell(text, context.vocabulary.control, context.budget))
