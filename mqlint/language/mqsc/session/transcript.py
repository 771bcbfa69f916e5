"""Output of runmqsc: each command as it was read, after its number, and the replies to it.

    Starting MQSC for queue manager LEEDSQM1.
         1 : DEFINE QLOCAL(A) +
           : REPLACE
    AMQ8006I: IBM MQ queue created.

A text that begins so and has numbered commands is the record of a session. The numbered commands
were run, and all else is replies, or was typed or printed and is repeated after its number. A
command that is never repeated is one of a script: two lines of a record before it cannot hide it.

The replies to a command follow it. A message whose code ends in E, S or T says that the command was
refused; so do the two by which a syntax error is told, which end in I, and those of the releases
before 9.1, whose codes have no letter and are listed here ("AMQ8xxx: Administration" of 7.5 and
9.2). What DISPLAY shows is in lines that begin with blanks after a message.

    +MQ7A DISPLAY QUEUE(PAY.IN) GET
    CSQM201I +MQ7A CSQMDRTC  DISPLAY QUEUE DETAILS
    QUEUE(PAY.IN)
    TYPE(QLOCAL)
    GET(ENABLED)
     END QUEUE DETAILS
    CSQ9022I +MQ7A CSQMDRTC ' DISPLAY QUEUE' NORMAL COMPLETION

The console shows an object in a message CSQM2nnI that ends with DETAILS, an attribute a line, down
to the line END ... DETAILS; CSQM4nnI is for what is sent to programs. CSQ9022I and CSQ9023E end the
replies to a command (messages CSQM201I and CSQ9022I; the layout is that of a published tutorial).
The prefix of commands need not be the name of the queue manager, so none is told. What a log puts
before each line (times, jobs) is not taken off: such logs are not read.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from mqlint.dataclass import frozen
from mqlint.language.mqsc.command_line import begins_command
from mqlint.language.mqsc.session.csqutil import ListingReader, begins_as_listing
from mqlint.language.mqsc.session.recording import ScriptText, Sessions, as_reply
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import lines_of

# -- console ---------------------------------------------------------------------------------------


_PREFIX = r"(?:[^\w\s'\"(*]\w{0,7}|[A-Z]\w{3})"
_CONSOLE_MESSAGE = later(
    rf"[ \t]?CSQ(?P<code>[A-Z0-9]\d{{3}})(?P<kind>[A-Z])[ ]+{_PREFIX}(?=[ ]|\r?\Z)"
)
_VERB = (
    r"(?:dis(?:play)?|def(?:ine)?|alt(?:er)?|del(?:ete)?|set|sta(?:rt)?|stop|ref(?:resh)?|clear"
    r"|res(?:et|olve|ume)?|sus(?:pend)?|ping|move|archive|arc|backup|recover|rec|rverify)"
)
_COMMAND = later(rf"(?i)[ \t]*{_PREFIX}[ ]{{0,4}}(?={_VERB}[ ]+[a-z]\w+)")
_CONSOLE_BEGINS = later(
    rf"(?:[ \t\r]*\n)*+(?:[ \t]*{_PREFIX}[ ]{{0,4}}(?i:{_VERB})[ ][^\n]*\n(?:[ \t\r]*\n)*+)?"
    rf"[ \t]?CSQ[A-Z0-9]\d{{3}}[A-Z][ ]+{_PREFIX}[ ]"
)
_SHOWS = later(r"CSQM2\d\d(?=I[ ])[^\n]*\bDETAILS\b")
_END = later(r"[ \t]*END\b.*\bDETAILS\b")
_ATTRIBUTE = later(r"[ \t]*[A-Z][A-Z0-9]*(?:\(|[ \t\r]*\Z)")
_FAILED = frozenset({"9023", "9029"})
"""CSQ9023E: abnormal completion; CSQ9029E: the command failed."""


def begins_as_console(text: str) -> bool:
    """Return whether `text`, or its beginning, is output of the console."""
    return "CSQ" in text and _CONSOLE_BEGINS.match(text) is not None


class ConsoleReader:
    """Reads the lines of a console's record once; `_shows` is true while an object is shown."""

    def __init__(self, size: int) -> None:
        self.script = ScriptText()
        self.sessions = Sessions(size)
        self._shows = False

    def line(self, line: str, at: int) -> None:
        message = _CONSOLE_MESSAGE.match(line)
        if message is not None:
            self._message(message["code"], line)
        elif self._shows and _ATTRIBUTE.match(line) is not None:
            self.sessions.line(at, at + len(line.rstrip()))
        elif (command := _COMMAND.match(line)) is not None and _END.match(line) is None:
            self._shows = False
            self.sessions.exchange(at)
            self.script.add_command(" " * command.end(), line[command.end() :])
            return
        elif begins_command(line.strip()) and _END.match(line) is None:
            self.sessions.exchange(at)  # of a script: commands of the console have a prefix
            self.script.add_command("", line)
            return
        else:
            self._shows = False
        self.script.add(as_reply(line))

    def _message(self, code: str, line: str) -> None:
        self._shows = _SHOWS.match(line.lstrip()) is not None and self.sessions.has_exchange()
        if self._shows:
            self.sessions.reply(f"04{code[-2:]}")
        if code in _FAILED:
            self.sessions.refuse()


