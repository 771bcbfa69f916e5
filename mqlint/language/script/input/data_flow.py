"""The input of a command of a shell, if the script itself has it.

It is a here-document, a text after `<<<`, the output of a pipe, or a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mqlint.language.mqsc.language import MQSC_ENDINGS
from mqlint.language.script.calls.wrappers import unwrapped
from mqlint.language.script.command import (
    NO_PROCESSES,
    Command,
    CommandGroup,
    Word,
    base_name,
    operands_of,
)
from mqlint.language.script.control import ControlForm
from mqlint.language.script.input.filters import STDIN_FILES, edited, files_of, keeps_commands
from mqlint.language.script.input.printed import echoed
from mqlint.language.script.input.written import Input, WrittenFiles, read_together, substituted
from mqlint.language.script.unread.unseen import fetched
from mqlint.language.text.mapped import MappedText

_CHANGES = frozenset({"sed", "perl", "awk", "ed", "ex"})
"""What may put other text into a file, or read a template from it."""
_SEARCHED = 256
"""Characters that are searched for a fixed text at the cost of one."""


class DataFlow:
    """The input and output of the commands of one script.

    `source` maps its text to the file. `stdin` is the input of the script itself.
    """

    def __init__(self, source: MappedText, files: WrittenFiles, stdin: Input | None) -> None:
        self.source = source
        self.stdin = stdin
        self.files = files

    def write(self, command: Command, words: Sequence[Word]) -> None:
        """Record what a command writes to files; `words` are those after sudo and the like."""
        name = base_name(words[0].text) if words else ""
        if name in _CHANGES:
            self.files.change(name, words[1:], self.source)
        into, appends = command.outputs, command.appends
        if name == "tee" and not command.captured:
            into = operands_of(words[1:])
            appends = any(word.text in ("-a", "--append") for word in words[1:])
        if name == "cp" and not command.maybe:
            self._copy(words)
        self.files.fetch(fetched(name.lower(), words), self.source)
        if copied := _copy_of_input(name, words):
            into = copied
        if into:
            text = self._taken(command, None) if copied else self.line(command)
            self.files.write(into, self.source, text, appends=appends, maybe=command.maybe)

    def _copy(self, words: Sequence[Word]) -> None:
        """Record that a file of MQSC is a copy of another one."""
        operands = operands_of(words[1:])
        if len(operands) == 2 and all(
            word.text.lower().endswith(MQSC_ENDINGS) for word in operands
        ):
            source, target = operands
            copied = Input(file=source)
            self.files.write([target], self.source, copied, appends=False, maybe=False)

    def input(self, command: Command, queue_manager: str | None = None) -> Input | None:
        """Return the input of a command, if the script has it.

        `queue_manager` is the one that the input is for, if it is known.
        """
        if command.body is not None:
            return Input(command.body.within(self.source), verbatim=True)
        if command.string is not None:
            return Input(command.string.mapped.within(self.source))
        if command.stdin is not None:
            return self._substituted(command) or self.file(command.stdin, queue_manager)
        return self.printed(command.piped, queue_manager) if command.piped is not None else None

    def _substituted(self, command: Command) -> Input | None:
        word, inner = command.stdin, command.substitution
        if word is None or inner is None or inner.only is None:
            return None
        written = self.source.text
        if word.known or not written.startswith("<(", word.start):
            return None
        return self.printed(inner.only)

    def script(self, command: Command) -> Word | None:
        """Return the script that a shell reads from a here-document or after `<<<`."""
        body = command.body
        if body is not None:
            return Word(body, body.host(0), body.end)
        return command.string

    def named(
        self, form: ControlForm, words: Sequence[Word], queue_manager: str | None
    ) -> Input | None:
        for option in form.options:
            is_named = option.name == "f" and option.value >= 0 and not option.offset
            if is_named and words[option.value].text not in STDIN_FILES:
                return self.file(words[option.value], queue_manager)
        return None

    def file(self, word: Word, queue_manager: str | None = None) -> Input:
        """Return a file that is read, with the text that the script wrote into it."""
        written = self.files.read(word, self.source, queue_manager)
        if written is None:
            return Input(file=word)
        if written.edited is not None:
            return replace(written, file=word)
        if written.text is None:
            return written
        return Input(written.text, word, written.maybe)

    def printed(self, command: Command, queue_manager: str | None = None) -> Input | None:
        """Return the output of a command or a group; None if it is not known."""
        origin = _origin(command)
        text = self._made(origin, queue_manager)
        again, origin.was_read = origin.was_read, True
        if text is None or (again and not self.files.again(text)):
            return None
        return replace(text, verbatim=False)

    def _made(self, command: Command, queue_manager: str | None) -> Input | None:
        """Return the output of a command that does not come from a pipe."""
        if command.group is not None and not command.words:
            return self._grouped(command.group)
        name, words = _named_command(command)
        if name in ("echo", "printf", "print"):
            text = echoed(name, words)
            return None if text is None else Input(text.within(self.source))
        if name in ("sed", "perl"):
            return self._edited(command, name, words, queue_manager)
        if not keeps_commands(name, words):
            return None
        files = files_of(name, words)
        if files:
            return read_together([self.file(file, queue_manager) for file in files])
        return self._taken(command, queue_manager)

    def _taken(self, command: Command, queue_manager: str | None) -> Input | None:
        left = command.piped or command.source
        if left is not None:
            return self.printed(left, queue_manager)
        return self.input(command, queue_manager) or self.stdin

    def _edited(
        self, command: Command, name: str, words: Sequence[Word], queue_manager: str | None
    ) -> Input | None:
        """Return the output of sed or perl, with replaced text covered."""
        does = edited(words, name)
        if does is None:
            return None
        if does.files:
            found = read_together([self.file(file, queue_manager) for file in does.files])
        else:
            found = self._taken(command, queue_manager)
        if found is None:
            return None
        if found.text is None:
            return found if does.replaces_templates else substituted(found, does)
        searched = len(found.text.text) * len(does.replaced)
        if not self.files.budget.spend(searched // _SEARCHED):
            return None
        text = does.masked(found.text)
        return None if text is None else replace(found, text=text)

    def _grouped(self, group: CommandGroup) -> Input | None:
        inputs: list[Input] = []
        for command in group.take():
            text = None if command is None else self.line(command)
            if text is None:
                return None
            inputs.append(text)
        return read_together(inputs)

    def line(self, command: Command) -> Input | None:
        """Return the output of a command with its line feed; None if it is not known."""
        printed = self.printed(command)
        if printed is None or printed.text is None:
            return printed
        text = _ended(printed.text) if _ends_line(_origin(command)) else printed.text
        return Input(text, maybe=command.maybe or printed.maybe)


def _copy_of_input(name: str, words: Sequence[Word]) -> list[Word]:
    """Return the file into which a program puts its input as it is."""
    if name == "dd":
        places = [word for word in words if word.text.startswith(("of=", "if="))]
        if len(places) != 1 or places[0].text.startswith("if="):
            return []
        file = places[0].mapped.part(len("of="), len(places[0].text))
        return [replace(places[0], mapped=file)]
    operands = operands_of(words[1:])
    reads = name in ("cp", "install") and any(word.text in STDIN_FILES for word in operands)
    return operands[-1:] if reads or name == "sponge" else []


_FILTERS = frozenset("tail head sort uniq grep egrep awk sed tac".split())
"""Commands that pass on some of the lines that they read."""


def finish_pipe(command: Command) -> None:
    """Forget the commands on the left of one that was read, except what later ones need.

    A pipe may have a million of them.
    """
    left = command.piped
    if left is not None:
        command.piped_processes = _piped_processes(left)
        name, words = _named_command(command)
        if name in _FILTERS and left.words:
            listed = base_name(left.words[0].text) in ("ls", "find")
            command.listing = left.words if listed else left.listing
        if name in ("sed", "envsubst") or _passes_on(name, words):
            command.source = _origin(left)
        command.piped = None


def feeding_processes(command: Command) -> frozenset[str]:
    """Return the processes that the sources of a command's input and words name."""
    inner = command.substitution.processes if command.substitution is not None else NO_PROCESSES
    return inner | (_piped_processes(command.piped) if command.piped is not None else NO_PROCESSES)


