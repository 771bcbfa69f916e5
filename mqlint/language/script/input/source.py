"""The input of a command of a shell, if the script itself has it.

It is a here-document, a text after `<<<`, the output of a pipe, or a file. If the script writes the
file (`echo ... >> defs.mqsc`, `cat > defs.mqsc <<EOF`), its text is known too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from mqlint.dataclass import frozen, mutable
from mqlint.language.mqsc.language import MQSC_ENDINGS, is_mqsc
from mqlint.language.script.calls.wrappers import unwrapped
from mqlint.language.script.command import NO_PROCESSES, Command, CommandGroup, Word, base_name
from mqlint.language.script.control import ControlForm
from mqlint.language.script.input.filters import (
    STDIN_FILES,
    Edited,
    changes,
    edited,
    files_of,
    keeps_commands,
)
from mqlint.language.script.input.printed import echoed
from mqlint.language.script.unread.unseen import fetched, is_blank
from mqlint.language.text.mapped import MappedText, joined
from mqlint.patterns import later
from mqlint.source.budget import Budget

_CHANGES = frozenset({"sed", "perl", "awk", "ed", "ex"})
"""What may put other text into a file, or read a template from it."""
_VARIABLE = later(r"[ \t]*+[\"']?\$(?:\w{1,60}|\{\w{1,60}\})[\"']?[ \t]*")
"""A line that is one variable."""
STANZA_FILES = ("qm.ini", "mqs.ini", "mqclient.ini")
_SEARCHED = 256
"""Characters that are searched for a fixed text at the cost of one."""


@frozen
class Input:
    """The input of a command: a text in the script, or a file.

    `maybe`: a part of it is written in a branch or a loop. `verbatim`: it is the command's own
    here-document, so that no other program changes it. `others` are files that are read after
    `file`. `edited` is the file of which it is made by substitutions of addresses.
    """

    text: MappedText | None = None
    file: Word | None = None
    maybe: bool = False
    verbatim: bool = False
    others: tuple[Word, ...] = ()
    edited: Word | None = None


@mutable
class _WrittenFile:
    """A file that the script writes: its texts in order, None if one of them is not known.

    `read_for` are the queue managers that read it. `examined` and `listed` are the numbers of its
    texts that were checked when it was run, and `is_unknown` says whether one is not known.
    """

    parts: list[Input] | None = None
    read_for: frozenset[str | None] = frozenset()
    examined: int = 0
    listed: int = 0
    is_unknown: bool = False

    def has_unknown_line(self) -> bool:
        """Whether its text, or a line of it, is not known; each text is checked once."""
        if self.parts is None:
            return True
        new, self.examined = self.parts[self.examined :], len(self.parts)
        self.is_unknown = self.is_unknown or any(map(_has_unknown_line, new))
        return self.is_unknown

    def new_files(self) -> Iterator[Word]:
        """Yield the files of which it is made, each once."""
        parts = self.parts or []
        new, self.listed = parts[self.listed :], len(parts)
        yield from (part.file for part in new if part.file is not None)


@mutable
class WrittenFiles:
    """The files that one script writes, by their names as written.

    Scripts in scripts share them, and the `budget`. `_fetched` are the names of files and folders
    that came from another host, and `_is_inside` is true after `cd` into one. `_by_base_name` maps
    a name without its folder to the full name, None if several files have it.
    """

    budget: Budget
    _files: dict[str, _WrittenFile] = field(default_factory=dict)
    _fetched: set[str] = field(default_factory=set)
    _is_inside: bool = False
    _by_base_name: dict[str, str | None] = field(default_factory=dict)

    def write(
        self,
        into: Iterable[Word],
        source: MappedText,
        text: Input | None,
        *,
        appends: bool,
        maybe: bool,
    ) -> None:
        """Record what a command of `source` writes into files; None for unknown text.

        The text of a command that may not run is kept beside the one that it may replace.
        """
        for number, word in enumerate(into):
            name = _named(word, source)
            file = self._files.get(name)
            if number and text is not None and not self.again(text):
                text = None
            if file is None:
                base = base_name(name)
                self._by_base_name[base] = None if base in self._by_base_name else name
            if file is None or not (appends or maybe):
                file = self._files[name] = _WrittenFile([])
            elif not appends and file.parts:
                if _is_same_place(file.parts[-1], text):
                    continue  # the same line with another value of a variable
                file.parts[-1] = _without_end(file.parts[-1])
            if text is None:
                file.parts = None
            elif file.parts is not None:
                file.parts.append(text)

    def change(self, name: str, words: Sequence[Word], source: MappedText) -> None:
        """Forget files that a command may change or replace, but what they are made of."""
        does = changes(name, words) if self._files and name in ("sed", "perl") else None
        for word in words if self._files else ():
            file = self._files.get(_named(word, source))
            if file is not None:
                whole = _joined(file.parts) if does is not None else None
                made = _substituted(whole, does) if whole is not None and does is not None else None
                file.parts = None if made is None else [made]
                file.examined = file.listed = 0

    def _written(self, name: str) -> _WrittenFile | None:
        """Return a file that was written, also with another folder, which its name may lack."""
        same = self._by_base_name.get(base_name(name))
        return self._files.get(name) or (self._files[same] if same is not None else None)

    def read(
        self, word: Word, source: MappedText, queue_manager: str | None = None
    ) -> Input | None:
        """Return what was written into a file that is read, once for each queue manager."""
        file = self._written(_named(word, source))
        if file is None or queue_manager in file.read_for:
            return None
        again = bool(file.read_for)
        if again and queue_manager is None:
            return None
        file.read_for |= {queue_manager}
        if again and not all(self.again(part) for part in file.parts or ()):
            return None
        return _joined(file.parts)

    def fetch(self, words: Iterable[Word], source: MappedText) -> None:
        """Record names of what a command gets from another host."""
        for word in words:
            name = base_name(_named(word, source).rstrip("/\\")).removesuffix(".git")
            if name not in ("", ".", ".."):
                self._fetched.add(name)

    def enter(self, folder: Word, source: MappedText) -> None:
        """Record the folder in which the next commands run."""
        name = _named(folder, source).rstrip("/")
        is_deeper = self._is_inside and not name.startswith(("/", "..", "$", "~", "-"))
        self._is_inside = is_deeper or base_name(name) in self._fetched

    def is_unseen(self, word: Word, source: MappedText) -> bool:
        """Whether a file that is run was fetched, or written with a text that is not known."""
        if not self._files and not self._fetched:
            return False
        name = _named(word, source).replace("\\", "/").removeprefix("./")
        file = self._written(name)
        if file is None:
            return self.is_fetched(name)
        return file.has_unknown_line()

    def files_of(self, word: Word, source: MappedText) -> Iterator[Word] | None:
        """Return the files of which the script makes this one; None if it does not write it."""
        file = self._written(_named(word, source).replace("\\", "/").removeprefix("./"))
        if file is None or file.parts is None:
            return None
        return file.new_files()

    def is_fetched(self, name: str) -> bool:
        """Whether a file, or a folder in its path, came from another host."""
        if self._is_inside and not name.startswith(("/", "$", "~")):
            return True
        return not self._fetched.isdisjoint(name.split("/"))

    def unread_files(self) -> Iterator[Input]:
        """Yield the texts of files of MQSC that nothing in the script reads."""
        for name, file in self._files.items():
            text = None if file.read_for else _joined(file.parts)
            if text is None or text.text is None:
                continue
            if name.lower().endswith(MQSC_ENDINGS) or is_mqsc(text.text.text):
                yield text

    def stanzas(self) -> Iterator[tuple[str, Input]]:
        """Yield the names and texts of files of stanzas that the script writes or adds to."""
        for name, file in self._files.items():
            if name.lower().endswith(STANZA_FILES):
                text = _joined(file.parts)
                if text is not None and text.text is not None:
                    yield name, text

    def again(self, read: Input) -> bool:
        """Whether a text may be used once more."""
        text = read.text
        return text is None or self.budget.spend(len(text.text), len(text.segments))


def _substituted(whole: Input, does: Edited) -> Input | None:
    """Return a file after substitutions of addresses; None for others, or for several files."""
    file = whole.edited or whole.file
    if whole.text is not None or file is None or whole.others or not does.spares_names:
        return None
    return Input(maybe=whole.maybe, edited=file)


def _has_unknown_line(part: Input) -> bool:
    """Whether a line of a text is one variable, or something else that is not known."""
    lines = () if part.text is None else part.text.text.splitlines()
    return any(is_blank(line) or _VARIABLE.fullmatch(line) is not None for line in lines)


def _is_same_place(written: Input, text: Input | None) -> bool:
    if written.text is None or text is None or text.text is None:
        return False
    return written.text.host(0) == text.text.host(0)


def _without_end(written: Input) -> Input:
    """Return a text without its last END, which does not end the text that may replace it."""
    if written.text is None:
        return written
    before, line_feed, last = written.text.text.rstrip().rpartition("\n")
    if last.strip().upper() != "END":
        return written
    return replace(written, text=written.text.part(0, len(before + line_feed)))


def _joined(inputs: Sequence[Input] | None) -> Input | None:
    """Return texts that were written one after the other; None if they are not known.

    Files are supported only without any text between them.
    """
    if not inputs:
        return None
    files = [part for part in inputs if part.text is None]
    if files:
        return _read_together(files) if len(files) == len(inputs) else None
    texts = [part.text for part in inputs if part.text is not None]
    return Input(joined(texts, ""), maybe=any(part.maybe for part in inputs))


def _read_together(inputs: Sequence[Input]) -> Input | None:
    """Return files that are read one after the other; of edited ones only a single one."""
    if len(inputs) == 1 or any(part.edited is not None for part in inputs):
        return inputs[0] if len(inputs) == 1 else None
    words = [word for part in inputs for word in (part.file, *part.others) if word is not None]
    maybe = any(part.maybe for part in inputs)
    return Input(file=words[0], others=tuple(words[1:]), maybe=maybe) if words else None


def _named(word: Word, source: MappedText) -> str:
    """Return the name of a file, variables as they are written."""
    if word.known:
        name = word.text
    else:
        name = source.text[word.start : word.end]
        name = name.translate(str.maketrans("", "", "\"'{}"))
    return name.removeprefix("./")


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
            into = [word for word in words[1:] if not word.text.startswith("-")]
            appends = any(word.text in ("-a", "--append") for word in words[1:])
        if name == "cp" and not command.maybe:
            self._copy(words)
        self.files.fetch(fetched(name.lower(), words), self.source)
        if name in ("cd", "pushd") and len(words) > 1:
            self.files.enter(words[-1], self.source)
        if into:
            text = self.line(command)
            self.files.write(into, self.source, text, appends=appends, maybe=command.maybe)

    def _copy(self, words: Sequence[Word]) -> None:
        """Record that a file of MQSC is a copy of another one."""
        operands = [word for word in words[1:] if not word.text.startswith("-")]
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
            return _joined([self.file(file, queue_manager) for file in files])
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
            found = _joined([self.file(file, queue_manager) for file in does.files])
        else:
            found = self._taken(command, queue_manager)
        if found is None:
            return None
        if found.text is None:
            return found if does.replaces_templates else _substituted(found, does)
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
        return _joined(inputs)

    def line(self, command: Command) -> Input | None:
        """Return the output of a command with its line feed; None if it is not known."""
        printed = self.printed(command)
        if printed is None or printed.text is None:
            return printed
        text = _ended(printed.text) if _ends_line(_origin(command)) else printed.text
        return Input(text, maybe=command.maybe or printed.maybe)


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
