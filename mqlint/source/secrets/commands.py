"""Programs that take a secret as a word of their command.

The command is read by its words alone, so that it is found in any script, unit, manifest or note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.pieces import in_pieces

LAST = -2
"""The last operand."""
EACH = -3
"""Each operand that has the sign."""


class Program(NamedTuple):
    """Where a program has its secrets.

    `next` are options whose value is the next word, `joined` those whose value is joined to them.
    Of the value of an option in `after` only what follows the sign is secret (`-u user:pass`).
    `operand` is the number of a secret operand, counted from 0, and `sign` what it follows in that
    (`user/pass`). Without the word `needs` none of it counts. After an option in `settings` each
    operand has a secret behind an equals sign.
    """

    next: Sequence[str] = ()
    joined: tuple[str, ...] = ()
    after: Mapping[str, str] = {}
    operand: int | None = None
    sign: str = ""
    needs: str = ""
    settings: Sequence[str] = ()


def _each(names: str, program: Program) -> Iterator[tuple[str, Program]]:
    return ((name, program) for name in names.split())


_USER = {"-u": ":", "--user": ":", "-U": ":", "--proxy-user": ":", "-E": ":", "--cert": ":"}
_SETTINGS_OF_RCLONE = (
    *("pass", "password", "password2", "key", "secret_access_key", "client_secret", "token"),
    *("bearer_token", "key_file_pass", "service_account_credentials", "access_token", "sas_url"),
)
_COOKIE = {"-b": "=", "--cookie": "="}
PROGRAMS: tuple[tuple[str, Program], ...] = (
    *_each(
        "useradd usermod smbmap ncftpput ncftpget cqlsh mongo mongosh mongodump rdesktop psexec "
        "mqsisetdbparms mqsicvp setmqxacred fteobfuscate certutil rabbitmqadmin twine pkcs11-tool "
        "fence_ipmilan fence_ilo fence_ilo4 fence_drac5 fence_apc fence_vmware_soap evil-winrm "
        "usercreate user-create usermodify hdbsql racadm",
        Program(next=("-p",), joined=("-p",)),
    ),
    *_each(
        "docker podman oc helm skopeo buildah cf ibmcloud apic cloudctl",
        Program(next=("-p",), joined=("-p",), needs="login"),
    ),
    *_each("kubectl oc", Program(after={"--from-literal": "="}, needs="secret")),
    *_each(
        "mysql mysqldump mysqladmin mariadb mysqlimport 7z 7za 7zr rar unrar",
        Program(joined=("-p",)),
    ),
    *_each("rar unrar", Program(joined=("-hp",))),
    *_each(
        "sqlcmd bcp isql tsql osql zip unzip mosquitto_pub mosquitto_sub ipmitool p4",
        Program(next=("-P",), joined=("-P",)),
    ),
    *_each(
        "ldapsearch ldapmodify ldapadd ldapdelete ldapcompare ldapwhoami idsldapsearch "
        "idsldapmodify idsldapadd idsldapdelete dsconf dsctl dsidm",
        Program(next=("-w",), joined=("-w",)),
    ),
    *_each("sqlplus sqlldr expdp impdp sqlcl clpplus dgmgrl", Program(operand=0, sign="/")),
    *_each("snmpget snmpwalk snmpset snmptrap snmpinform", Program(next=("-A", "-X", "-c"))),
    ("db2look", Program(next=("-w",))),
    ("lynx", Program(after={"-auth": ":", "-pauth": ":"})),
    ("nssm", Program(operand=LAST, needs="ObjectName")),
    *(("samba-tool", Program(operand=2, needs=verb)) for verb in ("create", "add")),
    ("chamber", Program(operand=LAST, needs="write")),
    ("sendemail", Program(next=("-xp",))),
    ("swaks", Program(next=("-ap",))),
    ("dsmadmc", Program(next=("-pa",))),
    *_each("tacmd add-user", Program(next=("-p",), joined=("-p",))),
    ("mosquitto_passwd", Program(operand=LAST, needs="-b")),
    ("dscl", Program(operand=LAST, needs="-passwd")),
    *_each(
        "mqsicreatebroker mqsichangebroker mqsiwebuseradmin",
        Program(next=("-a",), joined=("-a",)),
    ),
    *_each("smbclient rpcclient winexe net", Program(after={"-U": "%"})),
    ("smbclient", Program(operand=1)),
    ("isql", Program(operand=2)),
    ("az", Program(next=("-p",), needs="login")),
    *_each("http https xh", Program(after={"-a": ":", "--auth": ":"})),
    ("sshpass", Program(next=("-p",), joined=("-p",))),
    ("ldappasswd", Program(next=("-w", "-s", "-a"), joined=("-w", "-s", "-a"))),
    ("curl", Program(next=("--pass", "--oauth2-bearer"), after={**_USER, **_COOKIE})),
    ("security", Program(next=("-w",), needs="add-generic-password")),
    ("slappasswd", Program(next=("-s",), joined=("-s",))),
    ("kadmin", Program(next=("-w",))),
    ("ansible-vault", Program(operand=0, needs="encrypt_string")),
    ("ssh-keygen", Program(next=("-N", "-P"))),
    (
        "openssl",
        Program(
            next=("-k", "-K", "-hmac", "-psk", "-srppass"),
            after={
                **dict.fromkeys(("-pass", "-passin", "-passout"), "pass:"),
                **dict.fromkeys(("-macopt", "-kdfopt", "-pkeyopt"), "key:"),
            },
        ),
    ),
    ("htpasswd", Program(operand=LAST)),
    ("net", Program(operand=1, needs="user")),
    ("vault", Program(operand=0, needs="login")),
    ("vault", Program(operand=1, needs="unseal")),
    *(("vault", Program(operand=EACH, sign="=", needs=verb)) for verb in ("put", "patch", "write")),
    *(("mc", Program(operand=LAST, needs=verb)) for verb in ("set", "add")),
    ("dsmc", Program(operand=LAST, needs="password")),
    *(("redis-cli", Program(operand=LAST, needs=key)) for key in ("requirepass", "masterauth")),
    ("bw", Program(operand=0, needs="unlock")),
    ("credhub", Program(next=("-w", "-v"), needs="set")),
    ("conjur", Program(next=("-v",), needs="set")),
    ("pk12util", Program(next=("-W", "-K"))),
    ("gh", Program(next=("--body", "-b"), joined=("-b",), needs="secret")),
    ("az", Program(next=("--value", "-p"), needs="set")),
    ("az", Program(settings=("--secure-environment-variables", "--secrets"))),
    ("aws", Program(next=("--value", "--secret-string"))),
    ("etcdctl", Program(after={"--user": ":"})),
    *_each("crictl buildah skopeo podman oras", Program(after={"--creds": ":"})),
    ("splunk", Program(after={"-auth": ":"})),
    *_each("jenkins-cli jar", Program(after={"-auth": ":"})),
    *_each("http https xh", Program(next=("-a", "--auth"), needs="bearer")),
    ("glab", Program(operand=LAST, needs="set")),
    ("addauth", Program(operand=1, sign=":")),
    ("signtool", Program(next=("/p",))),
    ("sonar-scanner", Program(joined=("-Dsonar.login=", "-Dsonar.token="))),
    ("rclone", Program(operand=0, needs="obscure")),
    ("rclone", Program(next=_SETTINGS_OF_RCLONE, needs="config")),
    ("lftp", Program(after={"-u": ","})),
    ("redis-cli", Program(next=("-a",))),
    *(("redis-cli", Program(operand=0, needs=word)) for word in ("AUTH", "auth")),
    ("wbinfo", Program(after={"-a": "%"})),
    ("pulumi", Program(operand=LAST, needs="--secret")),
    ("knife", Program(next=("-P",))),
    ("rman", Program(operand=1, sign="/")),
    ("rabbitmqctl", Program(operand=2)),
    ("securityutility", Program(operand=0, needs="encode")),
    ("mkpasswd", Program(operand=EACH)),
    ("wpa_passphrase", Program(operand=1)),
    ("ccrypt", Program(next=("-K", "--key"))),
    ("mcrypt", Program(next=("-k", "--key"))),
    *(("az", Program(next=("-p",), needs=kind)) for kind in ("server", "flexible-server")),
    *_each("keytool runmqktool", Program(next=("-new",))),
    ("pcs", Program(next=("-p",), joined=("-p",), needs="auth")),
    ("bitsadmin", Program(operand=LAST, needs="/setcredentials")),
    ("mqsichangeproperties", Program(next=("-v",))),
    ("mqiptpw", Program(operand=0)),
    ("mqsisetdbparms", Program(next=("-r",), joined=("-r",))),
    ("rootpw", Program(next=("--plaintext", "--iscrypted"))),
)
"""Programs with their options, by names in lower case; a name may have two entries."""

_NAME = later(r"[a-z0-9_-]+")
"""What may be one of these names: no letter, digit or dash is before or after it."""
_SHORT = 2_000
"""Characters of a text whose words are listed: in a longer one each name is looked for."""
_AFTER_NAME = later(r"(?i)(?:\.exe|\.cmd|\.bat|\.sh)?(?=[ \t\"'\\])")
_WORD = later(
    r"""(?x)
      (?P<gap> (?:[ \t]|[\\^`][ \t]*\r?\n)+ )
    | (?: \{\{[^{}\n]*\}\} | \\["'][^\n"'\\]*\\["'] | "(?:[^"\\\n]|\\.)*" | '[^'\n]*'
        | [$<>]\([^()\n]*\) | [^\s;&|<>()"'\\] | [\\"'] )+
    """
)
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'"
_LIST = later(
    rf"\[\s*+[\"']?[\w./-]{{1,200}}+[\"']?\s*+"
    rf"(?:,\s*+(?:{_QUOTED}|[^\s\"'\[\]{{}},]++)\s*+){{1,40}}+\]"
)
_ROWS = later(
    r"(?m)^([ \t]*)-[ \t]+[\"']?[\w./-]{1,200}+[\"']?[ \t]*\r?$(?:\n\1-[ \t]+[^\n]+){1,40}+"
)
_DASH = later(r"(?:^|\n)[ \t]*-[ \t]+")
_ELEMENTS = later(r"(?i)(?<=<Command>)[^<>\n]{1,200}</Command>\s{0,80}<Arguments>[^<>]{1,2000}")
"""A command and its arguments in a task of Windows."""
_TAGS = later(r"(?i)</Command>\s{0,80}<Arguments>")
_ITEM = later(r"\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'?|[\[\],\r]+|\n(?!\[)")
_OPTION = later(r"[\s,\"']--?\w")
_VARIABLE = later(r"[\"']?[$%]\{?(\w+)[}%]?(?=[\s\"'@]|\Z)")
_REST = later(r"\w++")
_ENDS_WORD = later(r"[\s;&|<>()]")
"""What ends a word of a shell, but not an item of a list."""
_SWITCH = later(r"(?i)/(?:add|delete|domain|active|expires|times|comment|fullname)\b(?!/)")
"""An option of `net user`."""
_BUNDLE = later(r"-[a-zA-Z]{2,5}(?:[^\s:]*+:\S*+)?")


def in_commands(text: str, low: LowerCase) -> Iterator[Span]:
    return (span for span, is_secret in _in_words_of_commands(text, low) if is_secret)


def logins_in_commands(text: str, low: LowerCase) -> Iterator[str]:
    """Yield the variables that are a user and a password for a command."""
    for (start, end), is_secret in _in_words_of_commands(text, low):
        variable = None if is_secret else _VARIABLE.match(text, start, end)
        if variable is not None:
            yield variable[1]


def _in_words_of_commands(text: str, low: LowerCase) -> Iterator[tuple[Span, bool]]:
    """Yield secrets, and with false what has no sign of a secret in the place of one."""
    words = {*_NAME.findall(low.text)} if len(text) <= _SHORT else low.lines
    for name, program in [row for row in PROGRAMS if row[0] in words]:
        at = low.text.find(name)
        while at >= 0:
            before = text[at - 1 : at]
            end = _AFTER_NAME.match(text, at + len(name))
            at += len(name)
            if end is None:  # no other name begins in the rest of the word
                rest = _REST.match(text, at)
                at = rest.end() if rest is not None else at
            elif not (before.isalnum() or before in ("_", "$", "@", "{", "-")):
                own = list(words_from(text, end.end()))
                yield from _of(program, text, own)
                at = own[-1][1] if own else at
            at = low.text.find(name, at)


def in_lists(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the same of commands that are a list: `["curl", "-u", "user:pass"]`."""
    if "[" in low.lines and "," in low.lines:
        lists = [found.span() for found in _LIST.finditer(text) if _OPTION.search(found[0])]
        yield from in_pieces(text, lists, _in_words, "\n")
    if "- -" in low.lines:
        for rows in _ROWS.finditer(text):
            yield from _shifted(_DASH.sub(_blank, rows[0]), rows.start())
    for elements in _ELEMENTS.finditer(text) if "<arguments>" in low.lines else ():
        yield from _shifted(_TAGS.sub(_blank, elements[0]), elements.start())


def _in_words(lists: str) -> Iterator[Span]:
    text = _ITEM.sub(_as_word, lists)
    return in_commands(text, LowerCase(text))


def _shifted(command: str, at: int) -> Iterator[Span]:
    """Yield the secrets of a command that was at an offset of the text."""
    return ((at + start, at + end) for start, end in in_commands(command, LowerCase(command)))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _as_word(found: re.Match[str]) -> str:
    """An item, or what is between items, as a shell would have it; of the same length."""
    item = found[0]
    if item[0] in "\"'" and len(item) > 1:
        return item if _ENDS_WORD.search(item) else f" {item[1:-1]} "
    return " " * len(item)


def words_from(text: str, at: int) -> Iterator[Span]:
    """Yield the words of a command from `at` to where it ends."""
    while match := _WORD.match(text, at):
        at = match.end()
        if match["gap"] is None:
            yield match.span()


def _of(program: Program, text: str, words: Sequence[Span]) -> Iterator[tuple[Span, bool]]:
    """Yield the secrets among the words of one command, as `_in_words_of_commands`."""
    plain = [text[start:end].strip("\"'\\") for start, end in words]
    if program.needs and program.needs not in plain:
        return
    operands: list[Span] = []
    is_setting = False
    following = iter(zip(words, plain, strict=True))
    for (start, end), word in following:
        option, glued = _option(program, word)
        value, found = (start, end), glued
        if option and not glued:
            value, found = next(following, ((end, end), ""))
        if word.startswith("-"):
            is_setting = word in program.settings
        elif is_setting:
            yield from _secret_part(text, start, end, "", "=")
        if option and found:
            yield from _secret_part(
                text, *value, option if glued else "", program.after.get(option)
            )
        elif not word.startswith("-") and word != program.needs and not _SWITCH.match(word):
            operands.append((start, end))
    if program.operand == LAST and len(operands) > 1:
        yield from ((span, True) for span in unquoted(text, *operands[-1]))
    elif program.operand == EACH:
        for start, end in operands:
            yield from _secret_part(text, start, end, "", program.sign)
    elif program.operand is not None and 0 <= program.operand < len(operands):
        yield from _secret_part(text, *operands[program.operand], "", program.sign)


def _option(program: Program, word: str) -> tuple[str, str]:
    """Return the option with a secret that a word is, and the value that is joined to it."""
    if word in program.next or word in program.after:
        return word, ""
    for option in (*program.joined, *program.after, *program.next):
        value = word.removeprefix(option)
        if value and value != word:
            is_glued = option in program.joined or (len(option) == 2 and option in program.after)
            if value.startswith("=") or is_glued:
                return option, value
        elif len(option) == 2 and _BUNDLE.fullmatch(word) and option[1] in word[1:]:
            bundle, _, value = word.partition(option[1])
            return (bundle + option[1], value) if value else (option, "")
    return "", ""


def _secret_part(
    text: str, start: int, end: int, option: str, sign: str | None
) -> Iterator[tuple[Span, bool]]:
    """Yield what of a word is secret: after the option joined to it, and after `sign`."""
    at = text.find(option, start, end) + len(option) if option else start
    at += bool(option) and text.startswith("=", at)
    if sign:
        found = text.find(sign, at, end)
        if found < 0:
            yield (at, end), False
            return
        at = found + len(sign)
        if sign == "=" and text.startswith("@", at):
            return  # the name of a file
        host = text.find("@", at, end) if sign == "/" else -1
        end = host if host >= 0 else end
    yield from ((span, True) for span in unquoted(text, at, end))


def unquoted(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the quotes and blanks around it, and a bracket that it only ends."""
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip(" \t\"'\\"))
    trimmed = piece.rstrip(" \t\"'\\")
    if trimmed.endswith(")") and "(" not in trimmed:
        trimmed = trimmed.rstrip(") \t\"'\\")
    stop = start + len(trimmed)
    if begin < stop:
        yield begin, stop
