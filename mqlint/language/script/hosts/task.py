"""Tasks of the Windows Task Scheduler: exported XML, schtasks, New-ScheduledTaskAction.

A task has a program and the text of its arguments; no shell reads them. Pages of Microsoft:
"Task Scheduler Schema", "schtasks create", "New-ScheduledTaskAction".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mqlint.language.script.command import Word, base_name
from mqlint.language.script.hosts.block import Block
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined, whole
from mqlint.patterns import later

_EXEC = later(r"<Exec\b[^<>]{0,200}>")
_ELEMENT = later(r"<(Command|Arguments)>([^<]{0,4000})</")
_ENTITY = later(r"&(quot|amp|lt|gt|apos);")
_CHARACTERS = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_PROGRAM = later(
    r"(?i)([\"']?)(?:[^\"'|<>\n]{0,300}?\\(\w{1,30}\.exe)|[^\"'|<>\s]{0,300}\\(\w{1,30}))\1(?=\s|$)"
)
"""A program with its path, which may have blanks, in quotes or not."""


def task_scripts(text: str) -> Iterator[Block]:
    """Yield the command of each action of an exported task; for any text."""
    starts = [match.end() for match in _EXEC.finditer(text)]
    for start, stop in pairwise([*starts, len(text)]):
        end = text.find("</Exec", start, stop)
        found: dict[str, MappedText] = {}
        for name, value in _elements(text, start, end if end >= 0 else stop):
            found.setdefault(name, value)
        if next(iter(found), "") == "Command":  # as Windows writes it
            yield Block(_command([*found.values()]), plain=True, language="cmd")


def _elements(text: str, start: int, stop: int) -> Iterator[tuple[str, MappedText]]:
    for match in _ELEMENT.finditer(text, start, stop):
        builder = MappedTextBuilder()
        done = match.start(2)
        for entity in _ENTITY.finditer(text, *match.span(2)):
            builder.add(text[done : entity.start()], done)
            builder.add(_CHARACTERS[entity[1]], entity.start(), len(entity[0]))
            done = entity.end()
        builder.add(text[done : match.end(2)], done)
        yield match[1], builder.finish(match.end(2))


def task_command(words: Sequence[Word]) -> Word | None:
    """Return the command of a task that schtasks or New-ScheduledTaskAction makes."""
    name = base_name(words[0].text).lower()
    if name == "schtasks":
        options = ["/tr"]
    elif name == "new-scheduledtaskaction":
        options = ["-execute", "-argument"]
    else:
        return None
    given = {word.text.lower(): words[at] for at, word in enumerate(words[:-1], 1)}
    found = [given[option] for option in options if option in given]
    if options[0] not in given or not all(word.known for word in found):
        return None
    return Word(_command([word.mapped for word in found]), found[0].start, found[-1].end)


def _command(texts: Sequence[MappedText]) -> MappedText:
    """Return the command with the name of the program only, whose path may have blanks."""
    text = joined(texts, " ")
    program = _PROGRAM.match(text.text)
    if program is None:
        return text
    name = program.span(2 if program[2] else 3)
    parts = [whole(text.text, *name), whole(text.text, program.end(), len(text.text))]
    return joined((part.within(text) for part in parts if part.text), "")
