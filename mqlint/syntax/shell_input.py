"""What a command of a shell reads, as far as the script itself says it.

That is a here-document, a text behind `<<<`, what stands on the left of a pipe, or a file; and of
a file that the same script writes (`echo ... >> defs.mqsc`, `cat > defs.mqsc <<EOF`) its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mqlint.syntax.control import ControlForm
from mqlint.syntax.cooked import Cooked, joined
from mqlint.syntax.shell_command import Command, Word
from mqlint.syntax.shell_wrap import base_name, echoed, unwrapped

_SILENT = frozenset(
    "[ [[ : break cd chmod chown continue declare exit export false for let local mkdir read "
    "readonly return rm set shift sleep test touch true typeset umask unset wait".split()
)
"""Commands that print nothing, or nothing that anybody would feed to runmqsc."""
_CHANGES = frozenset({"sed", "perl", "awk", "ed", "ex"})
"""What may put other text into a file, or read a template from it."""
_MQSC = (".mqsc", ".mqs")
MANY = 500
"""So many commands of a group are read for what they print, so many files are looked through."""
AGAIN = 500_000
"""So many characters of written files are read again, for other queue managers than the first."""
_LONGEST = 8
"""So many commands of a pipe are looked back through."""


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

    Scripts in scripts share them.
    """

    written: dict[str, _Written] = field(default_factory=dict)
    budget: int = AGAIN

    def write(
        self, into: Iterable[Word], source: Cooked, text: Input | None, *, appends: bool
    ) -> None:
        """Keep what a command of `source` puts into files; None for what is not known."""
        for word in into:
            name = _named(word, source)
            kept = self.written.get(name)
            if kept is None or not appends:
                kept = self.written[name] = _Written()
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
        if kept is None and len(self.written) <= MANY:
            base = base_name(name)
            same = [one for other, one in self.written.items() if base_name(other) == base]
            kept = same[0] if len(same) == 1 else None
        if kept is None or to in kept.fed or (kept.fed and (to is None or self.budget < 0)):
            return None
        if kept.fed:
            self.budget -= sum(len(one.text.text) + 1 for one in kept.parts or () if one.text)
        kept.fed.add(to)
        return _taken(kept)

    def left(self) -> Iterator[Input]:
        """Yield the texts of files of MQSC, by their names, that nothing in the script reads."""
        for name, kept in self.written.items():
            found = _taken(kept) if name.lower().endswith(_MQSC) and not kept.fed else None
            if found is not None:
                yield found


def _taken(kept: _Written) -> Input | None:
    """Return all that was written into a file, joined."""
    if not kept.parts:
        return None
    texts = [one.text for one in kept.parts if one.text is not None]
    expands = any(one.expands for one in kept.parts)
    return Input(joined(texts, ""), expands, maybe=any(one.maybe for one in kept.parts))


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

    def printed(
        self, command: Command, to: str | None = None, depth: int = _LONGEST
    ) -> Input | None:
        """Return what a command prints, or a group of commands; None when it is not known."""
        if command.group is not None and not command.words:
            return self.grouped(command.group)
        words, script = unwrapped(command.words)
        name = base_name(words[0].text) if words and script is None else ""
        if name in ("echo", "printf", "print"):
            text = echoed(name, words[1:])
            expands = any(not word.known for word in words)
            return None if text is None else Input(text.within(self.source), expands)
        files = [word for word in words[1:] if not word.text.startswith("-")]
        if name == "cat" and len(files) == 1:
            return self.file(files[0], to)
        if name in ("cat", "envsubst") and files:
            return None
        if name not in ("cat", "tee", "envsubst") or depth == 0:
            return None
        if command.piped is not None:
            return self.printed(command.piped, to, depth - 1)
        return self.input(command, to) or self.given

    def grouped(self, group: tuple[int, int]) -> Input | None:
        """Return what the commands of a group print together."""
        parts: list[Input] = []
        if group[1] - group[0] > MANY:
            return None
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
        return _taken(_Written(parts))

    def line(self, command: Command) -> Input | None:
        """Return what a command prints with the line feed behind it; None for what is not known."""
        found = self.printed(command)
        if found is None or found.text is None:
            return None
        text = _ended(found.text) if _ends_line(command) else found.text
        return Input(text, found.expands, maybe=command.maybe or found.maybe)


def _ends_line(command: Command) -> bool:
    """Whether what a command prints comes from an echo, which puts a line feed behind it."""
    for _ in range(_LONGEST):
        if command.piped is None:
            break
        command = command.piped
    words = command.words
    if not words or base_name(words[0].text) not in ("echo", "print"):
        return False
    return not any(word.text in ("-n", "-ne", "-en") for word in words[1:2])


def _ended(text: Cooked) -> Cooked:
    """Return a text with a line feed behind it, that stands where the text ends."""
    return Cooked(text.text + "\n", (*text.segments, (len(text.text), text.end)), text.end)
