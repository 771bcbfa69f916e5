"""Secrets are replaced in the text of a document before anything is concluded from it.

A secret is a stretch of text. Each of its characters becomes `HIDDEN`, so that no offset moves, and
the text without its secrets is the only one that readers, checkers and reports are given: what is
not in it cannot reach a message, a table or a cache.

Four things in a stretch stay as written. Line breaks with their continuation signs and indents
carry the layout. A template (`${PASS}`) is not a secret, but a default inside of it is
(`${PASS:-hunter2}`). The form in which IBM MQ writes an encrypted password keeps its first sign, by
which rules tell it from plain text; so do `ENC(` of Jasypt, `ENC[` of SOPS and of handles of
Datadog, `{cipher}` of Spring Cloud, and `{aes}` and `{hash}` of Liberty. So does `****`, which
another program has written for a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span

HIDDEN = "\ue002"
"""Stands for each character of a secret."""

# Two masks for two cases: `****` is a stretch of a line or word that is quoted otherwise as written
# (`shown`), `********` is all that is known of a value (`Secret`). Reports and tables that users
# have stored hold both, so neither may change.
TEXT_MASK = "****"
"""The text that replaces a secret of any length in a text."""

VALUE_MASK = "********"
"""The value that replaces that of a secret attribute, of any length."""

_RUN = later(f"{HIDDEN}+")
_UNKNOWN = later("[\ue000\ue001]+")
_LAYOUT = r"(?:[+\-\\^`][ \t]*+|(?<![ \t])[ \t]*+|)(?:\r\n?|\n)[ \t]*+"
"""The end of a line, with a sign that continues it; blanks are tried from their first one only."""
_ENCRYPTED = later(
    rf"[ \t'\"]*(?:<(?=\w{{1,20}}>!?\d|{HIDDEN})"
    r"|ENC(?:\((?=[^\s()]+\))|\[(?=[^\s\[\]]+\]))|\{(?:aes|cipher|hash|xor)\})"
)
_SUBSTITUTION = later(
    r"[ \t'\"]*(?:\$\(|`)(?:(?:echo(?: -n)?|printf(?: %s)?|print) (?=[^$`|;&<>\n]*`?[ \t'\"]*\Z))?"
)
"""How the output of a command begins, whose signs stay: the shell writes it. The name of a command
that only prints literal words stays too."""
_UNMASKED = later(rf"{_LAYOUT}|{HIDDEN}+")
_TEMPLATE = later(
    r"""(?x)
      \$?\{\{[^{}\n]*\}\} | \{%[^\n]{0,500}?%\} | \{[A-Za-z_][\w.-]{0,63}\}  # Jinja, Helm, CI
    | \$\{[^{}\n]*+(?:\{[^{}\n]*+\}[^{}\n]*+){0,8}\}
    | \$\{\{[^{}\n]*\}\} | \#\{[^{}\n]*\} | <%[^\n]{0,500}?%>
    | (?<!\\)\$env:\w+ | \$(?:::)?env\(\w+\) | \$\([\w.]+\) | (?<!\\)\$[A-Z_][A-Z0-9_]*\b | \$\d
    | %[A-Za-z_]\w*% | ![A-Z_][A-Z0-9_]*! | %%?[A-Za-z]\b | %~?\w*\d\b | @@?[A-Za-z_][\w.-]*@@?
    | (?<!\w)&[A-Z][A-Z0-9_]{0,9}\b  # CL, JCL
    | \+(?:QMNAME|MQ_[A-Z_]{1,40})\+  # the inserts of MQ in services
    | <[A-Za-z][\w.\ -]{0,63}>(?!!?\d) | \b__[A-Z][A-Z0-9_]*?__\b
    | \ue000+
    """
)
_VARIABLE = later(r"(?<!\\)\$\w+")
_ONLY_SIGNS = later(r"[-_.:/\\'\"\s]*")
_PROVIDER = r"(?!(?:file|directory|secrets|configmaps):[^:{}\n]+:[\w.-]+\}\Z)"
"""A provider of Kafka Connect, which is given a place and a name: `${file:/etc/mq.conf:name}`."""
_DEFAULT = later(
    r"\$\{[\w.]+:?[-=+?]([^\n]*)\}\Z"
    rf"|\$\{{{_PROVIDER}[\w.-]+:([^-=+?\n][^\n]*)\}}\Z"
)
_ASSUMED = later(r"\$\{(?:[\w.]+:?[-=]|(?:[A-Z][A-Z0-9_]*|[\w-]+\.[\w.-]+):)([^{}\n]+)\}")
"""A variable with the value it has if nothing sets it: `${file:...}` of Kafka Connect has none."""
_NAMED = later(r"\$\{[a-z][\w.]*(?:-[\w.]+)*-(?:[Pp]ass(?:word|wd)?|[Pp]w(?:d)?|[Ss]ecret)\}\Z")
"""A setting of an application: `${mq-password}` is a name, not `mq` with a default of a shell."""
_LITERAL = later(r"\"([^\"\n]+)\"|'([^'\n]+)'")
_AROUND = " \t'\"\\"
_REQUEST = later(r"(?:YOUR|REPLACE|INSERT|ENTER|CHANGE)(?:[_-][A-Z]+)+")
"""What asks the reader for a value: `YOUR_PASSWORD`, `CHANGE_ME`."""
_QUOTES = (("'", later(r"(?<!\\)'")), ('"', later(r"(?<!\\)\"")))
_CONTINUED = ("+", "-", "\\", "^", "`")
_BRACES = ("{{", "${{", "$${{", "{%", "<%", "#{")


def masked(text: str, spans: Iterable[Span], *, variables: bool = False) -> str:
    """Return `text`, of the same length, with the secret stretches `spans` replaced.

    `variables` tells that a shell puts values for `$name` into it; elsewhere only `$NAME` in
    capitals is taken for a template.
    """
    pieces: list[str] = []
    done = 0
    for start, end in _stretches(text, spans, variables):
        pieces += text[done:start], HIDDEN * (end - start)
        done = end
    return "".join([*pieces, text[done:]]) if done else text


def hidden_stretches(text: str) -> Iterator[Span]:
    """Yield the stretches of a masked text that hold a secret."""
    return (found.span() for found in _RUN.finditer(text))


def is_hidden(text: str) -> bool:
    """Return whether `text` is a secret that was replaced, with nothing before or after it."""
    bare = text.strip(" \t'\"").lstrip("<")
    return bare[:1] == HIDDEN and not bare.strip(HIDDEN + " \t\r\n+-\\")


def is_hidden_default(text: str) -> bool:
    """Return whether `text` is a variable with a secret as its default, as in Compose or Spring."""
    found = _ASSUMED.fullmatch(text.strip(_AROUND))
    return found is not None and is_hidden(found[1])


def is_mask(text: str) -> bool:
    """Return whether `text` stands for a secret: asterisks of another program, `...`, a request."""
    bare = text.strip(_AROUND)
    if bare == "..." or (len(bare) >= len(TEXT_MASK) and not bare.strip("*")):
        return True
    return _REQUEST.fullmatch(bare) is not None


def shown(text: str) -> str:
    """Return `text` as people may see it, with words for the signs of this program."""
    if text.isascii():
        return text
    return _UNKNOWN.sub("(unknown)", _RUN.sub(TEXT_MASK, text))


def secret_runs(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of replaced secrets between two offsets, in order."""
    return [found.span() for found in _RUN.finditer(text, start, end)]


