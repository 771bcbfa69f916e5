"""Simple commands, which the scanners of all shells yield."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.patterns import later

_PATTERNS = {
    "manager": later(r"(?i)(?:^|[^a-z])amq(?!s)"),  # its own, and no samples
    "user": later(r"(?i)(?:^|[^a-z])mqm(?![\w-])"),
    "beside": later(r"(?i)(?:^|[^a-z])runmq"),
}
"""`beside` are trigger monitors, listeners and the like, which a queue manager outlives."""

NO_PROCESSES: frozenset[str] = frozenset()


def processes_named(texts: Iterable[str]) -> frozenset[str]:
    """Return the processes that texts name: of the manager, of its user, or beside it."""
    candidates = [text for text in texts if "mq" in text.lower()]
    if not candidates:
        return NO_PROCESSES
    return frozenset(kind for kind, form in _PATTERNS.items() if any(map(form.search, candidates)))


def stops_queue_manager(processes: frozenset[str]) -> bool:
    """Whether processes of a queue manager are meant: its own, or all of its user or its name.

    `named` are those that grep finds by the name of a queue manager, `other` by anything else.
    """
    if "manager" in processes:
        return True
    all_of_name = "named" in processes and "other" not in processes
    return "beside" not in processes and (all_of_name or "user" in processes)


@mutable
class Word:
    """One word, quotes undone; `start` and `end` are its place with them."""

    mapped: MappedText
    start: int
    end: int
    quoted: bool = False

    @property
    def text(self) -> str:
        """The word's text, covered where it is not known."""
        return self.mapped.text

    @property
    def known(self) -> bool:
        """Whether all of the text is known before the script runs."""
        return is_known(self.mapped.text)


def passed_over(text: str, start: int, end: int) -> Iterator[Command]:
    """Yield a command without a name that has a stretch of code as its word.

    A scanner makes it of code that it does not read, so that a command of MQ in there is listed.
    """
    if "mq" in text[start:end].lower():
        name = Word(mapped_at(PLACEHOLDER, start, end), start, end)
        yield Command([name, Word(mapped_slice(text, start, end), start, end)], maybe=True)


def service_words(words: Sequence[Word]) -> str:
    """Return the words of a tool of a cloud after its global options, each of which has a value."""
    at = 1
    while at < len(words) - 1 and words[at].text.startswith("--"):
        at += 1 if "=" in words[at].text else 2
    return " ".join(word.text for word in words[at:])[:1_000]


def split(word: Word) -> list[Word]:
    """Return the words that a single string of arguments holds."""
    if " " not in word.text or PLACEHOLDER in word.text:
        return [word]
    words = []
    for match in re.finditer(r"\S+", word.text):
        start, end = map(word.mapped.host, match.span())
        words.append(Word(mapped_at(match.group(), start, end), start, end))
    return words


class WordBuilder(MappedTextBuilder):
    """Collects a word that begins at `start`; `quoted` once a part of it was in quotes."""

    __slots__ = ("quoted", "start")

    def __init__(self, start: int) -> None:
        super().__init__()
        self.start = start
        self.quoted = False

    def word(self, end: int) -> Word:
        return Word(self.finish(end), self.start, end, self.quoted)


@mutable
class HereDocument:
    """A here-document; `expands` is true if its delimiter is not quoted.

    `not_ended` is the line that was meant to end it, if blanks beside the delimiter prevent that.
    `closer` is the sign after which the substitution around it ends, blank for none.
    """

    delimiter: str
    expands: bool
    strip: bool
    body: MappedText | None = None
    not_ended: tuple[int, int] | None = None
    closer: str = ""

    def end_in(self, line: str) -> int:
        """Return the length of the delimiter if it ends the document in `line`, otherwise -1.

        The end of a substitution also ends the documents in it (bash, with a warning for `$(`).
        """
        if not line.startswith(self.delimiter):
            return -1
        rest = line[len(self.delimiter) :]
        if self.closer and rest.startswith(self.closer):
            return len(self.delimiter)
        return -1 if rest.rstrip("\r\n") else len(line)


class Substitution:
    """The commands whose output becomes part of a word: their number, the first, and processes.

    The others are not stored: a script may have a million of them.
    """

    __slots__ = ("count", "first", "processes")

    def __init__(self) -> None:
        self.count = 0
        self.first: Command | None = None
        self.processes = NO_PROCESSES

    def add(self, command: Command) -> None:
        self.first = self.first or command
        self.count += 1
        self.processes |= command.processes()

    def merge(self, inner: Substitution) -> None:
        """Add the commands of another one that is inside, or in the same command."""
        self.first = self.first or inner.first
        self.count += inner.count
        self.processes |= inner.processes

    @property
    def only(self) -> Command | None:
        return self.first if self.count == 1 else None


_PRINTERS = ("echo", "printf", "print", "cat", "tee", "envsubst")
"""Commands whose output can be known."""
_PRINTER_ENDINGS = (*_PRINTERS, *(f"{name}.exe" for name in _PRINTERS))
_SILENT = frozenset(
    "[ [[ : break cd chmod chown continue declare exit export false for let local mkdir read "
    "readonly return rm set shift sleep test touch true typeset umask unset wait".split()
)
"""Commands without output, or without output that can be fed to runmqsc."""


