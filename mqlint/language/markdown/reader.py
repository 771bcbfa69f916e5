"""Code blocks of a document: scripts, resources, tables and stanzas; the rest is notes.

Each block is judged alone: a document shows alternatives, steps for several queue managers, and
commands that need others. So a block proves nothing about what it omits. The commands of a block of
shell run together, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared
from mqlint.language.execution import Execution
from mqlint.language.notes.reader import holds_command, parse_notes
from mqlint.language.registry import recognise
from mqlint.language.script.calls.resources import read_resources
from mqlint.language.script.reader import parse_embedded_command
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.script.unread.mentions import mqsc_in_code
from mqlint.language.script.unread.unfollowed import (
    acting,
    all_run_in,
    line_before,
    unread_mqsc,
    unread_runs,
)
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_FENCE = later(r"[ \t]*+(?:[-*+>]|\d{1,3}[.)])?[ \t]*+(`{3,}|~{3,})[ \t]*\{?\.?([\w.+-]*)")
_KIND = later(r"(?m)^kind:")
_NO_BREAK = later(r"[^\n]")
_LINE_END = later(r"(?i)<br[ ]?/?>")
"""The tag that ends a line outside a code block."""
_FILL_IN = later(r"(?m)<[A-Za-z][\w-]{0,30}(?:[ ][\w-]{1,30}){0,5}>(?=[ \t]*(?:[-+<)\"']|$))")
"""Words for the reader to replace, which no shell can take for files: no name follows."""
_SESSIONS = frozenset({"console", "terminal", "sh-session", "shell-session", "shellsession"})
"""Words after a fence of commands with their output."""
_NAMES = {
    **dict.fromkeys(("sh", "bash", "shell", "ksh", "zsh", *_SESSIONS), "block.sh"),
    **dict.fromkeys(("yaml", "yml"), "block.yaml"),
    "json": "block.json",
    "ini": "qm.ini",
}
"""Under which name a block is recognised, by the word after its fence."""
_UNREAD = "unread"
"""The language of a block for another tool: its commands of MQ are listed."""
_SHOWN = frozenset({"", "text", "plaintext", "txt", "mqsc", "output", "log", "diff", "none"})
"""Words after a fence of what is MQSC, or shown."""
_PROMPT = later(r"(?m)^([ \t]*)[$>](?=[ \t])")
_FAR = 400
"""Characters after the begin of a command that tell what it is."""
_NEAR = 200
"""Characters before it."""
_BEGINS_STEP = later(
    r"(?i)(?:[ \t$>]*+|[^\n]*<(?:pre|code|kbd)[^<>\n]{0,80}>[ \t]*+)"
    r"(?:(?:echo|printf|cat)[ \t][^\n]*\|[ \t]*)?\Z"
)
"""What is before a command that begins an element of HTML, or that echo feeds, also in a line."""
_SENTENCE = later(
    r"[^\n<|>]*?(?:(?<![\w-])[a-z]{2,}[ \t]+[a-z]{2,}(?![\w-])|[.,:;][ \t]*(?:\n|\Z))"
)
"""The rest of a line that is prose, and begins with the name of a command."""
_BEGINS_ITEM = later(r"[ \t>*+-]*+(?:\d{1,3}[.)][ \t]*+)?")
_ENDS_ITEM = later(r"[^`\n]*`[ \t]*(?:[|\n.;:]|\Z)")
_OF_NOTES = later(r"runmqsc(?:[ \t]+[\w.%/]+)?[ \t]*(?:\n|\Z)")
"""A line that tells notes for which queue manager the commands after it are."""


@frozen
class _Block:
    """A code block: its language, its text, and its place in the document."""

    language: str | None
    source: MappedText
    start: int
    end: int


def read(text: str, context: Context) -> Parsed:
    """Read a document: its code blocks, and the commands in the rest of it."""
    scripts: list[ShellScript] = []
    embedded: list[Embedded] = []
    declared: list[Declared] = []
    faults: list[Diagnostic] = []
    borders: list[int] = []
    rest: list[str] = []
    acting_commands = acting(context.vocabulary.control)
    blocks = [*_blocks(text)]
    unfollowed = [*_outside_blocks(text, blocks, acting_commands)]
    done = 0
    for block in blocks:
        if block.language is None:
            continue
        if block.language == _UNREAD:
            unfollowed.extend(map(block.source.host, _unread(block.source.text, acting_commands)))
            continue
        if block.language == "shell":
            covered = _FILL_IN.sub(lambda words: PLACEHOLDER * len(words[0]), block.source.text)
            script, control = replace(block.source, text=covered), context.vocabulary.control
            execution = Execution(True, block=f"#{block.start}")
            scripts.append(parse_embedded_command(script, execution, control, context.budget))
        elif block.language == "ini":
            model = f"#{block.start}"
            embedded.append(Embedded.of("ini", block.source, None, maybe=True, model=model))
        else:
            found = read_resources(block.source, context.budget, maybe=True)
            embedded.extend(found.embedded)
            declared.extend(found.declared)
            faults.extend(found.diagnostics)
            runs = unread_runs(block.source.text, (), acting_commands)
            unfollowed.extend(map(block.source.host, runs))
        borders.append(block.start - 1)  # before its first command
        rest += (text[done : block.start], _NO_BREAK.sub(" ", text[block.start : block.end]))
        done = block.end
    notes = _LINE_END.sub(lambda tag: " " * len(tag[0]), "".join(rest) + text[done:])
    for inner in parse_notes(notes, context.vocabulary):
        model = f"#{inner.host(0)}"
        embedded.append(replace(inner, queue_manager=None, execution=Execution(True), model=model))
    return Parsed(
        script=ShellScript.merged(scripts, borders),
        embedded=embedded,
        declared=tuple(declared),
        diagnostics=faults,
        about="manifest",
        unfollowed=tuple(unfollowed),
    )


def _outside_blocks(text: str, blocks: Sequence[_Block], commands: frozenset[str]) -> Iterator[int]:
    """Yield the commands of MQ outside of the blocks that a reader is to run.

    They begin a line, as in blocks of AsciiDoc and reStructuredText and in indented ones, or an
    element of HTML, or they are in code of a line, which is a step of its own or gives MQSC.
    """
    fenced = [(block.start, block.end) for block in blocks]
    for at in unread_runs(_PROMPT.sub(r"\1 ", text), fenced, commands):
        line = line_before(text, at)
        is_first = not line.strip(" \t$>")
        if is_first:
            is_step = _OF_NOTES.match(text, at) is None
            is_step = is_step and (line != "" or _SENTENCE.match(text, at) is None)
        else:
            is_step = _BEGINS_STEP.match(line[-_NEAR:]) is not None or _is_step(text, at)
        if is_step:
            yield at
    for at in unread_mqsc(text, fenced):
        line = line_before(text, at)
        if _is_step(text, at) and not holds_command(line + text[at : at + _FAR].partition("\n")[0]):
            yield at


def _is_step(text: str, at: int) -> bool:
    """Whether code in a line is all of an item or cell, or has signs of a shell."""
    before, tick, code = line_before(text, at).rpartition("`")
    if not tick or before.count("`") % 2:
        return False
    code += text[at : at + _FAR].partition("\n")[0].partition("`")[0]
    is_item = _BEGINS_ITEM.fullmatch(before.rpartition("|")[2]) is not None
    return (is_item and _ENDS_ITEM.match(text, at) is not None) or "|" in code or " < " in code


def _unread(text: str, commands: frozenset[str]) -> Iterator[int]:
    """Yield the commands of MQ in a block for another tool.

    Those of MQSC that begin a line are read as notes.
    """
    yield from all_run_in(text, commands, anywhere=True)
    for at in mqsc_in_code(text):
        line = line_before(text, at) + text[at : at + _FAR].partition("\n")[0]
        if not holds_command(line):
            yield at


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the code blocks, with their languages by their words and texts."""
    fence: re.Match[str] | None = None
    builder, start = MappedTextBuilder(), 0
    for begin, end in line_spans(text):
        line = text[begin:end]
        if fence is None:
            fence = _FENCE.match(line)
            builder, start = MappedTextBuilder(), end + 1
            margin = len(line) - len(line.lstrip(" "))
        elif line.strip().startswith(fence[1]) and not line.strip(" `~\t>"):
            source = builder.finish(begin)
            language = _language(fence[2].lower(), source.text)
            yield _Block(language, source, start, begin)
            fence = None
        else:
            cut = min(margin, len(line) - len(line.lstrip(" ")))
            builder.add(line[cut:] + "\n", begin + cut)
    if fence is not None:  # without an end, what is code and what is prose is not known
        source = builder.finish(len(text))
        if _language(fence[2].lower(), source.text) is not None:
            yield _Block(_UNREAD, source, start, len(text))


def _language(word: str, text: str) -> str | None:
    """The language of a block; None for MQSC, and for output."""
    name = _NAMES.get(word)
    if name is None and word in ("", "text", "plaintext"):
        is_script = "<<" in text or not holds_command(text)
        kind = _KIND.search(text)
        is_resource = kind is not None and "<<" not in text[: kind.start()]
        name = "block.yaml" if is_resource else "block.sh" if is_script else None
    if name is None and word not in _SHOWN:
        return _UNREAD
    if name is None or (name == "block.sh" and "<<" not in text and holds_command(text)):
        return None
    language = recognise(name, text)
    if language in ("shell", "ini", "manifest", "ccdt"):
        return language
    return None if word in _SHOWN or word in _SESSIONS else _UNREAD
