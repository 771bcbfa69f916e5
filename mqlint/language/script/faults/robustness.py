"""How a script handles failures: results, output, empty variables, patterns.

Only the text counts. A result or a variable that anything may check is not reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property

from mqlint.grouping import grouped
from mqlint.language.script.command import Command, Word
from mqlint.number import is_digits
from mqlint.patterns import later

NEAR = 300
"""How many characters after a command are searched for a check of its result."""

_RESULT = later(r"(?i)\$\?|\$\{\?|PIPESTATUS|errorlevel|LASTEXITCODE")
_SWITCH = later(r"(?m:^[ \t]*set[ \t]+([-+])[A-Za-z]*e\b)")
_ENDS_ON_FAULT = later(
    r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*e|-o[ \t]+errexit)|^#![^\n]{0,80}[ \t]-[a-z]*e"
    r"|\btrap\b[^\n]{0,200}\bERR\b|PSNativeCommandUseErrorActionPreference"
)
_STOPS_ON_ERRORS = later(r"(?i)\$ErrorActionPreference[ \t]*=[ \t]*[\"']?Stop\b")
_CATCHES = later(r"(?i)\btry\s{0,200}\{[^{}]{0,2000}\}\s{0,200}catch\b")
"""PowerShell: a block whose exceptions are caught."""
_PIPES_STATUS = later(r"pipefail|PIPESTATUS|pipestatus")
_IGNORED = later(r"(?:\|\|)?[ \t]*(?:true|:|exit[ \t]+0)[ \t]*(?:$|[;#)}\n])")
"""After a command: it succeeds whatever its result is."""
_ONLY_PRINTED = later(
    r"\|\|[ \t]*(?:echo|print|printf|logger)[ \t]"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|>&2|[^\n;|&\"'#()])*(?:$|[#\n])"
)
"""After a command: a message and the end of the line."""
_PASSED_ON = later(
    r"\|?&?[ \t]*(?:sudo[ \t]+)?(?:/\S+/)?(?:tee|cat|gzip|bzip2|xz|zstd|logger|ts)\b"
)
"""After a command: a pipe to a program that succeeds whatever it reads."""
_COPIED_TO = later(
    r"[ \t]*\|&?[ \t]*(?:/\S{1,80}/)?tee[ \t]+(?:-a[ \t]+)?[\"']?([^\s\"'|;&]{2,200})"
)
"""The file that tee copies the output to."""
_PAUSES = later(r"(?m)(?:^|[;&{(]|\b(?:do|then|else)\b)[ \t]*(?:wait|sleep)\b")
_PASSED_OVER = frozenset({"", "fi", "done", "esac", ";"})
_GROUPING = later(
    r"'[^'\n]*'|\"[^\"\n]*\"|\\.|\$\{[^{}\n]{0,100}\}|(?<!\S)#[^\n]*"
    r"|(?P<opening>\(|(?<!\S)(?:\{|do|if)(?!\S))|(?P<closing>\)|(?<![^\s;])\}(?!\})|\b(?:done|fi)\b)"
)
"""What opens and closes groups, and texts in which nothing does."""
_APART = later(r"[ \t]*(?:[\d&]?[<>](?:[^\n&;]|(?<=[<>])&|&(?=>))*+)?&(?![&>])")
"""What puts a group into the background, after redirections such as `2>&1`."""
_RETURNING = frozenset({"exit", "return", "exit $rc", "return $rc"})
_LOOPS_OVER_FOLDERS = later(r"(?m)\bfor[ \t]+\w+[ \t]+in[ \t][^\n;]{0,400}?\b(?:qmgrs|logs?)\b")
_COPIES_FILES = later(
    r"(?mi)(?:^|[;&|({]|\b(?:do|then|else)\b)[ \t]*"
    r"(?:(?:sudo|source|\.)[ \t]+)?(?:[^\s|;&]{1,100}[\\/])?"
    r"(?:tar|gtar|(?:cp|rsync|scp|aws|gsutil|gcloud|azcopy|rclone|mc|s3cmd)"
    r"(?![ \t]+(?:(?:-[^\s]{1,40}|s3|storage|cp|put|copy)[ \t]+){0,5}[^\s;&|]{1,200}"
    r"\.(?:tgz|tar|gz|bz2|xz|zst|zip|Z)[\"']?(?:\s|$))|zip|7z|cpio|pax|dd|xcopy|robocopy"
    r"|copy(?:-item)?|compress-archive"
    r"|lvcreate|dsmc|nbbackup|restic|borg|duplicity|kopia|[\w.-]{0,60}(?:snap|backup|bkp|save|log)[\w.-]{0,60}"
    r"|[\w.-]{1,60}\.(?:sh|ksh|bash|pl|py|cmd|bat|ps1))(?=\s|$)"
    r"(?!(?![^\n]{0,400}(?:log|LOG))[^\n]{0,400}(?:\.(?:ini|mqsc)\b|/qmgrs/[^\s/]{1,60}/ssl\b))"
)
"""A command that may copy files; one of a file of settings, or of the keys, cannot copy a log.

