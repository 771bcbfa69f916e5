"""The signs of a secret, looked for one by one; each costs little in a text that has none of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.encoded import encoded_texts
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import in_commands, in_lists
from mqlint.source.secrets.entries import in_entries, in_jobs
from mqlint.source.secrets.forms import (
    Finder,
    in_forms_anywhere,
    in_forms_of_scripts,
    in_login_modules,
    of_resources,
    of_uris,
    of_users_and_passwords,
)
from mqlint.source.secrets.input import in_input
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.manifests import in_manifests
from mqlint.source.secrets.names import WORDS, Sign, judge, may_be_object
from mqlint.source.secrets.nested import NestedValues, has_values_below
from mqlint.source.secrets.pieces import Unescaped, in_pieces, of_short_lines
from mqlint.source.secrets.statements import is_mqsc, outside_statements
from mqlint.source.secrets.values import option_value, paired_value, value_after
from mqlint.source.secrets.variables import of_passwords, of_variables

_TYPOGRAPHIC = (
    dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
    | dict.fromkeys(range(0x2010, 0x2016), "-")
    | dict.fromkeys(range(0x2018, 0x201C), "'")
    | dict.fromkeys(range(0x201C, 0x2020), '"')
)
"""Blanks, dashes and quotes of documents, with which commands are often pasted.

PowerShell takes the dashes and quotes for those of ASCII.
"""


def secret_spans(text: str, *, scripts: bool = True, settings: bool = False) -> list[Span]:
    """Return the stretches of `text` that hold a secret, in any order; they may overlap.

    Without `scripts` what only commands of a system hold is not looked for. In a text of `settings`
    the value after an equals sign goes on to the end of its line.
    """
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC)
    found = _spans(text, scripts, settings)
    plain = Unescaped.of(text)
    if plain is not None:
        found += map(plain.written, _spans(plain.text, scripts, settings))
    found += copies_of(text, found)
    return [*outside_statements(text, found)]


def _spans(text: str, scripts: bool, settings: bool) -> list[Span]:
    low = LowerCase(text)
    named = [*_values_of_names(text, low, settings, not scripts)]
    found = [span for span, _ in named]
    sure = [span for span, name in named if name.is_sure()]
    for broken in of_short_lines(text):
        finders = (*_ANYWHERE, *_IN_SCRIPTS, *_OF_PROGRAMS) if scripts else _ANYWHERE
        taken = [span for finder in finders for span in finder(broken, low)]
        found += taken
        if scripts:
            found += of_variables(broken, [*taken, *sure])
    return found


_COPY = later(r"(?P<named>\$\{?)?(?P<word>[\w!#%^*+~]{8,64}+)(?P<name>[\"']?[ \t]*[:=])?")
"""A word that may be a copy of a secret; a sign before it or after it tells that it is a name."""
_UNLIKE_NAMES = later(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])")
_SHORTEST, _LONGEST = 8, 64
"""Characters of such a word."""


def copies_of(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the words of a text that are equal to a secret in it: in a remark, a log, a test.

    Only words with small and capital letters and a digit, as names of objects hardly are.
    """
    spans = [span for span in spans if _SHORTEST <= span[1] - span[0] <= _LONGEST]
    values = {text[start:end].strip(" \t'\"") for start, end in spans}
    values = {value for value in values if _UNLIKE_NAMES.match(value) is not None}
    copies = [word for word in _COPY.finditer(text) if word["word"] in values] if values else []
    names = {copy["word"] for copy in copies if copy["named"] or copy["name"]}
    yield from (copy.span("word") for copy in copies if copy["word"] not in names)


# -- names and options -----------------------------------------------------------------------------

