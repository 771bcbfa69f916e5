"""Secrets recognised by their form, not by a name: addresses, headers, keys, statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge

Finder = Callable[[str, LowerCase], Iterator[Span]]
"""Takes a text, and the same in lower case."""

UNLIKE_NAMES = r"(?=[\w!#%^*+~]*?(?-i:[a-z]))(?=[\w!#%^*+~]*?(?-i:[A-Z]))(?=[\w!#%^*+~]*?[0-9])"
"""A word with small letters, capitals and digits, as names of objects hardly are."""
MIXED = r"(?=[^\s\"'<>{}()%$]{0,80}[A-Za-z])(?=[^\s\"'<>{}()%$]{0,80}[0-9])"

_URI = later(
    r"://([^\s/?#@:\"'<>]{8,}):x-oauth-basic@"
    r"|://[^\s/?#@:\"'<>]*:((?!\d+/)[^\s\"'<>]{1,500})@|://([^\s/?#@:\"'<>]{20,})@"
    r"|://[^\s/?#@:\"'<>]{1,100}+:(?:\"([^\"\n]{1,200}+)\"|'([^'\n]{1,200}+)')@"
    r"|(?<![\w/.:-])\w[\w.-]*:((?!//)[^\s:@\"'(),;=]{3,})@[\w.-]+"
)
_LOGIN_MODULE = later(r"LoginModule\b[^;]{1,2000}")
_JAAS_USER = later(r"\buser_\w{1,60}[ \t]*=[ \t]*\\?[\"']([^\"'\\\n]+)")
"""A user of the PLAIN mechanism of Kafka, and the password."""
_AUTHORISATION = later(
    r"(?i)(?<![^\W_])(?:auth|basic|login|user_?pwd"
    r"|creds?)[\"']?\s*[:=]\s*[\"'][^\s:\"'/$]{1,80}+:(?!\d+\b|//)"
    r"([^\s\"',;}$]+)"
    r"|\bbasic[._-]?auth(?:entication)?(?:\.user(?:s"
    r"|\.info))?[\"']?\s*[:=]\s*[\"']?[^\s:\"']{1,80}+:([^\s\"',;}]+)"
    r"|(?<=[ \t-]-)(?:auth|creds?|credentials?)[ \t=]++[\"']?[\w.@-]{1,80}+:(?!//|\d+\b)[\"']?"
    r"([^\s\"',;$]+)"
)
NAMED_VARIABLE = r"(?=\w*?(?:pass|pw|secret|token))(?P<name>\w++)"
_RESOURCE = later(
    r"(?i)\bresource[ \t]+\"\w{0,60}(?:secret|ssm_parameter)\w{0,60}\"[^{\n]{0,200}\{"
    rf"|\b(?:variable|output)[ \t]+\"{NAMED_VARIABLE}\"[ \t]*\{{"
    r"|\b(?:variable|output)[ \t]+\"\w+\"[ \t]*\{(?=[^{}]*\bsensitive[ \t]*=[ \t]*true\b)"
)
_OF_RESOURCE = later(
    r"(?m)^[ \t]*(?:(?:plaintext_)?value|default|secret_data)[ \t]*=[ \t]*(?:\w+\()?\"([^\"\n]+)\""
    r"|^[ \t]*data_json[ \t]*=[ \t]*<<[-~]?[ \t]*(?P<tag>\w+)[ \t]*\r?\n"
    r"(?P<text>(?:(?![ \t]*(?P=tag)\b)[^\n]*\n)*+)"
)
_MAP = later(
    r"\b(?:(?:string_|binary_)?data|data_json|secret_string|value)[ \t]*=[ \t]*"
    r"(?:\w+\([ \t]*)?\{([^{}]*)"
)
_OF_MAP = later(r"=[ \t]*(?:\w+\()?(?:\"([^\"\n]+)\"|(?=(?:local|var)\.))")
_USER_AND_PASSWORD = later(
    r"(?im)(?<=[ \t])--?(?:u|user(?:-?(?:name|id))?|login)[= \t][ \t]*"
    r"[\"']?(?!(?:and|or)\s)[A-Za-z][\w.@\\-]{0,60}[\"']?[ \t]+-[pw](?:[ \t]+|=)"
    r"(?:\"([^\"\n$]+)\"|'([^'\n]+)'"
    r"|(?!(?:[\d.:,-]+|(?-i:[A-Z][A-Z0-9]*(?:[._%][A-Z0-9]+)+))(?:[\s\"']|$))"
    r"([^\s\"'/$%{}<>()\[\];|&=-][^\s\"'/${}<>()\[\];|&]*)(?=[\s;|&)]|$))"
)
"""An option for a user, and after it `-p` or `-w` with a word: no port, path, or name in capitals.

