"""Crontabs: the commands of MQ that run on a schedule.

A line has five fields of time or a name such as `@daily`, in system tables a user, and a command.
The first `%` without a backslash ends the command; its input follows, in which each `%` is a line
feed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import islice

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.script.calls.wrappers import SHELLS
from mqlint.language.script.command import base_name
from mqlint.language.script.hosts.host import Block, read_scripts
from mqlint.language.script.hosts.signs import TIMES
from mqlint.language.script.unread.mentions import mentions
from mqlint.language.text.mapped import MappedText, mapped_slice
from mqlint.language.variables.given import NOTHING_GIVEN, with_variables
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import line_spans

# -- times and users -------------------------------------------------------------------------------


_SYSTEM = later(r"(?:^|/)(?:cron\.d/[^/]+|etc/crontab)\Z")
"""The paths of a system crontab (crontab(5))."""
_WORD = later(r"[^ \t]+")
_ITEM = later(r"(?:\*|(\d{1,9})(?:-(\d{1,9}))?)(?:/(\d{1,9}))?")
_FIELDS = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of the month", 1, 31),
    ("month", 1, 12),
    ("day of the week", 0, 7),
)
"""The fields, each with its least and greatest number."""
_FAR = 2000
_HERE = later(r"(?<!<)<<-?(?!<)[ \t]*[\"']?\w")
_NAME = later(r"[a-z_][a-z0-9_-]{0,31}")
NO_USERS = frozenset(
    {
        *("sudo", "su", "sh", "bash", "ksh", "exec", "nohup", "nice", "timeout", "env"),
        *("echo", "printf", "cat", "cd", "test", "find", "if", "for", "while"),
    }
)
"""Words after the times that are commands, not users."""
_DAYS = frozenset({"sun", "mon", "tue", "wed", "thu", "fri", "sat"})
_TIME = later(r"[\d*][\d*,/-]*")
_SCHEDULE = later(
    r"(?m)^[ \t]*(?:-[ \t]+)?(?:schedule|cron)[ \t]*:[ \t]*(?P<mark>[\"']?)"
    r"(?P<times>[\d*][\d*,/ \t-]{0,200})(?P=mark)[ \t\r]*(?:#|$)"
)
_ONCE = later(
    r"(?<![\w.-])(?:rcdmqimg|rcrmqobj|dmpmqcfg|dmpmqmsg|(?:str|end)mqm|runmqsc|migmqlog)(?![\w.-])"
    r"|/\S{0,200}(?:mq|qm)\S{0,80}(?:backup|bkp|save|image)|(?:backup|bkp|save)\S{0,80}(?:mq|qm)"
)
"""A command that no job runs each minute of one hour."""
_CUT = later(
    r"\$\([^)%]{0,200}(?<!\\)%|`[^`%]{0,200}(?<!\\)%|\bdate[ \t]{1,9}[\"']?\+%"
    r"|>[ \t]{0,9}[^\s%;|&]{1,200}(?<!\\)%(?=[YymdjFTHMS](?![A-Za-z]))"
)
"""A percent sign in a text, a format or the name of a file: cron ends the command there."""


def time_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the fields with a number outside their range, and percent signs that cut a command.

    A line counts if it has five fields of time, or four and then a command of MQ or a user's name.
    Templates and extensions of other crons are not judged.
    """
    for start, stop in line_spans(text):
        line = text[start:stop]
        words = list(islice(_WORD.finditer(line), len(_FIELDS) + 1))
        if len(words) > 4 and _is_job(line, [word.group() for word in words]):
            field = _wrong_field(words)
            if field is not None:
                span, data = field
                yield diagnostic("crontab-time", _moved(span, start), **data)
            minute, hour = words[0], words[1].group()
            is_each_minute = minute.group() == "*" and is_digits(hour)
            if is_each_minute and _ONCE.search(line, 0, _FAR) is not None:
                yield diagnostic("crontab-each-minute", _moved(minute.span(), start), hour=hour)
            here = _HERE.search(line, 0, _FAR)
            if here is not None and mentions(line):
                fault = "has a here-document, but cron runs only one line"
                yield diagnostic("crontab-line", _moved(here.span(), start), fault=fault)
            cut = _CUT.search(line, 0, _FAR)
            if cut is not None and mentions(line):
                yield diagnostic("crontab-percent", (start + cut.end() - 1, start + cut.end()))


def user_faults(text: str, path: str) -> Iterator[Diagnostic]:
    """Yield MQ jobs that name a user if most jobs of the crontab do not, and the reverse.

    A system crontab names a user in each line, and a user's crontab in none. So one of the two
    kinds of jobs fails in either crontab, and jobs without a user in what the path shows to be a
    system crontab.
    """
    jobs: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for start, stop in line_spans(text):
        line = text[start:stop]
        words = list(islice(_WORD.finditer(line), len(_FIELDS) + 2))
        if len(words) <= len(_FIELDS) or not all(
            _TIME.fullmatch(word.group()) for word in words[: len(_FIELDS)]
        ):
            continue
        first = words[len(_FIELDS)]
        after = words[-1].group() if len(words) > len(_FIELDS) + 1 else ""
        if first.group().startswith("/") or mentions(first.group()):
            jobs[False].append(_moved(first.span(), start))
        elif _is_user(first.group()) and after.startswith("/"):
            jobs[True].append(_moved(first.span(), start))
    if _SYSTEM.search(path):
        fault = "names no user, which each line of a system crontab needs"
        for span in jobs[False]:
            yield diagnostic("crontab-line", span, fault=fault)
        return
    with_user = len(jobs[True]) <= len(jobs[False])
    if all(jobs.values()):
        fault = "names a user, but other jobs" if with_user else "names no user, but other jobs"
        fault += " of the crontab name none" if with_user else " of the crontab name one"
        for span in jobs[with_user]:
            yield diagnostic("crontab-line", span, fault=fault)


