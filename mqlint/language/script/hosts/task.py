"""Exported tasks of the Windows Task Scheduler ("Task Scheduler Schema" of Microsoft)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.scheduled_task import program_call
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.patterns import later

_EXEC = later(r"<Exec\b[^<>]{0,200}>")
_ELEMENT = later(r"<(Command|Arguments)>([^<]{0,4000})</")
_ENTITY = later(r"&(quot|amp|lt|gt|apos);")
_CHARACTERS = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}


class Task(Host):
    def blocks(self) -> Iterator[Block]:
        return _actions(self.text)


def _actions(text: str) -> Iterator[Block]:
    """Yield the command of each action of an exported task."""
    starts = [match.end() for match in _EXEC.finditer(text)]
    for start, stop in pairwise([*starts, len(text)]):
        end = text.find("</Exec", start, stop)
        found: dict[str, MappedText] = {}
        for name, value in _elements(text, start, end if end >= 0 else stop):
            found.setdefault(name, value)
        if next(iter(found), "") == "Command":  # as Windows writes it
            yield Block(
                program_call([*found.values()]), plain=True, language="cmd", schedule="task"
            )


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
