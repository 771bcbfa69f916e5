"""Resource files of DRBD (`*.res`), as RDQM generates them.

A word, words, and a `;`, or a block in braces; `#` begins a comment; a string is in double quotes
(the page of drbd.conf, of DRBD 9). One expression finds the words, and a stack puts them into
blocks. An unmatched brace is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared, Field
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

DRBD, DRBD_HOST, DRBD_MESH = "drbd", "drbd_host", "drbd_mesh"

_TOKEN = later(r"#[^\n]*|\"([^\"\n]*)\"?|[{};]|[^\s{};\"#]+")
_ADDRESS = later(r"\[?([0-9A-Fa-f:.]+)\]?:(\d{1,5})$")
_POOL = later(r"/drbdpool[-/]")
"""The volume group that holds what RDQM replicates ("Requirements for RDQM DR solution")."""
_MINOR = later(r"/dev/drbd(\d+)$")
_KNOWN = frozenset(
    {
        *"resource device minor disk meta-disk on node-id address volume net protocol".split(),
        *"connection connection-mesh host hosts handlers options startup floating proxy".split(),
        *"common template-file peer-device-options include syncer skip port via path".split(),
    }
)
"""What may begin a statement outside the blocks of settings."""
_SETTINGS = frozenset({"net", "disk", "handlers", "options", "startup", "syncer", "proxy"})
_NET_OPTIONS = ("allow-two-primaries", "ping-int", "ping-timeout")

_Word = tuple[str, Span]


@mutable
class _Resource:
    name: _Word
    minors: list[_Word] = field(default_factory=list)
    addresses: list[_Word] = field(default_factory=list)
    ports: list[_Word] = field(default_factory=list)
    hosts: list[_Word] = field(default_factory=list)
    protocols: list[_Word] = field(default_factory=list)
    strange: list[_Word] = field(default_factory=list)
    settings: dict[str, list[_Word]] = field(default_factory=dict)
    shared_minors: list[_Word] = field(default_factory=list)
    pool: _Word | None = None
    shared_protocol: _Word | None = None
    host_blocks: list[_Host] = field(default_factory=list)
    meshes: list[_Mesh] = field(default_factory=list)

    def declared(self) -> Iterator[Declared]:
        fields = [
            Field(name, tuple(dict.fromkeys(word for word, _ in words)), words[0][1])
            for name, words in (
                ("minors", self.minors),
                ("addresses", self.addresses),
                ("ports", self.ports),
                ("hosts", self.hosts),
                ("protocols", self.protocols),
                ("strange", self.strange),
                *((f"net.{name}", words) for name, words in self.settings.items()),
            )
            if words
        ]
        yield Declared(DRBD, self.name[0], (*fields, *self.of_rdqm()), self.name[1])
        yield from (host_block.declared(self) for host_block in self.host_blocks)
        yield from (mesh.declared(self) for mesh in self.meshes)

    def of_rdqm(self) -> tuple[Field, ...]:
        """Whether its disk lies where RDQM has its own; nothing if that is not so."""
        return () if self.pool is None else (Field("rdqm", "true", self.pool[1]),)


@mutable
class _Host:
    """One `on` of a resource; settings of the device that it omits are those of the resource."""

    name: _Word
    address: list[_Word] = field(default_factory=list)
    port: list[_Word] = field(default_factory=list)
    minors: list[_Word] = field(default_factory=list)

    def declared(self, resource: _Resource) -> Declared:
        """The host, and in `takes` what it can give to one resource alone."""
        minors = self.minors or resource.shared_minors
        ends = [
            (f"{address}:{port}", span)
            for (address, span), (port, _) in zip(self.address, self.port, strict=True)
        ]
        takes = [*ends, *((f"minor {number}", span) for number, span in minors)]
        own = Field("resource", resource.name[0], self.name[1])
        fields = [
            Field(name, words[0][0] if len(words) == 1 else tuple(dict(words)), words[0][1])
            for name, words in (("address", self.address), ("port", self.port), ("minor", minors))
            if words
        ]
        if takes:
            fields.append(Field("takes", tuple(dict(takes)), takes[0][1]))
        host_blocks = (own, *fields, *resource.of_rdqm())
        return Declared(DRBD_HOST, self.name[0], host_blocks, self.name[1])


@mutable
class _Mesh:
    """Hosts that are all connected to each other, and the protocol of these connections."""

    span: Span
    hosts: list[_Word] = field(default_factory=list)
    protocol: _Word | None = None

    def declared(self, resource: _Resource) -> Declared:
        fields = [Field("hosts", tuple(word for word, _ in self.hosts), self.span)]
        protocol = self.protocol or resource.shared_protocol
        if protocol is not None:
            fields.append(Field("protocol", *protocol))
        return Declared(DRBD_MESH, resource.name[0], (*fields, *resource.of_rdqm()), self.span)


@mutable
class _DrbdReader:
    """Puts words into statements and blocks."""

    budget: Budget
    resource: _Resource | None = None
    found: list[Declared] = field(default_factory=list)
    stack: list[list[_Word]] = field(default_factory=list)
    words: list[_Word] = field(default_factory=list)
    host: _Host | None = None
    mesh: _Mesh | None = None

    def token(self, word: str, span: Span, quoted: bool) -> None:
        if quoted or word not in "{};":
            self.words.append((word, span))
        elif word == "{":
            self.open()
        else:
            self.statement()
            if word == "}":
                self.close()

    def open(self) -> None:
        """Begin a block; what is too deep is read as if it stood in the one around it."""
        words, self.words = self.words, []
        if not words or not self.budget.enters(len(self.stack)):
            self.stack.append([])
            return
        kind = words[0][0]
        if kind == "resource" and len(words) > 1 and not self.stack:
            self.resource = _Resource(words[1])
        elif kind in ("on", "host") and self.resource is not None and len(words) > 1:
            self.resource.hosts.append(words[1])
            self.host = _Host(words[1]) if kind == "on" else self.host
        elif kind == "connection-mesh" and self.resource is not None:
            self.mesh = _Mesh(words[0][1])
        elif self.resource is not None and not self.in_settings() and kind not in _KNOWN:
            self.resource.strange.append(words[0])
        self.stack.append(words)

    def in_settings(self) -> bool:
        """Whether the words are in a block of settings, whose names are many."""
        return any(words and words[0][0] in _SETTINGS for words in self.stack)

    def close(self) -> None:
        words = self.stack.pop() if self.stack else []
        kind = words[0][0] if words else ""
        if self.resource is None:
            return
        if kind == "on" and self.host is not None:
            self.resource.host_blocks.append(self.host)
            self.host = None
        elif kind == "connection-mesh" and self.mesh is not None:
            self.resource.meshes.append(self.mesh)
            self.mesh = None
        elif kind == "resource":
            self.found.extend(self.resource.declared())
            self.resource = None

    def statement(self) -> None:
        words, self.words = self.words, []
        if not words or self.resource is None:
            return
        kind = words[0][0]
        if kind == "protocol" and len(words) > 1:
            self.protocol(self.resource, words[1])
        elif kind in _NET_OPTIONS and len(words) > 1:
            self.resource.settings.setdefault(kind, []).append(words[1])
        elif kind == "hosts" and self.mesh is not None:
            self.mesh.hosts.extend(words[1:])
        elif self.in_settings():
            return
        elif kind in ("address", "host"):
            self.address(words)
        elif kind == "device":
            self.device(words)
        elif kind == "disk" and len(words) > 1 and _POOL.search(words[1][0]):
            self.resource.pool = words[1]
        elif kind not in _KNOWN:
            self.resource.strange.append(words[0])

    def protocol(self, resource: _Resource, word: _Word) -> None:
        """Read a protocol: of a mesh, of another connection, or of all that say none."""
        resource.protocols.append(word)
        if self.mesh is not None:
            self.mesh.protocol = word
        elif all(frame[0][0] in ("resource", "net") for frame in self.stack if frame):
            resource.shared_protocol = word

    def address(self, words: list[_Word]) -> None:
        """Read an address and its port; it may have a family in front, or a host."""
        for word, span in words[1:]:
            match = _ADDRESS.match(word)
            if match is not None and self.resource is not None:
                self.resource.addresses.append((match[1], span))
                self.resource.ports.append((match[2], span))
                if self.host is not None:
                    self.host.address.append((match[1], span))
                    self.host.port.append((match[2], span))

    def device(self, words: list[_Word]) -> None:
        """Read a device: `/dev/drbd100`, `minor 100`, or both."""
        texts = [word for word, _ in words]
        number: _Word | None = None
        if "minor" in texts[:-1]:
            number = words[texts.index("minor") + 1]
        else:
            matches = ((_MINOR.match(word), span) for word, span in words[1:])
            number = next(((match[1], span) for match, span in matches if match), None)
        if number is not None and self.resource is not None:
            self.resource.minors.append(number)
            (self.resource.shared_minors if self.host is None else self.host.minors).append(number)


def parse_drbd(text: str, budget: Budget) -> tuple[Declared, ...]:
    """Read a resource file; whatever the text, something is returned.

    A resource is a `drbd` with `minors`, `addresses`, `ports`, `hosts`, `protocols`, `strange`
    for words that the format does not have, such as `net.ping-int` as they are written, and
    `rdqm` where its disk lies in the volume group of RDQM.
    Each of its hosts is a `drbd_host`, each of its meshes a `drbd_mesh`.
    """
    reader = _DrbdReader(budget)
    for match in _TOKEN.finditer(text):
        if match.group().startswith("#"):
            continue
        quoted = match[1] is not None
        reader.token(match[1] if quoted else match.group(), match.span(), quoted)
    if reader.resource is not None:
        reader.found.extend(reader.resource.declared())
    return tuple(reader.found)


def read(text: str, context: Context) -> Parsed:
    return Parsed(declared=parse_drbd(text, context.budget))