_NAME = later(r"[\w.-]*")
_FARTHEST = 120
_IS_SET = later(
    r"(?im)(?:\bsetx(?:[ \t]+/m)?|\bsetenv|^[ \t]*(?:ENV|ARG)|--arg|--set[ \t]\S+[ \t]\S+"
    r"|\bset-env[ \t]\S+|Set-Item[ \t]+env:|\b(?:Set|New)-Variable"
    r"|\b(?:secrets?|variable|config)[ \t]+set[ \t])[ \t]*\Z"
)
"""Before a name that is set to the next word."""
_ODD_BRACKET = later(r"[ \t]{0,3}(?:[\[{<\uff08]|[\u00a0\u200b]\()[\"']?([^\s\]}>\uff09)\"']+)")
"""Signs after an MQSC attribute, in the place of a parenthesis."""
_IN_PATH = later(r"[\w.*#+-]/\Z")
"""Before a name that is part of a topic string or a path."""
_AFTER_ATTRIBUTE = later(r"\)[ \t]++\Z")
_LOST_BRACKET = later(
    r"(?:[ \t]|[+-][ \t]*+\r?\n)*+[)\[{<,]?[ \t]*+[\"'(]?([^\s\[\](){}<>'\",]++)(?!\()"
)
"""The value of a parameter of CL that has no opening parenthesis."""
_LOST_SIGN = later(r"(?m)[ \t]+(\S+)[ \t]*\r?$")
"""After a key that lost its equals sign."""
_IS_KEY = later(
    r"(?!(?:get|set|read|check|make|create|gen|generate|ask|prompt|rotate|change|update|verify|test"
    r"|find|load|fetch|print|show|encrypt|decrypt|encode|decode|hash|reset|require|wait)[_-])"
    r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*?(?:[_.-](?:pass|password|pw|secret|token)|pw)"
)
"""A key of a file with blanks between key and value, and not a verb of a function: `smtp_pass`."""
_HARMLESS = later(
    r"(?i)(?:true|false|yes|no|on|off|none|null|~|nil|undefined|required|optional|always|never|string"
    r"|on_create|read|write|(?:(?:is|was)[ \t]+)?not[ \t]+(?:be(?:en)?[ \t]+)?"
    r"(?:set|given|need|used?|requir|defin|found|known|avail|specif|provid|allow|valid|empty|config"
    r"|present|stored|shown|printed|here|applicable|yet|in|the|an?)\w*(?:[ \t][^\n]{1,80})?"
    r"|see[ \t]+(?:the|your|our|in|also|https?:|[\w.-]*[/.#])[^\n]{1,80}"
    r"|enabled|disabled|\*+|x{3,}|\.\.\."
    r"|\*(?:none|same|usrprf|yes|no|nomax|sysval|current|dft|blank))\Z"
)
_LOOKS_UP = later(r"(?:hashi_vault|vault_kv2_get|vault_read)[\"'][ \t]*,[ \t]*[\"']\Z")
"""Before the parameters of a lookup of Ansible, which say where a secret is."""
_IS_TYPE = later(r"\b(?:resource|data)[ \t]+\"\Z")
"""Before a type of Terraform, after which comes the name of the resource."""
_BINDS = later(
    r"\([ \t\r\n]*(?:credentialsId[ \t]*:|name[ \t]*:(?![^()\n]{0,300}default))"
    r"|(?<=[^\w.]credentials)\([\"'][\w.-]+[\"']\)"
)
"""After a kind of credentials of Jenkins: what follows says where they are kept."""
_ASKS = later(r"(?i)\bset[ \t]+/p[ \t]*\"?\Z")
"""Before a name that cmd asks for: what follows is the prompt, or all that is printed."""
_ELSEWHERE = later(r":(?:env|file)[ \t]+\S")
"""After an option of keytool that takes a password from a variable or a file."""
_PATH = later(
    r"(?:[./~\\]|[A-Za-z]:[\\/])\S*[/\\.]|\S+/\S+/|\S+\.[a-z]{2,4}\Z|[\d,*-]{1,12}\Z"
    r"|(?:ssh|ecdsa|sk-\w+)-[\w@.-]+[ \t]"
)
"""A path, the name of a file, a number, or a public key of ssh."""
_LONG_NUMBER = later(r"\d{5,12}\Z")
"""A number that hardly counts passes or attempts: it may be a password."""

