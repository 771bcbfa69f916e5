"""Variables that are the secret of a command: what a script puts into them.

A command takes `$PW`, and another line says `PW=text`. A value may pass through several: an array,
the words of a loop, what `read` takes from a text, the arguments of a function, a descriptor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import bare, words_from
from mqlint.source.secrets.names import Sign, judge
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import value_after
from mqlint.source.secrets.words import document_to, first_line, in_line, word_at

_VARIABLE = later(
    r"[\"']?(?:\$\{?(\w+)(?:\[[^\]\n]{0,80}\]|[#%/^,][^}\n]{0,80})?\}?|[%!](\w+)[%!]|%%~?(\w)|%~?(\d)"
    r"|\{\{[ \t]*(\w+)[ \t]*\}\}|\$\((\w+)\)|\$\((?:cat[ \t]*)?(<&\d)\))[\"']?\Z"
)
_ASSIGNED = (
    r"(?<![\w.$-])\$?(?P<name>{})(?:(?:\[[^\]\n]{{1,80}}\])?[ \t]*\+?=[ \t]*(?=[^\s=~])|:[ \t]+"
    r"|[ \t]+in[ \t]+\(?)"
)
_READ = later(
    r"\bread[ \t]+([\w-]{1,60}+(?:[ \t]++[\w-]{1,60}+){0,7}+)[ \t]*+"
    r"(?:;[^<]{0,1000}?\bdone[ \t]*)?"
    r"<(?:<<[ \t]*|[ \t]*<\([ \t]*(?:echo|printf)[ \t]+|<-?[ \t]*[\"']?(\w+)[\"']?[ \t]*\r?\n)"
)
_TOKENS = later(
    r"\bfor[ \t]+/f\b[^\n%]{0,100}%%(\w)[ \t]+in[ \t]+\([ \t]*[\"'](?:echo[ \t]+)?([^\"'\n]+)",
    re.IGNORECASE,
)
_TOKEN = later(r"[^\s:;,/=]+")
_READ_FROM = later(r"\bread[ \t]+((?:[\w-]{1,60}[ \t]+){1,8})(<&\d)")
_DESCRIPTOR = later(r"\bexec[ \t]+(\d)<<<[ \t]*")
_FUNCTION = later(
    r"^[ \t]*(?:function[ \t]+([\w-]++)[ \t]*+(?:\(([^()\n]*)\))?"
    r"|([A-Za-z_]\w*+)[ \t]*\([ \t]*\))\s*\{"
    r"|^[ \t]*:([A-Za-z_]\w*)",
    re.MULTILINE,
)
"""The name of a function of a shell, one of PowerShell with its parameters, or a label."""
_PATH = later(r"[./~\\][\w./\\-]*\Z|\d{1,5}\Z")
_LOGIN = later(r"[\w.@-]{1,80}[:/](?=[^\s:])")
_LOGINS = later(
    r"\bGetBytes\([ \t]*\$\{?(\w+)|\"?\$\{?(\w+)\}?\"?[ \t]*\|[ \t]*(?:openssl[ \t]+)?base64\b",
    re.IGNORECASE,
)
"""Variables with text that becomes base64: a user and a password, or something else."""
_SECURE = later(
    r"\bConvertTo-SecureString\b(?:[ \t]+-\w+)*[ \t]+(\$\w+)"
    r"|(\$\w+)[ \t]*\|[ \t]*ConvertTo-SecureString",
    re.IGNORECASE,
)
_NEAR = 4_000
_MOST = 40
"""Variables that are followed in one text."""
_ROUNDS = 3
"""Variables through which a value passes."""


class _Parameter(NamedTuple):
    """A parameter of a function, by number; its name is blank except in PowerShell."""

    function: str
    number: int
    name: str


def of_variables(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what is put into variables that are the secret of a command or of an input."""
    followed: set[str | _Parameter] = set()
    names: list[str | _Parameter] = [
        found[2] for found in _READ_FROM.finditer(text) if any(map(_is_secret, found[1].split()))
    ]
    for _ in range(_ROUNDS):
        names += _names(text, spans)
        new = [name for name in dict.fromkeys(names) if name not in followed]
        names = new[: _MOST - len(followed)]
        if not names:
            return
        followed.update(names)
        spans = [*_values(text, {*names})]
        yield from spans
        names = []


