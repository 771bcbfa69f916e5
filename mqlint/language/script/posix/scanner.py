"""Shell text to simple commands: quoting, continuation, here-documents, pipes, branches.

Only variables with known values are expanded: see `choices.py` and `texts.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mqlint.language.script.command import (
    Command,
    CommandGroup,
    HereDocument,
    Substitution,
    Word,
    passed_over,
    with_word,
)
from mqlint.language.script.here_document import HereReader
from mqlint.language.script.posix.flow import FlowScanner
from mqlint.language.script.posix.frames import (
    BranchChoice,
    Scope,
    ShellFrame,
    open_at_end,
    reason,
    verdict_of,
)
from mqlint.language.script.posix.lists import is_over_list
from mqlint.language.script.posix.texts import sets_variable
from mqlint.language.text.mapped import mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.budget import Budget

_REDIRECT = later(r"<<<|<<-|<<|<>|<&|>>|>&|>\||&>>|&>|<|>")
_EMPTY_PARENS = later(r"\([ \t]{0,20}\)")
_GOES_ON = later(r"[ \t]*[^\s#;&|)]")
"""What is after `|&` of bash, which is a pipe. That of ksh ends a command that `print -p` feeds."""
_ASSIGNMENT = later(r"[A-Za-z_]\w*\+?=")
_WORDS_OF_CASE = 3
"""Words of `case x in`, after which a pattern may begin with a parenthesis."""
_OPENERS = frozenset({"if", "while", "until", "for", "select", "case"})
_CLOSERS = frozenset({"fi", "done", "esac", "}"})
_SUBSTITUTION_ENDS = {"backtick": "`", "substitution": ")"}
_BRANCHES = frozenset({"then", "do", "else", "elif"})
_ASKING = frozenset({"if", "elif", "while", "until", "!"})
_FAR = 20
"""How many characters before its option the word `time` is looked for."""
_NEAR = 200
"""Characters before a word that are searched for what joins it to the command before."""
_JOINING = ("|", "&&", "||")
"""Signs that join a command to the next one."""
_STEADY = frozenset(
    "cd . source export set mkdir echo sleep sudo su umask tar unzip cp mv scp rsync mount ln touch"
    " chown chmod".split()
)
_NO_READERS = frozenset(
    "cd sleep echo printf print export set unset shopt true false : test [ [[ date mkdir rm touch"
    " cp mv chmod chown . source trap umask ulimit local declare typeset readonly for case"
    " function pwd wait shift".split()
)
"""Commands that leave the input of their group to the next one."""


class PosixScanner(FlowScanner):
    """Scans a script of sh, bash, ksh and the like."""

    def __init__(self, text: str, budget: Budget, around: PosixScanner | None = None) -> None:
        """`around` is the scanner of the same text that found the call of a function."""
        super().__init__(text, budget, around)
        self.frames = [self.frame]
        self.bodies = HereReader(self.finder, self.values)

    def next(self, at: int) -> int:
        """Read the next piece of a word, or the sign that ends it."""
        if self.line is None and self.choices.names:
            self.line = (at, self.frame, self.frame.scope)
            self.values.missed = [] if self.trying is None else None
        at = self.quoted(at) if self.frame.in_quotes else self.plain(at)
        if self.back is not None:
            self.frame.command, self.frame.redirect = Command(), ""
        return at

    def finish(self, at: int) -> None:
        """Close what is open, and end the last command."""
        self.line = None
        self.left_open = open_at_end(self.frames, in_last_quote=self.in_last_quote)
        while len(self.frames) > 1:
            self.pop(at)
        self.end_command(at)
        for scope in self.frame.scopes:
            self.end_part(scope, at)
        if self.defining:
            self.define(at)

    # words

    def end_word(self, at: int) -> None:
        """Finish the word being read and give it to its command."""
        frame = self.frame
        if frame.word is None:
            return
        word = frame.word.word(at)
        frame.word = None
        held = self.texts.word(word)
        if held is not None and not (held.text or held.quoted):
            return
        word = held or word
        if frame.redirect:
            self.redirected(frame.redirect, word)
            frame.redirect = ""
        elif word.text == "{" and frame.names_function():
            frame.function = frame.command.words[1].text
            frame.command = Command()
            self.reserved(word)
        elif frame.command.words or word.quoted or not self.reserved(word):
            self.argument(word)

    def argument(self, word: Word) -> None:
        """Add an assignment or an ordinary word to the command."""
        command = self.frame.command
        if not command.words and _ASSIGNMENT.match(word.text):
            command.assigned = with_word(command.assigned, word)
        else:
            command.words += self.texts.words(word)

    def redirected(self, sign: str, word: Word) -> None:
        """Record the source of the command's input, or its output."""
        command = self.frame.command
        if sign in ("<<", "<<-"):
            delimiter = self.text[word.start : word.end] if not word.known else word.text
            command.here = HereDocument(delimiter, not word.quoted, sign == "<<-")
            command.here.closer = _SUBSTITUTION_ENDS.get(self.frame.kind, "")
            self.pending.append(command.here)
        else:
            command.redirect(sign, word)

    # structure

    def reserved(self, word: Word) -> bool:
        """Read a reserved word; False if it is none, or if its command goes on."""
        frame, text = self.frame, word.text
        if text in _ASKING or text in _BRANCHES:
            frame.is_tested = text in _ASKING
        if text in ("else", "elif"):
            self.end_branch(word.start)
            if text == "else":
                self.begin_part(None, word.end)
        if text in _CLOSERS:
            self.close_scope(word)
            return True
        if frame.in_pattern:
            return False
        if text in _OPENERS:
            fed = frame.take_fed()
            frame.scopes.append(frame.scope.inner(why="branch" if text == "case" else ""))
            frame.scope.start = word.start
            frame.feed(fed)
            if self.is_called and text in ("if", "case"):
                frame.scope.chosen = BranchChoice()
            frame.cases += text == "case"
            return text not in ("for", "select", "case")
        if text in _BRANCHES:
            self.begin_branch(word)
            return True
        if text == "{":
            self.open_group(word.end)
            return True
        if text == "!" and frame.scope.chosen is not None:
            frame.scope.chosen.is_negated = not frame.scope.chosen.is_negated
        if text == "-p":
            return self.text[max(word.start - _FAR, 0) : word.start].split()[-1:] == ["time"]
        return text in ("!", "time")

    def begin_branch(self, word: Word) -> None:
        """Enter the part after `then`, `do` or the like; `do` begins a round of a known loop."""
        scope, text = self.frame.scope, word.text
        loop = scope.loop if text == "do" else None
        if loop is not None and loop.words:
            loop.start = word.end
            self.values[loop.variable] = loop.words.pop()
        elif len(self.frame.scopes) > 1:
            is_list = text == "do" and is_over_list(self.text, scope.start, word.start)
            scope.why = reason(scope.why, "loop" if is_list else "branch")
            scope.block = word.end
        if text == "then" and scope.chosen is not None:
            self.begin_part(scope.chosen.result, word.end)

    def open_group(self, start: int) -> None:
        """Enter braces, which are the body of a function after its name."""
        frame = self.frame
        function, frame.function = frame.function, ""
        if function and self.around is None and not self.defining and self.is_at_top:
            self.defining, self.defined = function, start
        why = "function" if function else ""
        fed = None if function else frame.take_fed()
        frame.scopes.append(frame.scope.inner(why=why, function=function))
        frame.feed(fed)
        if function:
            frame.scope.block = start

    @property
    def is_at_top(self) -> bool:
        """Whether the script itself is read, and no branch, loop, function or brackets in it."""
        return len(self.frames) == 1 and len(self.frame.scopes) == 1

    def close_scope(self, word: Word) -> None:
        """Leave the innermost branch, loop or group, unless a loop is read again."""
        frame, text = self.frame, word.text
        loop = frame.scope.loop
        if loop is not None and loop.start and text == "done" and self.next_round(loop, word.start):
            return
        if len(frame.scopes) > 1:
            self.leave(frame.scopes.pop(), word.start)
        if self.defining and self.is_at_top and not self.pending:
            self.define(word.start)
        if text == "esac" and frame.cases:
            frame.cases -= 1
            frame.in_pattern = False

    def leave(self, scope: Scope, at: int) -> None:
        """Forget the variables that are set in a scope, and give its output to the command."""
        self.texts.forget(scope.names or ())
        self.choices.leave((scope.number, scope.part), self.values)
        self.end_part(scope, at)
        command = self.frame.command
        command.group, command.waiting = scope.group, scope.waiting
        around = self.frame.scope.group
        if around is not None and scope.group is not None:
            around.close(scope.group)

    def operator(self, char: str, at: int) -> int:
        """Read a sign that ends a word, and may end a command."""
        redirect = _REDIRECT.match(self.text, at)
        if redirect is not None:
            return self.redirection(redirect, at)
        if char == "(":
            return self.opening(at)
        self.end_word(at)
        if char == ")":
            self.closing(at)
            return at + 1
        if self.text.startswith("|&", at) and not self.frame.in_pattern:
            is_pipe = _GOES_ON.match(self.text, at + 2) is not None
            self.frame.is_fed = not is_pipe
            self.end_command(at, "|" if is_pipe else "&")
            return at + 2
        sign = char * 2 if self.text.startswith(char * 2, at) else char
        if char == "|" and self.frame.in_pattern:
            self.add_pattern()
            self.frame.command = Command()
        else:
            self.end_command(at, sign)
        if sign == ";;" and self.frame.cases:
            self.end_branch(at)
            self.frame.in_pattern = True
        return at + len(sign)

    def redirection(self, redirect: re.Match[str], at: int) -> int:
        """Read a redirection sign, or the start of a process substitution."""
        frame, sign = self.frame, redirect.group()
        if frame.word is not None and is_digits(self.text[frame.word.start : at]):
            sign = sign if self.text[frame.word.start : at] == "1" else f"n{sign}"
            sign = redirect.group() if "<" in sign else sign
            frame.word = None
        if redirect.group() in "<>" and self.text.startswith("(", redirect.end()):
            self.builder(at).add(PLACEHOLDER, at, 1)
            after = self.push("substitution", redirect.end() + 1)
            self.frame.is_fed = redirect.group() == ">" and self.frame is not frame
            return after
        self.end_word(at)
        frame.redirect = sign
        return redirect.end()

    def opening(self, at: int) -> int:
        """Read an opening parenthesis: of a function, of arithmetic, of a subshell."""
        frame = self.frame
        empty = _EMPTY_PARENS.match(self.text, at)
        listed = frame.word is not None and self.text[at - 1] == "="
        self.end_word(at)
        if listed and sets_variable(frame.command):
            return self.push("array", at + 1)
        words = frame.command.words
        if len(words) == _WORDS_OF_CASE and (words[0].text, words[2].text) == ("case", "in"):
            self.end_command(at, "\n")
        if frame.in_pattern:
            return at + 1
        if empty is not None and len(frame.command.words) in (1, 2):
            frame.function = frame.command.words[-1].text
            frame.command = Command()
            return empty.end()
        first = frame.command.words[0].text if len(frame.command.words) == 1 else ""
        if first == "for" and self.text.startswith("((", at):
            return self.begin_counting(at)
        if not frame.command.words and self.text.startswith("((", at):
            end = self.finder.after("))", at + 2)
            if end > at + 2:
                self.ended += passed_over(self.text, at + 2, end - 2)
                return end
        return self.push("subshell", at + 1)

    def closing(self, at: int) -> None:
        frame = self.frame
        if frame.cases:
            if frame.in_pattern:
                self.add_pattern()
                frame.scope.block = at
                chosen = frame.scope.chosen
                self.begin_part(chosen.matches() if chosen is not None else None, at + 1)
            frame.command = Command()
            frame.in_pattern = False
        elif frame.kind == "array":
            self.pop_array()
        elif frame.kind in ("subshell", "substitution"):
            self.pop(at)
        else:
            self.end_command(at)

    def push(self, kind: str, at: int) -> int:
        """Open a subshell, a substitution or the list of an array; return where it begins.

        The rest of the text is not read if there are too many around it.
        """
        if not self.budget.enters(len(self.frames)):
            return len(self.text)
        outer = self.frame
        scope = Scope(outer.why, outer.scope.function)
        scope.block = outer.block
        subshells = (*outer.subshells, at)
        self.frame = ShellFrame(kind, [scope], substitution=outer.substitution, subshells=subshells)
        if kind == "subshell":
            scope.group = CommandGroup()
            self.frame.feed(outer.take_fed())
        elif kind in ("substitution", "backtick"):
            self.frame.substitution = Substitution()
        self.frames.append(self.frame)
        return at

    def pop(self, at: int) -> None:
        self.end_command(at)
        left = self.frames.pop()
        self.frame = self.frames[-1]
        for scope in left.scopes:
            self.end_part(scope, at)
        if left.kind == "subshell":
            self.leave(left.scopes[0], at)
            return
        self.texts.forget(left.scopes[0].names or ())
        if left.substitution is not None and left.substitution is not self.frame.substitution:
            self.substitute(left.substitution)

    def substitute(self, inner: Substitution) -> None:
        """Record the commands whose output becomes a word, or a part of one."""
        command, around = self.frame.command, self.frame.substitution
        if command.substitution is None:
            command.substitution = inner
        else:
            command.substitution.merge(inner)
        if around is not None:
            around.merge(inner)

    def pop_array(self) -> None:
        words = self.frames.pop().command.words
        self.frame = self.frames[-1]
        command = self.frame.command
        array = (command.words or command.assigned)[-1]
        if not (self.defining or self.idle):
            self.texts.assign_array(array.text, words, certain=not self.frame.scope.why)

    def newline(self, at: int) -> int:
        """End the line's command and read the here-documents it began."""
        self.end_word(at)
        if self.frame.kind == "array":
            return at + 1
        if self.frame.in_pattern:
            self.frame.command = Command()
        elif not self.goes_on():
            self.end_command(at)
        at += 1
        for here in self.pending:
            at = self.bodies.read(here, at)
            for start, end in self.bodies.substituted:
                self.ended += passed_over(self.text, start, end)
        self.pending.clear()
        if self.defining and self.is_at_top:
            self.define(at)
        self.next_try(at)
        return at

    def goes_on(self) -> bool:
        """Whether a sign at the end of the line joins the next command to this one: `|`, `&&`."""
        frame, command = self.frame, self.frame.command
        if frame.redirect or command.words or command.assigned or command.group is not None:
            return False
        return command.piped is not None or frame.depends

    def end_command(self, at: int, sign: str = "") -> None:
        """Finish a command, which the text `sign` follows."""
        self.end_word(at)
        frame, command = self.frame, self.frame.command
        frame.redirect = ""
        command.why = frame.why
        if self.is_doubtful_try():
            command.why = frame.why or "branch"
            command.tried = () if frame.why else tuple((self.trying or {}).values())
        command.maybe = bool(command.why)
        command.block = frame.block if self.trying is None else None
        command.captured = sign == "|" or frame.substitution is not None
        command.checked = True if frame.is_tested or sign in ("&&", "||") else None
        command.function, command.end = frame.scope.function, at
        command.subshells = frame.subshells
        first = command.words[0].text if command.words else ""
        if command.words and (frame.is_fed or first == "coproc"):
            self.feed(command)
        if command.words and not command.has_input and first not in _NO_READERS:
            command.piped = frame.take_fed()
            self.wait_for_input(command)
        grouped = command.group is not None and not command.words
        if command.words or command.assigned:
            # What defines a function is read again where it is called, or at the end.
            if not (self.defining or self.idle):
                is_at_top = frame.kind == "top" and self.trying is None
                self.bindings.settle(command, frame.scope, is_at_top=is_at_top)
            self.add(command)
        elif grouped:
            if command.outputs:
                self.add(command)
            self.give_input(command)
        self.begin_structure(command, first, sign, grouped=grouped)
        is_whole = frame.kind == "top" and len(frame.scopes) == 1 and self.trying is None
        if first == "exit" and is_whole and not command.why and sign not in ("|", "&"):
            frame.scope.why = "branch"  # nothing after it runs
            start = command.words[0].start
            before = self.text[max(start - _NEAR, 0) : start].rstrip(" \t\r\n\\")
            if self.exited < 0 and not before.endswith(("&&", "||")):
                self.exited = at
        frame.command = Command(piped=command if sign == "|" and (first or grouped) else None)
        frame.is_tested = frame.is_tested and sign in _JOINING
        if sign in ("&&", "||"):
            steady = sign == "&&" and (first in _STEADY or first.rpartition("/")[2].endswith("mqm"))
            frame.depends = frame.depends or not steady
        elif sign != "|":
            frame.depends = False

    def feed(self, command: Command) -> None:
        """Record that a command reads what the script writes to it in a way that is not followed.

        The others in the same brackets do not.
        """
        self.frame.is_fed = False
        inputs = (command.stdin, command.string, command.here, command.piped)
        if all(stdin is None for stdin in inputs):
            start, end = command.words[0].start, command.words[0].end
            command.stdin = Word(mapped_at(PLACEHOLDER, start, end), start, end)

    def wait_for_input(self, command: Command) -> None:
        """Record a runmqsc that reads what its groups read, if their end says what that is."""
        if command.piped is None and any(word.text.endswith("runmqsc") for word in command.words):
            self.frame.scope.waiting = self.frame.scope.waiting or command

    def give_input(self, group: Command) -> None:
        """Add the runmqsc of a group again, with the here-document or text after the group."""
        waiting, group.waiting = group.waiting, None
        if waiting is None:
            return
        if group.here is None and group.string is None:
            self.frame.scope.waiting = self.frame.scope.waiting or waiting
        else:
            self.add(replace(waiting, here=group.here, string=group.string))

    def begin_structure(self, command: Command, first: str, sign: str, *, grouped: bool) -> None:
        """Begin what a finished command opens: the patterns of `case`, a loop, a function.

        `first` is its first word, and the text `sign` follows it. `grouped`: it is a group.
        """
        frame, chosen = self.frame, self.frame.scope.chosen
        if first == "case":
            frame.in_pattern = True
            if chosen is not None and len(command.words) > 1 and command.words[1].known:
                chosen.subject = command.words[1].text
        elif chosen is not None and not chosen.began and (first or grouped):
            is_alone = not (frame.depends or sign in _JOINING or grouped)
            chosen.verdict = verdict_of(command) if is_alone else None
        if first == "for":
            self.begin_loop(command)
        if first == "function" and len(command.words) > 1:
            frame.function = command.words[1].text

    def add(self, command: Command) -> None:
        """Add a command to those that ended, and to its substitution and group."""
        if self.idle:
            return
        if not self.defining:
            self.ended.append(command)
        if self.frame.substitution is not None:
            self.frame.substitution.add(command)
        group = self.frame.scope.group
        if group is not None and self.trying is None:
            group.add(command)