_ENTRY = later(
    r"(?i)key[ \t]*=[ \t]*(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}')"
    r"(?:\s+value[ \t]*=|[ \t]*>\s*+(?:<value>)?[^<])"
)
"""An element of XML whose attribute `key` is a name: `<add key="PASSWORD" value="x"/>`, or
`<entry key="PASSWORD">x</entry>`."""

_ENTRY_BEFORE = later(r"(?i)\bvalue[ \t]*=[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*')\s+\Z")
"""The same with its attributes in the other order."""


class _Name(NamedTuple):
    """A word of the text that may name a secret.

    `start` is its offset without dots before it, `bare` that without dashes too, `end` that after
    its last letter, `stop` that after the dots and dashes that follow.
    """

    word: str
    start: int
    bare: int
    end: int
    stop: int
    sign: Sign
    is_option: bool

    @classmethod
    def around(cls, text: str, at: int) -> _Name:
        first, stop = _name_around(text, at)
        start = stop - len(text[first:stop].lstrip("."))
        bare = stop - len(text[start:stop].lstrip("-"))
        word = text[bare:stop].rstrip(".-")
        slashes = text[max(start - 2, 0) : start]
        is_option = bare > start or (slashes[-1:] == "/" and slashes != "//")
        return cls(word, start, bare, bare + len(word), stop, judge(word), is_option)

    def is_secret(self, in_mqsc: bool) -> bool:
        """Whether the value may be a secret; a key of MQSC (`KEYREUSE`) is none."""
        if self.sign is Sign.WEAK:
            return not (in_mqsc and "key" in self.word.lower())
        return self.sign is Sign.STRONG

    def is_sure(self) -> bool:
        """Whether a variable in the place of its value holds a secret too."""
        is_strong = self.sign is Sign.STRONG and not may_be_object(self.word)
        return is_strong or self.word.lower().endswith("pass")


def _values_of_names(
    text: str, low: LowerCase, settings: bool, in_mqsc: bool
) -> Iterator[tuple[Span, _Name]]:
    """Values after names: assignments, keys, attributes, elements, options."""
    done = 0  # the end of the last name that was judged
    value = (0, 0)  # that reaches furthest; an element's begins after its attributes
    below = NestedValues(text)
    for at in low.places(WORDS["stems"]):
        if at < done or value[0] <= at < value[1]:
            continue
        name = _Name.around(text, at)
        done = name.stop
        if not name.is_secret(in_mqsc) or _is_key_of_entry(text, name):
            continue
        if in_mqsc and _IN_PATH.search(text, max(name.start - 2, 0), name.start):
            continue
        if name.is_option and (name.word == "secret-id" or _ELSEWHERE.match(text, name.stop)):
            continue
        if _BINDS.match(text, name.stop):
            continue
        if _LOOKS_UP.search(text, max(name.start - 40, 0), name.start):
            continue
        if _IS_TYPE.search(text, max(name.start - 12, 0), name.start):
            continue
        span = _value_of(name, text, settings, in_mqsc)
        if span is not None and _is_prompt(text, name, span):
            continue
        if span is not None and _is_taken(text, name.start, name.end, span, name.sign):
            value = max(value, span, key=lambda place: place[1])
            yield span, name
        pair = paired_value(text, name.bare, name.end)
        if pair is not None and not _HARMLESS.match(text[slice(*pair)].strip(" \t'\"")):
            yield pair, name
        if span is None and has_values_below(name.word):
            yield from ((value, name) for value in below.values(name.bare, name.end))


def _is_prompt(text: str, name: _Name, span: Span) -> bool:
    asked = text[slice(*span)].rstrip(' \t\r"')
    if not asked.endswith((":", "?", ">")) or " " not in asked:
        return False
    return _ASKS.search(text, max(name.start - 20, 0), name.start) is not None


