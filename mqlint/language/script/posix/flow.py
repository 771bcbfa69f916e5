"""Functions, loops and branches of a shell: which text is read again, and for which values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Self

from mqlint.language.script.command import Command, HereDocument, Word
from mqlint.language.script.posix.bindings import Bindings, Branch, names_in, naming_managers
from mqlint.language.script.posix.frames import Loop, Scope, ShellFrame, reason
from mqlint.language.script.posix.lists import COUNTED, counted_words, listed_words
from mqlint.language.script.posix.words import WordScanner
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

Line = tuple[int, ShellFrame | None, Scope | None]
"""The offset of a line, with its frame and scope; None for a line that is not read again."""
_HELD = 200
"""Limit of the commands of a line that is read again for the values of its variables."""
_BREAKS = later(r"\bbreak\b")
_NAME = later(r"\w{1,80}")


class FlowScanner(WordScanner):
    """Follows functions, loops and branches.

    A loop over known words is read once for each word. The body of a function that is defined at
    the top is left out: `functions` has its place, and `called` yields its commands for a call.
    A line with variables that may have several known values is read once for each of them.
    """

    def __init__(self, text: str, budget: Budget, around: Self | None = None) -> None:
        """`around` is the scanner of the same text that found the call of a function."""
        bindings = Bindings(text, budget) if around is None else around.bindings
        super().__init__(text, budget, bindings)
        self.pending: list[HereDocument] = []
        self.around = around
        self.is_called = False
        self.idle = 0
        self.defining = ""
        self.defined = 0
        self.functions: dict[str, Span] = {} if around is None else around.functions
        self.replaced: list[tuple[str, Span]] = [] if around is None else around.replaced
        self.parts: dict[tuple[str, Span], set[bool]] = {} if around is None else around.parts
        self.texts = bindings.texts
        self.choices = bindings.choices
        self.line: Line | None = None
        self.rounds: list[dict[str, str]] = []
        self.trying: dict[str, str] | None = None

    # functions and loops

    def called(
        self, name: str, span: Span, arguments: Sequence[Word] | None = None
    ) -> Iterator[Command]:
        """Yield the commands of a function, called with `arguments`; without, it may not run."""
        inner = type(self)(self.text, self.budget, self)
        inner.finder.stop = span[1]
        inner.is_called = arguments is not None
        why = "function" if arguments is None else ""
        inner.frame.scopes[0] = scope = Scope(why, function=name)
        scope.block = span[0] if why else None
        with self.bindings.of_function(span, arguments):
            yield from inner.scan(*span)
            self.texts.forget(scope.names or ())

    def define(self, end: int) -> None:
        """Record the place of the body of a function, which ends here."""
        before = self.functions.get(self.defining)
        if before is not None:
            self.replaced.append((self.defining, before))
        self.functions[self.defining] = (self.defined, end)
        self.choices.forget(names_in(self.text, self.defined, end), self.values)
        self.defining = ""

    def begin_loop(self, command: Command) -> None:
        """Follow a loop over known words."""
        words = [word.text for word in command.words[:3]]
        if len(words) < 3 or words[2] != "in" or self.defining:
            return
        if _NAME.fullmatch(words[1]) is None or words[1] in self.bindings.assigned:
            return
        listed = listed_words(command.words[3:], self.text, self.values)
        if listed:
            self.frame.scope.loop = Loop(words[1], listed[::-1])

    def begin_counting(self, at: int) -> int:
        """Read `((i = 1; i <= 3; i++))`, and follow the loop if its numbers are known."""
        counted = COUNTED.match(self.text, at)
        if counted is None:
            end = self.finder.after("))", at + 2)
            return end if end > at + 2 else at + 2
        words = counted_words(counted, self.values)
        if words and counted[1] not in self.bindings.assigned and not self.defining:
            self.frame.scope.loop = Loop(counted[1], words[::-1])
        return counted.end()

    def next_round(self, loop: Loop, at: int) -> bool:
        """Read the body of a loop again for its next word; False if there is none.

        If the words are too many, the last round is for all that remain. A loop that does not name
        its variable repeats one action, so it is read once. After a `break` no round is certain.
        """
        scope = self.frame.scope
        self.texts.forget(scope.names or ())
        self.values.pop(loop.variable, None)
        size = at - loop.start
        if not loop.words or self.pending or not self.budget.spend(size):
            return False
        use = re.compile(rf"\$\{{?{loop.variable}\b")
        if use.search(self.text, loop.start, at) is None:
            return False
        if _BREAKS.search(self.text, loop.start, at):
            scope.why, scope.block = reason(scope.why, "branch"), None
        if self.budget.spares(size):
            self.values[loop.variable] = loop.words.pop()
        else:
            loop.words.clear()
            scope.why, scope.block = reason(scope.why, "loop"), None
        self.finder.go_back(loop.start, at)
        self.back = loop.start
        return True

    def is_complete(self) -> bool:
        """Whether no here-document of the commands of this line is still to come."""
        if self.line is not None and len(self.ended) > _HELD:
            self.line, self.values.missed = (self.line[0], None, None), None
        return not self.pending and (self.line is None or self.line[1] is None)

    # variables with several values

    @property
    def branch(self) -> Branch:
        return self.frame.scope.number, self.frame.scope.part

    def end_branch(self, at: int) -> None:
        """Go on to the next part of a branch: `else`, or what follows `;;`."""
        self.choices.leave(self.branch, self.values)
        self.end_part(self.frame.scope, at)
        self.frame.scope.part += 1
        self.frame.scope.block = at

    def begin_part(self, verdict: bool | None, at: int) -> None:
        """Begin a part of a branch in a call; `verdict` is that of its test."""
        chosen = self.frame.scope.chosen
        if chosen is None:
            return
        chosen.runs = not chosen.is_taken and verdict is not False
        chosen.is_taken = chosen.is_taken or verdict is True
        chosen.began, chosen.verdict, chosen.is_negated = at, None, False
        chosen.patterns.clear()
        self.idle += not chosen.runs

    def end_part(self, scope: Scope, at: int) -> None:
        """End a part of a branch; a part that no call runs is read at the end."""
        chosen = scope.chosen
        if chosen is None or not chosen.began:
            return
        self.idle -= not chosen.runs
        if not self.idle:
            self.parts.setdefault((scope.function, (chosen.began, at)), set()).add(chosen.runs)
        chosen.began, chosen.runs = 0, True

    def never_run(self) -> list[tuple[str, Span]]:
        """Return the parts of branches of functions that no call runs, each with its function."""
        return [part for part, runs in self.parts.items() if runs == {False}]

    def add_pattern(self) -> None:
        """Keep a pattern of a case in a call."""
        chosen, words = self.frame.scope.chosen, self.frame.command.words
        if chosen is not None:
            known = len(words) == 1 and words[0].known
            chosen.patterns.append(words[0].text if known else None)

    def is_doubtful_try(self) -> bool:
        """Whether a line is read with values that may not be those of the run.

        If they name the queue manager of a site, the line is for that one.
        """
        values = self.trying.values() if self.trying is not None else ()
        return self.trying is not None and self.choices.sited.isdisjoint(values)

    def next_try(self, at: int) -> None:
        """Read a line again if it names variables with several known values.

        A variable that is the last word of a command, or follows `-m`, is the name of a queue
        manager, and its value makes no difference to the findings unless it tells the site.
        """
        line, self.line = self.line, None
        if line is None:
            return
        if self.trying is None:
            missed, self.values.missed = self.values.missed, None
            goes_on = line[1] is self.frame and line[2] is self.frame.scope and not self.defining
            names = Counter(missed if goes_on else ())
            names -= Counter(
                name
                for name in (naming_managers(self.ended, self.text) if names else ())
                if not self.choices.is_sited(name)
            )
            self.rounds = [*self.choices.rounds(names)][::-1]
            if not self.rounds:
                return
            self.ended.clear()
        for name in self.trying or ():
            self.values.pop(name, None)
        self.trying = self.rounds.pop() if self.rounds else None
        size = at - line[0]
        if self.trying is not None and self.budget.spares(size) and self.budget.spend(size):
            self.values.update(self.trying)
            self.finder.go_back(line[0], at)
            self.back = line[0]
        else:
            self.trying = None
            self.rounds.clear()
