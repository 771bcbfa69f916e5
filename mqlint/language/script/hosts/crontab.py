"""Crontabs: the commands of MQ that run on a schedule.

A line has five fields of time or a name such as `@daily`, in system tables a user, and a command.
The first `%` without a backslash ends the command; its input follows, in which each `%` is a line
feed.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from mqlint.language.base import Context, Parsed
from mqlint.language.script.hosts import TIMES
from mqlint.language.script.hosts.host import Block, read_blocks
from mqlint.language.script.hosts.times import NO_USERS, time_faults, user_faults
from mqlint.language.script.step import ShellScript
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, whole
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import line_spans
from mqlint.vocabulary.control import ControlSpec

_USER = later(r"([a-z_][a-z0-9_-]{0,31})[ \t]+(?=[\w/.\"'$([])")
_PERCENT = later(r"\\%|%")


def parse_crontab(
    text: str, commands: Mapping[str, ControlSpec], budget: Budget | None = None
) -> ShellScript:
    """Read a crontab; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    return read_blocks(_jobs(text, commands), commands, budget or Budget(len(text)))


def _jobs(text: str, commands: Container[str]) -> Iterator[Block]:
    for start, end in line_spans(text):
        line = text[start:end].rstrip("\r")
        times = TIMES.match(line)
        if times is None:
            continue
        at = times.end()
        user = _USER.match(line, at)
        if user is not None and user[1] not in NO_USERS and user[1] not in commands:
            at = user.end()
        command, given = _halves(whole(text, start + at, start + len(line)))
        yield Block(command, schedule=" ".join(times[1].split()), given=given)


def _halves(source: MappedText) -> tuple[MappedText, MappedText | None]:
    """Return the command and its input, with the escapes of `%` undone."""
    halves = [MappedTextBuilder()]
    first = source.host(0)
    ends = [source.end]
    done = 0
    for match in _PERCENT.finditer(source.text):
        halves[-1].add(source.text[done : match.start()], first + done)
        if match.group() != "%":
            halves[-1].add("%", first + match.start() + 1)
        elif len(halves) == 1:
            ends = [first + match.start(), source.end]
            halves.append(MappedTextBuilder())
        else:
            halves[-1].add("\n", first + match.start())
        done = match.end()
    halves[-1].add(source.text[done:], first + done)
    texts = [half.finish(end) for half, end in zip(halves, ends, strict=True)]
    return texts[0], texts[1] if len(texts) > 1 else None


def read(text: str, context: Context) -> Parsed:
    script = parse_crontab(text, context.vocabulary.control, context.budget)
    return Parsed(script=script, diagnostics=(*time_faults(text), *user_faults(text)))