class CommandGroup:
    """Commands in brackets, in a branch or in a loop, whose output goes one way together.

    Only commands whose output may be known are stored. After another one `is_unknown` is set, and
    nothing is stored.
    """

    __slots__ = ("_items", "_was_taken", "is_unknown")

    def __init__(self) -> None:
        self._items: list[Command | CommandGroup] | None = None
        self.is_unknown = False
        self._was_taken = False

    def add(self, command: Command) -> None:
        if self.is_unknown or command.captured or command.outputs or not command.words:
            return
        if base_name(command.words[0].text) in _SILENT:
            return
        if any(word.text.endswith(_PRINTER_ENDINGS) for word in command.words):
            self._append(command)
        else:
            self.is_unknown, self._items = True, None

    def close(self, inner: CommandGroup) -> None:
        """Add a group that ended inside."""
        if not self.is_unknown and (inner._items or inner.is_unknown):
            self._append(inner)

    def _append(self, item: Command | CommandGroup) -> None:
        if self._items is None:
            self._items = []
        self._items.append(item)

    def take(self) -> Iterator[Command | None]:
        """Yield the commands that print the output, each once; None for an unknown one.

        A group inside another can be taken once: its output is not that of the outer group any
        more.
        """
        stack: list[CommandGroup | Command] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, Command):
                yield item
            elif item.is_unknown:
                if not item._was_taken:
                    item._was_taken = True
                    yield None
            else:
                item._was_taken = True
                stack += reversed(item._items or ())
                item._items = None


_OUTPUTS = frozenset({">", ">>", ">|", "&>", "&>>"})
"""Signs of sh before a file that gets output."""


@mutable
class Command:
    """One simple command.

    `maybe` is true if it is in a branch, a loop or a function, and `why` says in which. Those with
    the same `block`, the offset of its begin, run together; None if nothing is known. `piped` is
    the command on the left of its pipe; once that was read, `source` is the command whose output it
    passes on. `is_fed` is true if its input is an output that is not known. `stdin` is the file
    after `<`, `string` the word after `<<<`, and `outputs` are the files after `>`; `appends` is
    true for `>>`. `substitution` are the commands whose output is in its words. `group` are the
    commands of a group or loop in its place. `checked` says whether the script checks its result,
    None if that is not known. `captured` is true if its output goes to a pipe or into a word,
    `was_read` if its output was asked for. `function` is the name of the function around it, and
    `end` its end. `subshells` are the offsets at which those around it begin. `piped_processes` are
    processes that commands on its left name, `listing` the words of ls or find whose lines a filter
    passes on. `tried` are values of variables, of several that each may have; they are the only
    reason for which it may not run. `waiting` is the runmqsc of its group that has no input.
    """

    words: list[Word] = field(default_factory=list)
    assigned: Sequence[Word] = ()
    stdin: Word | None = None
    string: Word | None = None
    here: HereDocument | None = None
    piped: Command | None = None
    is_fed: bool = False
    source: Command | None = None
    maybe: bool = False
    outputs: Sequence[Word] = ()
    appends: bool = False
    substitution: Substitution | None = None
    checked: bool | None = None
    captured: bool = False
    was_read: bool = False
    group: CommandGroup | None = None
    function: str = ""
    end: int = 0
    subshells: tuple[int, ...] = ()
    piped_processes: frozenset[str] = NO_PROCESSES
    listing: Sequence[Word] = ()
    why: str = ""
    block: int | None = None
    tried: Sequence[str] = ()
    waiting: Command | None = None

    @property
    def body(self) -> MappedText | None:
        return self.here.body if self.here is not None else None

    @property
    def has_input(self) -> bool:
        """Whether it reads something else than what the script itself reads."""
        sources = (self.piped, self.source, self.stdin, self.string, self.here)
        return self.is_fed or any(source is not None for source in sources)

    def processes(self) -> frozenset[str]:
        """Return which processes of a queue manager its own words name."""
        texts = (word.text[:200] for word in self.words)
        # A pattern of awk is not a path: /amqzxma0/{print $2}
        return processes_named(
            text if "{" in text or " " in text else text.rpartition("/")[2] for text in texts
        )

    def redirect(self, sign: str, word: Word) -> None:
        """Record a source of its input, or a file of its output, after a sign of sh."""
        if sign == "<":
            self.stdin = word
        elif sign == "<<<":
            self.string = word
        elif sign in _OUTPUTS:
            self.outputs = with_word(self.outputs, word)
            self.appends = sign.endswith(">>")


def operands_of(words: Iterable[Word]) -> list[Word]:
    """Return the words that are not options, of a command whose options have no separate value."""
    return [word for word in words if not word.text.startswith("-")]


def without_input(command: Command) -> Command:
    return replace(command, stdin=None, string=None, here=None, piped=None, source=None)


def with_word(words: Sequence[Word], word: Word) -> Sequence[Word]:
    """Return `words` and one more, in the same list if it is one: most commands need none."""
    if not isinstance(words, list):
        return [*words, word]
    words.append(word)
    return words


def base_name(text: str) -> str:
    """Return a command's name without its folder and without .exe."""
    if "/" in text or "\\" in text:
        text = text[max(text.rfind("/"), text.rfind("\\")) + 1 :]
    return text.removesuffix(".exe")
