"""Secrets recognised by their form, not by a name: addresses, headers, keys, statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from mqlint.config.data import data_of
from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge

Finder = Callable[[str, LowerCase], Iterator[Span]]
"""Takes a text, and the same in lower case."""

_URI = later(
    r"://([^\s/?#@:\"'<>]{8,}):x-oauth-basic@"
    r"|://[^\s/?#@:\"'<>]*:((?!\d+/)[^\s\"'<>]{1,500})@|://([^\s/?#@:\"'<>]{20,})@"
    r"|://[^\s/?#@:\"'<>]{1,100}+:(?:\"([^\"\n]{1,200}+)\"|'([^'\n]{1,200}+)')@"
    r"|(?<![\w/.:-])\w[\w.-]*:((?!//)[^\s:@\"'(),;=]{3,})@[\w.-]+"
)
_LOGIN_MODULE = later(r"LoginModule\b[^;]{1,2000}")
_JAAS_USER = later(r"\buser_\w{1,60}[ \t]*=[ \t]*\\?[\"']([^\"'\\\n]+)")
"""A user of the PLAIN mechanism of Kafka, and the password."""
_RESOURCE = later(
    r"(?i)\bresource[ \t]+\"\w{0,60}(?:secret|ssm_parameter)\w{0,60}\"[^{\n]{0,200}\{"
    r"|\bresource[ \t]+\"\w{1,60}_variable\"[^{\n]{0,200}\{"
    r"(?=[^{}]*\b(?:masked|sensitive|hidden|secured)[ \t]*=[ \t]*true\b)"
    r"|\b(?:variable|output)[ \t]+\"(?=\w*?(?:pass|pw|secret|token))(?P<name>\w++)\"[ \t]*\{"
    r"|\b(?:variable|output)[ \t]+\"\w+\"[ \t]*\{(?=[^{}]*\bsensitive[ \t]*=[ \t]*true\b)"
)
_OF_RESOURCE = later(
    r"(?m)^[ \t]*(?:(?:plaintext_)?value|default|secret_data|payload)(?:_wo)?[ \t]*="
    r"[ \t]*(?:\w+\()?\"([^\"\n]+)\""
    r"|^[ \t]*data_json(?:_wo)?[ \t]*=[ \t]*<<[-~]?[ \t]*(?P<tag>\w+)[ \t]*\r?\n"
    r"(?P<text>(?:(?![ \t]*(?P=tag)\b)[^\n]*\n)*+)"
)
_MAP = later(
    r"\b(?:(?:string_|binary_)?data|data_json|secret_string|value)(?:_wo)?[ \t]*=[ \t]*"
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


class Form(NamedTuple):
    """A pattern, and its stems: it matches only if the text has one of them.

    If it is `at_stems`, each match begins with one, and it is tried only at these places.
    """

    stems: tuple[str, ...]
    pattern: re.Pattern[str]
    at_stems: bool

    def matches(self, text: str, low: LowerCase) -> Iterator[re.Match[str]]:
        """Yield the matches in a text that has one of the stems."""
        if not self.at_stems:
            yield from self.pattern.finditer(text)
            return
        end = 0
        for at in low.places(self.stems):
            found = self.pattern.match(text, at) if at >= end else None
            if found is not None:
                end = found.end()
                yield found


def finder(forms: Iterable[Form]) -> Finder:
    """Return what finds the secrets of some forms."""
    rows = [(stem, form) for form in forms for stem in form.stems]

    def find(text: str, low: LowerCase) -> Iterator[Span]:
        lines = low.lines
        for form in dict.fromkeys([form for stem, form in rows if stem in lines]):
            for found in form.matches(text, low):
                yield from _secrets_of(found)

    return find


def forms(section: str) -> Iterator[Form]:
    """Yield the forms of a section of forms.txt, whose first lines say how a form is written."""
    parts = dict(_rows("parts"))
    for head, pattern in _rows(section):
        stems = tuple(head.split("`")[1::2])
        yield Form(stems, later(_expanded(pattern, parts)), at_stems=head.startswith("at "))


def _rows(section: str) -> Iterator[tuple[str, str]]:
    """Yield the first line of each block of a section, and the others joined."""
    for block in _TEXT.partition(f"[{section}]")[2].partition("\n[")[0].strip().split("\n\n"):
        head, *lines = (line for line in block.split("\n") if not line.startswith("#"))
        yield head, "".join(line.removeprefix("    ") for line in lines)


def _expanded(pattern: str, parts: Mapping[str, str]) -> str:
    """Return a pattern with the parts that it names, and those which these name."""
    before, sign, after = pattern.partition("(?&")
    if not sign:
        return pattern
    name, _, rest = after.partition(")")
    return f"{before}{_expanded(parts[f'{name} ='], parts)}{_expanded(rest, parts)}"


def _secrets_of(found: re.Match[str]) -> Iterator[Span]:
    named = found.re.groupindex
    if "name" in named and judge(found["name"]) is Sign.NONE:
        return
    numbers = {*range(1, len(found.groups()) + 1)} - {*named.values()}
    groups = [found.span(number) for number in sorted(numbers)]
    yield from (span for span in groups or [found.span()] if span[0] >= 0)


def of_users_and_passwords(text: str, low: LowerCase) -> Iterator[Span]:
    """The words after `-p` or `-w` after an option for a user, in programs that take one there."""
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


_TEXT = data_of("mqlint.source.secrets").joinpath("forms.txt").read_text("utf-8")
ANYWHERE: Final = (*forms("anywhere"),)
in_forms_anywhere: Final = finder(ANYWHERE)
"""Forms that MQSC may contain too."""
OF_SCRIPTS: Final = (*forms("scripts"),)
in_forms_of_scripts: Final = finder(OF_SCRIPTS)
"""Forms of scripts and settings."""
