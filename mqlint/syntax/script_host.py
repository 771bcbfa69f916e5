"""Files that hold scripts: systemd units, Dockerfiles, Jenkinsfiles, Terraform, CI, Ansible.

Each stretch of shell in them is read as a script of its own, with its characters where they stand
in the file. YAML is gone through line by line and not parsed: what matters is which lines a
script has, files of CI and Ansible use anchors and tags at will, and nothing but the standard
library rides to executors. What a tool puts in before the script runs (`{{ }}`, `%i`) is covered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mqlint.syntax.cooked import Cooked, CookedBuilder
from mqlint.syntax.jenkins import jenkins_scripts
from mqlint.syntax.shell import parse_embedded_command
from mqlint.syntax.step import Embedded, ShellScript
from mqlint.syntax.templates import COVER
from mqlint.vocabulary.control import ControlSpec

BOOT = "boot"
"""The schedule of what a unit runs."""

DEEPEST = 32
"""How many mappings of YAML in each other are told apart."""


@dataclass(slots=True)
class _Block:
    """A stretch of shell; `maybe` tells that a condition decides whether it runs.

    What runs before one that has a `border` may run on another host, or at another time: anything
    may happen there; -1 for none. `plain` tells that no shell reads it: the program gets the words
    as they stand.
    """

    source: Cooked
    maybe: bool = False
    border: int = -1
    plain: bool = False


_TEMPLATE = re.compile(r"\$?\{\{[^\n]{0,400}?\}\}|\{%[^\n]{0,400}?%\}")


def _covered(text: str) -> str:
    """The text with what a tool puts in covered, at the same length."""
    return _TEMPLATE.sub(lambda match: COVER * len(match.group()), text)


def parse_hosted(text: str, language: str, commands: Mapping[str, ControlSpec]) -> ShellScript:
    """Read the scripts in a file; whatever the text, something is returned.

    `language` is `systemd`, `docker`, `jenkins`, `terraform` or `pipeline` (of CI and Ansible).
    """
    schedule = BOOT if language == "systemd" else None
    blocks = list(_BLOCKS[language](text))
    read = [
        parse_embedded_command(
            block.source, schedule, commands, maybe=block.maybe, globs=not block.plain
        )
        for block in blocks
    ]
    borders = tuple(block.border for block in blocks if block.border >= 0)
    kept: Iterable[Embedded] = ()
    if language == "pipeline" and "mqs" in text.lower():
        from mqlint.syntax.kept import kept_in  # only for what may keep some

        kept = kept_in(text)
    if language == "terraform":
        from mqlint.syntax.terraform import kept_in_heredocs

        kept = kept_in_heredocs(text)
    return ShellScript(
        tuple(step for one in read for step in one.steps),
        (*(inner for one in read for inner in one.embedded), *kept),
        tuple(secret for one in read for secret in one.secrets),
        borders + tuple(call for one in read for call in one.calls),
        tuple(slip for one in read for slip in one.slips),
    )


# -- systemd ---------------------------------------------------------------------------------------

_EXEC = re.compile(r"^[ \t]*Exec(?:Start|StartPre|StartPost|Stop|StopPost|Reload)[ \t]*=", re.M)
_PREFIX = re.compile(r"[ \t]*[-@+!:|]*")
_SPECIFIER = re.compile(r"%[a-zA-Z]")


def _units(text: str) -> Iterator[_Block]:
    """The command of each Exec line, continued lines joined by the shell's rules."""
    done = 0
    for match in _EXEC.finditer(text):
        if match.start() < done:
            continue
        prefix = _PREFIX.match(text, match.end())
        start = prefix.end() if prefix is not None else match.end()
        done = _line_end(text, start)
        covered = _SPECIFIER.sub(COVER * 2, text[start:done])
        yield _Block(_at(covered, start), plain=True)


def _line_end(text: str, start: int) -> int:
    """Return the end of the line, those that a backslash joins to it among them."""
    while True:
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        if not text[start:end].rstrip("\r").endswith("\\"):
            return end
        start = end + 1


def _at(text: str, start: int) -> Cooked:
    """A text that stands, character by character, from `start` on."""
    return Cooked(text, ((0, start),), start + len(text))


# -- Dockerfiles -----------------------------------------------------------------------------------

