"""What a command of a shell reads, as far as the script itself says it.

That is a here-document, a text behind `<<<`, what stands on the left of a pipe, or a file; and of
a file that the same script writes (`echo ... >> defs.mqsc`, `cat > defs.mqsc <<EOF`) its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mqlint.language.script.command import Command, Word
from mqlint.language.script.control import ControlForm
from mqlint.language.script.wrappers import base_name, echoed, unwrapped
from mqlint.language.text.mapped import Cooked, joined
from mqlint.source.budget import Budget

_SILENT = frozenset(
    "[ [[ : break cd chmod chown continue declare exit export false for let local mkdir read "
    "readonly return rm set shift sleep test touch true typeset umask unset wait".split()
)
"""Commands that print nothing, or nothing that anybody would feed to runmqsc."""
_CHANGES = frozenset({"sed", "perl", "awk", "ed", "ex"})
"""What may put other text into a file, or read a template from it."""
_MQSC = (".mqsc", ".mqs")


@dataclass(frozen=True, slots=True)
class Input:
    """What a command reads: a text that stands in the script, or a file.

    `expands` tells that the shell puts values for variables into the text; `maybe` that a part of
    it is written in a branch or a loop.
    """

    text: Cooked | None = None
    expands: bool = False
    file: Word | None = None
    maybe: bool = False


@dataclass(slots=True)
class _Written:
    """A file that the script writes: the texts put into it, None when one of them is not known.

    `fed` are the queue managers that it was fed to.
    """

    parts: list[Input] | None = field(default_factory=list)
    fed: set[str | None] = field(default_factory=set)


@dataclass(slots=True)
class Files:
    """The files that one script writes, by their names as written.

    Scripts in scripts share them, and the `budget`. `_same` has the files by their names alone,
    without the folder.
    """

    budget: Budget
    written: dict[str, _Written] = field(default_factory=dict)
    _same: dict[str, set[str]] = field(default_factory=dict)

    def write(
        self, into: Iterable[Word], source: Cooked, text: Input | None, *, appends: bool
    ) -> None:
        """Keep what a command of `source` puts into files; None for what is not known."""
        for number, word in enumerate(into):
            name = _named(word, source)
            kept = self.written.get(name)
            if number and text is not None and not self.again(text):
                text = None
            if kept is None or not appends:
                kept = self.written[name] = _Written()
                self._same.setdefault(base_name(name), set()).add(name)
            if text is None:
                kept.parts = None
            elif kept.parts is not None:
                kept.parts.append(text)

    def change(self, words: Sequence[Word], source: Cooked) -> None:
        """Forget files that a command may change, or for which it makes others."""
        for word in words if self.written else ():
            kept = self.written.get(_named(word, source))
            if kept is not None:
                kept.parts = None

    def feed(self, word: Word, source: Cooked, to: str | None = None) -> Input | None:
        """Return what was written into a file that is read, once for each queue manager `to`."""
        name = _named(word, source)
        kept = self.written.get(name)
        if kept is None:
            same = self._same.get(base_name(name), set())
            kept = self.written[next(iter(same))] if len(same) == 1 else None
        if kept is None or to in kept.fed or (kept.fed and to is None):
            return None
        again = bool(kept.fed)
        kept.fed.add(to)
        if again and not all(self.again(part) for part in kept.parts or ()):
            return None
        return _joined(kept.parts)

    def left(self) -> Iterator[Input]:
        """Yield the texts of files of MQSC, by their names, that nothing in the script reads."""
        for name, kept in self.written.items():
            is_left = name.lower().endswith(_MQSC) and not kept.fed
            found = _joined(kept.parts) if is_left else None
            if found is not None:
                yield found

    def again(self, read: Input) -> bool:
        """Whether a text may be used once more."""
        text = read.text
        return text is None or self.budget.spend(len(text.text), len(text.segments))


def _joined(parts: Sequence[Input] | None) -> Input | None:
    """Return texts that were written one after the other; None if they are not known."""
    if not parts:
        return None
    texts = [part.text for part in parts if part.text is not None]
    expands = any(part.expands for part in parts)
    return Input(joined(texts, ""), expands, maybe=any(part.maybe for part in parts))


def _named(word: Word, source: Cooked) -> str:
    """Return the name of a file, variables as they are written."""
    if word.known:
        name = word.text
    else:
        name = source.text[word.start : word.end]
        name = name.translate(str.maketrans("", "", "\"'{}"))
    return name.removeprefix("./")


class Reading:
    """Tells what the commands of one script read and print.

    `source` says where its text stands in the file, `scanned` are its commands, `given` is what the
    script itself is given as input.
    """

    def __init__(self, source: Cooked, files: Files, given: Input | None) -> None:
        self.source = source
        self.scanned: Sequence[Command] = ()
        self.given = given
        self.files = files
        self._grouped = 0

    def write(self, command: Command, words: Sequence[Word]) -> None:
        """Keep what a command puts into files; `words` are those behind sudo and the like."""
        name = base_name(words[0].text) if words else ""
        if name in _CHANGES:
            self.files.change(words[1:], self.source)
        into, appends = command.outputs, command.appends
        if name == "tee" and not command.captured:
            into = [word for word in words[1:] if not word.text.startswith("-")]
            appends = any(word.text in ("-a", "--append") for word in words[1:])
        if into:
            text = self.line(command)
            self.files.write(into, self.source, text, appends=appends or command.maybe)

    def input(self, command: Command, to: str | None = None) -> Input | None:
        """Return what a command reads, as far as it stands in the script.

        `to` is the queue manager that it is for, where that is known.
        """
        if command.here is not None and command.here.body is not None:
            return Input(command.here.body.within(self.source), command.here.expands)
        if command.string is not None:
            return Input(command.string.cooked.within(self.source), not command.string.known)
        if command.stdin is not None:
            return self.file(command.stdin, to)
        return self.printed(command.piped, to) if command.piped is not None else None

    def script(self, command: Command) -> Word | None:
        """Return the script that a shell is given in a here-document or behind `<<<`."""
        if command.here is not None and command.here.body is not None:
            body = command.here.body
            return Word(body, body.host(0), body.end)
        return command.string

    def named(self, form: ControlForm, words: Sequence[Word], to: str | None) -> Input | None:
        """Return the file that runmqsc -f names."""
        for option in form.options:
            if option.name == "f" and option.value >= 0 and not option.offset:
                return self.file(words[option.value], to)
        return None

    def file(self, word: Word, to: str | None = None) -> Input:
        """Return a file that is read, with the text that the script wrote into it."""
        found = self.files.feed(word, self.source, to)
        if found is None:
            return Input(file=word)
        return Input(found.text, found.expands, word, found.maybe)

    def printed(self, command: Command, to: str | None = None) -> Input | None:
        """Return what a command prints, or a group of commands; None when it is not known."""
        origin = self._origin(command)
        found = self._said(origin, to)
        again, origin.said = origin.said, True
        return found if found is None or not again or self.files.again(found) else None

    def _origin(self, command: Command) -> Command:
        """Return the command from which a pipe has its text, past those that pass it on."""
        while command.piped is not None and self.files.budget.spend(0):
            name, words = _named_command(command)
            if not _passes_on(name, words):
                break
            command = command.piped
        return command

    def _said(self, command: Command, to: str | None) -> Input | None:
        """Return what a command says that no pipe gives to it."""
        if command.group is not None and not command.words:
            return self.grouped(command.group)
        name, words = _named_command(command)
        if name in ("echo", "printf", "print"):
            text = echoed(name, words)
            expands = any(not word.known for word in words)
            return None if text is None else Input(text.within(self.source), expands)
        if name == "cat" and len(_operands(words)) == 1:
            return self.file(_operands(words)[0], to)
        if command.piped is not None or not _passes_on(name, words):
            return None
        return self.input(command, to) or self.given

    def grouped(self, group: tuple[int, int]) -> Input | None:
        """Return what the commands of a group print together."""
        parts: list[Input] = []
        # Of groups in groups the innermost come first, and are gone through for each around them.
        if group[0] < self._grouped and not self.files.budget.spend(0, group[1] - group[0]):
            return None
        self._grouped = group[1]
        for command in self.scanned[slice(*group)]:
            if command.captured or command.outputs or command.taken:
                continue
            if not command.words or base_name(command.words[0].text) in _SILENT:
                continue
            command.taken = True
            text = self.line(command)
            if text is None:
                return None
            parts.append(text)
        return _joined(parts)

    def line(self, command: Command) -> Input | None:
        """Return what a command prints with the line feed behind it; None for what is not known."""
        found = self.printed(command)
        if found is None or found.text is None:
            return None
        text = _ended(found.text) if _ends_line(self._origin(command)) else found.text
        return Input(text, found.expands, maybe=command.maybe or found.maybe)


def _named_command(command: Command) -> tuple[str, Sequence[Word]]:
    """Return the name of a command behind sudo and the like, and its other words."""
    words, script = unwrapped(command.words)
    return (base_name(words[0].text), words[1:]) if words and script is None else ("", ())


def _operands(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if not word.text.startswith("-")]


def _passes_on(name: str, words: Sequence[Word]) -> bool:
    """Whether a command prints what it reads; the files that tee is given are written."""
    return name == "tee" or (name in ("cat", "envsubst") and not _operands(words))


def _ends_line(command: Command) -> bool:
    """Whether a command is an echo, which puts a line feed behind what it prints."""
    words = command.words
    if not words or base_name(words[0].text) not in ("echo", "print"):
        return False
    return not any(word.text in ("-n", "-ne", "-en") for word in words[1:2])


def _ended(text: Cooked) -> Cooked:
    """Return a text with a line feed behind it, that stands where the text ends."""
    return Cooked(text.text + "\n", (*text.segments, (len(text.text), text.end)), text.end)