# -- transcript ------------------------------------------------------------------------------------


_ECHO = later(r"[ \t]*+(?:\d++[ \t]?|(?<=[ \t])):(?:[ \t]|(?=\r?\Z))")
_NUMBERED = later(r"(?m)^[ \t]*+\d++[ \t]?:(?:[ \t]|\r?$)")
_BANNER = r"(?:Microsoft Windows \[|\(c\) (?:\d{4} )?Microsoft Corp|Windows PowerShell)"
"""The beginning of the windows of Windows."""
_COPYRIGHT = r"[ \t]*(?:\d{7},)?\d{4}-[A-Z]\d\d (?:\([Cc]\)|©) Copyright IBM"
_PREAMBLE = later(
    r"(?:(?!\*|[ \t]*```|[ \t]*(?i:(?:def|alt|del|dis|set|sta|sto|ref|res|clear)\w*"
    r"[ ,]+(?:qmgr\b|security\b|[a-z]+[ \t]*\()))[^\n]{0,400}\n)"
    rf"{{1,60}}?(?P<first>{_COPYRIGHT}[^\n]*\r?\n(?:[ \t\r]*\n)*[^\n]*MQSC)"
)
"""Output of a script that ran runmqsc: lines that are no commands, then the banner."""
_BEGINS = later(
    rf"(?:[ \t\r]*\n|{_BANNER}[^\n]*\n"
    r"|[^\n]{0,80}[$#>%][ \t]*[^\n]{0,200}\brunmqsc\b[^\n]*\n|runmqsc\b[^\n]*\n)*+"
    rf"(?P<first>{_COPYRIGHT}|[ \t]*(?:Starting MQSC for|\d+ ?: (?=[A-Za-z*])))"
)
_MARKS = ("Copyright IBM", "Starting MQSC for", "runmqsc", "Microsoft", "Windows PowerShell")
"""Every transcript has one of them in its beginning, or begins with a number.

Most texts have none, and this search is faster than the patterns.
"""
_HEAD: Final = 65_536
"""More characters than `_PREAMBLE` skips, or than a command has that a console shows first."""
_SESSION = later(r"[ \t]*Starting MQSC for queue manager (\S+?)\.?[ \t\r]*\Z")
_MESSAGE = later(r"[ \t]*AMQ([0-9]{4})([A-Z]?):")
_LONGEST = 2_000
"""Characters of a command that are compared with what a syntax error shows of it."""
_SEGMENT = "8405"
"""A message that the next line belongs to: the command up to its error."""
_SYNTAX = frozenset({_SEGMENT, "8426", "8427"})
"""Messages about the place of a syntax error, and about valid words; they are information."""
_OLD_FAILURES = later(r"81[0-57]\d|822[67]|824[0-9]|8404|84(?:05|26|27)|8884")


@frozen
class Transcript:
    """The record of sessions; `script` are their commands, as a text of the same length."""

    script: str
    sessions: Sessions

    @property
    def queue_manager(self) -> str | None:
        """The queue manager that all sessions are of, None when there are several."""
        names = self.sessions.names()
        return names.pop() if len(names) == 1 else None