Nor can one that moves an archive, which another command has filled.
"""
_NO_PATTERNS = later(r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*f|-o[ \t]+noglob)")
_DEFINED = later(r"\b(?:alias|function)[ \t]{1,8}(\w{1,40})|\b(\w{1,40})[ \t]{0,8}\([ \t]{0,8}\)")
_AT_END = later(r"(?i)(?:qmgrs|log|vols)/+\"?\$(?:(\w+)|\{(\w+)\})\"?(?:/+\"?[*.]*\"?)?$")
_STRICT = later(r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*[eu]|-o[ \t]+(?:nounset|errexit))")
_SURE = tuple(
    later(form)
    for form in (
        r"\$\{(\w+):?[?=-]",  # ${NAME:?}, ${NAME:-other}
        r"(?:\[\[?|\btest)[ \t]+(?:![ \t]+)?(?:-[zn][ \t]+)?[\"']?\w?\$\{?(\w+)",
        r"\bcase[ \t]+[\"']?\$\{?(\w+)",
        r"\bfor[ \t]+(\w+)",
        r"\b(?:select|getopts)\b([^\n]{0,80})",
        r"\b(\w+)=[\"']?[A-Za-z0-9]",  # a value that is written here
        r"\b(\w+)=[\"']?\$\{\w+:?[?=-]",
    )
)
"""What makes sure that a variable is not empty: each form names it, or a few words with it."""
_MADE_OF = later(r"\b(\w+)=[\"']?(?:\$\([ \t]{0,8}echo[ \t]{1,8}[\"']?)?\$\{?(\w{1,40})")
"""A value made of another variable's: `D=$QM`, `D=${QM//./!}`, `D=$(echo $QM | ...`."""


def _is_last(after: str) -> bool:
    """Whether nothing follows but the end of the script, of a function, of a group."""
    for line in after.split("\n"):
        statement = line.partition("#")[0].strip(" \t\r")
        if statement not in _PASSED_OVER:
            return statement[0] in "})&" or statement.rstrip("; ") in _RETURNING
    return len(after) < NEAR


_ENDING = later(
    r"(?<![^\s;&|(])(?:timeout|systemd-run|screen|tmux|start-stop-daemon|daemonize)(?=\s)"
)
"""Programs that end the command which they run, or put it into the background."""
_OUTPUT_FILE = later(r"(?<![&\d<])1?>{1,2}[ \t]*+[\"']?(?!/dev/null)([^\s\"'&|;<>()]{2,200})")
"""The file that the output goes to."""


