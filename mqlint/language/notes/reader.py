"""Notes: each stretch of commands is a document, and the prose between them is skipped.

A line `runmqsc NAME` names the queue manager of the commands after it. Another stretch is for a
queue manager of its own, because the prose may name one.
"""

from __future__ import annotations

import re

from mqlint.language.base import Context, Parsed
from mqlint.language.notes.lines import (
    behind,
    inner,
    is_judged,
    is_lost,
    is_prose,
    is_syntax,
    quoted,
    sign_of,
    with_stand_ins_covered,
)
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedTextBuilder
from mqlint.patterns import later
from mqlint.source.lines import line_spans
from mqlint.vocabulary import Vocabulary

_SESSION = later(
    r"(?:.{0,80}[$#>%:][ \t]*)?(?:(?:sudo|docker|podman|kubectl|oc|ssh)\b.{0,120}[ \t])?"
    r"(?:/[\w./-]*/)?runmqsc(?:[ \t]+-\S+)*(?:[ \t]+([\w./%]{1,48}))?[ \t]*(?:<<.*)?$",
    re.IGNORECASE,
)
_NAMED = later(r"[^a-z]")
"""Signs of a word that is the name of a queue manager: "runmqsc session" has none."""
_REPLY = later(r"[ \t]*(?:AMQ\d{4}[A-Z]?:|CSQ[A-Z0-9]\d{3}[A-Z]\b|\d+[ \t]*:)")


class _Notes:
    """Collects the stretches of commands of one text."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.names = vocabulary
        self.verbs = tuple(sorted(set(vocabulary.verb_words)))
        self.sign = sign_of(text) or ""
        self.queue_manager: str | None = None
        self.found: list[Embedded] = []
        self.builder = MappedTextBuilder()
        self.end = 0

    def read(self) -> list[Embedded]:
        """Return the documents in the order of their places."""
        continues = below_command = False
        lines = [*line_spans(self.text)]
        for (start, end), following in zip(lines, [*lines[1:], (0, 0)], strict=False):
            line = self.text[start:end]
            begin, stop = self._inner(line, continues)
            body = line[begin:stop]
            before, was_command = continues, False
            continues = body.endswith(("+", "-"))
            if before and not is_prose(body):  # blank lines and comments among them
                self._add(start + begin, start + stop, end)
                continues = continues or not body or body.startswith("*")
                was_command = True
            elif self._is_command(body, below_command) and not is_syntax(
                self.text[slice(*following)].strip()
            ):
                self._add(start + begin, start + stop, end)
                was_command = True
            else:
                continues = False
                if line.startswith("*") and self.builder.length:
                    self._add(start, end, end)
                elif body and not _REPLY.match(line):
                    self._prose(body)
            below_command = was_command
        self._close()
        return self.found

    def _inner(self, line: str, continues: bool) -> tuple[int, int]:
        """The offset of the command in a line, after the sign of the text.

        In a command that `continues`, a line has no sign of a list and no prompt.
        """
        begin, stop = quoted(line) if continues else inner(line)
        if self.sign:
            rest = behind(self.sign, line[begin:stop])
            begin = stop - len(rest)
        return begin, stop

    def _is_command(self, body: str, below_command: bool) -> bool:
        """Whether a line is a command, or the rest of one which lacks a sign."""
        judged = is_judged(body, self.names, self.verbs)
        return judged or (below_command and is_lost(body, self.names))

    def _add(self, start: int, stop: int, end: int) -> None:
        self.builder.add(with_stand_ins_covered(self.text[start:stop]), start)
        self.builder.add("\n", end, 1)
        self.end = end

    def _prose(self, body: str) -> None:
        self._close()
        session = _SESSION.match(body)
        if session is not None:
            name = session[1] or ""
            self.queue_manager = name if _NAMED.search(name) else None

    def _close(self) -> None:
        if self.builder.length:
            mapped = self.builder.finish(self.end)
            model = f"#{mapped.host(0)}"
            self.found.append(
                Embedded.of("mqsc", mapped, self.queue_manager, maybe=False, model=model)
            )
            self.builder = MappedTextBuilder()


def parse_notes(text: str, vocabulary: Vocabulary) -> list[Embedded]:
    """Return the stretches of commands in notes; whatever the text, without an error."""
    return _Notes(text, vocabulary).read()


def read(text: str, context: Context) -> Parsed:
    """Read notes as documents of MQSC."""
    return Parsed(embedded=parse_notes(text, context.vocabulary))
