"""systemd units: what they run, and settings with which a queue manager fails.

systemd.service(5), systemd.kill(5), systemd.exec(5), systemd.timer(5), systemd.time(7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from posixpath import basename

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import NamedFile
from mqlint.language.script.calls.wrappers import program_call
from mqlint.language.script.faults.environment import limits_of
from mqlint.language.script.hosts.host import BOOT, Block, Host
from mqlint.language.script.unread.mentions import mentions
from mqlint.language.text.mapped import MappedText, mapped_at, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.variables.given import NOTHING_GIVEN, Given, with_variables
from mqlint.patterns import later
from mqlint.source.lines import line_spans

# -- systemd ---------------------------------------------------------------------------------------


_LIMIT = later(r"(?m)^[ \t]*Limit(NOFILE|NPROC)[ \t]*=[ \t]*(\d{1,9})(?::\d+)?[ \t]*\r?$")
_TYPE = later(r"(?m)^[ \t]*Type[ \t]*=[ \t]*(\S*)[ \t]*\r?$")
_RESTART = later(r"(?m)^[ \t]*Restart[ \t]*=[ \t]*(\S*)[ \t]*\r?$")
_NOT_OF_ONESHOT = frozenset({"always", "on-success"})
_STARTS = later(r"(?m)^[ \t]*ExecStart[ \t]*=(?>[^\n]*\bstrmqm\b)[^\n;&|]*$")
_KINDS = frozenset({"simple", "exec", "idle", "oneshot"})
_STAYS = later(r"(?im)^[ \t]*RemainAfterExit[ \t]*=[ \t]*(?:yes|true|on|1)\b")
_ENDS = later(r"(?m)^[ \t]*Exec(?:Start|Stop)[ \t]*=(?>[^\n]*?\b(?:strmqm|endmqm)\b)")
_STOPS = later(r"(?m)^[ \t]*ExecStop(?:Post)?[ \t]*=[ \t]*\S")
_END = later(r"(?m)^[ \t]*ExecStop(?:Post)?[ \t]*=")
_ENDS_BY_COMMAND = later(r"(?m)^[ \t]*ExecStop[ \t]*=(?>[^\n]*?\bendmqm\b)")
"""systemd runs this also after the main process has exited, whatever KillMode is."""
_KILLS_NONE = later(r"(?im)^[ \t]*KillMode[ \t]*=[ \t]*(?:none|process)\b")
_ENDS_AT_ONCE = later(
    r"(?m)^[ \t]*ExecStop[ \t]*=[ \t]*[-@+!:|]*(?:/[\w./-]{1,80}/)?"
    r"(endmqm(?:[ \t]+-[cz])*[ \t]+[\w.%][\w.%/]*)[ \t]*\r?$"
)
"""endmqm that does not wait for the end, as the whole command."""
_TIME_TO_STOP = later(
    r"(?m)^[ \t]*Timeout(?:Stop)?Sec[ \t]*=[ \t]*(\d{1,6}+)[ \t]*+"
    r"(s|sec|seconds?|min|minutes?|m|)[ \t]*+\r?$"
)
_WAITS = later(
    r"(?m)^[ \t]*ExecStop[ \t]*=(?>[^\n]*?\bendmqm\b)[^\n]*?[ \t]-t(?:p|[ \t])[ \t]*(\d{1,6})\b"
)
"""endmqm with its target time: when it ends at the latest, about."""
_LEAST_TIME = 30
"""The seconds that a queue manager needs to end, at least: the default of Kubernetes."""
_EXEC = later(r"(?m)^[ \t]*(Exec\w+)[ \t]*=[ \t]*[-@+!:|]*((?:\\\n|[^\n])*)")
WORDS = later(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']+")
OPERATORS = frozenset({"&&", "||", "|", "&", "<", "<<", "<<<", ">", ">>", "2>", "2>&1"})
_SHELLS = frozenset({"sh", "bash", "ksh", "dash", "zsh", "su", "runuser", "sudo", "env"})
_BLOCKING = frozenset({"runmqlsr", "runmqtrm", "runmqchi"})
"""Programs that run in the foreground and do not end by themselves."""


_RUNS = later(r"(?m)^[ \t]*Exec(?:Start|StartPre|StartPost|Stop|StopPost|Reload)[ \t]*=")
_PREFIX = later(r"[ \t]*[-@+!:|]*")
_STDIN = later(r"(?m)^[ \t]*+StandardInput[ \t]*+=[ \t]*+(?:file|fd|socket)\b:?([^\n]{0,400})")
_SPECIFIER = later(r"%[a-zA-Z]")


_STARTED = later(r"(?m)^[ \t]*+Unit[ \t]*+=[ \t]*+([\w@.-]{1,200}\.service)[ \t]*+\r?$")
_CALENDAR = later(r"(?m)^[ \t]*+OnCalendar[ \t]*+=[ \t]*+(\S[^\n]{0,200}?)[ \t\r]*$")
_PARTS = ("days", "date", "time", "zone")
_FIELDS_OF_CRON = 5
_CLOCK = later(r"(?<![\d:*/.,~-])(\d{1,4}):(\d{1,4})(?![\d*/.,~-])")
_LAST_HOUR, _LAST_MINUTE = 23, 59
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT = frozenset(
    "minutely hourly daily weekly monthly quarterly semiannually biannually annually yearly".split()
) | {*_DAYS, *(day[:3] for day in _DAYS)}
"""Words that are a whole time ("Calendar Events")."""


_ENVIRONMENT = later(
    r"(?m)^[ \t]*+(?:Environment|(EnvironmentFile|PassEnvironment))[ \t]*+=([^\n]*+)"
)


class Unit(Host):
    def blocks(self) -> Iterator[Block]:
        """Yield the command of each Exec line, continued lines joined by the shell's rules."""
        text, done = self.text, 0
        given = _environment(text)
        for match in _RUNS.finditer(text):
            if match.start() < done:
                continue
            prefix = _PREFIX.match(text, match.end())
            start = prefix.end() if prefix is not None else match.end()
            done = _line_end(text, start)
            covered = _SPECIFIER.sub(PLACEHOLDER * 2, text[start:done])
            yield Block(mapped_at(covered, start), plain=True, schedule=BOOT, given=given)

    def awaited(self) -> Iterator[tuple[str, int]]:
        if "runmqsc" in self.text:
            for found in _STDIN.finditer(self.text):
                yield basename(found[1].strip()), found.start()

    def files(self) -> Iterator[NamedFile]:
        """Yield the unit that a timer starts."""
        for found in _STARTED.finditer(self.text):
            yield NamedFile(found[1], found.span(1))

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        yield from _settings(self.text)
        for found in _CALENDAR.finditer(self.text):
            fault = _calendar_fault(found[1])
            if fault:
                yield diagnostic("timer-calendar", found.span(1), value=found[1], fault=fault)


