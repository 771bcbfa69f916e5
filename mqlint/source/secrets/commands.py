"""Programs that take a secret as a word of their command, or as their input.

The command is read by its words alone, so that it is found in any script, unit, manifest or note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mqlint.source.patterns import later
from mqlint.source.secrets.values import Span

LAST = -2
"""The last operand."""


class Program:
    """Where a program has its secrets.

    `next` are options whose value is the next word, `joined` those whose value is joined to them.
    Of the value of an option in `after` only what follows the sign is secret (`-u user:pass`).
    `operand` is the number of a secret operand, counted from 0, and `sign` what it follows in that
    (`user/pass`). Without the word `needs` none of it counts.
    """

    __slots__ = ("after", "joined", "needs", "next", "operand", "sign")

    def __init__(
        self,
        next: Sequence[str] = (),
        joined: tuple[str, ...] = (),
        after: Mapping[str, str] = {},
        operand: int | None = None,
        sign: str = "",
        needs: str = "",
    ) -> None:
        self.next = next
        self.joined = joined
        self.after = after
        self.operand = operand
        self.sign = sign
        self.needs = needs


def _each(names: str, program: Program) -> dict[str, Program]:
    return dict.fromkeys(names.split(), program)


_USER = {"-u": ":", "--user": ":", "-U": ":", "--proxy-user": ":"}
PROGRAMS: Mapping[str, Program] = {
    **_each(
        "useradd usermod smbmap ncftpput ncftpget cqlsh mongo mongosh mongodump rdesktop psexec "
        "mqsisetdbparms setmqxacred fteobfuscate kinit",
        Program(next=("-p",)),
    ),
    **_each(
        "docker podman oc az helm skopeo buildah cf",
        Program(next=("-p",), joined=("-p",), needs="login"),
    ),
    **_each(
        "mysql mysqldump mysqladmin mariadb mysqlimport 7z 7za 7zr rar unrar",
        Program(joined=("-p",)),
    ),
    **_each("sqlcmd bcp isql tsql osql zip unzip", Program(next=("-P",), joined=("-P",))),
    **_each(
        "ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapcompare ldapwhoami",
        Program(next=("-w", "-s"), joined=("-w",)),
    ),
    **_each("sqlplus sqlldr expdp impdp", Program(operand=0, sign="/")),
    **_each("snmpget snmpwalk snmpset", Program(next=("-A", "-X", "-c"))),
    **_each("mqsicreatebroker mqsichangebroker", Program(next=("-a",))),
    "sshpass": Program(next=("-p",), joined=("-p",)),
    "curl": Program(after=_USER),
    "http": Program(after={"-a": ":", "--auth": ":"}),
    "ssh-keygen": Program(next=("-N", "-P")),
    "openssl": Program(next=("-k", "-K"), after={"-pass": ":", "-passin": ":", "-passout": ":"}),
    "htpasswd": Program(operand=LAST),
    "net": Program(operand=1, needs="user"),
    "vault": Program(operand=0, needs="login"),
    "smbclient": Program(after={"-U": "%"}, operand=1),
    "lftp": Program(after={"-u": ","}),
    "redis-cli": Program(next=("-a",)),
    "rman": Program(operand=1, sign="/"),
    "rabbitmqctl": Program(operand=2),
    "securityutility": Program(operand=0, needs="encode"),
    "setmqweb": Program(next=("-v",), needs="-k"),
}

_SINK = later(
    r"\b(?:chpasswd|kinit|smbpasswd|su|runmqcred|runqmcred|runamscred|runp11cred|mqiptPW|passwd"
    r"|cryptsetup|gpg2?|base64|vault|ldappasswd|openssl|sudo(?=[^\n|;]*\s-\w*S)"
    r"|\S+(?=[^\n|;]*(?:stdin\b|-fd[= ]0)))(?=[\s;)\"']|$)"
)
"""Programs that read a secret from their input."""
_AFTER_NAME = later(r"(?:\.exe|\.cmd|\.bat|\.sh)?(?=[ \t\"'\\])", re.IGNORECASE)
_WORD = later(
    r"""
      (?P<gap> (?:[ \t]|[\\^`][ \t]*\r?\n)+ )
    | (?: \\["'][^\n"'\\]*\\["'] | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' | \$\([^()\n]*\)
        | [^\s;&|<>()"'\\] | [\\"'] )+
    """,
    re.VERBOSE,
)
_FEED = later(
    r"(?<![\w-])(?:echo|printf|print|Write-Output|Write-Host)\b"
    r"((?:[^\n|;\"']|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')*+)\|[ \t]*(?:\\\r?\n[ \t]*)?([^\n]*)",
    re.IGNORECASE,
)
_HERE_STRING = later(r"([^\n]*?)<<<[ \t]*")
_HERE = later(r"^((?:[^\n<]|<(?!<)|<<<)*+)<<-?[ \t]*[\"'\\]?(\w+)[\"']?[^\n]*\r?\n", re.MULTILINE)
_LEAD = later(r"(?:[ \t]+-\w+|[ \t]+[\"']?%s(?:\\n)?[\"']?)*[ \t]*")


def in_commands(text: str, low: str) -> Iterator[Span]:
    """Yield the secrets that stand as words of commands; `low` is the text in lower case."""
    for name, program in PROGRAMS.items():
        at = low.find(name)
        while at >= 0:
            before = text[at - 1 : at]
            end = _AFTER_NAME().match(text, at + len(name))
            at += len(name)
            if end is not None and not (before.isalnum() or before in ("_", "$", "@", "{", "-")):
                words = list(_words(text, end.end()))
                yield from _of(program, text, words)
                at = words[-1][1] if words else at
            at = low.find(name, at)


def in_input(text: str, low: str) -> Iterator[Span]:
    """Yield the secrets that programs are given as input, by a pipe or a here-document."""
    if "|" in text:
        for feed in _FEED().finditer(text):
            if _SINK().search(feed[2]):
                lead = _LEAD().match(text, *feed.span(1))
                yield from _bare(text, lead.end() if lead else feed.start(1), feed.end(1))
    if "<<<" in text:
        for here in _HERE_STRING().finditer(text):
            word = next(_words(text, here.end()), None)
            if word is not None and _SINK().search(here[1]):
                yield from _bare(text, *word)
    if "<<" in text:
        at = 0
        while document := _HERE().search(text, at):
            at = document.end()
            if _SINK().search(document[1]):
                end = rf"^[ \t]*{re.escape(document[2])}[ \t]*\r?$"
                close = re.compile(end, re.MULTILINE).search(text, at)
                start, at = at, close.start() if close is not None else len(text)
                yield start, at


def _words(text: str, at: int) -> Iterator[Span]:
    """Yield the words of a command from `at` to where it ends."""
    while match := _WORD().match(text, at):
        at = match.end()
        if match["gap"] is None:
            yield match.span()


def _of(program: Program, text: str, words: Sequence[Span]) -> Iterator[Span]:
    """Yield the secrets among the words of one command."""
    plain = [text[start:end].strip("\"'\\") for start, end in words]
    if program.needs and program.needs not in plain:
        return
    operands: list[Span] = []
    following = iter(zip(words, plain, strict=True))
    for (start, end), word in following:
        option, glued = _option(program, word)
        value, found = (start, end), glued
        if option and not glued:
            value, found = next(following, ((end, end), ""))
        if option and found:
            yield from _secret_part(
                text, *value, option if glued else "", program.after.get(option)
            )
        elif not word.startswith("-") and word != program.needs:
            operands.append((start, end))
    if program.operand == LAST and len(operands) > 1:
        yield from _bare(text, *operands[-1])
    elif program.operand is not None and 0 <= program.operand < len(operands):
        yield from _secret_part(text, *operands[program.operand], "", program.sign)


def _option(program: Program, word: str) -> tuple[str, str]:
    """Return the option with a secret that a word is, and the value that is joined to it."""
    if word in program.next or word in program.after:
        return word, ""
    for option in (*program.joined, *program.after):
        value = word.removeprefix(option)
        if value and value != word and (len(option) == 2 or value.startswith("=")):
            return option, value
    return "", ""


def _secret_part(text: str, start: int, end: int, option: str, sign: str | None) -> Iterator[Span]:
    """Yield what of a word is secret: behind the option joined to it, and behind `sign`."""
    at = text.find(option, start, end) + len(option) if option else start
    if sign:
        found = text.find(sign, at, end)
        if found < 0:
            return
        at = found + len(sign)
        host = text.find("@", at, end) if sign == "/" else -1
        end = host if host >= 0 else end
    yield from _bare(text, at, end)


def _bare(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the quotes and blanks around it."""
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip(" \t\"'\\"))
    stop = start + len(piece.rstrip(" \t\"'\\"))
    if begin < stop:
        yield begin, stop