IBM's samples for JMS take a password after `-w`.
"""
_ASKS_AFTER_P = later(r"(?i)\b(?:mysql|mariadb)[\w-]{0,12}[ \t][^\n|;&]*\Z")
"""The beginning of a command that asks for a password after `-p`: the next word is a database."""
_UNLIKE_WORDS = r"(?=[^\s/]{0,80}[a-z])(?=[^\s/]{0,80}[A-Z])(?=[^\s/]{0,80}[0-9])"
_PROSE = later(
    r"(?i)\b(?:pass(?:word|wd|phrase|code)|pwd?)\b(?:[ \t]++(?!is\b)[A-Za-z][\w.@-]{0,30}){0,4}?"
    rf"(?:[ \t]*+:|[ \t]++is:?+)[ \t]++[\"']?{MIXED}([^\s\"'<>{{}}()%$/\\]{{6,80}})"
    r"(?![\w/\\(])"
    r"|\b(?-i:[Pp]ass(?:word|phrase|code)|pw)[ \t]++(?=[^\s\"'/\\]*(?-i:[a-z]))"
    rf"{MIXED}([^\s\"'<>{{}}()%$/\\.=:-]{{8,80}})(?![\w/\\(.=:-])"
    r"|\b(?:pass(?:word|phrase|code)?|pw)\b(?:[ \t]++[A-Za-z][\w.-]{0,30}){0,4}[ \t]++(?:->|=>)"
    rf"[ \t]++(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:user|login)(?:[ \t]++(?:user|login))?[ \t]++[\w.@-]{1,40}[ \t]*+[/,][ \t]*+"
    rf"(?:pass|pw)[ \t]++(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\blog(?:in|on|[ \t]in)[ \t]++(?:with|as)[ \t]++[\w.@-]{1,40}/"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:api|access|secret)[ \t]key[ \t]++"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:log[io]n|user(?:name)?|credentials?)(?:[ \t]++[A-Za-z][\w.-]{0,30}){0,4}"
    r"[ \t]*+[:=][ \t]*+[\w.@-]{1,40}[ \t]*+/[ \t]*+"
    rf"{MIXED}([^\s\"'<>{{}}()%$/\\]{{6,80}})(?![\w/\\(])"
    r"|\b(?:user|login|console)(?:[ \t]++(?:user|login))?[ \t]++[\w.@-]{1,40}[ \t]++/[ \t]++"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\bpass(?:word|phrase)[ \t]++(?:(?:of|for)[ \t]++`[^`\n]{1,60}`[ \t]++)?(?:is[ \t]++)?"
    r"`(?!(?-i:[A-Z][A-Z0-9_]*)`)([\w!#%^*+~?.@=-][\w!#$%&^*+~?.@=-]{3,63})`"
)
"""A word in backticks after `password`, or one with letters and digits after `password of mqm is`,
`pw`, or `login: mqm /`."""


class Form(NamedTuple):
    """A pattern, and its stems: it matches only if the text has one of them.

    A secret is what the groups without a name match, else all of it. A group `name` is the name
    before it.
    """

    stems: tuple[str, ...]
    pattern: re.Pattern[str]


def form(stems: str | tuple[str, ...], pattern: str) -> Form:
    """Return the form with one stem or several."""
    return Form((stems,) if isinstance(stems, str) else stems, later(pattern))


def finder(forms: Iterable[Form]) -> Finder:
    """Return what finds the secrets of some forms."""
    patterns = [(stem, pattern) for stems, pattern in forms for stem in stems]

    def find(text: str, low: LowerCase) -> Iterator[Span]:
        lines = low.lines
        for pattern in dict.fromkeys([pattern for stem, pattern in patterns if stem in lines]):
            for found in pattern.finditer(text):
                yield from _secrets_of(found)

    return find


def _finder_at_stems(pattern: re.Pattern[str], *stems: str) -> Finder:
    """Return a finder of a pattern that begins with a stem: it is tried only at these places."""

    def find(text: str, low: LowerCase) -> Iterator[Span]:
        end = 0
        for at in low.places(stems):
            found = pattern.match(text, at) if at >= end else None
            if found is not None:
                end = found.end()
                yield from _secrets_of(found)

    return find


def _secrets_of(found: re.Match[str]) -> Iterator[Span]:
    named = found.re.groupindex
    if "name" in named and judge(found["name"]) is Sign.NONE:
        return
    numbers = {*range(1, len(found.groups()) + 1)} - {*named.values()}
    groups = [found.span(number) for number in sorted(numbers)]
    yield from (span for span in groups or [found.span()] if span[0] >= 0)


def of_users_and_passwords(text: str, low: LowerCase) -> Iterator[Span]:
    """The words after `-p` or `-w` behind an option for a user, in programs that take one there."""
    if not any(option in low.lines for option in (" -p ", " -p=", " -w ", " -w=")):
        return
    for found in _USER_AND_PASSWORD.finditer(text):
        line = text.rfind("\n", max(found.start() - 500, 0), found.start()) + 1
        if _ASKS_AFTER_P.search(text, line, found.start()) is None:
            yield from _secrets_of(found)


def of_uris(text: str, low: LowerCase) -> Iterator[Span]:
    """The passwords before the hosts of addresses: only lines with an `@` are searched."""
    at = text.find("@")
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = end if end >= 0 else len(text)
        for found in _URI.finditer(text, start, end):
            yield from _secrets_of(found)
        at = text.find("@", end)


def of_resources(text: str, low: LowerCase) -> Iterator[Span]:
    """The values of resources and variables of Terraform that hold a secret."""
    if not any(word in low.lines for word in ("resource", "variable", "output")):
        return
    for resource in _RESOURCE.finditer(text):
        if resource["name"] is not None and judge(resource["name"]) is Sign.NONE:
            continue
        end = text.find("\n}", resource.end())
        end = end if end >= 0 else len(text)
        is_parameter = "ssm_parameter" in resource[0].lower()
        if not is_parameter or "SecureString" in text[resource.end() : end]:
            found = [*_OF_RESOURCE.finditer(text, resource.end(), end)]
            for data in _MAP.finditer(text, resource.end(), end):
                found += _OF_MAP.finditer(text, *data.span(1))
            spans = (_value_of(value) for value in found)
            yield from (span for span in spans if "${" not in text[slice(*span)])


def in_login_modules(text: str, low: LowerCase) -> Iterator[Span]:
    """The passwords of the users that a login module of JAAS lists."""
    if "loginmodule" in low.lines:
        for module in _LOGIN_MODULE.finditer(text):
            yield from (user.span(1) for user in _JAAS_USER.finditer(text, *module.span()))


def _value_of(found: re.Match[str]) -> Span:
    if found[1] is not None:
        return found.span(1)
    return found.span("text") if "text" in found.re.groupindex else (found.end(), found.end())


ANYWHERE: Final[Sequence[Form]] = (
    # A key in one line, or in lines that have one word or a header each.
    form(
        "private key",
        r"(?m)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----([^\n]*?(?:-----END|$)"
        r"(?:\n(?![ \t#*>|\"'+]*-----END)[ \t#*>|\"'+]*+"
        r"(?:[\w-]+:[ \t][^\n()]*|[^\s()]*)[ \t\r\"'+,;\\]*$)*)",
    ),
    # The PIN of a cryptographic device (SSLCRYP).
    form("gsk_pkcs11", r"(?i)GSK_PKCS11\s*=[^;\n]{0,500};[^;\n]{0,500};([^;\n'\")]*)"),
    # The user and password of the string that opens Oracle as a resource manager (XAOpenString).
    form("acc=p/", r"(?i)\bacc=p/[^/\s+]{1,200}/([^/\s+\"'<>]{1,200})"),
    # The data of a security exit in a channel table: SCYDATA in MQSC.
    form(
        "userdata",
        r"(?i)\"security\"\s*:\s*\{"
        r"(?:[^{}]{0,400}?\{[^{}]{0,400}\})?[^{}]{0,400}?\"userData\"\s*:\s*\"((?:[^\"\\\n]"
        r"|\\.)*)\"",
    ),
    # A prompt of a program, and the answer in the next line.
    form(
        ("password:", "passphrase:"),
        r"(?im)^[ \t]*(?:(?:re-?)?enter|re-?type|confirm|verify)[^\n:]{0,60}pass(?:word"
        r"|phrase)[^\n:]{0,60}:"
        r"[ \t]*\r?\n[ \t]*(\S+)[ \t]*\r?$",
    ),
    # The word in other languages, and what the password is for.
    form(
        ("mot de passe", "contrase", "senha", "kennwort"),
        r"(?i)\b(?:mot de passe|contrase[n\u00f1]a|senha|kennwort)\b[\"']?[ \t]*[:=][ \t]*[\"']?"
        r"([^\s\"',;]+)",
    ),
    form(
        ("password for ", "password of "),
        r"(?i)\bpassword (?:for|of) [\w.-]{1,48}(?: is |[ \t]*[:=][ \t]*)[\"']?"
        rf"{MIXED}([^\s\"',;]+)",
    ),
    # The signature in an address.
    form(("sig=", "signature="), r"(?i)[?&;](?:sig|(?:x-\w{1,20}-)?signature)=([^\s&\"'<>;]+)"),
)
in_forms_anywhere: Final = finder(ANYWHERE)
"""Forms that MQSC may contain too."""
in_prose: Final = _finder_at_stems(
    _PROSE,
    *("pass", "pw", "login", "logon", "log in", "user", "credential", "console"),
    *("api key", "access key", "secret key"),
)
_AFTER_NAME = "\"':= \t\r\n\u00a0"
"""What may follow a name before its value: most words of MQSC that begin with `auth` go on."""
in_authorisations: Final = _finder_at_stems(
    _AUTHORISATION,
    *("basic", "login", "userpwd", "user_pwd", "cred"),
    *(f"auth{sign}" for sign in _AFTER_NAME),
)
