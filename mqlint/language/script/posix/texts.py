"""Texts of MQSC that a script of a shell keeps in variables before it gives them to runmqsc.

    MQSC="$(cat <<'EOF'
    DEFINE QLOCAL(PAY.IN)
    EOF
    )"
    echo "$MQSC" | runmqsc QM1

A text is known from the assignment to the end of the branch, loop or function around it. It
replaces a word that is the variable alone, and the words of an array replace `"${NAME[@]}"`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.language.script.command import Command, Word
from mqlint.language.script.input.printed import echoed
from mqlint.language.text.mapped import MappedText, joined, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget

DECLARING = frozenset({"declare", "local", "typeset", "readonly", "export"})
_ARRAY = later(r"(?:[\w./-]{1,200}/)?+\"?\$(?:\{([A-Za-z_]\w*)\[[@*]\]\}|@|\{@\})\"?")
"""An array, also after the folder of the program that is its first word."""
_NAMED = later(r"(\"?)\$(?:([A-Za-z_]\w*|[0-9*])|\{([A-Za-z_]\w*|[0-9]{1,3}|\*)\})(\"?)")
_ALL = "@"
_OUTPUT = later(r"\"?(?:\$\(|`)")


def sets_variable(command: Command) -> bool:
    """Whether the words so far are `NAME=`, or another command that declares."""
    return bool(command.assigned) if not command.words else command.words[0].text in DECLARING


class Texts:
    """The texts and the arrays of one script; `text` is the script.

    A text is held as the pieces that `+=` put together.
    """

    def __init__(self, text: str, budget: Budget) -> None:
        self._text = text
        self._budget = budget
        self._held: dict[str, list[MappedText]] = {}
        self._arrays: dict[str, list[Word]] = {}

    def assigned(self, command: Command) -> list[str]:
        """Record the values that a command assigns; return the names."""
        if not sets_variable(command):
            return []
        words = command.words[1:] if command.words else command.assigned
        inner = command.substitution.only if command.substitution and len(words) == 1 else None
        return [self._assign(word, inner) for word in words if "=" in word.text]

    def assign_array(self, target: str, words: list[Word], *, certain: bool) -> None:
        """Record the list of an array after `NAME=` or `NAME+=`; of two branches none is known."""
        name, more, _ = target.rstrip("=").partition("+")
        if more:
            self._arrays.setdefault(name, []).extend(words)
        else:
            self._arrays[name] = words if certain or not self._arrays.get(name) else []

    def words(self, word: Word) -> list[Word]:
        """Return the words of the array that a word is (`"${NAME[@]}"`), else the word itself."""
        array = None if word.known else _ARRAY.fullmatch(self._text, word.start, word.end)
        words = self._arrays.get(array[1] or _ALL, []) if array is not None else []
        if not words or self._budget.is_spent:
            return [word]
        size = sum(len(item.text) for item in words)
        return words if self._budget.spend(size, len(words)) else [word]

    def _assign(self, word: Word, inner: Command | None) -> str:
        """Keep what an assignment puts into a variable, the output of `inner` among it."""
        name, sign, value = word.text.partition("=")
        appends, name = name.endswith("+"), name.rstrip("+")
        found: MappedText | None = mapped_slice(word.text, len(name) + appends + 1).within(
            word.mapped
        )
        if value == PLACEHOLDER and _OUTPUT.match(self._text, word.start + len(name) + appends + 1):
            found = _output(inner)
        before = self._held.pop(name, None)
        if not sign or found is None or (appends and before is None):
            return name
        pieces = before if appends and before is not None else []
        if found.text:
            pieces.append(found)
        # A text that has a parenthesis has it in its first piece: others are not held.
        if not pieces or "(" in pieces[0].text:
            self._held[name] = pieces
        return name

    @property
    def arguments(self) -> Sequence[Word]:
        """The arguments of the function that is being read."""
        return self._arrays.get(_ALL, ())

    def pass_on(self, arguments: Sequence[Word]) -> None:
        """Set the arguments of the function that is called, and forget those of the call before."""
        self.forget([*map(str, range(1, len(self.arguments) + 1)), "*"])
        self._arrays[_ALL] = [*arguments]
        for number, word in enumerate(arguments, 1):
            if "(" in word.text or "\n" in word.text:
                self._held[str(number)] = [word.mapped]
        if "1" in self._held:
            self._held["*"] = [joined((word.mapped for word in arguments), " ")]

    def forget(self, names: Sequence[str]) -> None:
        """Forget variables that were set in a branch which ends."""
        for name in names:
            self._held.pop(name, None)

    def word(self, word: Word) -> Word | None:
        """Return a word with its text if it is a variable alone; None for others.

        Without quotation marks the lines of a text would become one.
        """
        variable = _NAMED.fullmatch(self._text, word.start, word.end)
        held = self._held.get(variable[2] or variable[3]) if variable is not None else None
        if held is None or variable is None or self._budget.is_spent:
            return None
        size = sum(len(piece.text) for piece in held)
        if not self._budget.spend(size, sum(len(piece.segments) for piece in held)):
            return None
        text = held[0] if len(held) == 1 else joined(held, "")
        if not variable[1] and "\n" in text.text:
            return None
        return Word(text, word.start, word.end, word.quoted)


def _output(command: Command | None) -> MappedText | None:
    """The output of the only command in a substitution: a here-document, or words."""
    if command is None or command.outputs or not command.words:
        return None
    name = command.words[0].text
    if name == "cat" and len(command.words) == 1 and command.here is not None:
        return command.here.body
    return echoed(name, command.words[1:]) if name in ("echo", "printf", "print") else None
