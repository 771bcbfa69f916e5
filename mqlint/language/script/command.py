"""Simple commands of a shell, as the scanner leaves them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mqlint.language.text.mapped import Cooked
from mqlint.language.text.templates import is_known


@dataclass(slots=True)
class Word:
    """One word, quotes undone; `start` and `end` are its place with them."""

    cooked: Cooked
    start: int
    end: int
    quoted: bool = False

    @property
    def text(self) -> str:
        """The word's text, covered where it is not known."""
        return self.cooked.text

    @property
    def known(self) -> bool:
        """Whether all of the text is known before the script runs."""
        return is_known(self.cooked.text)


@dataclass(slots=True)
class Here:
    """A here-document; `expands` tells that its delimiter was not quoted."""

    delimiter: str
    expands: bool
    strip: bool
    body: Cooked | None = None


@dataclass(slots=True)
class Command:
    """One simple command. `maybe` tells that it stands in a branch, a loop or a function.

    `piped` is the command on the left of its pipe; `stdin` the file behind `<`, `string` the word
    behind `<<<`; `outputs` are the files behind `>`, and `appends` tells that the sign is `>>`.
    `inner` are the commands whose output stands in its words. `group` says which of the script's
    commands, by number, the brackets or the loop hold that stand in its place. `checked` tells
    whether anything looks at what it returns, None where that is not known; `captured` that its
    output goes to a pipe or into a word, `taken` that this was read, `said` that what it prints
    was asked for. `function` is the name of the function that it stands in. `end` is where it ends.
    """

    words: list[Word] = field(default_factory=list)
    assigned: list[Word] = field(default_factory=list)
    stdin: Word | None = None
    string: Word | None = None
    here: Here | None = None
    piped: Command | None = None
    maybe: bool = False
    outputs: list[Word] = field(default_factory=list)
    appends: bool = False
    inner: list[Command] = field(default_factory=list)
    checked: bool | None = None
    captured: bool = False
    taken: bool = False
    said: bool = False
    group: tuple[int, int] | None = None
    function: str = ""
    end: int = 0