class Robustness:
    """What one script does about what may go wrong; `text` is all of it.

    `is_file`: it is a file of its own, and not the part of another file whose tool asks for its
    result. `ends_on_fault`: the program that runs it gives the option -e to its shell.
    """

    def __init__(self, text: str, *, is_file: bool, ends_on_fault: bool = False) -> None:
        self.text = text
        self._is_file = is_file
        self._gets_option = ends_on_fault
        self._line = (1, 0, -1)

    @cached_property
    def patterns_count(self) -> bool:
        """Whether the shell puts names of files for patterns."""
        return _NO_PATTERNS.search(self.text) is None

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that it gives to functions and aliases of its own."""
        return frozenset(match[1] or match[2] for match in _DEFINED.finditer(self.text))

    @cached_property
    def _ends_on_fault(self) -> bool:
        return self._gets_option or _ENDS_ON_FAULT.search(self.text) is not None

    @cached_property
    def _trusts_preference(self) -> bool:
        """Whether it only sets a preference of PowerShell, and asks for no result."""
        is_set = _STOPS_ON_ERRORS.search(self.text) is not None
        return is_set and _RESULT.search(self.text) is None

    @cached_property
    def _caught(self) -> list[tuple[int, int]]:
        """The blocks of PowerShell that only catch exceptions, which no program throws."""
        if "catch" not in self.text or _RESULT.search(self.text) is not None:
            return []
        return [found.span() for found in _CATCHES.finditer(self.text)]

    def _is_caught(self, command: Command) -> bool:
        at = bisect_left(self._caught, (command.words[0].start,)) - 1 if command.words else -1
        return at >= 0 and command.words[0].end <= self._caught[at][1]

    @cached_property
    def _asks_pipes(self) -> bool:
        """Whether it asks for the results of the commands of a pipe, anywhere."""
        return _PIPES_STATUS.search(self.text) is not None

    @cached_property
    def _is_strict(self) -> bool:
        return _STRICT.search(self.text) is not None

    def is_fatal(self, command: Command) -> bool:
        """Return whether an option of the script ends it if a command fails that it runs alone."""
        is_own = not command.checked and not command.captured
        return is_own and self._ends_on_fault and not (command.end and self._is_off(command))

    def is_checked(self, command: Command, *, has_caller: bool = True) -> bool:
        """Return whether anything may check the result of a command.

        The last result is that of the script itself, which its caller may check. A text that a
        command runs has no other caller than that command.
        """
        if command.checked or command.captured or self.is_fatal(command):
            return True
        end = command.end
        if not end and command.words:  # cmd and PowerShell: what follows on the line is its own
            end, last_operator = self._line_of(command.words[-1].end)
            if last_operator >= command.words[-1].end:
                return True
        if command.body is not None:
            line = self.text.find("\n", command.body.end)
            end = len(self.text) if line < 0 else line
        after = self.text[end : end + NEAR]
        return _RESULT.search(after) is not None or (has_caller and _is_last(after))

    def _line_of(self, offset: int) -> tuple[int, int]:
        """Return the end of a line, and the offset of the last `&&` or `||` from `offset`, or -1.

        A line of many commands is searched once.
        """
        start, end, last = self._line
        if not start <= offset <= end:
            end = self.text.find("\n", offset)
            end = len(self.text) if end < 0 else end
            last = max(self.text.rfind(sign, offset, end) for sign in ("&&", "||"))
            self._line = offset, end, last
        return end, last

    def failure(self, command: Command) -> str:
        """Return how a failure is hidden: `ignored`, `piped`, `unseen`, or blank if it is not.

        It is piped if the script wants to end at a failure and the result is that of another
        program, and unseen in PowerShell, which ends only at errors of its own commands. A script
        that asks for the results of pipes hides nothing.
        """
        after = self.text[command.end : command.end + NEAR] if command.end else ""
        if command.checked and not command.captured and self._ignores(after.lstrip(" \t")):
            return "" if self._reads_output(command) else "ignored"
        if self._trusts_preference and not self.is_checked(command):
            return "unseen"
        if self._is_caught(command):
            return "unseen"
        if not command.captured or not self._ends_on_fault or self._asks_pipes:
            return ""
        if self._is_off(command):
            return ""
        passed = _PASSED_ON.match(after.lstrip(" \t"))
        return "piped" if passed is not None and not self._reads_copy(command, after) else ""

    def _ignores(self, after: str) -> bool:
        """Whether nothing but a message follows from a failure, and the script goes on."""
        if _IGNORED.match(after) is not None:
            return True
        is_asked = self._ends_on_fault or not self._is_file
        return is_asked and _ONLY_PRINTED.match(after) is not None

    def _reads_copy(self, command: Command, after: str) -> bool:
        """Whether the script names the file that tee writes again, on another line."""
        copied = _COPIED_TO.match(after)
        return copied is not None and self.text.find(copied[1], command.end + copied.end()) >= 0

    def is_in_background(self, command: Command) -> bool:
        """Return whether the shell does not wait for a command, or for the group around it."""
        after = self.text[command.end : command.end + NEAR]
        first = after.lstrip(" \t")[:2]
        is_apart = first[:1] == "&" and first != "&&"
        if not command.end or "&" not in after:
            return False
        return is_apart or any(_APART.match(after, end) for end in _ends_of_groups(after))

    @cached_property
    def _switches(self) -> list[tuple[int, str]]:
        """Where the script sets or unsets the option to end at a fault, with its sign."""
        return [(match.start(), match[1]) for match in _SWITCH.finditer(self.text)]

    def _is_off(self, command: Command) -> bool:
        """Whether the script has unset that option before a command."""
        at = bisect_left(self._switches, (command.end,))
        return at > 0 and self._switches[at - 1][1] == "+"

    def _reads_output(self, command: Command) -> bool:
        """Whether the output goes to a file that the script names again after the command."""
        line = self.text[command.words[0].start : command.end] if command.words else ""
        output = _OUTPUT_FILE.search(line[:NEAR])
        return output is not None and self.text.find(output[1], command.end) >= 0

    def pauses(self, command: Command) -> bool:
        """Return whether the script waits or sleeps soon after a command."""
        return _PAUSES.search(self.text, command.end, command.end + NEAR) is not None

    def is_foreground(self, command: Command) -> bool:
        """Return whether the shell waits for a command, also if it is in a group."""
        if not command.end or self.is_in_background(command):
            return False
        start = command.words[0].start if command.words else command.end
        near = max(start - NEAR, 0)
        begin = max(self.text.rfind("\n", near, start) + 1, near)
        return _ENDING.search(self.text, begin, command.end) is None

    @cached_property
    def copies_once(self) -> bool:
        """Whether the script has no more than one command that copies files or takes a snapshot.

        One in a loop over folders copies several.
        """
        if _LOOPS_OVER_FOLDERS.search(self.text) is not None:
            return False
        found = _COPIES_FILES.finditer(self.text)
        return next(found, None) is None or next(found, None) is None

    def unguarded(self, words: Iterable[Word]) -> Iterator[str]:
        """Yield the variables that decide the folder in a path of a queue manager and may be empty.

        Each once. Variables that the script checks anywhere, in any way, are left out.
        """
        yield from dict.fromkeys(self._alone(words))

    def _alone(self, words: Iterable[Word]) -> Iterator[str]:
        for word in words:
            end = min(word.end, word.start + NEAR)
            match = _AT_END.search(self.text[word.start : end])
            name = (match[1] or match[2]) if match is not None else ""
            if name and not self._is_sure(name):
                yield name

    def _is_sure(self, name: str) -> bool:
        if self._is_strict or "$#" in self.text:
            return True
        return name in self._sure or ("OPTARG" in self.text and not is_digits(name))

    @cached_property
    def _sure(self) -> frozenset[str]:
        """The variables that the script checks, and those that are made of them."""
        words = (match[1] for form in _SURE for match in form.finditer(self.text))
        waiting = [name for text in words for name in re.findall(r"\w+", text)]
        made = grouped((match[2], match[1]) for match in _MADE_OF.finditer(self.text))
        sure: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in sure:
                sure.add(name)
                waiting.extend(made.get(name, ()))
        return frozenset(sure)


def _ends_of_groups(after: str) -> Iterator[int]:
    """Yield where the groups around a command end in the text `after` it."""
    depth = 0
    for found in _GROUPING.finditer(after):
        if found["opening"]:
            depth += 1
        elif found["closing"] and depth:
            depth -= 1
        elif found["closing"]:
            yield found.end()
