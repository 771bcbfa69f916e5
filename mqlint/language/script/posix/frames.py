"""What is open while a script of a shell is read: branches, loops, subshells, lists of arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

from mqlint.language.script.command import Command
from mqlint.language.text.mapped import CookedBuilder


@dataclass(slots=True)
class Block:
    """A branch, a loop or a group; `around` is the function that it stands in.

    `names` are the variables that are set in it, as in a frame.
    """

    maybe: int
    begun: int
    around: str
    names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """What is open: the script itself, a subshell, a substitution, the list of an array.

    `function` is the name of one whose body is to come, `inside` that of the one around.
    `captured` tells that what its commands print becomes part of a word.
    """

    kind: str
    maybe: int = 0
    blocks: list[Block] = field(default_factory=list)
    command: Command = field(default_factory=Command)
    depends: bool = False
    cases: int = 0
    pattern: bool = False
    function: str = ""
    inside: str = ""
    word: CookedBuilder | None = None
    word_start: int = 0
    word_quoted: bool = False
    in_quotes: bool = False
    redirect: str = ""
    asked: bool = False
    begun: int = 0
    captured: bool = False
    names: list[str] = field(default_factory=list)

    def names_function(self) -> bool:
        """Whether the words so far are `function NAME`."""
        words = self.command.words
        return len(words) == 2 and words[0].text == "function"
