"""The files that a script writes, and what it reads from them.

If a script writes a file (`echo ... >> defs.mqsc`, `cat > defs.mqsc <<EOF`), its text is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace

from mqlint.dataclass import frozen, mutable
from mqlint.language.mqsc.language import MQSC_ENDINGS, is_mqsc
from mqlint.language.script.command import Word, base_name
from mqlint.language.script.input.filters import Edited, changes
from mqlint.language.script.unread.unseen import is_blank
from mqlint.language.text.mapped import MappedText, joined
from mqlint.patterns import later
from mqlint.source.budget import Budget

_VARIABLE = later(r"[ \t]*+[\"']?\$(?:\w{1,60}|\{\w{1,60}\})[\"']?[ \t]*")
"""A line that is one variable."""
STANZA_FILES = ("qm.ini", "mqs.ini", "mqclient.ini")


@frozen
class Input:
    """The input of a command: a text in the script, or a file.

    `maybe`: a part of it is written in a branch or a loop. `verbatim`: it is the command's own
    here-document, so that no other program changes it. `others` are files that are read after
    `file`. `edited` is the file of which it is made by substitutions of addresses. One without a
    text and a file is the output of a command, which is not known.
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
    texts that were checked when it was run, and `has_unread` says whether one is not read.
    """

    parts: list[Input] | None = None
    read_for: frozenset[str | None] = frozenset()
    examined: int = 0
    listed: int = 0
    has_unread: bool = False

    def is_unread(self, runs: Callable[[MappedText], bool]) -> bool:
        """Whether it has a line that is not known, or `runs` says so; each text is checked once."""
        if self.parts is None:
            return True
        new, self.examined = self.parts[self.examined :], len(self.parts)
        self.has_unread = self.has_unread or any(_is_unread(part, runs) for part in new)
        return self.has_unread

    def new_files(self) -> Iterator[Word]:
        """Yield the files of which it is made, each once."""
        parts = self.parts or []
        new, self.listed = parts[self.listed :], len(parts)
        yield from (part.file for part in new if part.file is not None)


@mutable
class WrittenFiles:
    """The files that one script writes, by their names as written.

    Scripts in scripts share them, and the `budget`. `_fetched` are the names of files and folders
    that came from another host. `_by_base_name` maps a name without its folder to the full name,
    None if several files have it.
    """

    budget: Budget
    _files: dict[str, _WrittenFile] = field(default_factory=dict)
    _fetched: set[str] = field(default_factory=set)
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
                whole = read_together(file.parts) if does is not None else None
                made = substituted(whole, does) if whole is not None and does is not None else None
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
        return read_together(file.parts)

    def fetch(self, words: Iterable[Word], source: MappedText) -> None:
        """Record names of what a command gets from another host."""
        for word in words:
            name = base_name(_named(word, source).rstrip("/\\")).removesuffix(".git")
            if name not in ("", ".", ".."):
                self._fetched.add(name)

    def enters_fetched(self, folder: Word, source: MappedText, *, inside: bool) -> bool:
        """Whether `cd` leads to a folder from another host; `inside` if it is called in one."""
        name = _named(folder, source).rstrip("/")
        is_deeper = inside and not name.startswith(("/", "..", "$", "~", "-"))
        return is_deeper or base_name(name) in self._fetched

    def is_unseen(
        self, word: Word, source: MappedText, runs: Callable[[MappedText], bool], *, inside: bool
    ) -> bool:
        """Whether a file that is run was fetched, or written with a text that is not read.

        `inside` is true if the command runs in a folder from another host. A text is not read if
        it is not known, or if it `runs` a command of MQ.
        """
        if not self._files and not self._fetched:
            return False
        name = _named(word, source).replace("\\", "/").removeprefix("./")
        file = self._written(name)
        if file is None:
            return (inside and not name.startswith(("/", "$", "~"))) or self.is_fetched(name)
        return file.is_unread(runs)

    def files_of(self, word: Word, source: MappedText) -> Iterator[Word] | None:
        """Return the files of which the script makes this one; None if it does not write it."""
        file = self._written(_named(word, source).replace("\\", "/").removeprefix("./"))
        if file is None or file.parts is None:
            return None
        return file.new_files()

    def is_fetched(self, name: str) -> bool:
        """Whether a file, or a folder in its path, came from another host."""
        return not self._fetched.isdisjoint(name.split("/"))

    def unread_files(self) -> Iterator[Input]:
        """Yield the texts of files of MQSC that nothing in the script reads."""
        for name, file in self._files.items():
            text = None if file.read_for else read_together(file.parts)
            if text is None or text.text is None:
                continue
            if name.lower().endswith(MQSC_ENDINGS) or is_mqsc(text.text.text):
                yield text

    def stanzas(self) -> Iterator[tuple[str, Input]]:
        """Yield the names and texts of files of stanzas that the script writes or adds to."""
        for name, file in self._files.items():
            if name.lower().endswith(STANZA_FILES):
                text = read_together(file.parts)
                if text is not None and text.text is not None:
                    yield name, text

    def again(self, read: Input) -> bool:
        """Whether a text may be used once more."""
        text = read.text
        return text is None or self.budget.spend(len(text.text), len(text.segments))


def substituted(whole: Input, does: Edited) -> Input | None:
    """Return a file after substitutions of addresses; None for others, or for several files."""
    file = whole.edited or whole.file
    if whole.text is not None or file is None or whole.others or not does.spares_names:
        return None
    return Input(maybe=whole.maybe, edited=file)


def _is_unread(part: Input, runs: Callable[[MappedText], bool]) -> bool:
    """Whether a text runs a command of MQ, or has a line that is one variable or not known."""
    if part.text is None:
        return False
    lines = part.text.text.splitlines()
    is_unknown = any(is_blank(line) or _VARIABLE.fullmatch(line) is not None for line in lines)
    return is_unknown or runs(part.text)


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


def read_together(inputs: Sequence[Input] | None) -> Input | None:
    """Return texts that were written one after the other; None if they are not known.

    Files are supported only without any text between them.
    """
    if not inputs:
        return None
    files = [part for part in inputs if part.text is None]
    if files:
        return _files_together(files) if len(files) == len(inputs) else None
    texts = [part.text for part in inputs if part.text is not None]
    return Input(joined(texts, ""), maybe=any(part.maybe for part in inputs))


def _files_together(inputs: Sequence[Input]) -> Input | None:
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