def _is_user(word: str) -> bool:
    return _NAME.fullmatch(word) is not None and word not in NO_USERS


def schedule_faults(text: str) -> Iterator[Diagnostic]:
    """Yield wrong times of a CronJob of Kubernetes, or of a pipeline that a clock starts.

    Five numbers without `*` may be something else, such as delays. Programs with a field for
    seconds have six.
    """
    for found in _SCHEDULE.finditer(text):
        words = list(_WORD.finditer(text, *found.span("times")))
        if "*" not in found["times"] or not all(_TIME.fullmatch(word.group()) for word in words):
            continue
        field = _wrong_field(words) if len(words) == len(_FIELDS) else None
        if len(words) == len(_FIELDS) - 1:
            expected = f"it has {len(words)} fields instead of {len(_FIELDS)}"
            written = " ".join(word.group() for word in words)
            field = found.span("times"), _data(written, "schedule", expected)
        if field is not None:
            span, data = field
            yield diagnostic("crontab-time", span, **data)


def _moved(span: tuple[int, int], start: int) -> tuple[int, int]:
    return start + span[0], start + span[1]


def _wrong_field(words: list[re.Match[str]]) -> tuple[tuple[int, int], dict[str, str]] | None:
    """Return the place of the first wrong field, and the fault."""
    times = 0
    while times < len(words) and _TIME.fullmatch(words[times].group()):
        times += 1
    for word, (name, least, greatest) in zip(words[:times], _FIELDS, strict=False):
        if not _is_valid(word.group(), least, greatest):
            data = _out_of_range(word.group(), name, least, greatest)
            return word.span(), data
    if times == len(_FIELDS) - 1 and _is_no_day(words[times].group()):
        word = words[times]
        return word.span(), _out_of_range(word.group(), *_FIELDS[-1])
    return None


def _data(value: str, what: str, expected: str) -> dict[str, str]:
    return {"value": value, "what": what, "expected": expected}


def _out_of_range(value: str, what: str, low: int, high: int) -> dict[str, str]:
    return _data(value, what, f"the range is {low} to {high}")


def _is_job(line: str, words: list[str]) -> bool:
    times = [_TIME.fullmatch(word) is not None for word in words[: len(_FIELDS)]]
    if all(times[:4]) and _is_no_day(words[4]):
        return True
    return all(times) or (all(times[:3]) and mentions(line))


def _is_no_day(word: str) -> bool:
    """Whether a word in the place of the last field is a command or a user instead of a day."""
    return word.startswith("/") or (word.isalpha() and word[:3].lower() not in _DAYS)


def _is_valid(field: str, least: int, greatest: int) -> bool:
    for item in field.split(","):
        found = _ITEM.fullmatch(item)
        if found is None:
            return True
        low, high, step = (None if group is None else int(group) for group in found.groups())
        if any(number is not None and not least <= number <= greatest for number in (low, high)):
            return False
        if step == 0 or (low is not None and high is not None and high < low):
            return False
    return True


# -- jobs ------------------------------------------------------------------------------------------


_USER = later(r"([a-z_][a-z0-9_-]{0,31})[ \t]+(?=[\w/.\"'$([])")
_VARIABLE = later(r"[ \t]*+([A-Za-z_]\w*+)[ \t]*+=[ \t]*+(.*+)")
_ESCAPE = later(r"\\(?=%)")
_PERCENT = later(r"(?<!\\)%")


def _jobs(text: str, commands: Container[str]) -> Iterator[Block]:
    """Yield the commands, each with the variables that the lines before it set."""
    given, shell = NOTHING_GIVEN, "sh"
    for start, end in line_spans(text):
        line = text[start:end].rstrip("\r")
        times = TIMES.match(line)
        if times is None:
            if (variable := _VARIABLE.match(line)) is not None:
                name, value = variable[1], _without_quotes(variable[2].rstrip())
                shell = base_name(value) if name == "SHELL" else shell
                given = with_variables(given, {name: value})
            continue
        if shell not in SHELLS:
            continue
        at = times.end()
        user = _USER.match(line, at)
        if user is not None and user[1] not in NO_USERS and user[1] not in commands:
            at = user.end()
        command, stdin = _halves(mapped_slice(text, start + at, start + len(line)))
        schedule = " ".join(times[1].split())
        yield Block(command, schedule=schedule, stdin=stdin, given=given)


def _without_quotes(value: str) -> str:
    mark = value[:1]
    return value[1:-1] if mark in ("'", '"') and value.endswith(mark, 1) else value


def _halves(source: MappedText) -> tuple[MappedText, MappedText | None]:
    """Return the command and its input, with the escapes of `%` undone."""
    sign = _PERCENT.search(source.text)
    if sign is None:
        return source.sub(_ESCAPE, lambda _: ""), None
    command, stdin = source.part(0, sign.start()), source.part(sign.end(), len(source.text))
    stdin = stdin.sub(_PERCENT, lambda _: "\n")
    return command.sub(_ESCAPE, lambda _: ""), stdin.sub(_ESCAPE, lambda _: "")


def read(text: str, context: Context) -> Parsed:
    commands = context.vocabulary.control
    script = read_scripts(text, _jobs(text, commands), (), commands, context.budget)
    return Parsed(script=script, diagnostics=(*time_faults(text), *user_faults(text, context.path)))
