"""The signs of a secret, looked for one by one; each costs little in a text that has none of it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator

from mqlint.source.patterns import later
from mqlint.source.secrets.commands import in_commands, in_input, is_mqsc
from mqlint.source.secrets.names import STEMS, Sign, judge
from mqlint.source.secrets.values import Span, option_value, value_after

Finder = Callable[[str, str], Iterator[Span]]
"""Takes a text, and the same in lower case."""


def secret_spans(text: str, *, scripts: bool = True, settings: bool = False) -> list[Span]:
    """Return the stretches of `text` that hold a secret, in any order; they may overlap.

    Without `scripts` what only commands of a system hold is not looked for. In a text of `settings`
    the value behind an equals sign goes on to the end of its line.
    """
    low = text.lower()
    if len(low) != len(text):  # a few letters are longer in lower case
        low = text.translate(_LOWER)
    finders = (*_ANYWHERE, *_IN_SCRIPTS) if scripts else _ANYWHERE
    named = _named(text, low, settings, not scripts)
    return [*named, *(span for finder in finders for span in finder(text, low))]


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

# -- names and options -----------------------------------------------------------------------------

_NAME = later(r"[\w.-]*")
_FARTHEST = 120
_IS_SET = later(
    r"(?:\bsetx(?:[ \t]+/m)?|^[ \t]*(?:ENV|ARG)|--arg|--set[ \t]\S+[ \t]\S+"
    r"|Set-Item[ \t]+env:|\bsecrets?[ \t]+set[ \t])[ \t]*\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""Before a name that is set to the next word."""
_ODD_BRACKET = later(r"(?:[\[{</\uff08]|[\u00a0\u200b]\()[\"']?([^\s\]}>\uff09)\"']+)")
"""Signs behind an attribute of MQSC that stand where a parenthesis should."""
_LOST_SIGN = later(r"[ \t]+(\S+)[ \t]*\r?$", re.MULTILINE)
"""Behind a key that lost its equals sign."""
_HARMLESS = later(
    r"(?:true|false|yes|no|on|off|none|null|nil|undefined|required|optional|always|never|string"
    r"|enabled|disabled|\*+|x{3,}|\.\.\.)\Z",
    re.IGNORECASE,
)
_PATH = later(r"(?:[./~\\]|[A-Za-z]:[\\/])\S*[/\\.]|\S+/\S+/|\S+\.[a-z]{2,4}\Z|\d{1,5}\Z")


def _named(text: str, low: str, settings: bool, in_mqsc: bool) -> Iterator[Span]:
    """Values behind names: assignments, keys, attributes, elements, options."""
    last = found = -1
    for at in _places(low, STEMS):
        if at < max(last, found):  # in a name that was judged, or in a value that was found
            continue
        start, last = _name_around(text, at)
        while start < last and text[start] in ".":
            start += 1
        lead = len(text[start:last]) - len(text[start:last].lstrip("-"))
        name = text[start + lead : last].rstrip(".-")
        end = start + lead + len(name)
        sign = judge(name)
        if sign is Sign.NONE or (sign is Sign.WEAK and in_mqsc and "key" in name.lower()):
            continue
        is_option = lead > 0 or text[start - 1 : start] == "/"
        span = value_after(text, start + lead, end, to_line_end=settings)
        if span is None and _IS_SET().search(text, max(start - 120, 0), start):
            span = option_value(text, end)
        if span is None and in_mqsc and sign is Sign.STRONG:
            odd = _ODD_BRACKET().match(text, end)
            span = odd.span(1) if odd is not None else None
        if span is None and sign is Sign.STRONG and not is_option:
            span = _without_sign(text, start, end)
        if is_option and (span is None or sign is Sign.WEAK):
            span = option_value(text, end) if sign is Sign.STRONG or "-" in name else span
        if span is not None and _is_taken(text, start, end, span, sign):
            found = span[1]
            yield span
        yield from _paired(text, start + lead, end)
        if span is None and any(word in name.lower() for word in ("pass", "pw", "cred")):
            yield from _below(text, start + lead, end)


