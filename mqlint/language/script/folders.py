"""The folders that the commands of a script run in: `cd` and the like change them."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import join, normpath

from mqlint.dataclass import frozen
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.posix.own_folder import is_own_folder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_OF_SCRIPT = later(
    r"\"?(?:(?:\$\(|`)dirname[^()`]{0,20}(?:\$0|\$\{(?:0|BASH_SOURCE))[^()`]{0,20}[)`]"
    r"|\$\{(?:0|BASH_SOURCE)[^{}]*+\}|%~dp0|\$PSScriptRoot)[/\\]?(?P<below>[\w./\\-]*+)\"?"
)
"""The folder of a script, or one below it, as its `cd` names it."""
_ENTERING = frozenset({"cd", "chdir", "pushd", "popd"})
_ELSEWHERE = later(rf"[-~/\\{PLACEHOLDER}]|[A-Za-z]:")
"""The begin of a folder that is not below the one before it, or may be any."""
_LONGEST_PATH = 1_024
"""Characters of a path that all systems take: each `cd` may add to it."""


@frozen
class Folder:
    """The folder that a command runs in; its path is blank for that in which the script begins.

    A path that is not known is, or has, a placeholder. `is_fetched` is true if it came from another
    host.
    """

    path: str = ""
    is_fetched: bool = False


OF_SCRIPT = Folder()
"""The folder that a script begins in."""


def enters(words: Sequence[Word]) -> bool:
    """Whether a command changes the folder of those after it."""
    return base_name(words[0].text).lower() in _ENTERING


class Folders:
    """The folders of the commands of one text, which begins in `folder`.

    What changes the folder in a subshell changes it for no other command.
    """

    def __init__(self, text: str, folder: Folder) -> None:
        self._text = text
        self._known: dict[tuple[int, ...], Folder] = {(): folder}
        """The folders since the last `cd`, by the subshells around it."""

    def of(self, command: Command) -> Folder:
        around = command.subshells
        outwards = (around[:depth] for depth in range(len(around), -1, -1))
        return next(self._known[each] for each in outwards if each in self._known)

    def enter(self, command: Command, into: Word | None, *, is_fetched: bool) -> None:
        """Record that a command changes the folder; to one that is not known if `into` is None."""
        path = PLACEHOLDER if into is None else self._entered(self.of(command).path, into)
        self._known[command.subshells] = Folder(path, is_fetched)

    def _entered(self, before: str, word: Word) -> str:
        """Return the folder after `cd`: from that of the script, which is blank, if it is below."""
        own = _OF_SCRIPT.fullmatch(self._text, word.start, word.end)
        if own is not None:
            folder = own["below"]
        elif is_own_folder(self._text, word.start, word.end):
            folder = ""
        elif _ELSEWHERE.match(word.text) is not None:
            return word.text
        else:
            folder = join("" if PLACEHOLDER in before else before, word.text)
        if len(folder) > _LONGEST_PATH:
            return PLACEHOLDER
        folder = normpath(folder.replace("\\", "/"))
        return "" if folder == "." else folder