def of_passwords(text: str, low: str) -> Iterator[Span]:
    """Yield what is put into variables that become a secure text, or a login in base64."""
    if "securestring" in low:
        secure = (found.span(1 if found[1] else 2) for found in _SECURE.finditer(text))
        yield from of_variables(text, [*secure])
    if "base64" in low:
        for start, end in _assigned(
            text, {found[1] or found[2] for found in _LOGINS.finditer(text)}
        ):
            login = _LOGIN.match(text, start, end)
            if login is not None and not any(sign.isspace() for sign in text[start:end]):
                yield login.end(), end


def _names(text: str, spans: Iterable[Span]) -> Iterator[str | _Parameter]:
    """Yield the variables that stretches are, but not those that are found by their name."""
    searched = 0
    for start, end in spans:
        if end - start > _NEAR:
            continue
        found = _VARIABLE.match(text, start, end)
        found = found or _VARIABLE.match(text, text.rfind(":", start, end) + 1 or end, end)
        name = next(filter(None, found.groups()), "") if found is not None else ""
        if not name or _is_secret(name) or "base64" in text[start : in_line(text, end, "")]:
            continue  # may be configuration
        if not name.isdigit():
            yield name
        searched += 1
        if searched <= _MOST:
            yield from _parameters(text, start, name)


def _is_secret(name: str) -> bool:
    return judge(name) is Sign.STRONG


def _parameters(text: str, at: int, name: str) -> Iterator[_Parameter]:
    """Yield the parameter that a variable is, of the function around an offset."""
    before = text[max(at - _NEAR, 0) : at]
    functions = [*_FUNCTION.finditer(before)]
    if not functions or "\n}" in before[functions[-1].end() :]:
        return
    function = functions[-1]
    names = re.findall(r"\$(\w+)", function[2] or "")
    number = int(name) if name.isdigit() else names.index(name) + 1 if name in names else 0
    if number:
        called = function[1] or function[3] or f"call[ \t]+:{function[4]}"
        yield _Parameter(called, number, "" if name.isdigit() else name)


def _values(text: str, names: set[str | _Parameter]) -> Iterator[Span]:
    """Yield the stretches that assignments, `read`, `for /f`, `exec` and calls put into names."""
    plain = {name for name in names if isinstance(name, str)}
    for span in _assigned(text, plain):
        is_list = text[span[0] - 1] == "("
        start, end = span if is_list else first_line(text, *span)  # the others may be commands
        value = text[start:end].strip("\"' \t")
        if value and not _PATH.match(value) and not is_mqsc(value):
            yield start, end
    for taken in _READ.finditer(text) if "read" in text else ():
        variables = [name for name in taken[1].split() if not name.startswith("-")]
        if plain.isdisjoint(variables):
            continue
        word = document_to(text, taken) if taken[2] else word_at(text, taken.end())
        if word is not None:
            login = _LOGIN.match(text, *word) if len(variables) > 1 and not taken[2] else None
            yield (word[0] if login is None else login.end()), word[1]
    for loop in _TOKENS.finditer(text):
        tokens = [*_TOKEN.finditer(text, *loop.span(2))]
        for letter, token in zip(range(ord(loop[1]), ord("z") + 1), tokens, strict=False):
            if chr(letter) in plain:
                yield token.span()
    for opened in _DESCRIPTOR.finditer(text):
        word = word_at(text, opened.end()) if f"<&{opened[1]}" in plain else None
        if word is not None:
            yield word
    for parameter in names - plain:
        if isinstance(parameter, _Parameter):
            yield from _arguments(text, parameter)


def _assigned(text: str, names: set[str]) -> Iterator[Span]:
    """Yield the values that are assigned to names, all words of an array or of a loop."""
    words = sorted((name for name in names if name.isidentifier()), key=len, reverse=True)
    if not words:
        return
    for found in re.compile(_ASSIGNED.format("|".join(words))).finditer(text):
        span = value_after(text, *found.span("name"))
        if span is None or (found[0][0] == "$" and text[span[0] - 1] not in "\"'("):
            continue  # PowerShell runs a word without quotes
        if found[0].rstrip(" (").endswith("in"):
            span = span[0], in_line(text, span[0], ";)")
        yield span


def _arguments(text: str, parameter: _Parameter) -> Iterator[Span]:
    """Yield the argument of each call of a function."""
    for call in re.finditer(rf"^[ \t]*{parameter.function}(?=[ \t])", text, re.M | re.I):
        words = [*words_from(text, call.end())]
        options = [text[slice(*word)].lower() for word in words]
        option = f"-{parameter.name.lower()}"
        at = options.index(option) + 1 if option in options else parameter.number - 1
        if at < len(words) and (option in options or not options[at].startswith("-")):
            yield from bare(text, *words[at])
