"""The known values of the variables of a shell script at the commands.

A variable that a script sets in branches or several times may still have one known value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise

from mqlint.grouping import grouped
from mqlint.language.script.command import Command, Word
from mqlint.language.script.files.path import below_unknown_manager, queue_manager_path
from mqlint.language.script.posix.frames import Scope
from mqlint.language.script.posix.lists import COUNTED
from mqlint.language.script.posix.sites import named_by_site, set_by_site
from mqlint.language.script.posix.texts import DECLARING, Texts
from mqlint.language.script.scanner import set_once
from mqlint.language.text.variables import Variables
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.source.budget import Budget

_MOST = 8
"""Values of one variable; with more it is unknown."""

_NAMED = later(r"\"?\$(?:(\w{1,80})|\{(\w{1,80})\})\"?")
_PRINTERS = frozenset({"echo", "printf", "print"})

Branch = tuple[int, int]
"""A branch, a loop or the script, and which part of it (`then`, `else`)."""


class Choices:
    """The values of variables with several possible values; `settings` are names that are set.

    A name without a value is unknown, as after an assignment of unknown text. `sited` are the names
    of queue managers of one site each.
    """

    def __init__(
        self, settings: Iterable[str], bound: Iterable[str], sited: Iterable[str] = ()
    ) -> None:
        """`bound` are names that are set otherwise: read, looped over, declared."""
        self.sited = frozenset(sited)
        counts = Counter(settings)
        for name in bound:
            counts.pop(name, None)
        self.names = set(counts)
        self._values: dict[str, list[tuple[str | None, Branch]]] = {}
        self._set_in: dict[Branch, set[str]] = {}

    def forget(self, names: Iterable[str], values: Variables) -> None:
        """Let names be unknown for good, as a function may set them."""
        for name in self.names.intersection(names):
            self.names.discard(name)
            self._values.pop(name, None)
            values.pop(name, None)

    def clear(self) -> None:
        """Forget the values of all names, until they are set again."""
        self._values.clear()

    def assign(
        self, name: str, value: str | None, branch: Branch, values: Variables, *, certain: bool
    ) -> None:
        """Record a value of a name, which holds up to the end of the branch; None if unknown."""
        if name not in self.names:
            return
        if certain:
            self._values.pop(name, None)
        self._values.setdefault(name, []).append((value, branch))
        self._set_in.setdefault(branch, set()).add(name)
        values.pop(name, None)
        if value is not None:
            values[name] = value

    def leave(self, branch: Branch, values: Variables) -> None:
        """Let what was set in a branch that ends be one of several values."""
        for name in self._set_in.get(branch, ()):
            if any(where == branch for _, where in reversed(self._values.get(name, ()))):
                values.pop(name, None)

    def rounds(self, asked: Iterable[str]) -> Iterator[dict[str, str]]:
        """Yield the values with which a line is read that names `asked`, once for each."""
        found = {name: self._of(name) for name in sorted(set(asked) & self._values.keys())}
        found = {name: places for name, places in found.items() if places}
        together = grouped(
            (tuple(where for _, where in places), name) for name, places in found.items()
        )
        for names in together.values():
            sets = zip(*([value for value, _ in found[name]] for name in names), strict=True)
            for row in dict.fromkeys(sets):
                yield dict(zip(names, row, strict=True))

    def is_sited(self, name: str) -> bool:
        """Whether a variable names the queue manager of a site."""
        return any(value in self.sited for value, _ in self._values.get(name, ()))

    def _of(self, name: str) -> list[tuple[str, Branch]]:
        """The known values of a name; none if they are too many."""
        known = [(value, where) for value, where in self._values[name] if value]
        return known if len(known) <= _MOST else []


def naming_managers(commands: Iterable[Command], text: str) -> Iterator[str]:
    """Yield the variables that are last words of commands, unless printed, or follow `-m`."""
    for command in commands:
        words = command.words
        if not words[1:] or words[0].text in _PRINTERS:
            continue
        naming = [words[-1], *(word for option, word in pairwise(words) if option.text == "-m")]
        for word in naming:
            variable = _NAMED.fullmatch(text, word.start, word.end)
            if variable is not None:
                yield variable[1] or variable[2]


_SETTING = later(r"(?<![\w$.-])([A-Za-z_]\w*)(?:\+=|=(?!\$(?:\1\b|\{\1\})(?:[\s\"'`;,)\]]|\Z)))")
"""A name that is set, and not to itself, as in `echo "QM=$QM"`."""
_BINDING = later(r"\b(read|for|select|getopts|unset|local|typeset|declare)\b(?=([^\n;]{0,200}))")
_COMMAND_BEGINS = later(
    r"(?:\A|[\n;&|(){!`\"']|\b(?:do|then|else|while|until|if))[ \t]*(?:[A-Za-z_]\w*=\S*[ \t]+)?\Z"
)
"""The end of the text before a command: in prose and comments the same words bind no name."""
_LONGEST_PREFIX = 80
_NAME = later(r"(?<![\w${=.-])[A-Za-z_]\w*")
"""A bare word, which can be the name of a variable; `$NAME` is the value of one."""
_LOOPS = ("for", "select")
_DECLARING = ("local", "typeset", "declare")


def choices_in(text: str) -> Choices:
    """Return what may be known of names that are set several times."""
    bound = [name for _, names in _bindings(text) for name in names]
    bound += set_by_site(text)
    return Choices(names_in(text, 0, len(text)), bound, named_by_site(text))


def set_once_in(text: str, *, declared: bool = False) -> set[str]:
    """Return the names that are set exactly once, and nowhere read or looped over.

    With `declared`, the names that a function declares as its own.
    """
    names = set_once(match[1] for match in _SETTING.finditer(text)) - set_by_site(text)
    own: set[str] = set()
    for command, bound in _bindings(text) if names else ():
        if declared and command in _DECLARING:
            own.update(bound)
        else:
            names.difference_update(bound)
    return names & own if declared else names


def bound_in(text: str) -> set[str]:
    """Return the names that a text sets in any way."""
    names = {*names_in(text, 0, len(text)), *set_by_site(text)}
    return names.union(*(bound for _, bound in _bindings(text)))


def assigned_in(text: str) -> frozenset[str]:
    """Return the names that a text sets otherwise than by a loop."""
    text = COUNTED.sub("", text)
    names = {match[1] for match in _SETTING.finditer(text)}
    for command, bound in _bindings(text):
        if command != "for":
            names.update(bound)
    return frozenset(names)


def names_in(text: str, start: int, end: int) -> Iterator[str]:
    return (match[1] for match in _SETTING.finditer(text, start, end))


def _bindings(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands that set variables otherwise than by `=`, each with their names."""
    for match in _BINDING.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
        if _COMMAND_BEGINS.search(before) is not None:
            names = _NAME.findall(match[2])
            yield match[1], names[:1] if match[1] in _LOOPS else names


