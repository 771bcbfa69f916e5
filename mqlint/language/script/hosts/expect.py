"""Scripts of Expect: the commands that they send to a host or to `mqcli` of the MQ Appliance.

Nothing is executed. Text that Tcl inserts (`$name`, `[command]`) is not known. Text that is sent
inside braces may not be sent. Text that is sent after a prompt for a password is a password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span

_PIECE = later(
    r"""(?msx)
      (?P<comment> (?:^|(?<=;))[ \t]*\#[^\n]* )
    | (?P<send> (?<![\w$])(?:exp_)?send[ \t]+(?:--[ \t]+|-s[ \t]+|-h[ \t]+)*
        "(?P<text>(?:[^"\\]|\\.)*+)" )
    | (?P<string> "(?:[^"\\]|\\.)*+ (?:"|\\?\Z) )  # one without an end takes the rest
    | (?P<open> \{ )
    | (?P<close> \} )
    """
)
_PART = later(
    r"(?s)\\(?P<escape>.)|(?P<unknown>\$\{[^}\n]{0,500}\}|\$[A-Za-z_][\w:]*"
    r"(?:\([^)\n]{0,500}\))?|\[[^\]\n]{0,500}\])"
)
_ENDS = frozenset("nr")
_PASSWORD = later(r"(?i)assword|passphrase")
_RUN = later(r"[ \t]*runmqsc\b[^\n]*\n")
_END = later(r"(?i)[ \t]*end[ \t]*\n")
_MARK = "END_OF_MQSC"


class ExpectScript(Host):
    def blocks(self) -> list[Block]:
        """Return the scripts that are sent: all certain text together, and each other text."""
        certain: list[MappedText] = []
        blocks: list[Block] = []
        for mapped, depth, is_secret in _sent(self.text):
            if is_secret:
                continue
            if depth:
                blocks.append(Block(_with_input([mapped]), maybe=True))
            else:
                certain.append(mapped)
        if certain:
            blocks.append(Block(_with_input(certain)))
        return sorted(blocks, key=lambda block: block.source.host(0))

    def faults(self) -> Iterator[Diagnostic]:
        """Yield nothing: faults of quoting are those of a shell, and Tcl reads these texts."""
        return iter(())

    def secrets(self) -> Iterator[Span]:
        """Yield the places of passwords that a script sends."""
        for mapped, _, is_secret in _sent(self.text):
            bare = mapped.text.rstrip("\n")
            if is_secret and bare and PLACEHOLDER not in bare:
                yield mapped.host(0), mapped.host(len(bare) - 1) + 1


def _sent(text: str) -> Iterator[tuple[MappedText, int, bool]]:
    """Yield each text that is sent, its depth in braces, and whether it is a password."""
    depth, asked = 0, False
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup if piece["send"] is None else "send"
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif kind == "string":
            asked = _PASSWORD.search(piece[0]) is not None
        elif kind == "send":
            mapped = mapped_at(piece["text"], piece.start("text")).sub(_PART, _as_sent)
            if mapped.text:
                yield mapped, depth, asked
            asked = False


def _as_sent(part: re.Match[str]) -> str:
    if part["escape"] is None:
        return PLACEHOLDER * len(part[0])
    return "\n" if part["escape"] in _ENDS else part["escape"]


def _with_input(texts: list[MappedText]) -> MappedText:
    """Return texts as a script of a shell; what follows runmqsc is its input, to a line `end`."""
    builder = MappedTextBuilder()
    inside = False
    for mapped in texts:
        at = 0
        for line in mapped.text.splitlines(keepends=True):
            part = mapped.part(at, at + len(line))
            at += len(line)
            place = max(part.end - 1, 0)
            if inside and _END.fullmatch(line) is not None:
                builder.add(f"{_MARK}\n", part.host(0), 0)
                inside = False
            elif not inside and _RUN.fullmatch(line) is not None:
                builder.add_mapped(part.part(0, len(line) - 1))
                builder.add(f" <<'{_MARK}'\n", place, 0)
                inside = True
            else:
                builder.add_mapped(part)
                if not line.endswith("\n"):
                    builder.add("\n", place, 0)
    return builder.finish(texts[-1].end)