def _environment(text: str) -> Given:
    """Return the variables that a unit sets, unless files that it names may set them again."""
    given = NOTHING_GIVEN
    for found in _ENVIRONMENT.finditer(text):
        if found[1]:
            return NOTHING_GIVEN
        pairs = (word.group().strip("\"'").partition("=") for word in WORDS.finditer(found[2]))
        more = {name: value for name, _, value in pairs}
        given = with_variables(given, more) if more else NOTHING_GIVEN  # a blank one takes all back
    return given


def _calendar_fault(written: str) -> str:
    """Why a time is not one of systemd, blank if it may be: days, a date, a time and a zone."""
    words = written.split()
    if len(words) > len(_PARTS):
        return "it has the form of a crontab" if len(words) == _FIELDS_OF_CRON else "it is too long"
    if len(words) == 1 and words[0].isalpha() and words[0].lower() not in _SHORT:
        return "it is not a day or a word such as daily"
    for time in _CLOCK.finditer(written):
        if int(time[1]) > _LAST_HOUR or int(time[2]) > _LAST_MINUTE:
            return f"{time[0]} is not a time"
    return ""


def _line_end(text: str, start: int) -> int:
    """Return the end of the line, with the lines that a backslash joins to it."""
    while True:
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        if not text[start:end].rstrip("\r").endswith("\\"):
            return end
        start = end + 1


