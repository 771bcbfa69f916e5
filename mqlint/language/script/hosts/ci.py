"""Scripts in YAML of CI and Ansible, read line by line and not by `mqlint.language.yaml`.

Files with merge conflicts, a broken list or templates of other tools have scripts too, and a YAML
parser would lose them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.script.hosts import SCRIPT_KEYS
from mqlint.language.script.hosts.host import Block, covered
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.patterns import later
from mqlint.source.budget import DEEPEST
from mqlint.source.lines import Span, line_spans

_KEY = later(r"([ \t]*)((?:- +)*)([\w.-]{1,60})[ \t]*:(?:[ \t]+|$)")
_ITEM = later(r"([ \t]*)((?:- +)+)")
_SCRIPTS = frozenset({*SCRIPT_KEYS, "args", "cmd"})
_LANGUAGES = {
    **dict.fromkeys(("powershell", "pwsh", "win_shell"), "powershell"),
    "win_command": "cmd",
}
"""The languages of keys of Azure and Ansible, less their namespace."""
_OTHER = "other"
_SHELLS = {
    **dict.fromkeys(("powershell", "pwsh"), "powershell"),
    "cmd": "cmd",
    **dict.fromkeys(("python", "python3", "perl", "node", "ruby"), _OTHER),
}
"""The languages of what a step of GitHub may name as its shell; programs are not read."""
_PLAIN = frozenset({"command", "raw", "cmd", "win_command"})
"""Keys of Ansible whose text no shell reads, or one on another host."""
_CONDITIONS = frozenset(
    "when if unless only except rules loop with_items until retries with_dict delegate_to".split()
)
_DOUBTFUL = frozenset({"rescue", "handlers"})  # of Ansible, after a failure or a change
_PLACES = frozenset({"hosts", "runs-on", "stage"})
"""Keys that choose a place or time for all that follows, so that the order is not known."""
_TAG = r"(?:![^\s,\[\]{}]{0,60}[ \t]+)?+"
_PROPERTIES = later(rf"{_TAG}(?:&([^\s,\[\]{{}}]{{1,60}}+)(?:[ \t]+|$)){{0,1}}+{_TAG}")
"""The tag and the anchor before a value."""
_SCALAR = later(r"[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$")
_SHEBANG = later(r"[ \t]*+#![^\n]{1,80}sh\b")
_QUOTED = later(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")
_TEXT_IN_QUOTES = later(r"\"(?:[^\"\\]|\\[\s\S])*+\"|'(?:[^']|'')*+'")
_NOT_PLAIN = later(r"[ \t]*(?:#|- |\{\{|\{%)")
"""Begins a line that does not continue a plain text, or one of a template."""
_FREE = later(r"[ \t](?:chdir|creates|removes|executable)=\S*")


def _after_properties(text: str, start: int, end: int) -> tuple[int, str]:
    """Return where a value of YAML begins, and the anchor before it, blank for none."""
    found = _PROPERTIES.match(text, start, end)
    return (found.end(), found[1] or "") if found is not None else (start, "")


@mutable
class _Item:
    """A mapping that is open; `column` is that of its keys."""

    column: int
    conditional: bool = False
    language: str = ""
    blocks: list[Block] = field(default_factory=list)


@mutable
class _Pipeline:
    """One pass over the lines of a YAML file.

    `aliases` are those in scripts, `shared` the anchors whose texts are scripts for that reason.
    """

    text: str
    lines: Sequence[Span]
    shared: frozenset[str] = frozenset()
    aliases: set[str] = field(default_factory=set)
    items: list[_Item] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    listing: int = -1
    border: int = -1
    place: str = ""
    plain: bool = False
    language: str = "shell"
    doubt: int = -1

    def read(self) -> list[Block]:
        """Return the scripts in the order in which they end."""
        number = 0
        while number < len(self.lines):
            number = self.line(number)
        self.close(0)
        return self.blocks

    def row(self, number: int) -> str:
        """Return the text of a line, blank after the last one."""
        return self.text[slice(*self.lines[number])] if number < len(self.lines) else ""

    def line(self, number: int) -> int:
        """Read one line; return the number of the next."""
        line = self.row(number)
        bare = line.strip()
        if not bare or bare.startswith("#"):
            return number + 1
        item = _ITEM.match(line)
        if self.listing >= 0 and item is not None and len(item[1]) >= self.listing:
            return self.value(number, item.end(), len(item[1]))
        self.listing = -1
        match = _KEY.match(line)
        return number + 1 if match is None else self.pair(number, match)

    def pair(self, number: int, match: re.Match[str]) -> int:
        """Read a key with its value; return the number of the line after them."""
        line, key, column = match.string, match[3], len(match[1]) + len(match[2])
        self.close(column + (1 if not match[2] else 0))
        self.open(match, column)
        self.place_at(key, self.lines[number][0], line[match.end() :].strip(), column)
        begin, anchor = _after_properties(line, match.end(), len(line))
        value = line[begin:].strip()
        is_script = key in _SCRIPTS or anchor in self.shared
        if not is_script and not self.is_file(key, value, number + 1):
            return number + 1
        language = _SHELLS.get(value.strip("\"'").partition(" ")[0]) if key == "shell" else None
        if language is not None and self.items:
            self.items[-1].language = language
            return number + 1
        self.plain = key.rpartition(".")[2] in _PLAIN
        self.language = _LANGUAGES.get(key.rpartition(".")[2], "shell")
        if begin >= len(line.rstrip()):
            begin = self.begins_below(number + 1, column)
            if begin >= 0:
                return self.value(number + 1, begin, column)
            self.listing = len(match[1])
            return number + 1
        return self.value(number, begin, column)

    def open(self, match: re.Match[str], column: int) -> None:
        """Begin a mapping if a key is its first, and note what the key says about all of it."""
        is_first = match[2] or not self.items or self.items[-1].column < column
        if len(self.items) < DEEPEST and is_first:
            self.items.append(_Item(column))
        if column <= self.doubt or len(match[1]) < self.doubt:
            self.doubt = -1
        if match[3] in _DOUBTFUL:
            self.doubt = column
        if match[3] in _CONDITIONS and self.items:
            self.items[-1].conditional = True

    def begins_below(self, number: int, column: int) -> int:
        """Return where a text begins in the line after its key, -1 if none does."""
        line = self.row(number)
        indent = len(line) - len(line.lstrip(" "))
        is_text = line.strip() and line[indent] not in "-#?[{*&!|>" and _KEY.match(line) is None
        return indent if is_text and indent > column else -1

    def is_file(self, key: str, value: str, number: int) -> bool:
        """Whether a value is the file of a script, as a ConfigMap holds it from a line on."""
        if not _SCALAR.match(value):
            return False
        if key.endswith((".sh", ".bash", ".ksh")):
            return True
        return _SHEBANG.match(self.row(number)) is not None

    def place_at(self, key: str, start: int, value: str, column: int) -> None:
        """Add a border where another host, or another job of GitLab, may begin.

        Plays for the same hosts continue the one before.
        """
        if key in _PLACES or column == 0:
            place = f"{key} {value}"
            if self.blocks and (place != self.place or key == "runs-on"):
                self.border = start
            self.place = place

    def value(self, number: int, offset: int, column: int) -> int:
        """Read a script that begins at `offset` of a line; return the number of the next line."""
        start, end = self.lines[number]
        start, _ = _after_properties(self.text, start + offset, end)
        written = self.text[start:end].rstrip()
        if written.startswith("*"):
            self.aliases.add(written[1:])
        if _SCALAR.match(written):
            behind = self.behind(number + 1, column)
            self.add(self.scalar(self.lines[number + 1 : behind], is_folded=written[0] == ">"))
            return behind
        behind = self.continued(number, start, column) if written else 0
        if behind:
            margin = int(written[0] in "\"'")
            rows = map(self.flush, range(number + 1, behind))
            spans = [(start + margin, start + len(written)), *rows]
            spans[-1] = spans[-1][0], spans[-1][1] - margin
            self.add(self.scalar(spans, is_folded=True))
            return behind
        quoted = _QUOTED.fullmatch(written)
        if quoted is not None:
            start, written = start + 1, quoted[1] or quoted[2] or ""
        is_template = written.startswith("{{") and quoted is not None
        if written and (is_template or written[0] not in "[{*&!"):
            plain = _FREE.sub(lambda match: " " * len(match.group()), covered(written))
            self.add(mapped_at(plain, start))
        return number + 1

    def continued(self, number: int, start: int, column: int) -> int:
        """Return the number of the line after a plain or quoted text of several lines, or 0.

        The lines after the first are indented further than the key at `column`.
        """
        first = self.text[start]
        if first in "[{*&!|>#%@`":
            return 0
        behind = self.behind(number + 1, column)
        while behind > number + 1 and not self.row(behind - 1).strip():
            behind -= 1
        if behind == number + 1:
            return 0
        if first in "\"'":
            text = self.text[start : self.flush(behind - 1)[1]]
            inside = _TEXT_IN_QUOTES.fullmatch(text)
            is_escaped = first == '"' and "\\" in text  # joins lines, or stands for a sign
            return behind if inside is not None and not is_escaped else 0
        rows = map(self.row, range(number + 1, behind))
        return 0 if any(_NOT_PLAIN.match(row) or _KEY.match(row) for row in rows) else behind

    def flush(self, number: int) -> Span:
        """Return the place of a line without the blanks around it."""
        row, start = self.row(number), self.lines[number][0]
        return start + len(row) - len(row.lstrip()), start + len(row.rstrip())

    def behind(self, number: int, column: int) -> int:
        """Return the number of the first line after a block scalar of a key at `column`."""
        while number < len(self.lines):
            line = self.row(number)
            if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
                break
            number += 1
        return number

    def scalar(self, lines: Sequence[Span], *, is_folded: bool) -> MappedText:
        """Return the lines of a block scalar without their indentation.

        A folded one joins lines of a paragraph, except those that are indented further.
        """
        texts = [self.text[start:end] for start, end in lines]
        margins = [len(text) - len(text.lstrip(" ")) for text in texts if text.strip()]
        margin = min(margins, default=0)
        builder = MappedTextBuilder()
        breaks: list[int] = []
        joins = False
        for (start, end), line in zip(lines, texts, strict=True):
            cut = min(margin, len(line))
            content = line[cut:]
            if content.strip():
                is_flush = is_folded and content[0] not in " \t"
                if joins and is_flush:
                    builder.add(" " if len(breaks) == 1 else "\n" * (len(breaks) - 1), breaks[0])
                else:
                    for place in breaks:
                        builder.add("\n", place)
                builder.add(covered(content), start + cut)
                breaks, joins = [], is_flush
            breaks.append(end)
        for place in breaks:
            builder.add("\n", place)
        return builder.finish(lines[-1][1] if lines else 0)

    def add(self, source: MappedText) -> None:
        block = Block(source, self.doubt >= 0, self.border, self.plain, self.language)
        self.border = -1
        self.blocks.append(block)
        if self.items:
            self.items[-1].blocks.append(block)

    def close(self, column: int) -> None:
        """End the mappings whose keys are at `column` or further to the right."""
        while self.items and self.items[-1].column >= max(column, 0):
            item = self.items.pop()
            for block in item.blocks:
                block.maybe |= item.conditional
                block.language = item.language or block.language
            if self.items:
                self.items[-1].blocks.extend(item.blocks if not item.conditional else ())


def pipeline_scripts(text: str) -> list[Block]:
    """Return the scripts of a file, in the order in which they end; for any text."""
    lines = [*line_spans(text)]
    first = _Pipeline(text, lines)
    blocks = first.read()
    if first.aliases:
        blocks = _Pipeline(text, lines, frozenset(first.aliases)).read()
    return [block for block in blocks if block.language != _OTHER]