def _is_key_of_entry(text: str, name: _Name) -> bool:
    """Whether a name is the word `key` before the name of a value in the same element of XML."""
    if name.word.lower() != "key":
        return False
    start = max(name.start - _FARTHEST, 0)
    after = _ENTRY_BEFORE.search(text, start, name.start)
    return after is not None or _ENTRY.match(text, name.bare) is not None


def _value_of(name: _Name, text: str, settings: bool, in_mqsc: bool) -> Span | None:
    """Return the value of a name, by the first way to write it that fits."""
    is_strong = name.sign is Sign.STRONG
    span = value_after(text, name.bare, name.end, to_line_end=settings)
    if span is None and _is_set(text, name.start):
        span = option_value(text, name.end)
    if span is None and in_mqsc and is_strong:
        odd = _ODD_BRACKET.match(text, name.end)
        span = odd.span(1) if odd is not None else None
    if span is None and is_strong and name.word.isupper():
        span = _without_bracket(text, name.start, name.end)
    if span is None and not name.is_option and (is_strong or _IS_KEY.fullmatch(name.word)):
        span = _without_sign(text, name.start, name.end, settings)
    is_alone = is_strong or "-" in name.word or "_" in name.word or name.word.lower() == "pass"
    if name.is_option and (span is None or not is_strong) and is_alone:
        return option_value(text, name.end)
    return span


def _is_set(text: str, start: int) -> bool:
    """Return whether what is before a name sets it to the next word."""
    before = text[max(start - _FARTHEST, 0) : start].lower()
    if not any(word in before for word in ("set", "env", "arg")):
        return False  # as in most texts: a search is slower
    return _IS_SET.search(text, max(start - _FARTHEST, 0), start) is not None


def _without_bracket(text: str, start: int, end: int) -> Span | None:
    """The word after a name that follows the value of another parameter in parentheses."""
    if _AFTER_ATTRIBUTE.search(text, max(start - 20, 0), start) is None:
        return None
    value = _LOST_BRACKET.match(text, end)
    return value.span(1) if value is not None else None


def _without_sign(text: str, start: int, end: int, settings: bool) -> Span | None:
    """The single word after a key of several words that has nothing else in its line."""
    line = text.rfind("\n", 0, start) + 1
    lost = _LOST_SIGN.match(text, end)
    word, before = text[start:end], text[line:start].strip()
    if lost is None or (before and (before.strip("#;*/") or not _IS_KEY.fullmatch(word))):
        return None
    return None if word.islower() and not (settings or _IS_KEY.fullmatch(word)) else lost.span(1)


def _name_around(text: str, at: int) -> Span:
    before = _NAME.match(text[max(at - _FARTHEST, 0) : at][::-1])
    after = _NAME.match(text, at, at + _FARTHEST)
    return at - (before.end() if before else 0), after.end() if after else at


def _is_taken(text: str, start: int, end: int, span: Span, sign: Sign) -> bool:
    """Return whether a value is a secret: words and paths are not, after a weak sign."""
    if span[0] == span[1]:
        return True  # a reference to what is elsewhere
    value = text[span[0] : span[1]].strip(" \t\r\n'\"")
    if not value.strip("=") or _HARMLESS.match(value.rstrip(",;")) or is_mqsc(value):
        return False
    if sign is Sign.STRONG:
        name = text[start:end].lower()
        is_folder = name in ("pwd", "oldpwd") and value.startswith("/")
        is_list_of_names = name == "secrets" and text[end : span[0]].replace(" ", "") == ":["
        is_of_parser = name == "token" and text[end : span[0]].strip() == "in"
        return not (is_folder or is_list_of_names or is_of_parser)
    if text[end : span[0]].strip() == "in":
        return False  # a loop over files or names
    name = text[start:end].lower()
    is_key = "key" in name and not name.endswith("pass")
    if is_key and text[end : end + 2].lstrip("\"' ").startswith(":"):
        return not text[start:end].isalpha() and not _PATH.match(value)  # `key: config.mqsc`
    may_be_number = not is_key and _LONG_NUMBER.match(value) is not None
    return may_be_number or not _PATH.match(value)