def _piped_processes(last: Command) -> frozenset[str]:
    """Return the processes that a command and those on its left name."""
    found = NO_PROCESSES
    left: Command | None = last
    while left is not None:
        found |= left.processes() | left.piped_processes
        left = left.piped
    return found


def _origin(command: Command) -> Command:
    """Return the first command of a pipe, past those that pass their input on."""
    while (left := command.piped or command.source) is not None:
        if not _passes_on(*_named_command(command)):
            break
        command = left
    return command


def _named_command(command: Command) -> tuple[str, Sequence[Word]]:
    """Return the name of a command after sudo and the like, and its other words."""
    words, script = unwrapped(command.words)
    return (base_name(words[0].text), words[1:]) if words and script is None else ("", ())


def _passes_on(name: str, words: Sequence[Word]) -> bool:
    """Return whether a command prints its input unchanged; `tee` writes files besides."""
    return keeps_commands(name, words) and name != "envsubst" and not files_of(name, words)


def _ends_line(command: Command) -> bool:
    """Return whether a command is an echo, which adds a line feed to its output."""
    words = command.words
    if not words or base_name(words[0].text) not in ("echo", "print"):
        return False
    return not any(word.text in ("-n", "-ne", "-en") for word in words[1:2])


def _ended(text: MappedText) -> MappedText:
    """Return a text with a line feed, which is mapped to the end of the text."""
    return MappedText(text.text + "\n", (*text.segments, (len(text.text), text.end)), text.end)