def _settings(text: str) -> Iterator[Diagnostic]:
    """Yield settings of a unit with which a queue manager does not start, run or end correctly."""
    yield from limits_of(_LIMIT, text)
    kind = next(reversed([*_TYPE.finditer(text)]), None)  # systemd uses the last
    written = kind[1].lower() if kind is not None else "simple"
    starts = _STARTS.search(text)
    is_ended = _KILLS_NONE.search(text) is None or _ENDS_BY_COMMAND.search(text) is not None
    stays = _STAYS.search(text) is not None or written not in _KINDS or not is_ended
    if starts is not None and not stays:
        span = starts.span() if kind is None else kind.span(1)
        yield diagnostic("unit-type", span, type=written)
    restarts = [*_RESTART.finditer(text)]
    if starts is not None and written == "oneshot" and restarts:
        last = restarts[-1]
        if last[1].lower() in _NOT_OF_ONESHOT:
            yield diagnostic("unit-restart", last.span(1), word=last[1])
    if starts is not None and _STOPS.search(text) is None:
        yield diagnostic("unit-no-stop", starts.span())
    waits = _WAITS.search(text)
    least = max(_LEAST_TIME, int(waits[1]) if waits is not None else 0)
    for found in _TIME_TO_STOP.finditer(text) if _ENDS.search(text) is not None else ():
        seconds = int(found[1]) * (60 if found[2].startswith("m") else 1)
        if 0 < seconds < least:
            yield diagnostic(
                "unit-time-to-stop", found.span(1), seconds=str(seconds), least=str(least)
            )
    ends = _END.findall(text)
    if len(ends) == 1 and _KILLS_NONE.search(text) is None:
        for found in _ENDS_AT_ONCE.finditer(text):
            yield diagnostic("unit-end-at-once", found.span(1), command=found[1])
    for found in _EXEC.finditer(text):
        if mentions(found[2]):
            yield from _command(found, written)


def _command(line: re.Match[str], kind: str) -> Iterator[Diagnostic]:
    """Yield the faults of the command of an Exec line, which systemd runs without a shell."""
    words = list(WORDS.finditer(line[2]))
    program = words[0].group().strip("\"'").rpartition("/")[2] if words else ""
    if program in _SHELLS:
        return
    sign = next((word for word in words if word.group() in OPERATORS), None)
    if sign is not None:
        start = line.start(2) + sign.start()
        fault = f"passes {sign.group()} to {program[:40]}, because systemd does not use a shell"
        yield diagnostic("unit-command", (start, line.start(2) + sign.end()), fault=fault)
    waits = line[1] in ("ExecStartPre", "ExecStartPost")
    waits = waits or (line[1] == "ExecStart" and kind in ("forking", "oneshot"))
    if sign is None and waits and program in _BLOCKING:
        fault = f"does not finish its start: {line[1]} runs {program} in the foreground"
        yield diagnostic("unit-command", line.span(1), fault=fault)


# -- Upstart ---------------------------------------------------------------------------------------


_PROCESS = later(
    r"[ \t]*+(?:(?:pre|post)-(?:start|stop)[ \t]++)?(?:(?P<script>script)[ \t]*+$|exec[ \t]++)"
)
_SCRIPT_END = later(r"[ \t]*+end[ \t]++script\b")


class Job(Host):
    def blocks(self) -> Iterator[Block]:
        text = self.text
        lines = line_spans(text)
        for start, end in lines:
            found = _PROCESS.match(text, start, end)
            if found is None:
                continue
            begin, stop = found.end(), end
            if found["script"]:
                begin = stop = min(end + 1, len(text))
                for first, last in lines:
                    if _SCRIPT_END.match(text, first, last):
                        break
                    stop = last
            else:
                while (
                    text.startswith("\\", stop - 1) and (following := next(lines, None)) is not None
                ):
                    stop = following[1]
            yield Block(mapped_at(text[begin:stop], begin), schedule=BOOT)


# -- Windows Task Scheduler ------------------------------------------------------------------------


_EXEC_ELEMENT = later(r"<Exec\b[^<>]{0,200}>")
_ELEMENT = later(r"<(Command|Arguments)>([^<]{0,4000})</")
_ENTITY = later(r"&(quot|amp|lt|gt|apos);")
_CHARACTERS = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}


class Task(Host):
    def blocks(self) -> Iterator[Block]:
        """Yield the command of each action of an exported task."""
        text = self.text
        starts = [match.end() for match in _EXEC_ELEMENT.finditer(text)]
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
        value = mapped_slice(text, *match.span(2))
        yield match[1], value.sub(_ENTITY, lambda entity: _CHARACTERS[entity[1]])