_BOUND = frozenset({"for", "select", "read", "unset", "getopts"})
_FORGETTING = frozenset({".", "source", "eval"})
_WORDS_OF_SHIFT = 2


Sourced = Mapping[str, str | None]
"""The variables of the files that a script sources, None for a value that is not sure."""


class Bindings:
    """The variables of one script, and of its functions while these are read.

    `values` are the texts of single variables, `texts` the texts of MQSC and the arrays, `choices`
    the variables with several possible values, and `once` the names that are set exactly once.
    `sourced` are the variables of all files that the script sources, None if these are not known.
    """

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.values = Variables(budget)
        self.sourced: Sourced | None = None
        self.texts = Texts(text, budget)
        self.choices = choices_in(text)
        self.once = set_once_in(text)
        self._own: set[str] = set()

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names that the script sets otherwise than by a loop."""
        return assigned_in(self.text)

    def give(self, given: Mapping[str, str]) -> None:
        """Bind the variables that the script gets from its job, unless it sets them itself."""
        bound = {*names_in(self.text, 0, len(self.text))}
        bound.update(name for _, names in _bindings(self.text) for name in names)
        self.values.update({name: given[name] for name in given.keys() - bound})

    @contextmanager
    def of_function(
        self, span: tuple[int, int], arguments: Sequence[Word] | None
    ) -> Iterator[None]:
        """Bind the variables of a function that is called with `arguments`.

        Without arguments it may not run.
        """
        own: set[str] = set()
        if arguments is not None:
            own = set_once_in(self.text[slice(*span)], declared=True) - set_by_site(self.text)
        around, passed = self._own, self.texts.arguments
        hides = own if arguments is not None else self.choices.names
        hidden = {name: self.values.pop(name) for name in hides & self.values.keys()}
        self._own = own
        self.pass_on(arguments or ())
        yield
        self._own = around
        for name in own:
            self.values.pop(name, None)
        self.values.update(hidden)
        self.pass_on(passed)

    def pass_on(self, arguments: Sequence[Word]) -> None:
        """Bind `$1`, `$2` ... to the arguments of a function call."""
        for number in range(1, len(self.texts.arguments) + 1):
            self.values.pop(str(number), None)
        self.values.pop("*", None)
        self.texts.pass_on(arguments)
        words = {str(number): word.text for number, word in enumerate(arguments, 1)}
        self.values.update(words)
        if words:
            self.values["*"] = " ".join(words.values())

    def settle(self, command: Command, scope: Scope, *, is_at_top: bool) -> None:
        """Record the variables that are known after a command in `scope`.

        `is_at_top` is true if it is neither in a subshell nor in a line that is read again.
        """
        first = command.words[0].text if command.words else ""
        # setmqenv sets folders of the installation and nothing that a script has named.
        read = command.words[1].text if len(command.words) > 1 else ""
        if first in _FORGETTING and not read.endswith("/setmqenv"):
            self.choices.clear()
            if self.sourced is None or first == "eval":
                self.values.clear()
            for name, value in (self.sourced or {}).items():
                if value is None:
                    self.values.pop(name, None)
                else:
                    self.values[name] = value
        self.store_texts(command, first, scope)
        if first == "shift":
            count = whole_number(read) if read else 1
            is_known = not command.maybe and len(command.words) <= _WORDS_OF_SHIFT
            self.pass_on(self.texts.arguments[count:] if is_known and count is not None else ())
        elif first == "set" and read == "--":
            self.pass_on(())
        if is_at_top:
            words = command.words[1:] if first in DECLARING else []
            for word in words if command.words else command.assigned:
                self.assign(word, scope, certain=not command.maybe)

    def assign(self, word: Word, scope: Scope, *, certain: bool) -> None:
        """Store the value of one `NAME=VALUE`."""
        name, sign, value = word.text.partition("=")
        plain = name.rstrip("+")
        is_set_once = name in self.once or name in self._own
        is_path = queue_manager_path(value) or below_unknown_manager(value)
        if sign and is_set_once and certain and (word.known or is_path):
            self.values[name] = value
        elif sign and plain in self.choices.names:
            known = value if word.known and name == plain else None
            branch = scope.number, scope.part
            self.choices.assign(plain, known, branch, self.values, certain=certain)

    def store_texts(self, command: Command, first: str, scope: Scope) -> None:
        """Store the values of an assignment, which are known to the end of the enclosing block."""
        names = self.texts.assigned(command)
        if scope.names is not None:
            scope.names.extend(names)
        if first in _BOUND:
            self.texts.forget([word.text for word in command.words[1:]])