# -- attributes that hold the words of a command ---------------------------------------------------

_ATTRIBUTES = (
    *("startarg", "stoparg", "startcmd", "stopcmd", "applicid", "parm"),
    *("userdata", "envrdata", "senddata", "rcvdata", "msgdata", "exitinit", "exitdata"),
)
_JOINT = r"(?:[+-][ \t\r]*+\n\s*+)?"
_ARGUMENTS = later(rf"[\"']?\s*+{_JOINT}[(=:]\s*+{_JOINT}('(?:[^']|'')*+'?|[^()\n]*)")
_ARGUMENT = later(
    r"(?m)(?:^|[\s'\"])(?:-[pwP](?!ass(?:w(?:or)?d|phrase|code)?[ =:]|wd?[ =:])[ =]?"
    r"|/p[ :]?|-U[ ]?\S{1,200}?%|-\w{0,20}u[ =]?\S{1,200}?[,:/%])(?P<quote>''|\")?"
    r"(?P<value>(?![\s-])(?(quote)(?:(?!''|\")[^\n])+|[^\s'\"]+))"
    r"|\b\w+[:/](?P<user>[^\s:'\"/\\@]{4,})@"
    r"|^'[\w.-]{2,20}/(?=[^'\n]*[a-z])(?=[^'\n]*[0-9])(?=[^'\n]*(?:[A-Z][^'\n]*[a-z]|[!#$%^&*+~?]))"
    r"(?P<pair>[^\s:'\"/\\@.,=-]{8,40})'$"
)
_OF_MQ = later(r"\d{1,5}\Z|[A-Z0-9_%/]+(?:\.[A-Z0-9_%/]+)+\Z")
"""Ports, and names of objects, which options of other programs take too."""


def _arguments(text: str, low: LowerCase) -> Iterator[Span]:
    values: list[Span] = []
    done = 0  # the end of the last value: one that begins inside belongs to it
    for at in low.places(_ATTRIBUTES):
        found = _ARGUMENTS.match(text, _name_around(text, at)[1]) if at >= done else None
        if found is not None:
            done = found.end()
            values.append(found.span(1))
    yield from in_pieces(text, values, _in_arguments, "\n")


def _in_arguments(values: str) -> Iterator[Span]:
    """The secrets in the words that attributes give to programs, a line for each attribute."""
    for argument in _ARGUMENT.finditer(values):
        part = argument.lastgroup or "value"
        if not _OF_MQ.match(argument[part]):
            yield argument.span(part)
    low = LowerCase(values, is_part=True)
    yield from (span for span, _ in _values_of_names(values, low, settings=False, in_mqsc=False))
    for finder in (*_OF_PROGRAMS, *_IN_SCRIPTS):
        yield from finder(values, low)


_ANYWHERE: tuple[Finder, ...] = (_arguments, of_uris, in_forms_anywhere)
_OF_PROGRAMS: tuple[Finder, ...] = (in_commands, in_lists, in_input)
_IN_SCRIPTS: tuple[Finder, ...] = (
    in_entries,
    in_manifests,
    in_jobs,
    of_passwords,
    of_resources,
    in_login_modules,
    of_users_and_passwords,
    in_forms_of_scripts,
)


# -- encoded texts ---------------------------------------------------------------------------------


_CONTROL = later(r"[\x00-\x08\x0e-\x1f\x7f]")
"""What a text does not have, and nearly all other data."""


def in_encoded(text: str) -> Iterator[Span]:
    """Yield each text in base64 or hexadecimal with a secret: readers of a report can decode it."""
    places: list[Span] = []
    pieces: list[str] = []
    for start, end, texts in encoded_texts(text):
        for plain in texts:
            if _CONTROL.search(plain) is None:
                places.append((start, end))
                pieces.append(plain)
    if pieces:  # joined, so that none has a cost of its own
        starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
        found = {bisect_right(starts, start) - 1 for start, _ in secret_spans("\n".join(pieces))}
        yield from (places[number] for number in sorted(found))