_RUN = re.compile(r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S{1,200}[ \t]+)*", re.M | re.I)
_HERE = re.compile(r"<<-?[ \t]*[\"']?(\w{1,40})[\"']?[ \t]*\r?\n")
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")
_PLAIN_WORD = re.compile(r"[\w./:=@%+,-]+$")


def _docker(text: str) -> Iterator[_Block]:
    """What RUN, CMD and ENTRYPOINT run: as shell, as a list of words, or as a here-document."""
    done = 0
    for match in _RUN.finditer(text):
        start = match.end()
        if start < done:
            continue
        here = _HERE.match(text, start)
        if here is not None:
            close = re.compile(rf"^[ \t]*{here[1]}[ \t]*\r?$", re.M).search(text, here.end())
            done = close.start() if close is not None else len(text)
            yield _Block(_at(text[here.end() : done], here.end()))
            continue
        command = _instruction(text, start)
        done = command.end
        if text.startswith("[", start):
            yield from _words(text, start, done)
        else:
            yield _Block(command)


def _instruction(text: str, start: int) -> Cooked:
    """Return an instruction from `start` on, with the lines of remarks inside it left out."""
    builder = CookedBuilder()
    end = start
    while end < len(text):
        begin, newline = end, text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
        line = text[begin:end]
        if begin > start and line.lstrip().startswith("#"):
            continue
        builder.add(line, begin)
        if not line.rstrip().endswith("\\"):
            break
    return builder.finish(end)


def _words(text: str, start: int, end: int) -> Iterator[_Block]:
    """The exec form: `["sh", "-c", "script"]`, or a command and its words."""
    found = list(_STRING.finditer(text, start, end))
    plain = [match[1] for match in found]
    if len(found) > 2 and re.search(r"(?:^|/)(?:ba|k)?sh$", plain[0]) and plain[1] == "-c":
        yield _Block(_at(plain[2], found[2].start(1)))
    elif found and all(_PLAIN_WORD.match(word) for word in plain):
        builder = CookedBuilder()
        for match in found:
            builder.add(match[1], match.start(1))
            builder.add(" ", match.end(1), 0)
        yield _Block(builder.finish(found[-1].end(1)), plain=True)


# -- YAML of CI and Ansible ------------------------------------------------------------------------

_KEY = re.compile(r"([ \t]*)((?:- +)*)([\w.-]{1,60})[ \t]*:(?:[ \t]+|$)")
_ITEM = re.compile(r"([ \t]*)((?:- +)+)")
_SCRIPTS = frozenset(
    {
        *("run", "script", "before_script", "after_script", "shell", "command", "raw", "cmd"),
        *("ansible.builtin.shell", "ansible.builtin.command", "ansible.builtin.raw", "bash"),
    }
)
_PLAIN = frozenset({"command", "raw", "cmd"})
"""Keys of Ansible whose text no shell reads, or one that is elsewhere."""
_CONDITIONS = frozenset(
    "when if unless only except rules loop with_items until retries with_dict delegate_to".split()
)
_DOUBTFUL = frozenset({"rescue", "handlers"})  # of Ansible, after a failure or a change
_PLACES = frozenset({"hosts", "runs-on", "stage"})
"""What tells where or when all that follows runs: order is not known from one to the next."""
_SCALAR = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")
_FREE = re.compile(r"[ \t](?:chdir|creates|removes|executable)=\S*")


@dataclass(slots=True)
class _Item:
    """A mapping that is open; `column` is that of its keys."""

    column: int
    conditional: bool = False
    blocks: list[_Block] = field(default_factory=list)