def begins_as_transcript(text: str) -> bool:
    """Whether `text`, or its beginning, is what runmqsc, CSQUTIL or a console prints."""
    head = text.lstrip()[:_HEAD]
    if "CSQ" in head and (begins_as_listing(text) or begins_as_console(text)):
        return True
    if not is_digits(head[:1]) and not any(mark in head for mark in _MARKS):
        return False
    found = _BEGINS.match(text) or _PREAMBLE.match(text)
    return found is not None and _NUMBERED.search(text, found.start("first")) is not None


def read_transcript(text: str) -> Transcript:
    size = len(text)
    reader: ListingReader | ConsoleReader | _TranscriptReader
    reader = _TranscriptReader(size, _never_repeated(text))
    if begins_as_listing(text):
        reader = ListingReader(size)
    elif begins_as_console(text):
        reader = ConsoleReader(size)
    at = 0
    for line in lines_of(text):
        reader.line(line, at)
        at += len(line) + 1
    return Transcript(reader.script.finish(), reader.sessions)


def _never_repeated(text: str) -> set[str]:
    """Return the lines that begin a command and are not repeated after a number."""
    found = {bare for line in lines_of(text) if begins_command(bare := line.strip())}
    for echo in _NUMBERED.finditer(text) if found else ():
        found.discard(text[echo.end() : text.find("\n", echo.end()) % (len(text) + 1)].strip())
    return found


def _squeezed(line: str) -> str:
    """Return a line of a command without blanks and the sign that continues it."""
    return "".join(line.rstrip("+- \t\r").split())


class _TranscriptReader:
    """Reads the lines of a transcript once; `never_repeated` are commands that no number is before.

    `_code` is that of the message being read, blank for none. `_introduces` is true once it has
    lines. `_goes_on` is true after a line without a number that the next one continues.
    """

    def __init__(self, size: int, never_repeated: Container[str]) -> None:
        self.script = ScriptText()
        self.sessions = Sessions(size)
        self._never_repeated = never_repeated
        self._goes_on = False
        self._typed = ""
        self._code = ""
        self._introduces = False

    def line(self, line: str, at: int) -> None:
        echo = _ECHO.match(line)
        bare = line.strip()
        is_command = echo is None and (self._goes_on or bare in self._never_repeated)
        is_command = is_command and not (self._code == _SEGMENT and self._is_typed(bare))
        if is_command:
            if not self._goes_on:
                self.sessions.exchange(at)
            self._code = ""
            self._goes_on = bare.endswith(("+", "-"))
            self.script.add_command("", line)
            return
        self._goes_on = False
        if echo is None:
            self._reply(line, at)
            self.script.add(as_reply(line))
            return
        self._code = ""
        width = echo.end()
        typed = line[width:]
        is_first = line[:width].strip(" \t:") != ""
        self._typed = ("" if is_first else self._typed)[:_LONGEST] + _squeezed(typed)
        blanks = " " * width
        if typed.startswith("*"):
            self.script.add(f"*{blanks}{typed[1:]}")
            return
        if is_first:
            self.sessions.exchange(at)
        self.script.add_command(blanks, typed)

    def _is_typed(self, segment: str) -> bool:
        """Whether a text is the beginning of the last command, as a syntax error shows it."""
        return self._typed.startswith(_squeezed(segment)[:_LONGEST])

    def _reply(self, line: str, at: int) -> None:
        begun = _SESSION.match(line)
        message = _MESSAGE.match(line)
        if begun is not None:
            self._code = ""
            self.sessions.begin(at, begun[1])
        elif message is not None:
            self._message(message[1], message[2])
        elif self._code and line[:1] in (" ", "\t") and line.strip():
            self._introduced(at, at + len(line.rstrip()))
        else:
            self._code = ""

    def _message(self, code: str, letter: str) -> None:
        self._code, self._introduces = code, False
        failed = letter in ("E", "S", "T") if letter else _OLD_FAILURES.fullmatch(code) is not None
        if failed or code in _SYNTAX:
            self.sessions.refuse()

    def _introduced(self, start: int, end: int) -> None:
        """Keep a line that the last message introduces; before the first command there is none."""
        if not self.sessions.has_exchange():
            return
        if not self._introduces:
            self.sessions.reply(self._code)
            self._introduces = True
        self.sessions.line(start, end)
