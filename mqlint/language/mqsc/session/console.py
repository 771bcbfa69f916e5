"""Records of the console of z/OS: commands after the prefix of a queue manager, and replies.

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

import re

from mqlint.language.mqsc.session.recording import Sessions
from mqlint.language.mqsc.session.script_text import ScriptText, as_reply
from mqlint.patterns import later

_PREFIX = r"(?:[^\w\s'\"(*]\w{0,7}|[A-Z]\w{3})"
_MESSAGE = later(rf"[ \t]?CSQ(?P<code>[A-Z0-9]\d{{3}})(?P<kind>[A-Z])[ ]+{_PREFIX}(?=[ ]|\r?\Z)")
_VERB = (
    r"(?:dis(?:play)?|def(?:ine)?|alt(?:er)?|del(?:ete)?|set|sta(?:rt)?|stop|ref(?:resh)?|clear"
    r"|res(?:et|olve|ume)?|sus(?:pend)?|ping|move|archive|arc|backup|recover|rec|rverify)"
)
_COMMAND = later(rf"[ \t]*{_PREFIX}[ ]{{0,4}}(?={_VERB}[ ]+[a-z]\w+)", re.IGNORECASE)
_BEGINS = later(
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
    return "CSQ" in text and _BEGINS.match(text) is not None


class ConsoleReader:
    """Reads the lines of a console's record once; `_shows` is true while an object is shown."""

    def __init__(self, size: int) -> None:
        self.script = ScriptText()
        self.sessions = Sessions(size)
        self._shows = False

    def line(self, line: str, at: int) -> None:
        """Read the line at the offset `at`."""
        message = _MESSAGE.match(line)
        if message is not None:
            self._message(message["code"], line)
        elif self._shows and _ATTRIBUTE.match(line) is not None:
            self.sessions.line(at, at + len(line.rstrip()))
        elif (command := _COMMAND.match(line)) is not None and _END.match(line) is None:
            self._shows = False
            self.sessions.exchange(at)
            self.script.add_command(" " * command.end(), line[command.end() :])
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