_BELOW = later(r"[\"']?[ \t]*:[ \t]*(?:\r?\n(?=[ \t])|(?=\{(?!\{)))")
_SCALAR = later(r"[ \t]*(?:-[ \t]+)?(?:([\w.-]+)[ \t]*:[ \t]+)?(?![\[{|>&*!])([^\s#][^\n]*)")
_FLOW_SCALAR = later(r"([\w.-]+)[ \t]*:[ \t]*[\"']?([^\"'\n,{}]+)")
_DEEPEST = 20
_REFERENCES = frozenset(
    "name key namespace username user file path type url id ref existingsecret optional".split()
)
"""Keys below the name of a secret that tell where it is kept."""


def _below(text: str, start: int, end: int) -> Iterator[Span]:
    """The scalars of YAML below a name such as `passwords:`."""
    head = _BELOW().match(text, end)
    if head is None:
        return
    if text.startswith("{", head.end()):
        close = text.find("}", head.end(), head.end() + 400)
        for entry in _FLOW_SCALAR().finditer(text, head.end(), max(close, head.end())):
            if _is_plain(entry[1], entry[2]):
                yield entry.span(2)
        return
    line = text.rfind("\n", max(start - 200, 0), start) + 1
    indent, at = len(text[line:start]), head.end()
    for _ in range(_DEEPEST):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        row = text[at:stop]
        if at >= len(text) or (row.strip() and len(row) - len(row.lstrip()) < indent):
            return
        scalar = _SCALAR().match(text, at, stop)
        is_item = row.lstrip().startswith("- ")
        if scalar is not None and (scalar[1] or is_item) and _is_plain(scalar[1] or "", scalar[2]):
            yield scalar.span(2)
        at = stop + 1


def _is_plain(key: str, value: str) -> bool:
    """Tell whether an entry below the name of a secret holds it, and does not say where it is."""
    known = key.lower() in _REFERENCES or "secret" in key.lower() or judge(key) is not Sign.NONE
    return not known and not value.rstrip().endswith(":") and not is_mqsc(value)


def _without_sign(text: str, start: int, end: int) -> Span | None:
    """The one word behind a key of several words, which are all that stands in its line."""
    line = text.rfind("\n", 0, start) + 1
    lost = _LOST_SIGN().match(text, end)
    if lost is None or text[line:start].strip() or text[start:end].islower():
        return None
    return lost.span(1)


def _places(low: str, stems: tuple[str, ...]) -> Iterator[int]:
    """Yield in order where one of the stems stands."""
    found: list[int] = []
    for stem in stems:
        at = low.find(stem)
        while at >= 0:
            found.append(at)
            at = low.find(stem, at + len(stem))
    yield from sorted(found)


def _name_around(text: str, at: int) -> Span:
    """Return where the name stands of which a part stands at `at`."""
    before = _NAME().match(text[max(at - _FARTHEST, 0) : at][::-1])
    after = _NAME().match(text, at, at + _FARTHEST)
    return at - (before.end() if before else 0), after.end() if after else at


def _is_taken(text: str, start: int, end: int, span: Span, sign: Sign) -> bool:
    """Tell whether a value is a secret: words and paths are none behind a weak sign."""
    value = text[span[0] : span[1]].strip(" \t'\"")
    if not value or _HARMLESS().match(value) or is_mqsc(value):
        return False
    if sign is Sign.STRONG:
        is_folder = text[start:end].lower() in ("pwd", "oldpwd") and value.startswith("/")
        return not is_folder
    if text[end : end + 2].lstrip("\"' ").startswith(":") and "key" in text[start:end].lower():
        return "_" in text[start:end] and not _PATH().match(value)  # `key: config.mqsc`
    return not _PATH().match(value)


# -- a name and a value, each behind a word of its own ---------------------------------------------

_IS_NAME = later(
    r"(?:(?:name|key|id)[\"']?[ \t]*[:=][ \t]*[\"']?|(?:-n|-name|--name)[ \t]+\S*|VAR\(&|env:)\Z",
    re.IGNORECASE,
)
_ITS_VALUE = later(
    r"[\"']?[)]?(?:[ \t]*\#[^\n]*)?,?[^\n]{0,80}?(?:\r?\n[ \t]*(?:\#[^\n]*\r?\n[ \t]*)*)?(?:-|--)?"
    r"(?<![\w])(?P<value>value|default|v)(?=[\"']?[ \t]*[:=(]|[ \t])",
    re.IGNORECASE,
)
_VALUE_BEFORE = later(
    r"(?P<value>\bvalue)[\"']?[ \t]*[:=][^\n]*?(?:\r?\n[ \t]*|,\s*)[\"']?(?:name|key)[\"']?"
    r"[ \t]*[:=][ \t]*[\"']?\Z",
    re.IGNORECASE,
)