@dataclass(slots=True)
class _Pipeline:
    """One pass over the lines of a YAML file."""

    text: str
    items: list[_Item] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)
    listing: int = -1
    border: int = -1
    place: str = ""
    plain: bool = False
    doubt: int = -1

    def read(self) -> list[_Block]:
        """Return the scripts in the order in which they end."""
        lines = list(_lines(self.text))
        number = 0
        while number < len(lines):
            number = self.line(lines, number)
        self.close(0)
        return self.blocks

    def line(self, lines: list[tuple[int, int]], number: int) -> int:
        """Read one line; return the number of the next."""
        start, end = lines[number]
        line = self.text[start:end]
        bare = line.strip()
        if not bare or bare.startswith("#"):
            return number + 1
        match = _KEY.match(line)
        item = _ITEM.match(line)
        if self.listing >= 0:
            if item is not None and len(item[1]) >= self.listing:
                return self.value(lines, number, item.end(), len(item[1]))
            self.listing = -1
        if match is None:
            return number + 1
        column = len(match[1]) + len(match[2])
        self.close(column + (1 if not match[2] else 0))
        if len(self.items) < DEEPEST and (
            match[2] or not self.items or self.items[-1].column < column
        ):
            self.items.append(_Item(column))
        key = match[3]
        self.placed(key, start, line[match.end() :].strip(), column)
        if column <= self.doubt or len(match[1]) < self.doubt:
            self.doubt = -1
        if key in _DOUBTFUL:
            self.doubt = column
        if key in _CONDITIONS and self.items:
            self.items[-1].conditional = True
        if key not in _SCRIPTS:
            return number + 1
        self.plain = key.rpartition(".")[2] in _PLAIN
        if match.end() >= len(line.rstrip()):
            self.listing = len(match[1])
            return number + 1
        return self.value(lines, number, match.end(), column)

    def placed(self, key: str, start: int, value: str, column: int) -> None:
        """Draw a border where another host, or another job of GitLab, may begin.

        Plays that name the same hosts go on where the one before them ended.
        """
        if key in _PLACES or column == 0:
            place = f"{key} {value}"
            if self.blocks and (place != self.place or key == "runs-on"):
                self.border = start
            self.place = place

    def value(self, lines: list[tuple[int, int]], number: int, offset: int, column: int) -> int:
        """Read a script that begins at `offset` of a line; return the number of the next line."""
        start, end = lines[number]
        written = self.text[start + offset : end].rstrip()
        if _SCALAR.match(written):
            behind = self.behind(lines, number + 1, column)
            self.keep(self.scalar(lines[number + 1 : behind]))
            return behind
        quoted = _QUOTED.fullmatch(written)
        if quoted is not None:
            offset, written = offset + 1, quoted[1] or quoted[2] or ""
        if written and written[0] not in "[{*&!":
            covered = _covered(written)
            covered = _FREE.sub(lambda match: " " * len(match.group()), covered)
            self.keep(_at(covered, start + offset))
        return number + 1

    def behind(self, lines: list[tuple[int, int]], number: int, column: int) -> int:
        """Return the number of the first line behind a block scalar of a key at `column`."""
        while number < len(lines):
            line = self.text[slice(*lines[number])]
            if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
                break
            number += 1
        return number

    def scalar(self, lines: list[tuple[int, int]]) -> Cooked:
        """Return the lines of a block scalar without their indentation."""
        texts = [self.text[start:end] for start, end in lines]
        margins = [len(one) - len(one.lstrip(" ")) for one in texts if one.strip()]
        margin = min(margins, default=0)
        builder = CookedBuilder()
        for (start, end), line in zip(lines, texts, strict=True):
            cut = min(margin, len(line))
            builder.add(_covered(line[cut:]), start + cut)
            builder.add("\n", end)
        return builder.finish(lines[-1][1] if lines else 0)

    def keep(self, source: Cooked) -> None:
        """Keep a script with the mapping that it stands in."""
        block = _Block(source, self.doubt >= 0, self.border, self.plain)
        self.border = -1
        self.blocks.append(block)
        if self.items:
            self.items[-1].blocks.append(block)

    def close(self, column: int) -> None:
        """End the mappings whose keys stand at `column` or further to the right."""
        while self.items and self.items[-1].column >= max(column, 0):
            item = self.items.pop()
            for block in item.blocks:
                block.maybe |= item.conditional
            if self.items:
                self.items[-1].blocks.extend(item.blocks if not item.conditional else ())


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Where the lines begin and end, without their ends."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end - (text[start:end].endswith("\r"))
        start = end + 1


def _terraform(text: str) -> Iterator[_Block]:
    """The heredocs that a shell reads, each on a machine of its own."""
    from mqlint.syntax.terraform import heredocs  # only for what has some

    for language, source, maybe in heredocs(text):
        if language == "shell":
            yield _Block(source, maybe, source.host(0))


def _pipeline(text: str) -> Iterable[_Block]:
    return _Pipeline(text).read()


_BLOCKS: Mapping[str, Callable[[str], Iterable[_Block]]] = {
    "systemd": _units,
    "docker": _docker,
    "jenkins": lambda text: (
        _Block(one, maybe, border=border) for one, maybe, border in jenkins_scripts(text)
    ),
    "terraform": _terraform,
    "pipeline": _pipeline,
}
