"""Tasks of the Windows Task Scheduler: a program and the text of its arguments, without a shell.

Pages of Microsoft: "schtasks create", "New-ScheduledTaskAction".
"""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.language.script.command import Word, base_name
from mqlint.language.text.mapped import MappedText, joined, mapped_slice
from mqlint.patterns import later

_PROGRAM = later(
    r"(?i)([\"']?)(?:[^\"'|<>\n]{0,300}?\\(\w{1,30}\.exe)|[^\"'|<>\s]{0,300}\\(\w{1,30}))\1(?=\s|$)"
)
"""A program with its path, which may have blanks, in quotes or not."""


def task_command(words: Sequence[Word]) -> Word | None:
    """Return the command of a task that schtasks or New-ScheduledTaskAction makes."""
    name = base_name(words[0].text).lower()
    if name == "schtasks":
        options = ["/tr"]
    elif name == "new-scheduledtaskaction":
        options = ["-execute", "-argument"]
    else:
        return None
    value_of = {word.text.lower(): words[at] for at, word in enumerate(words[:-1], 1)}
    found = [value_of[option] for option in options if option in value_of]
    if options[0] not in value_of or not all(word.known for word in found):
        return None
    return Word(program_call([word.mapped for word in found]), found[0].start, found[-1].end)


def program_call(texts: Sequence[MappedText]) -> MappedText:
    """Return the command with the name of the program only, whose path may have blanks."""
    text = joined(texts, " ")
    program = _PROGRAM.match(text.text)
    if program is None:
        return text
    name = program.span(2 if program[2] else 3)
    parts = [mapped_slice(text.text, *name), mapped_slice(text.text, program.end(), len(text.text))]
    return joined((part.within(text) for part in parts if part.text), "")
