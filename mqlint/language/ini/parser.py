"""Stanza files: qm.ini, mqs.ini, mqclient.ini, mqat.ini, rdqm.ini.

IBM's pages: a stanza begins with its name and a colon, its keys follow as `key=value` with blanks
allowed around the sign; `#` and `;` begin a comment, also after a value (there only after a blank,
since values hold both characters); names of stanzas and keys are written in any case
("Configuration file stanzas for distributed queuing", q081630_; "Example qm.ini file for IBM i",
q018810_). One bad line costs that line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from mqlint.computed import Computed
from mqlint.dataclass import frozen, mutable
from mqlint.language.base import Context, Parsed
from mqlint.language.mqsc.value import Secret, Templated
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared, NamedFile


_VARIABLE = later(
    r"\$\$?(?:env:)?[A-Za-z_]|%[A-Za-z_]\w{0,63}%"
    r"|\A(?:__[A-Za-z]\w{0,63}__|\[[A-Za-z][\w. -]{0,63}\])\Z"
)
"""Text that a program replaces: no value on IBM's pages for a stanza has these forms."""


class LineKind(Enum):
    BLANK = "blank"
    COMMENT = "comment"
    TEMPLATE = "template"
    STANZA = "stanza"
    ENTRY = "entry"
    JUNK = "junk"


@frozen
class Line:
    """One line, its line end included; the lines of a file cover its text wholly."""

    kind: LineKind
    start: int
    end: int


@frozen
class IniEntry:
    """One `key=value`.

    `value` keeps its case, without outer blanks and a comment after it. It is a `Secret` if the key
    has one and the value is not blank. `templated` is true if the value or the key is unknown
    before a tool renders the file.
    """

    key: str
    value: str
    key_span: Span
    value_span: Span
    templated: bool = False


@frozen
class Stanza:
    """One stanza and its entries in order; `span` is the place of its name.

    `conditional` is true if it has a template statement, so that not all of its entries need to
    exist together. `queue_manager` is set for a stanza inside a file that names it; `model` and
    `entry` are then those of its text (see `Embedded`). `file` is which of MQ's files has it
    (`INI_KINDS`), blank if it is in none.
    """

    name: str
    span: Span
    entries: tuple[IniEntry, ...] = ()
    conditional: bool = False
    queue_manager: str | None = None
    model: str = ""
    entry: str = ""
    file: str = ""

    def get(self, key: str) -> IniEntry | None:
        """Return the entry in force for `key` in any case: the last one; None if absent."""
        wanted = key.casefold()
        found = [entry for entry in self.entries if entry.key.casefold() == wanted]
        return found[-1] if found else None


@frozen
class IniProblem:
    """A stretch that is neither stanza nor `key=value`, in words that quote nothing of it.

    `stanza` is the name of the stanza around it, empty before the first.
    """

    message: str
    span: Span
    stanza: str = ""


@frozen
class IniFile:
    """A stanza file; `secrets` are the stretches that no report may show."""

    stanzas: tuple[Stanza, ...]
    problems: tuple[IniProblem, ...]
    lines: tuple[Line, ...] = ()
    secrets: tuple[Span, ...] = ()

    def named(self, name: str) -> Iterator[Stanza]:
        wanted = name.casefold()
        return (stanza for stanza in self.stanzas if stanza.name.casefold() == wanted)


_HEAD = later(r"[ \t]*([A-Za-z\ue000][\w\ue000]*+)[ \t]*:")
_BRACKET = later(r"[ \t]*\[([A-Za-z]\w*+)\]")
_REMARK = later(r"(?<=\s)[;#]")
_STATEMENT = later(r"[ \t]*\ue000+[ \t]*")
_SECRET = later(r"(?i)(?:pas{1,3}w|passphr|pwd|secret|initialkey|token)\w*")
_SETTING = later(r"(?m)^[ \t]*+([A-Za-z]{8,40}+)(?:[ \t]*+=[ \t]*+|[ \t]++)(\S[^\n]*)$")
_TABLE = later(r"\w[\w.-]{0,100}")
_WORD = later(r"[A-Za-z]\w*")
_NOT_SECRET = later(r"(?i)(?:file|path|protection)$")


def holds_secret(key: str) -> bool:
    """Return whether the value of `key` must not be kept, also when the key is misspelt.

    Names of files that hold a secret, and PasswordProtection, are no secrets themselves.
    """
    return _SECRET.search(key) is not None and _NOT_SECRET.search(key) is None


