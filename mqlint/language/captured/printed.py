"""Output of dspmq, dspmqinf and rdqmstatus in a file.

One capture may hold the output of several commands, each perhaps after a prompt. Forms: `dspmq`
writes NAME(value) items, one queue manager a line and its instances on lines below ("dspmq (display
queue managers)"); `dspmqinf` writes a stanza of mqs.ini, or the addmqinf that would write it;
`rdqmstatus` writes blocks. Other text between them is skipped.

Forms of `rdqmstatus`, of 9.0.5 to 9.4 ("Viewing RDQM and HA group status", q130360_; "Viewing DR
RDQM status"; "Viewing DR/HA RDQM and HA group status", q133987_; Architecture.md and
Troubleshooting.md of ibm-messaging/mq-rdqm): lines `key: value` in blocks, each block of a node
begun by `Node:`, whose value may be on the next line. Without options a block about the node is
followed by one for each queue manager, which `Queue manager name:` begins. `-m` prints `Queue
manager status:` directly after the first `Node:`, and no name; the other nodes follow with their HA
status alone. `-n` prints `Node NAME is online`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.captured import BEFORE_COMMAND
from mqlint.language.declaration import Declared, Field
from mqlint.language.ini.parser import IniEntry, Stanza
from mqlint.language.mqsc.value import Templated
from mqlint.patterns import later
from mqlint.source.lines import Span

RDQM, RDQM_PEER, RDQM_NODE, RDQM_HOST = "rdqm", "rdqm_peer", "rdqm_node", "rdqm_host"

_STATUS = later(r"([A-Z][A-Za-z -]{1,60}):[ \t]+(\S[^\n]*)")
_WRAPPED = later(r"Node:[ \t]*$")
_HOST_NAME = later(r"[ \t]*([\w.-]{1,253})[ \t]*$")
_USED = later(r"\[(\d{1,3})%\]")
_NODE_STATE = later(r"[Nn]ode[ \t]+(\S{1,253})[ \t]+is[ \t]+(online|offline)\b")
_LOCATION = ("ha_current_location", "ha_preferred_location", "ha_blocked_location")
_HERE = "This node"
_UNNAMED = Templated("rdqm")


@mutable
class _Block:
    """The lines about one queue manager, node or host; `peers` are the other nodes of `-m`."""

    kind: str
    name: str
    span: Span
    node: str
    owner: str | None = None
    fields: list[Field] = field(default_factory=list)
    peers: int | None = None

    def declared(self) -> Declared | None:
        """What it tells; None if there is nothing but its name."""
        if not self.fields:
            return None
        fields = [Field("node", self.node, self.span), *self.fields]
        of_group = any(known.name.startswith("ha_") for known in self.fields)
        if self.peers is not None and of_group:
            fields.append(Field("nodes", str(self.peers + 1), self.span))
        return Declared(self.kind, self.name, tuple(fields), self.span, self.owner, open=True)


@mutable
class RdqmStatus:
    """Reads the lines between two prompts, one after the other."""

    blocks: list[_Block] = field(default_factory=list)
    nodes: list[Declared] = field(default_factory=list)
    asked: str | None = None
    block: _Block | None = None
    host: _Block | None = None
    main: _Block | None = None
    wrapped: bool = False

    def prompt(self, asked: str | None) -> None:
        """Begin the output of another command, which asked for a queue manager or for none."""
        self.asked, self.block, self.host, self.main, self.wrapped = asked, None, None, None, False

    def declared(self) -> Iterator[Declared]:
        found = (block.declared() for block in self.blocks)
        yield from (declared for declared in found if declared is not None)
        yield from self.nodes

    def line(self, line: str, at: int) -> None:
        state = _NODE_STATE.match(line)
        if state is not None:
            read = Field("state", state[2], (at + state.start(2), at + state.end(2)))
            span = (at + state.start(1), at + state.end(1))
            self.nodes.append(Declared(RDQM_NODE, state[1], (read,), span))
            return
        name = _HOST_NAME.match(line) if self.wrapped else None
        self.wrapped = _WRAPPED.match(line) is not None
        if name is not None:
            self._begin_node(name[1], (at + name.start(1), at + name.end(1)))
            return
        match = _STATUS.match(line)
        if match is None:
            self.block = None if self.block is None or self.block.fields else self.block
            return
        value = match[2].rstrip()
        self._add_field(match[1], value, (at + match.start(2), at + match.start(2) + len(value)))

    def _add_field(self, key: str, value: str, span: Span) -> None:
        if key == "Node":
            self._begin_node(value, span)
            return
        if key == "Queue manager name":
            self._begin_queue_manager(value, span)
            return
        if self.block is not None and not self.block.kind:
            self._settle(self.block, key)
        if self.block is not None:
            self._add(self.block, key.lower().replace(" ", "_").replace("-", "_"), value, span)

    def _begin_node(self, value: str, span: Span) -> None:
        """Begin a block about a node; its first key decides the kind of the block."""
        self.block = _Block("", value, span, value)
        self.host = None

    def _settle(self, block: _Block, key: str) -> None:
        """Decide the kind of a block by the first key after `Node:`."""
        if key == "Queue manager status":
            block.kind, block.name, block.owner = RDQM, self.asked or _UNNAMED, self.asked
            block.peers, self.main = 0, block
        elif key.startswith(("HA ", "DR ")):
            block.kind, block.owner = RDQM_PEER, self.asked
            if self.main is not None and self.main.peers is not None:
                self.main.peers += 1
        else:
            block.kind, self.host = RDQM_HOST, block
        self.blocks.append(block)

    def _begin_queue_manager(self, value: str, span: Span) -> None:
        if self.block is not None and not self.block.kind:
            self._settle(self.block, "")
        node = self.host.node if self.host is not None else ""
        self.block = _Block(RDQM, value, span, node, value)
        self.blocks.append(self.block)
        if self.host is not None:
            _append(self.host, "queue_managers", value, span)

    def _add(self, block: _Block, name: str, value: str, span: Span) -> None:
        """Keep one value; `This node` is named, lists are split."""
        read: str | tuple[str, ...] = value
        if name in _LOCATION and value == _HERE and block.node:
            read = block.node
        elif name.endswith("_list") or (name in _LOCATION and "," in value):
            read = tuple(part.strip() for part in value.split(",") if part.strip())
        block.fields.append(Field(name, read, span))
        if name == "ha_preferred_location" and block.kind == RDQM and self.host is not None:
            _append(self.host, "preferred", read if isinstance(read, str) else read[0], span)
        used = _USED.search(value) if name.endswith("file_system") else None
        if used is not None:
            block.fields.append(Field("file_system_percent", used[1], span))


def _append(block: _Block, name: str, value: str, span: Span) -> None:
    """Add to a list of a block, each value once."""
    for number, known in enumerate(block.fields):
        if known.name == name:
            values = known.value if isinstance(known.value, tuple) else ()
            if value not in values:
                block.fields[number] = Field(name, (*values, value), known.span)
            return
    block.fields.append(Field(name, (value,), span))


DSPMQ, INSTANCE = "dspmq", "instance"

_ITEM = later(r"([A-Za-z]\w{0,30})\(((?:[^()\n]|\([^()\n]{0,80}\)){0,400}+)\)")
_QUEUE_MANAGER = later(r"[ \t]*QMNAME\(")
_INSTANCE = later(r"[ \t]+(?:INSTANCE|GRPNAME)\(")
_PROMPT = later(BEFORE_COMMAND + r"rdqmstatus\b(?:[^\n]{0,200}?-m[ \t]*([\w.%/]{1,48}))?")
_STANZA = later(r"QueueManager:[ \t]*$")
_SETTING = later(r"[ \t]+(\w{1,40})=([^\n]*)$")
_COMMAND = later(r"(?:[^\n]{0,80}[$#>][ \t]*)?addmqinf\b[^\n]*-v[ \t]")
_VALUE = later(r"-v[ \t]*(\w{1,40})=(\"[^\"\n]*\"|'[^'\n]*'|\S*)")


@mutable
class _OutputReader:
    declared: list[Declared] = field(default_factory=list)
    stanzas: list[Stanza] = field(default_factory=list)
    rdqm: RdqmStatus = field(default_factory=RdqmStatus)
    queue_manager: str | None = None
    head: Span | None = None
    entries: list[IniEntry] = field(default_factory=list)

    def line(self, line: str, at: int) -> None:
        if self.head is not None:
            setting = _SETTING.match(line)
            if setting is not None:
                self.entries.append(_entry(setting, at))
                return
            self.end_stanza()
        prompt = _PROMPT.match(line)
        if prompt is not None:
            self.rdqm.prompt(prompt[1])
        elif _STANZA.match(line):
            self.head = (at, at + len("QueueManager"))
        elif _QUEUE_MANAGER.match(line) or _INSTANCE.match(line):
            self.items(line, at)
        elif _COMMAND.match(line):
            self.command(line, at)
        else:
            self.rdqm.line(line, at)

    def items(self, line: str, at: int) -> None:
        found = {match[1].upper(): match for match in _ITEM.finditer(line)}
        kind = DSPMQ if "QMNAME" in found else INSTANCE
        name = found.get("QMNAME") or found.get("INSTANCE")
        if kind == DSPMQ and name is not None:
            self.queue_manager = name[2].strip()
        if name is None:
            return
        fields = tuple(
            Field(word, item[2].strip(), (at + item.start(2), at + item.end(2)))
            for word, item in found.items()
        )
        span = (at + name.start(2), at + name.end(2))
        self.declared.append(Declared(kind, name[2].strip(), fields, span, self.queue_manager))

    def command(self, line: str, at: int) -> None:
        """Read the addmqinf that dspmqinf -o command prints, as the stanza it writes."""
        begin = line.index("addmqinf")
        self.head = (at + begin, at + begin + len("addmqinf"))
        self.entries = [_entry(match, at) for match in _VALUE.finditer(line)]
        self.end_stanza()

    def end_stanza(self) -> None:
        if self.head is not None and self.entries:
            self.stanzas.append(Stanza("QueueManager", self.head, tuple(self.entries)))
        self.head, self.entries = None, []


def _entry(match: re.Match[str], at: int) -> IniEntry:
    value = match[2].strip().strip("\"'")
    begin = match.start(2) + match[2].find(value)
    key = (at + match.start(1), at + match.end(1))
    return IniEntry(match[1], value, key, (at + begin, at + begin + len(value)))


def _lines(text: str) -> Iterator[tuple[str, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), at
        at += len(line)


def parse_captured(text: str) -> Parsed:
    """Return the declarations of a capture, and stanzas of the host's mqs.ini, for any text."""
    reader = _OutputReader()
    for line, at in _lines(text):
        reader.line(line, at)
    reader.end_stanza()
    declared = (*reader.declared, *reader.rdqm.declared())
    return Parsed(declared=declared, stanzas=tuple(reader.stanzas))


def read(text: str, context: Context) -> Parsed:
    return parse_captured(text)
