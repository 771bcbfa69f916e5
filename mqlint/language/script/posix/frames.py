"""The open structures of a shell script: branches, loops, subshells, lists of arrays.

What the end of a script leaves open, a shell rejects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import count

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.command import Command, CommandGroup, Substitution, WordBuilder
from mqlint.language.text.shell_pattern import matches_glob
from mqlint.patterns import later


@mutable
class Loop:
    """A loop over known words: its variable, the words to come, and where its body begins."""

    variable: str
    words: list[str]
    start: int = 0


@mutable
class BranchChoice:
    """The branch of an `if` or `case` that runs in one call of a function, if it is known.

    `subject` is the word that a case compares, None for an `if` and for an unknown word. `patterns`
    are those of the current branch, None for an unknown one. `verdict` is the result of the last
    test, before `!` if it `is_negated`. `is_taken`: an earlier branch runs. `began` is the offset
    of the current branch, and `runs` says whether it may run.
    """

    subject: str | None = None
    patterns: list[str | None] = field(default_factory=list)
    verdict: bool | None = None
    is_negated: bool = False
    is_taken: bool = False
    began: int = 0
    runs: bool = True

    @property
    def result(self) -> bool | None:
        """Whether the test of the current branch holds; None if unknown."""
        return None if self.verdict is None else self.verdict != self.is_negated

    def matches(self) -> bool | None:
        """Whether the subject matches a pattern of the current branch; None if unknown."""
        if self.subject is None or None in self.patterns:
            return None
        known = (pattern for pattern in self.patterns if pattern is not None)
        return any(matches_glob(self.subject, pattern) for pattern in known)


_TESTS = ("[", "[[", "test")


def verdict_of(command: Command) -> bool | None:
    """Return the result of a test like `[ "$1" = QM1 ]`, None if it is unknown."""
    words = command.words[1:]
    if command.words[0].text not in _TESTS or not all(word.known for word in words):
        return None
    texts = [word.text for word in words if word.quoted or word.text not in ("]", "]]")]
    if len(texts) == 2 and texts[0] in ("-n", "-z"):
        return (texts[1] != "") == (texts[0] == "-n")
    if len(texts) != 3 or (texts[1] not in ("=", "==", "!=") or set(texts[2]) & set("*?[")):
        return None
    return (texts[0] == texts[2]) == (texts[1] != "!=")


def reason(outer: str, inner: str) -> str:
    """Return why commands may not run that have two reasons; a loop is the weakest one."""
    return inner or outer if outer in ("", "loop") else outer


@mutable
class Scope:
    """The commands of a script, a branch, a loop, brackets or a function.

    `why` is the reason for which they may not run, blank if they do. `function` is the function
    around them, blank for none. `group` collects their output, None if nothing can read it. `names`
    are the variables that are set among them, None if they are known to the end of the script.
    `loop` is set for a loop that is followed. `part` counts its parts: those after `then` and
    `else`, or of a case. `number` identifies it. `chosen` says which part runs, if that is known.
    `block` is that of its commands (see `Command`), `start` the offset after `for` or the like.
    `waiting` is the runmqsc among them that has no other input than that of the group.
    """

    why: str = ""
    function: str = ""
    group: CommandGroup | None = None
    names: list[str] | None = field(default_factory=list)
    loop: Loop | None = None
    chosen: BranchChoice | None = None
    part: int = 0
    block: int | None = None
    start: int = 0
    waiting: Command | None = None
    number: int = field(default_factory=count().__next__)

    def inner(self, *, why: str = "", function: str = "") -> Scope:
        inner = Scope(reason(self.why, why), function or self.function, CommandGroup())
        inner.block = self.block
        return inner


@mutable
class ShellFrame:
    """The script itself, a subshell, a substitution or the list of an array.

    `scopes` are its own and those of its open branches. `command` is the one being read, `word` its
    last word so far, and `redirect` the sign whose file is to come. `depends`: the command runs
    only if the one before it fails, or succeeds. `is_tested`: its result is checked. `cases` counts
    the open case statements, and `in_pattern` is true in a pattern of one. `function` is the name
    of a function whose body is to come. `substitution` is the innermost one around it. `is_fed`:
    its first command reads what the script writes to it, `>(...)`. `subshells` are the offsets at
    which it and those around it begin. `fed` is the command that feeds a group in it of `depth`
    scopes: the first command of the group that reads its input takes it.
    """

    kind: str
    scopes: list[Scope]
    command: Command = field(default_factory=Command)
    word: WordBuilder | None = None
    in_quotes: bool = False
    redirect: str = ""
    depends: bool = False
    is_tested: bool = False
    cases: int = 0
    in_pattern: bool = False
    function: str = ""
    substitution: Substitution | None = None
    is_fed: bool = False
    subshells: tuple[int, ...] = ()
    fed: Command | None = None
    depth: int = 0

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    @property
    def why(self) -> str:
        """The reason for which a command at this place may not run, blank if it does."""
        return reason(self.scopes[-1].why, "branch" if self.depends else "")

    @property
    def block(self) -> int | None:
        """The block of a command at this place, None if the command before it decides about it."""
        return None if self.depends else self.scopes[-1].block

    def take_fed(self) -> Command | None:
        """Return the command that feeds a group or loop around this place, for the first reader."""
        fed, command = self.fed, self.command
        if command.piped is not None and not command.words:
            fed, command.piped = command.piped, None
            return fed
        self.fed = None
        return fed if len(self.scopes) >= self.depth else None

    def feed(self, fed: Command | None) -> None:
        """Keep the command that feeds the innermost scope."""
        if fed is not None:
            self.fed, self.depth = fed, len(self.scopes)

    def names_function(self) -> bool:
        """Whether the words so far are `function NAME`."""
        words = self.command.words
        return len(words) == 2 and words[0].text == "function"


# -- the end of a script ---------------------------------------------------------------------------


_QUOTE = "a quotation mark"
_KINDS = {
    "array": "the list of an array",
    "backtick": "a backquote",
    "subshell": "a parenthesis",
    "substitution": "$(",
}
_CSH = later(r"(?m)\A#![^\n]{0,80}csh\b|^[ \t]*(?:endif|endsw|foreach)\b")
"""The C shell has other words than sh around branches and loops."""


def open_at_end(frames: Sequence[ShellFrame], *, in_last_quote: bool) -> str:
    """Return what the end of a script leaves open, blank for nothing."""
    if in_last_quote or any(frame.in_quotes for frame in frames):
        return _QUOTE
    if len(frames) > 1:
        return _KINDS[frames[-1].kind]
    return "an if, loop, case, function or brace" if len(frames[-1].scopes) > 1 else ""


_TEMPLATE = later(r"\{\{|\{%|<%|%\{[ \t]*(?:if|for)\b")
"""A template that may close what is open; a shell reads `${NAME}` itself."""


def not_closed(text: str, what: str, quote: int) -> Iterator[Diagnostic]:
    """Yield `what` the script `text` leaves open, unless a template may close it.

    The place is that of `quote`, the quotation mark that opens a text, or the last line.
    """
    if not what or _TEMPLATE.search(text) is not None or _CSH.search(text) is not None:
        return
    end = len(text.rstrip())
    start = quote if what == _QUOTE else text.rfind("\n", 0, end) + 1
    yield diagnostic("shell-not-closed", (start, start + 1 if what == _QUOTE else end), what=what)
