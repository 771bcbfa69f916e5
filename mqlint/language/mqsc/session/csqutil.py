"""Output of COMMAND of CSQUTIL on z/OS: each command as it was read, and the replies to it.

     CSQU000I CSQUTIL IBM MQ for z/OS V9.4.0
     CSQU055I  Target queue manager is MQ7A
      DISPLAY QLOCAL(PAY.IN) GET
    CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000
    CSQM401I +MQ7A QUEUE(PAY.IN                ) TYPE(QLOCAL  ) GET(ENABLED )
    CSQ9022I +MQ7A CSQMDRTS ' DISPLAY QLOCAL' NORMAL COMPLETION

Sources: "Examples of commands and their replies" (9.2, 9.3), "Using the DISPLAY commands" (6.0: a
message for each object, with the attributes after the prefix, values filled up with blanks), and a
published listing of 9.2.5. A command is done when RETURN is 0 and REASON is 0 or 4 ("Using the
COMMAND function of CSQUTIL"). No page says how a message that is longer than a line of the listing
is cut, so messages of several lines are not read.
"""

from __future__ import annotations

from mqlint.language.mqsc.command_line import begins_command
from mqlint.language.mqsc.session.recording import ScriptText, Sessions, as_reply
from mqlint.patterns import later

_BEGINS = later(r"(?:[ \t\r]*\n)*+[ \t]?CSQU000I[ ]")
_MESSAGE = later(r"[ \t]?CSQ(?P<code>[A-Z0-9]\d{3})[A-Z](?:[ ]|\r?\Z)")
_TARGET = later(r"[ \t]*CSQU055I[ ]+Target queue manager is (\S+)")
_OUTCOME = later(r"[ \t]*CSQN205I[ ]+COUNT= *\d+, RETURN=([0-9A-F]{8}), REASON=([0-9A-F]{8})")
_OBJECT_SHOWN = later(r"CSQM(4\d\d)I +\S+ +")
_DONE = {("00000000", "00000000"), ("00000000", "00000004")}
_LAST = frozenset({"9022", "9023"})
"""CSQ9022I and CSQ9023E end the replies to a command."""


def begins_as_listing(text: str) -> bool:
    """Whether `text`, or its beginning, is what CSQUTIL prints."""
    return "CSQU000I" in text and _BEGINS.match(text) is not None


class ListingReader:
    """Reads the lines of a listing once.

    `_listens` is true where lines are commands: after the name of the queue manager, and after the
    last reply to a command. `_goes_on` is true if the last line of a command continues. `_shown` is
    the offset of the message that shows an object, until the next message.
    """

    def __init__(self, size: int) -> None:
        self.script = ScriptText()
        self.sessions = Sessions(size)
        self._listens = False
        self._goes_on = False
        self._shown: tuple[str, int, int] | None = None

    def line(self, line: str, at: int) -> None:
        message = _MESSAGE.match(line)
        if message is not None:
            self._message(message["code"], line, at)
        elif self._listens:
            self._command(line, at)
            return
        elif begins_command(line.strip()):
            self.sessions.exchange(at)  # of a script: CSQUTIL reads no command here
            self.script.add_command("", line)
            return
        elif line.strip():
            self._shown = None
        self.script.add(as_reply(line))

    def _command(self, line: str, at: int) -> None:
        """Read a line of a command, after the blank that CSQUTIL prints before each."""
        typed = line[1:]
        if not typed.strip() or typed.startswith("*"):
            self.script.add(f"*{typed[1:]}" if typed.strip() else line)
            return
        if not self._goes_on:
            self.sessions.exchange(at)
        self._goes_on = typed.rstrip()[-1:] in ("+", "-")
        self.script.add_command(line[:1], typed)

    def _message(self, code: str, line: str, at: int) -> None:
        self._reply_shown()
        target, outcome = _TARGET.match(line), _OUTCOME.match(line)
        shown = _OBJECT_SHOWN.match(line)
        if target is not None:
            self.sessions.begin(at, target[1])
            self._listens = True
        elif outcome is not None:
            self._listens = False
            if outcome.groups() not in _DONE:
                self.sessions.refuse()
        elif shown is not None:
            self._shown = f"0{shown[1]}", at + shown.end(), at + len(line.rstrip())
        elif code in _LAST:
            self._listens, self._goes_on = True, False
        elif code.startswith("U"):
            self._listens = False

    def _reply_shown(self) -> None:
        """Keep the message that shows an object, now that it is known to have one line."""
        if self._shown is not None and self.sessions.has_exchange():
            code, start, end = self._shown
            self.sessions.reply(code)
            self.sessions.line(start, end)
        self._shown = None
