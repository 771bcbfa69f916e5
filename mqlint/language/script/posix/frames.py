"""What is open while a script of a shell is read: branches, loops, subshells, lists of arrays."""

from __future__ import annotations

from dataclasses import field
from itertools import count

from mqlint.dataclass import mutable
from mqlint.language.script.command import Command, Group, Substitution, WordBuilder


@mutable
class Loop:
    """A loop over words that are known: its variable, the words to come, where its body begins."""

    variable: str
    words: list[str]
    start: int = 0


@mutable
class Scope:
    """The commands of a script, a branch, a loop, brackets or a function.

    `why` is the reason for which they may not run, blank if they do. `function` is the function
    they stand in, blank for none; `group` collects what they print, None where nothing can read
    it; `names` are the variables that are set among them, None where they are known to the end of
    the script. `loop` is the loop that it is, where that is followed. `part` counts its parts: what
    is behind `then` and `else`, or the choices of a case. `number` tells it from others.
    """

    why: str = ""
    function: str = ""
    group: Group | None = None
    names: list[str] | None = field(default_factory=list)
    loop: Loop | None = None
    part: int = 0
    number: int = field(default_factory=count().__next__)

    def inner(self, *, why: str = "", function: str = "") -> Scope:
        """Return a scope that stands in this one."""
        return Scope(self.why or why, function or self.function, Group())


@mutable
class Frame:
    """The script itself, a subshell, a substitution or the list of an array.

    `scopes` are its own and those of the branches that are open in it, `command` is the one being
    read, `word` its last word as far as it was read, `redirect` the sign whose file is to come.
    `depends` tells that the command runs only if that before it fails or succeeds, `is_tested`
    that its result is looked at. `cases` counts the case statements that are open, `in_pattern`
    tells that a pattern of one is read. `function` is the name of one whose body is to come,
    `substitution` the innermost that it stands in.
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

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.scopes[-1]

    @property
    def why(self) -> str:
        """The reason for which a command that stands here may not run, blank if it does."""
        return self.scopes[-1].why or ("branch" if self.depends else "")

    def names_function(self) -> bool:
        """Whether the words so far are `function NAME`."""
        words = self.command.words
        return len(words) == 2 and words[0].text == "function"
