"""How much may be derived from one document: the limit on everything that expands.

A short text can expand without end: variables made of variables, a text fed to many queue
managers, scripts in scripts. Each document has one budget in proportion to its length. Whatever
copies text or reads it again spends from it first. When it is spent, what would be
derived is unknown from there on, and the coverage of the document says so.
"""

from __future__ import annotations

from collections.abc import Hashable

_EACH = 4
"""Characters that may be derived from each character of a document."""
_FLOOR = 200_000
"""Characters that may be derived from any document, however short."""
_PIECE = 16
"""Characters that one more piece of text costs: memory for it, and a step of work."""

_MANAGERS = 5_000
"""Queue managers that any document may be about, however short."""
_EACH_MANAGER = 64
"""Characters of a document for which it may be about one more queue manager."""

DEEPEST = 64
"""How deep nested commands, scripts and collections are followed."""


class Budget:
    """What may still be derived from one document; its readers share it."""

    __slots__ = ("_left", "_managers", "_most_managers", "_notes", "_repeated", "allowance")

    def __init__(self, size: int) -> None:
        """Start with what a document of `size` characters is allowed."""
        self.allowance = _FLOOR + _EACH * size
        self._left = self.allowance
        self._repeated = _FLOOR // 2 + size
        self._managers: set[Hashable] = set()
        self._most_managers = _MANAGERS + size // _EACH_MANAGER
        self._notes: dict[str, None] = {}

    @property
    def spent(self) -> int:
        """How much was spent so far, in characters."""
        return self.allowance - max(self._left, 0)

    @property
    def is_spent(self) -> bool:
        """Whether something was refused: nothing more is derived then."""
        return self._left < 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out of the document for lack of budget, as sentences for people."""
        return tuple(self._notes)

    def spares(self, characters: int) -> bool:
        """Whether a text is small enough to be read once more, for a call or a round of a loop.

        These may take a quarter of the budget of a long text, half of that of a short one: one long
        loop does not leave the rest unknown.
        """
        return self.spent + characters <= self._repeated

    def calls(self, characters: int) -> bool:
        """Whether the body of a function is read for one more call; it is noted if not."""
        if self.spares(characters):
            return True
        self._notes[
            f"calls of functions are not followed after {self._repeated:,} characters: "
            "what the later calls run is unknown"
        ] = None
        return False

    def admits(self, manager: Hashable) -> bool:
        """Whether the document may be about a queue manager; it is noted if not."""
        if manager in self._managers:
            return True
        if len(self._managers) < self._most_managers:
            self._managers.add(manager)
            return True
        self._notes[
            f"only {self._most_managers:,} queue managers of the file are checked: "
            "what concerns the others is ignored"
        ] = None
        return False

    def spend(self, characters: int, pieces: int = 1) -> bool:
        """Spend the cost of a text of `characters` characters in `pieces` pieces.

        False if the rest does not cover it. That and every later text is then unknown, so that
        one text is not known where an earlier, equal one is not.
        """
        if self._left < 0:
            return False
        self._left -= characters + _PIECE * pieces
        if self._left >= 0:
            return True
        self._left = -1
        self._notes[
            f"expansion stopped after {self.allowance:,} characters: from there on, values of "
            "variables, repeated texts and nested scripts are unknown"
        ] = None
        return False

    def enters(self, depth: int) -> bool:
        """Whether something nested in `depth` others of its kind is followed."""
        if depth < DEEPEST:
            return True
        self._notes[f"text nested more than {DEEPEST} levels deep is not read"] = None
        return False