def _value(covered: str, start: int) -> Span:
    """Return the place of the value that begins at `start`, without blanks and remark."""
    remark = _REMARK.search(covered, start)
    end = remark.start() if remark else len(covered)
    value = covered[start:end]
    at = start + len(value) - len(value.lstrip())
    return (min(at, end), max(start + len(value.rstrip()), min(at, end)))


@mutable
class _IniReader:
    """One pass over the lines of a file."""

    text: str
    covered: str
    secret_keys: Collection[str]
    stanzas: list[Stanza] = field(default_factory=list)
    entries: list[IniEntry] = field(default_factory=list)
    problems: list[IniProblem] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    head: tuple[str, Span] | None = None
    conditional: bool = False
    rendered: bool = False
    holds_secret: bool = False
    """Whether a key of the open stanza is secret."""

    def read(self) -> IniFile:
        start = 0
        while start < len(self.text):
            found = self.text.find("\n", start)
            end = found + 1 if found >= 0 else len(self.text)
            self.lines.append(Line(self.line(start, end), start, end))
            start = end
        self.close()
        return IniFile(
            tuple(self.stanzas), tuple(self.problems), tuple(self.lines), tuple(self.secrets)
        )

    def line(self, start: int, end: int) -> LineKind:
        covered = self.covered[start:end].rstrip()
        bare = covered.lstrip()
        if not bare:
            return LineKind.BLANK
        if bare[0] in "#;":
            self.mask_rest(start, start + len(covered))
            return LineKind.COMMENT
        if _STATEMENT.fullmatch(covered):
            self.conditional = self.rendered = True
            return LineKind.TEMPLATE
        head = _HEAD.match(covered)
        if head is not None:
            self.open_stanza(start, head, covered)
            return LineKind.STANZA
        bracket = _BRACKET.match(covered)
        if bracket is not None:
            self.open_stanza(start, bracket, covered)
            where = (start + bracket.start(1) - 1, start + bracket.end(1) + 1)
            message = "a stanza is written Name:, not [Name]"
            self.problems.append(IniProblem(message, where, self.text[slice(*self.head_span())]))
            return LineKind.STANZA
        if self.entry(start, covered):
            return LineKind.ENTRY
        self.junk(start + len(covered) - len(bare), start + len(covered))
        return LineKind.JUNK

    def open_stanza(self, start: int, head: re.Match[str], covered: str) -> None:
        """Begin a stanza; text after its colon is read as a line."""
        self.close()
        span = (start + head.start(1), start + head.end(1))
        self.head = (self.text[span[0] : span[1]], span)
        rest = covered[head.end() :]
        bare = rest.lstrip()
        offset = start + head.end()
        if not bare or bare[0] in "#;":
            return
        if not self.entry(offset, rest):
            self.junk(offset + len(rest) - len(bare), offset + len(rest))

    def entry(self, start: int, covered: str) -> bool:
        """Read `key=value`; False when there is none."""
        sign = covered.find("=")
        key = covered[: max(sign, 0)].strip()
        if not key or ":" in key or key[0] in "#;[":
            return False
        at = len(covered[:sign]) - len(covered[:sign].lstrip())
        if self.head is None and not self.rendered and not self.entries:
            whole = (start + at, start + len(covered))
            self.problems.append(IniProblem("this key is before the first stanza", whole))
        value_start, value_end = _value(covered, sign + 1)
        key_span = (start + at, start + at + len(key))
        secret = self.is_secret(self.text[slice(*key_span)])
        if secret:
            value_end = len(covered)
            self.holds_secret = True
        value_span = (start + value_start, start + value_end)
        self.entries.append(self.bound(key_span, value_span, secret))
        return True

    def bound(self, key_span: Span, value_span: Span, secret: bool) -> IniEntry:
        """Return the entry, with its value replaced if it is secret."""
        key = self.text[slice(*key_span)]
        value = self.text[slice(*value_span)]
        covered = self.covered[key_span[0] : value_span[1]]
        unknown = not is_known(covered) or _VARIABLE.search(value) is not None
        if value and PLACEHOLDER not in covered and secret:
            self.secrets.append(value_span)
            value, unknown = Secret.of(value), False
        elif unknown:
            value = Templated(value)
        return IniEntry(key, value, key_span, value_span, unknown)

    def is_secret(self, key: str) -> bool:
        """Return whether the value of `key` must not be kept, also when the key is misspelt."""
        first = key.split()[0] if key.split() else key
        return holds_secret(key) or _is_near_secret(first.casefold(), self.secret_keys)

    def head_span(self) -> Span:
        """Return the place of the name of the open stanza, (0, 0) if none is open."""
        return self.head[1] if self.head else (0, 0)

    def junk(self, start: int, end: int) -> None:
        """Report a stretch that cannot be read."""
        name = self.head[0] if self.head else ""
        message = "this line is neither a stanza (Name:) nor a setting (key=value)"
        self.problems.append(IniProblem(message, (start, end), name))
        if self.holds_secret:
            self.secrets.append((start, end))  # it may be the rest of one
        self.mask_rest(start, end)

    def mask_rest(self, start: int, end: int) -> None:
        """Hide the text after a word for a secret in a line that is not an entry."""
        for word in _WORD.finditer(self.text, start, end):
            if word.end() < end and self.is_secret(word.group()):
                self.secrets.append((word.end(), end))
                return

    def close(self) -> None:
        if self.head is not None:
            name, span = self.head
            self.stanzas.append(Stanza(name, span, tuple(self.entries), self.conditional))
        self.entries = []
        self.conditional = self.holds_secret = False