def _paired(text: str, start: int, end: int) -> Iterator[Span]:
    """The value that stands beside a name: `name: PASSWORD`, `value: x`, in either order."""
    before = _IS_NAME().search(text, max(start - 80, 0), start)
    if before is None:
        return
    found = _ITS_VALUE().match(text, end)
    if found is None:
        found = _VALUE_BEFORE().search(text, max(start - 300, 0), start)
    if found is None:
        return
    span = value_after(text, *found.span("value")) or option_value(text, found.end("value"))
    if span is not None and not _HARMLESS().match(text[slice(*span)].strip(" \t'\"")):
        yield span


# -- forms that a secret has -----------------------------------------------------------------------

_URI = later(
    r"://[^\s/?#@:\"'<>]*:((?!\d+/)[^\s\"'<>]+)@|://([^\s/?#@:\"'<>]{20,})@"
    r"|(?<![\w/.:-])\w[\w.-]*:((?!//)[^\s:@\"'(),;=]{3,})@[\w.-]+"
)
_HEADER = later(
    r"(?:authorization|api-key|auth-token|private-token|cookie)[\"']?\]?\s*[:=,]\s*[\"']?"
    r"(?:(?:basic|bearer|token|digest|negotiate|apikey|splunk)\s+)?([^\s\"',;]+)",
    re.IGNORECASE,
)
_BEARER = later(r"\bbearer\s+([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)
_PEM = later(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END|\Z)", re.DOTALL)
_SHAPES = later(
    r"(?<![A-Za-z0-9])(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|sk_live_\w{16,}|hvs\.\w{16,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|npm_\w{30,}|pypi-\w{16,})"
)
"""Tokens of well-known services."""
_SHAPE_STEMS = (
    "akia",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "aiza",
    "sk_live_",
    "hvs.",
    "eyj",
    "npm_",
    "pypi-",
)
_HEADER_STEMS = ("authorization", "api-key", "auth-token", "private-token", "cookie")
_PIN = later(r"GSK_PKCS11\s*=[^;\n]*;[^;\n]*;([^;\n'\")]*)", re.IGNORECASE)
_PASS_SOURCE = later(r"(?<![\w:])pass:([^\s\"')]+)")
_LOGIN = later(r"\b(?:login|user|machine)\s+\S+\s+(?:login\s+\S+\s+)?password\s+(\S+)", re.I)
_JDBC = later(r"jdbc:[^\s\"'@]*[:/]\w*/([^\s\"'/@]+)@")
_SERVICE = later(
    r"\bsc(?:\.exe)?\s+(?:config|create)\b[^\n]*?\bpassword=\s+\"?([^\s\"][^\"\n]*)", re.IGNORECASE
)
_IDENTIFIED = later(r"\bidentified\s+by\s+[\"']?([^\s\"';]+)", re.IGNORECASE)
_SETTING = later(
    r"\b(?:configure|config)\s+set\s+\S*(?:secret|passw|token)\S*\s+[\"']?([^\s\"';]+)",
    re.IGNORECASE,
)
_USING = later(
    r"\b(?:connect|attach)\s+to\s+\S+\s+user\s+\S+\s+using\s+"
    r"(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\s\"';]+))",
    re.IGNORECASE,
)
_WINDOWS = later(
    r"\bnet\s+use\s+\S+\s+\\\\\S+\s+(?:/user:\S+\s+)?((?!/)\S+)|\s/rp\s+(\S+)|\s/p:(\S+)",
    re.IGNORECASE,
)
_ASSIGNED = later(
    r"\b(?:vault\s+(?:kv\s+put|write)|set\s+data)\s+\S+\s+(?:[\w.-]+=\S+\s+)*?[\w.-]+=(\S+)"
    r"|secret[^\n]*\"(?:stringData|data)\"\s*:\s*\{[^{}\n]*?:\s*\"([^\"\n]*)\"",
    re.IGNORECASE,
)
_OF_CL = later(
    r"&\w*(?:PW|PWD|PASS|SECRET|TOKEN)\w*[ \t]+(?:\*\w+[ \t]+\d*[ \t]*)?'([^'\n]+)'", re.IGNORECASE
)
_SEND = later(
    r"\b(?:send|exp_send)(?:[ \t]+--)?[ \t]+(?:\\?\"|\{)?((?![\\\"{-])[^\"\\\n}\s;]+)"
    r"(?=\\|\"|\}|[ \t;]|$)"
)
_CONVERT = later(
    r"ConvertTo-SecureString(?:[ \t]+-(?:AsPlainText|Force|String))*[ \t]+[\"']?"
    r"((?![-(])[^\"'\n|)]+?)(?=[\"'\n|)]|[ \t]+-)"
    r"|[\"']([^\"'\n]+)[\"'][ \t]*\|[ \t]*ConvertTo-SecureString",
    re.IGNORECASE,
)
_CREDENTIAL = later(
    r"Credential[^\n]{0,40}?[\"'][^\"'\n]*[\"']\s*,\s*[\"']([^\"'\n]+)", re.IGNORECASE
)
_SUBSTITUTE = later(
    r"\bs[/|#,][^/|#,\n]*(?:pass|pw|secret|token)[^/|#,\n]*[/|#,]([^/|#,\n]+)[/|#,]", re.IGNORECASE
)
_PRINTED = later(
    r"\bprintf[ \t]+(?:--[ \t]+)?(?:\"[^\"\n]*(?:pass|pw|secret|token)[^\"\n]*%s[^\"\n]*\""
    r"|'[^'\n]*(?:pass|pw|secret|token)[^'\n]*%s[^'\n]*')[ \t]+([^\n|;&>)]+)",
    re.IGNORECASE,
)
_LOOP = later(
    r"\bfor[ \t]+\w*(?:pass|pw|pwd|secret|token)\w*[ \t]+in[ \t]+([^\n;]+)"
    r"|\bcase[ \t]+\"?\$\{?\w*(?:pass|pw|pwd|secret|token)\w*\}?\"?[ \t]+in[ \t]+([^\n)]+)\)",
    re.IGNORECASE,
)


def _form(pattern: Callable[[], re.Pattern[str]], *stems: str) -> Finder:
    """Return a finder of `pattern`, which matches only where one of `stems` is in the text.

    A secret is what its groups match, else all of it.
    """

    def find(text: str, low: str) -> Iterator[Span]:
        if not any(stem in low for stem in stems):
            return
        for found in pattern().finditer(text):
            groups = [found.span(group) for group in range(1, len(found.groups()) + 1)]
            yield from (span for span in groups or [found.span()] if span[0] >= 0)

    return find


# -- attributes that hold the words of a command ---------------------------------------------------

_ATTRIBUTES = (
    *("startarg", "stoparg", "startcmd", "stopcmd", "applicid", "parm"),
    *("userdata", "envrdata", "senddata", "rcvdata", "msgdata"),
)
_ARGUMENTS = later(r"\s*(?:[+-]\s*\n\s*)?[(=]\s*(?:[+-]\s*\n\s*)?('(?:[^']|'')*+'?|[^()\n]*)")
_ARGUMENT = later(
    r"(?:^|[\s'\"])(?:-[pwP][ =]?|/p[ :]?|-U[ ]?\S+?%|-\w*u[ =]?\S+?[,:/%])(?P<quote>''|\")?"
    r"(?P<value>(?![\s-])(?(quote)(?:(?!''|\")[^\n])+|[^\s'\"]+))"
    r"|\b\w+[:/](?P<user>[^\s:'\"/\\@]{4,})@"
)
_OF_MQ = later(r"\d+\Z|[A-Z0-9_%/]+(?:\.[A-Z0-9_%/]+)+\Z")
"""Ports, and names of objects, which options of other programs take too."""


def _arguments(text: str, low: str) -> Iterator[Span]:
    for at in _places(low, _ATTRIBUTES):
        found = _ARGUMENTS().match(text, _name_around(text, at)[1])
        if found is None:
            continue
        start, value = found.start(1), found[1]
        for argument in _ARGUMENT().finditer(value):
            part = "value" if argument["value"] is not None else "user"
            if not _OF_MQ().match(argument[part]):
                yield start + argument.start(part), start + argument.end(part)
        yield from ((start + one, start + two) for one, two in _in_command(value))


def _in_command(value: str) -> Iterator[Span]:
    """The secrets in the words that an attribute gives to a program."""
    low = value.lower()
    return (span for finder in _IN_SCRIPTS for span in finder(value, low))


# -- Secrets of Kubernetes -------------------------------------------------------------------------

_KIND = later(r"^[ \t]*[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(?:Sealed|External)?Secret\b", re.M)
_DOCUMENT = later(r"^---", re.MULTILINE)
_DATA = later(r"^([ \t-]*)[\"']?(?:data|stringData)[\"']?[ \t]*:[^\n]*\n?", re.MULTILINE)
_ENTRY = later(r"[ \t]*([^\s:#][^:\n]*)(?=:)")


def _manifests(text: str, low: str) -> Iterator[Span]:
    """All values of the documents of kind Secret."""
    if "secret" not in low or "kind" not in low:
        return
    start = 0
    for border in (*(found.start() for found in _DOCUMENT().finditer(text)), len(text)):
        if _KIND().search(text, start, border):
            yield from _data(text, start, border)
        start = border


def _data(text: str, start: int, end: int) -> Iterator[Span]:
    """The values below `data` and `stringData`: those of its keys, and what goes on below them."""
    at = start
    while data := _DATA().search(text, at, end):
        at = data.end()
        inside = text.find("{", *data.span())
        if inside >= 0:
            at = text.find("}", inside, end)
            at = end if at < 0 else at
            yield from (found.span(1) for found in _FLOW().finditer(text, inside, at))
            continue
        first, is_read = -1, False
        while at < end:
            stop = text.find("\n", at, end)
            stop = end if stop < 0 else stop
            row = text[at:stop]
            depth = len(row) - len(row.lstrip(" \t"))
            if row.strip() and depth <= len(data[1]) and not row.startswith("#"):
                break
            first = depth if first < 0 and row.strip() else first
            entry = _ENTRY().match(text, at, stop) if depth == first else None
            if entry is not None:
                value = value_after(text, entry.start(1), entry.end(1))
                is_read = value is not None and _is_configuration(entry[1], text[slice(*value)])
                if value is not None and not is_read:
                    yield value
            elif row.strip() and not is_read and not row.lstrip().startswith("#"):
                yield at + depth, stop
            at = stop + 1


def _is_configuration(key: str, value: str) -> bool:
    """Tell whether an entry is a file of MQ, in which secrets are looked for one by one."""
    if key.lower().strip("\"'").endswith((".mqsc", ".ini")):
        return True
    try:
        text = b64decode("".join(value.split()), validate=True).decode()
    except ValueError:
        text = value
    return is_mqsc(text)


_FLOW = later(r":[ \t]*[\"']?([^\"'\n,}]+)")

_ANYWHERE: tuple[Finder, ...] = (
    _arguments,
    _form(_URI, "@"),
    _form(_PEM, "private key"),
    _form(_PIN, "gsk_pkcs11"),
)
"""What may stand in MQSC too."""
_IN_SCRIPTS: tuple[Finder, ...] = (
    in_commands,
    in_input,
    _manifests,
    _form(_HEADER, *_HEADER_STEMS),
    _form(_BEARER, "bearer"),
    _form(_SHAPES, *_SHAPE_STEMS),
    _form(_PASS_SOURCE, "pass:"),
    _form(_LOGIN, "password "),
    _form(_JDBC, "jdbc:"),
    _form(_SERVICE, "password="),
    _form(_IDENTIFIED, "identified"),
    _form(_SETTING, " set "),
    _form(_USING, " using "),
    _form(_WINDOWS, "net use", "/rp ", "/p:"),
    _form(_ASSIGNED, "vault", "set data", "stringdata", '"data"'),
    _form(_OF_CL, "&"),
    _form(_SEND, "spawn", "expect"),
    _form(_CONVERT, "securestring"),
    _form(_CREDENTIAL, "credential"),
    _form(_SUBSTITUTE, "s/", "s|", "s#", "s,"),
    _form(_PRINTED, "printf"),
    _form(_LOOP, "for ", "case "),
)