def _stretches(text: str, spans: Iterable[Span], variables: bool) -> Iterator[Span]:
    last = -1
    for start, end in _joined(spans):
        for begin, stop in sorted(_literal(text, start, end, variables)):
            if max(begin, last) < stop:
                yield max(begin, last), stop
                last = stop


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield stretches in order, those that overlap as one."""
    start = end = -1
    for begin, stop in sorted(spans):
        if begin >= end:
            if start < end:
                yield start, end
            start = begin
        end = max(end, stop)
    if start < end:
        yield start, end


def _literal(text: str, start: int, end: int, variables: bool) -> Iterator[Span]:
    """Yield what is literal of one stretch: all but layout, or the defaults of templates."""
    templates = list(_templates(text, start, end, variables))
    if templates and _ONLY_SIGNS.fullmatch(_without(text, start, end, templates)):
        for template in templates:
            for begin, stop in _defaults(template):
                yield from _literal(text, begin, stop, variables)
        return
    if is_mask(text[start:end]):
        return
    if text[start:end] == "$" and text.startswith("(", end):
        return  # without quotes, the word of a substitution ends before its parenthesis
    opening, stop = _SUBSTITUTION.match(text, start, end), _end(text, start, end)
    if opening is not None and text[stop - 1] in ")`":
        start, end = opening.end(), max(stop - 1, opening.end())
    encrypted = _ENCRYPTED.match(text, start, end)
    at = encrypted.end() if encrypted is not None else start
    for unmasked in _UNMASKED.finditer(text, at, end):
        yield from _trimmed(text, at, unmasked.start())
        at = unmasked.end()
    yield from _trimmed(text, at, end)


def _end(text: str, start: int, end: int) -> int:
    """Return where a stretch ends without blanks and quotes."""
    return start + len(text[start:end].rstrip(_AROUND))


def _templates(text: str, start: int, end: int, variables: bool) -> Iterator[re.Match[str]]:
    yield from _TEMPLATE.finditer(text, start, end)
    if variables and not _is_verbatim(text, start):
        yield from _VARIABLE.finditer(text, start, end)


def _is_verbatim(text: str, start: int) -> bool:
    """Whether a single quote before `start` is the shell's: that of MQSC is in parentheses."""
    if start < 2 or text[start - 1] != "'":
        return False
    return text[max(start - 80, 0) : start - 1].rstrip(" \t")[-1:] not in ("(", ",", "")


