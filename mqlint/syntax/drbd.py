"""Resource files of DRBD (`*.res`), as RDQM generates them.

A word, words, and a `;`, or a block in braces; `#` begins a comment; a string stands in double
quotes (the page of drbd.conf, of DRBD 9). The words are told apart by one expression and put
into blocks by a stack; a brace too many or too few costs nothing but itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mqlint.syntax.declared import Declared, Field, Span

DRBD, DRBD_HOST = "drbd", "drbd_host"

_TOKEN = re.compile(r"#[^\n]*|\"([^\"\n]*)\"?|[{};]|[^\s{};\"#]+")
_ADDRESS = re.compile(r"\[?([0-9A-Fa-f:.]+)\]?:(\d{1,5})$")
_MINOR = re.compile(r"/dev/drbd(\d+)$")
_BEGIN = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*resource[ \t]+[\w.\"-]+[ \t]*\{")
DEEPEST = 16
"""How many blocks may stand in each other."""
_KNOWN = frozenset(
    {
        *"resource device minor disk meta-disk on node-id address volume net protocol".split(),
        *"connection connection-mesh host hosts handlers options startup floating proxy".split(),
        *"common template-file peer-device-options include syncer skip port via path".split(),
    }
)
"""What may begin a statement outside the blocks of settings."""
_SETTINGS = frozenset({"net", "disk", "handlers", "options", "startup", "syncer", "proxy"})

_Word = tuple[str, Span]


def begins_as_drbd(head: str) -> bool:
    """Tell whether a text begins with a resource."""
    return _BEGIN.match(head) is not None


@dataclass(slots=True)
class _Resource:
    """One resource that is being read."""

    name: _Word
    minors: list[_Word] = field(default_factory=list)
    addresses: list[_Word] = field(default_factory=list)
    ports: list[_Word] = field(default_factory=list)
    hosts: list[_Word] = field(default_factory=list)
    protocols: list[_Word] = field(default_factory=list)
    strange: list[_Word] = field(default_factory=list)
    told: list[Declared] = field(default_factory=list)

    def declared(self) -> Iterator[Declared]:
        """The resource, then its hosts."""
        fields = [
            Field(name, tuple(dict.fromkeys(word for word, _ in words)), words[0][1])
            for name, words in (
                ("minors", self.minors),
                ("addresses", self.addresses),
                ("ports", self.ports),
                ("hosts", self.hosts),
                ("protocols", self.protocols),
                ("strange", self.strange),
            )
            if words
        ]
        yield Declared(DRBD, self.name[0], tuple(fields), self.name[1])
        yield from self.told


@dataclass(slots=True)
class _Reader:
    """Puts words into statements and blocks."""

    resource: _Resource | None = None
    found: list[Declared] = field(default_factory=list)
    stack: list[list[_Word]] = field(default_factory=list)
    words: list[_Word] = field(default_factory=list)
    host: list[Field] = field(default_factory=list)

    def token(self, word: str, span: Span, quoted: bool) -> None:
        """Read one token."""
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
        if not words or len(self.stack) >= DEEPEST:
            self.stack.append([])
            return
        kind = words[0][0]
        if kind == "resource" and len(words) > 1 and not self.stack:
            self.resource = _Resource(words[1])
        elif kind in ("on", "host") and self.resource is not None and len(words) > 1:
            self.resource.hosts.append(words[1])
            self.host = []
        elif self.resource is not None and not self.in_settings() and kind not in _KNOWN:
            self.resource.strange.append(words[0])
        self.stack.append(words)

    def in_settings(self) -> bool:
        """Whether the words stand in a block of settings, whose names are many."""
        return any(words and words[0][0] in _SETTINGS for words in self.stack)

    def close(self) -> None:
        """End a block."""
        words = self.stack.pop() if self.stack else []
        kind = words[0][0] if words else ""
        if self.resource is None:
            return
        if kind == "on" and len(words) > 1:
            fields = (Field("resource", self.resource.name[0], words[1][1]), *self.host)
            self.resource.told.append(Declared(DRBD_HOST, words[1][0], fields, words[1][1]))
            self.host = []
        elif kind == "resource":
            self.found.extend(self.resource.declared())
            self.resource = None

    def statement(self) -> None:
        """End a statement."""
        words, self.words = self.words, []
        if not words or self.resource is None:
            return
        kind = words[0][0]
        if kind == "protocol" and len(words) > 1:
            self.resource.protocols.append(words[1])
        elif self.in_settings():
            return
        elif kind in ("address", "host"):
            self.address(words)
        elif kind == "device":
            self.device(words)
        elif kind not in _KNOWN:
            self.resource.strange.append(words[0])

    def address(self, words: list[_Word]) -> None:
        """Read an address and its port; it may have a family in front, or a host."""
        for word, span in words[1:]:
            match = _ADDRESS.match(word)
            if match is not None and self.resource is not None:
                self.resource.addresses.append((match[1], span))
                self.resource.ports.append((match[2], span))
                if any(one and one[0][0] == "on" for one in self.stack):
                    self.host += [Field("address", match[1], span), Field("port", match[2], span)]

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
            self.host.append(Field("minor", number[0], number[1]))


def parse_drbd(text: str) -> tuple[Declared, ...]:
    """Read a resource file; whatever the text, something is returned.

    A resource is a `drbd` with `minors`, `addresses`, `ports`, `hosts`, `protocols`, and `strange`
    for words that the format does not have; each of its hosts is a `drbd_host`.
    """
    reader = _Reader()
    for match in _TOKEN.finditer(text):
        if match.group().startswith("#"):
            continue
        quoted = match[1] is not None
        reader.token(match[1] if quoted else match.group(), match.span(), quoted)
    if reader.resource is not None:
        reader.found.extend(reader.resource.declared())
    return tuple(reader.found)