def _is_near_secret(key: str, secret_keys: Collection[str]) -> bool:
    """Whether a key is a secret one or a typo of it; KeyRepository is none of its password."""
    return nearest(key, secret_keys) not in ("", f"{key}password")


def secrets_written(text: str, secret_keys: Collection[str]) -> Iterator[Span]:
    """Yield the values of secret keys in lines of a text that is no stanza file, but writes one."""
    is_secret = Computed[str, bool](lambda key: _is_near_secret(key, secret_keys))
    for line in _SETTING.finditer(text):
        if is_secret[line[1].casefold()]:
            yield line.span(2)


def hosted(
    stanzas: Iterable[Stanza],
    host: Callable[[int], int],
    **fields: Any,  # noqa: ANN401 of any type
) -> tuple[Stanza, ...]:
    """Return the stanzas of a text inside another one, at their places in that.

    `host` maps an offset of the text to that in the file. `fields` are those of Stanza that say
    whose the text is.
    """

    def moved(span: Span) -> Span:
        start, end = span
        return host(start), host(max(end - 1, start)) + (end > start)

    return tuple(
        replace(
            stanza,
            span=moved(stanza.span),
            entries=tuple(
                replace(entry, key_span=moved(entry.key_span), value_span=moved(entry.value_span))
                for entry in stanza.entries
            ),
            **fields,
        )
        for stanza in stanzas
    )


def parse_ini(text: str, secret_keys: Collection[str] = ()) -> IniFile:
    """Read a stanza file, whatever its text; every line is in the result.

    `secret_keys` are those with secret values, in one case (`str.casefold`).
    """
    return _IniReader(text, with_placeholders(text), secret_keys).read()


def read(text: str, context: Context) -> Parsed:
    stanza_file = parse_ini(text, context.vocabulary.ini.secret_keys)
    declared = tuple(connections_of(stanza_file))
    return Parsed(stanza_file=stanza_file, declared=declared, files=tuple(_tables(stanza_file)))


def _tables(stanza_file: IniFile) -> Iterator[NamedFile]:
    """Yield the channel table of mqclient.ini in the folder of the application."""
    from mqlint.language.declaration import NamedFile  # few files name a table

    for stanza in stanza_file.named("Channels"):
        table, folder = (stanza.get(f"ChannelDefinition{part}") for part in ("File", "Directory"))
        is_here = folder is None or folder.value in (".", "./")
        if table is not None and is_here and not table.templated and _TABLE.fullmatch(table.value):
            yield NamedFile(table.value, table.value_span)


_OF_CONNECTION = (
    ("Channels", "DefRecon", "DEFRECON"),
    ("Channels", "ChannelDefinitionFile", "ccdt.ignored"),
    ("SSL", "SSLKeyRepository", "key.store"),
)
"""The other keys of mqclient.ini that say how a client connects (stanzas CHANNELS and SSL)."""


def connections_of(stanza_file: IniFile) -> Iterator[Declared]:
    """Yield the connection of mqclient.ini, which MQSERVER replaces, and which replaces a table."""
    entries = [
        entry
        for stanza in stanza_file.named("Channels")
        if (entry := stanza.get("ServerConnectionParms")) is not None
        and not (entry.templated or stanza.conditional)
    ]
    if not entries:
        return
    from mqlint.language.client.connection import Setting, server_connection  # few

    more = {
        attribute: Setting(UNKNOWN if found.templated else found.value, found.value_span)
        for name, key, attribute in _OF_CONNECTION
        for other in stanza_file.named(name)
        if (found := other.get(key)) is not None and not other.conditional
    }
    for entry in entries:
        setting = Setting(entry.value, entry.value_span)
        yield from server_connection("mqclient.ini", setting, more)