def _without(text: str, start: int, end: int, templates: Iterable[re.Match[str]]) -> str:
    """Return what a stretch holds beside its templates."""
    pieces, at = [], start
    for begin, stop in sorted(template.span() for template in templates):
        pieces.append(text[at:begin])
        at = max(at, stop)
    return "".join([*pieces, text[at:end]])


def _defaults(template: re.Match[str]) -> Iterator[Span]:
    """Yield the literal texts that a template gives where there is no value."""
    start, written = template.start(), template.group()
    if _NAMED.match(written) is not None:
        return
    default = _DEFAULT.match(written)
    if default is not None:
        group = 1 if default[1] is not None else 2
        yield start + default.start(group), start + default.end(group)
    elif written.startswith(_BRACES):
        for literal in _LITERAL.finditer(written):
            group = 1 if literal[1] is not None else 2
            yield start + literal.start(group), start + literal.end(group)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the blanks and quotes around it, if anything is left.

    A sign that continues the line stays. So does a quote, unless its partner is replaced: a quote
    left alone would open a quoted text that takes the statements after it.
    """
    piece = text[start:end]
    if text[end : end + 1] in ("\r", "\n") and piece.endswith(_CONTINUED):
        piece = piece[:-1]
    bare = piece.lstrip(_AROUND)
    begin = start + len(piece) - len(bare)
    stop = begin + len(bare.rstrip(_AROUND))
    for quote, form in _QUOTES if begin < stop else ():
        if len(form.findall(text, begin, stop)) % 2:
            stop += text.startswith(quote, stop)
        if len(form.findall(text, begin, stop)) % 2:
            begin -= text[begin - 1 : begin] == quote
    if begin < stop:
        yield begin, stop
