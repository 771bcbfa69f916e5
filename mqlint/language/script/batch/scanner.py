"""Batch files of Windows to simple commands: blocks, branches, pipes, redirections, echo.

What `echo` writes to a pipe, or to a file that a later command reads, is given to that command.

Inside a block a `)` ends the block, unless it is escaped. If the text of an `echo` has both
parentheses, they are taken as part of it. As cmd would end the block there, the effect of the
command is then in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.script.batch.text import BatchText
from mqlint.language.script.command import Command, Word, passed_over, split, with_word
from mqlint.language.script.here_document import Finder
from mqlint.language.script.posix.frames import reason
from mqlint.language.script.scanner import CommandScanner, Written, in_lower_case, with_slashes
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined
from mqlint.patterns import later
from mqlint.source.budget import Budget

_BLANKS = later(r"[ \t;,=]+")
_GAP = later(r"[ \t\r]+")
_NAME = later(r"\"[^\"\n]*\"?|[^\s\"&|<>();,=^]+")
_DO = later(r"(?i)\)\s{0,200}do\b")
_ECHO = later(r"(?i)echo(?=[\s.:(,;/+=&|<>)]|\Z)")
_SET = later(r"(?i)set[ \t]+(\"?)([^\s=\"%!/&|<>]+)[ \t]*=")
_REDIRECT = later(r"[0-9]?(?:>>|>&[0-9]|<&[0-9]|>|<)")
_EQUALS = later(r"[ \t]*==[ \t]*")
_JOINED = later(r"(?i)(?:/[a-z:]{1,5}){0,5}/[ckr](?:\"|(?=[a-z]{3}))")
"""The option of cmd before a command that no blank parts from it: `/c"dspmq"`."""
_ESCAPED = later(r"\^[&|<>\"]")
"""A sign that this cmd passes on without its meaning."""
_RUNS_SHELL = later(r"(?:(?:ba|da|k|z)?sh|wsl|ssh|plink|docker|podman|kubectl|oc)\Z")
"""Programs that read single quotes, which mean nothing to cmd, or give them to a shell."""
_FAR = 4096
_SCRIPTS = (".bat", ".cmd", ".ps1", ".sh")
_IF_WORDS = frozenset({"/i", "not"})
_STEADY = frozenset({"cd", "pushd", "md", "mkdir", "set", "setlocal", "echo", "call"})
"""Commands that are not expected to fail."""
_CALLING = frozenset({"call", "start", "cmd"})
_IF_TWO = frozenset({"exist", "defined", "errorlevel", "cmdextversion"})
_SILENT = frozenset(
    "rem popd md mkdir ren rename type title ver vol date time timeout ping pause "
    "cls color findstr find sort more dir set setlocal endlocal shift prompt path exit goto icacls "
    "attrib where whoami hostname setmqenv".split()
)
"""Commands without effect on a queue manager; any other command may do anything."""


@mutable
class _BatchFrame:
    """A block, or the whole file.

    `branch` and `loop` hold to the end of the line. `why` is the reason for which the whole block
    may not run, `block` that of its commands.
    """

    maybe: bool = False
    branch: bool = False
    loop: bool = False
    why: str = ""
    block: int | None = None
    output: Written = field(default_factory=Written)
    target: tuple[str, str] | None = None


class BatchScanner(CommandScanner):
    def __init__(self, text: str, budget: Budget) -> None:
        super().__init__(text, budget)
        self.chars = BatchText(text, budget)
        self.frames = [_BatchFrame()]
        self.files: dict[str, Written] = {}
        self.pipe: Written | None = None
        self.piping = False
        self.typed: Word | None = None
        self.labelled = False
        self._finder = Finder(text)
        self._do = -1
        self._last = ""

    def finish(self, at: int) -> None:
        """Pass on the lines of scripts that it wrote; nothing is open that holds a command."""
        for name, written in self.files.items():
            if name.endswith(_SCRIPTS) and not written.read:
                for line in written.lines:
                    self.ended += passed_over(self.text, line.host(0), line.end)

    # structure

    def next(self, at: int) -> int:
        """Read the sign at which a command may begin."""
        char = self.text[at]
        frame = self.frames[-1]
        if char == "\n":
            frame.branch, frame.loop, frame.target = False, False, None
            self.pipe, self.typed, self.piping = None, None, False
            return at + 1
        if char in " \t\r@;,=":
            return at + 1
        if char == "(":
            if not self.budget.enters(len(self.frames)):
                return len(self.text)
            block = at if frame.branch or frame.loop else frame.block
            self.frames.append(_BatchFrame(self._maybe(), why=self._why(), block=block))
            return at + 1
        if char == ")":
            return self._end_block(at + 1)
        if char in "&|":
            return self._between(at)
        if char == ":":
            if self.text[at + 1 : at + 2] not in (":", ""):
                self.labelled, self.frames[-1].block = True, at
            return self._line_end(at)
        redirect = _REDIRECT.match(self.text, at)
        if redirect is not None:
            return self._redirect(redirect, None)
        return self._word(at)

    def _maybe(self) -> bool:
        frame = self.frames[-1]
        return frame.maybe or frame.branch or self.labelled

    def _why(self) -> str:
        frame = self.frames[-1]
        is_branch = frame.branch or self.labelled or (frame.maybe and not frame.why)
        return reason(frame.why, "loop" if frame.loop else "branch" if is_branch else "")

    def _between(self, at: int) -> int:
        sign, self.frames[-1].target = self.text[at : at + 2], None
        if sign in ("&&", "||"):
            steady = self._last in _STEADY or self._last.endswith("mqm")
            self.frames[-1].branch |= sign == "||" or not steady
            return at + 2
        self.piping = sign[0] == "|"
        return at + 1

    def _end_block(self, at: int) -> int:
        """Close a block; its output goes to the pipe, the file or the block around it."""
        if len(self.frames) == 1:
            return at
        frame = self.frames.pop()
        at, written = self._redirections(self._after(at), frame.output)
        self._emit(written, at)
        return at

    def _after(self, at: int, gap: re.Pattern[str] = _GAP) -> int:
        """Return the offset after the blanks at `at`."""
        found = gap.match(self.text, at)
        return at if found is None else found.end()

    def _redirections(self, at: int, written: Written) -> tuple[int, Written]:
        """Read redirections, the first of which takes what was `written`; return what is left."""
        while (redirect := _REDIRECT.match(self.text, at)) is not None:
            at = self._after(self._redirect(redirect, written))
            written = Written()
        return at, written

    def _emit(self, written: Written, at: int) -> None:
        """Hand on what was written, by what follows at `at`."""
        if self.text.startswith("|", at) and not self.text.startswith("||", at):
            self.pipe = written
        elif written.lines and len(self.frames) > 1:
            self.frames[-1].output.take(written)

    def _redirect(self, sign: re.Match[str], written: Written | None) -> int:
        """Read a redirection and its file, to which `written` goes."""
        if "&" in sign.group():
            return sign.end()
        word, at = self._argument(self._after(sign.end()))
        if word is None or "<" in sign.group():
            return at
        if written is None:
            if sign.group()[0] in ">1":  # the others are for messages
                self.frames[-1].target = sign.group()[-2:], word.text
        else:
            self._write(sign.group(), word.text, written)
        return at

    def _write(self, sign: str, name: str, written: Written) -> None:
        """Record the text of a file, if it is known."""
        key = name.lower()
        if sign.endswith(">>"):
            known = self.files.setdefault(key, Written())
        else:
            known = self.files[key] = Written()
        known.take(written)

    def _line_end(self, at: int) -> int:
        found = self._finder.next("\n", at)
        return min(found, len(self.text))

    # commands

    def _word(self, at: int) -> int:
        """Read a command from its first word on."""
        found = _NAME.match(self.text, at)
        if found is None:
            return at + 1
        name = found.group().strip('"').lower().removesuffix(".exe")
        self._last = name
        if _ECHO.match(self.text, at) is not None:
            return self._echo(at)
        if name == "rem":
            return self._line_end(at)
        if name == "if":
            return self._condition(found.end())
        if name == "else":
            self.frames[-1].branch = True
            return found.end()
        if name == "for":
            return self._loop(found.end())
        called, slash, _ = name.partition("/")  # cmd/c
        end = at + len(called) if slash else found.end()
        called = "cmd" if called in ("cmd.exe", "%comspec%") else called
        if called in _CALLING and self.text[end : end + 1] in tuple(" \t/,;="):
            return max(self._called(called, at, end), end)
        if name == "set":
            return self._set(at)
        if name in ("goto", "exit"):
            self.labelled |= not self._maybe()
        return self._simple(at, name)

    def _condition(self, at: int) -> int:
        """Pass over the condition of an if; what follows on the line may not run."""
        self.frames[-1].branch = True
        word, at = self._blanks_and_argument(at)
        while word is not None and word.text.lower() in _IF_WORDS:
            word, at = self._blanks_and_argument(at)
        if word is None:
            return at
        if word.text.lower() in _IF_TWO:
            return self._blanks_and_argument(at)[1]
        rest = _EQUALS.match(self.text, at)
        if rest is not None:
            return self._argument(rest.end())[1]
        if "==" in word.text:
            return at
        return self._blanks_and_argument(self._blanks_and_argument(at)[1])[1]

    def _loop(self, at: int) -> int:
        """Pass over the head of a for; its body may run for anything."""
        if self._do < at:
            found = _DO.search(self.text, at)
            self._do = found.end() if found is not None else len(self.text) + _FAR
        self.frames[-1].branch = self.frames[-1].loop = True
        end = self._do if self._do - at < _FAR else self._line_end(at)
        self.ended += passed_over(self.text, at, end)
        return end

    def _called(self, name: str, begin: int, at: int) -> int:
        """Continue after call, start or cmd; another script may set variables.

        Signs that are escaped for this cmd mean something to the inner one: that is not followed.
        """
        end = self._line_end(at)
        near = min(end, at + _FAR)
        if _ESCAPED.search(self.text, at, near) and "cmd" in self.text[begin:near].lower():
            self.ended += passed_over(self.text, at, end)
            self.chars.values.clear()
            return end
        word, after = self._blanks_and_argument(at)
        while word is not None and (word.text[:1] == "/" or (name == "start" and word.quoted)):
            if name == "cmd" and (joined := _JOINED.match(self.text, word.start)) is not None:
                return joined.end()
            at = after
            word, after = self._blanks_and_argument(at)
        if name == "cmd" and word is None:  # it runs what it reads
            return self._simple(begin, name)
        if name == "cmd" and word is not None and word.quoted:
            return word.start + 1
        if word is not None and not word.text.lower().rpartition("\\")[2].startswith("setmqenv"):
            self.chars.values.clear()
        if word is not None and word.text.startswith(":"):  # a part of this file, not a label here
            return self._simple(at, name)
        return self._after(at)

    def _set(self, at: int) -> int:
        found = _SET.match(self.text, at)
        if found is None:
            return self._simple(at, "set")
        builder = MappedTextBuilder()
        end, _ = self.chars.rest(builder, found.end(), len(self.frames) > 1)
        value = builder.finish(end).text.rstrip("\r")
        if not self._maybe() and len(self.frames) == 1:
            self.chars.assign(found[2], value.rpartition('"')[0] if found[1] else value)
        return end

    def _simple(self, at: int, name: str) -> int:
        """Read the words of a command up to what ends it."""
        frame = self.frames[-1]
        block = None if frame.branch or frame.loop else frame.block
        command = Command(maybe=self._maybe(), why=self._why(), block=block)
        pipe, self.pipe = self.pipe, None
        is_fed, self.piping = self.piping, False
        command.stdin, self.typed = self.typed, None
        ends = "\n&|)" if len(self.frames) > 1 else "\n&|"
        while at < len(self.text) and self.text[at] not in ends:
            after = self._after(at)
            if after > at:
                at = after
                continue
            redirect = _REDIRECT.match(self.text, at)
            if redirect is not None:
                at = self._of_command(redirect, command)
                continue
            word, after = self._argument(at)
            if word is not None:
                is_line = not command.words and not word.quoted  # a variable may be a whole line
                command.words += split(word) if is_line else [word]
            at = max(after, at + 1)
        if _RUNS_SHELL.match(name.rpartition("\\")[2]) is not None:
            command.words = [*_in_single_quotes(command.words)]
        self._given(command, pipe)
        command.is_fed = is_fed and command.string is None and command.stdin is None
        self._hold_back(command, name, at)
        return at

    def _of_command(self, redirect: re.Match[str], command: Command) -> int:
        """Read a redirection of a command, whose output is not known."""
        if redirect.group() != "<":
            if "&" not in redirect.group() and not redirect.group().startswith("2"):
                word, _ = self._argument(self._after(redirect.end()))
                if word is not None:
                    command.outputs = with_word(command.outputs, word)
            return self._redirect(redirect, Written())
        command.stdin, at = self._argument(self._after(redirect.end()))
        return at

    def _given(self, command: Command, pipe: Written | None) -> None:
        """Give a command the text that the script wrote for it."""
        if command.stdin is not None:
            pipe = self.files.get(command.stdin.text.lower())
            command.stdin = with_slashes(command.stdin)
        if pipe is None or not pipe.lines or (pipe.read and not pipe.copies(self.budget)):
            return
        pipe.read = True
        text = joined(pipe.lines, "\n")
        command.string = Word(text, text.host(0), text.end)
        command.stdin = None
        command.maybe |= pipe.maybe

    def _hold_back(self, command: Command, name: str, at: int) -> None:
        """Hold a command back if its line goes on, or the pipe that it fills."""
        if name == "type" and len(command.words) == 2:
            if self.text.startswith("|", at) and not self.text.startswith("||", at):
                self.typed = command.words[1]
        elif name not in _SILENT and command.words:
            if command.words[0].text.isascii():
                command.words[0] = in_lower_case(command.words[0])
            self.ended.append(command)

    def _echo(self, at: int) -> int:
        builder = MappedTextBuilder()
        written = Written(maybe=self._maybe())
        block = len(self.frames) > 1
        end, own = self.chars.rest(builder, at + len("echo") + 1, block)
        written.maybe |= own and block
        line = builder.finish(end)
        if line.text.strip().lower() not in ("on", "off"):
            written.lines.append(_right(line))
        end, written = self._redirections(end, written)
        if self.frames[-1].target is not None:
            self._write(*self.frames[-1].target, written)
            self.frames[-1].target, written = None, Written()
        self._emit(written, end)
        return end

    def _blanks_and_argument(self, at: int) -> tuple[Word | None, int]:
        return self._argument(self._after(at, _BLANKS))

    def _argument(self, at: int) -> tuple[Word | None, int]:
        return self.chars.argument(at, len(self.frames) > 1)


def _in_single_quotes(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words, and those from one single quote to the next as one word without the quotes."""
    held: list[Word] = []
    for word in words:
        if held or (word.text[:1] == "'" and not word.quoted):
            held.append(word)
            if word.text.endswith("'") and (len(held) > 1 or len(word.text) > 1):
                text = joined((part.mapped for part in held), " ")
                text = text.part(1, len(text.text) - 1)
                yield Word(text, held[0].start, word.end, quoted=True)
                held = []
        else:
            yield word
    yield from held


def _right(line: MappedText) -> MappedText:
    """A line without the blanks at its end, which stood before a sign."""
    text = line.text.rstrip()
    return MappedText(
        text, tuple(segment for segment in line.segments if segment[0] < len(text)), line.end
    )
