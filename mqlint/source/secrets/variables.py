"""Variables that are the secret of a command: what a script puts into them.

A command takes `$PW`, and another line says `PW=text`. A value may pass through several: other
variables, an array, the words of a loop, what `read` takes from a text, the arguments of a
function, a descriptor.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import logins_in_commands, unquoted, words_from
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge, tells_place
from mqlint.source.secrets.nested import NestedValues
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import paired_value, value_after
from mqlint.source.secrets.words import document_to, first_line, in_line, word_at

if TYPE_CHECKING:
    from mqlint.source.secrets.functions import Call, Functions

_FORMS = (
    r"\$?\$\{([A-Za-z_][\w.-]*|\d)(?:\[[^\]\n]{0,80}\]|[#%/^,:=][^}\n]{0,80})?\}"
    r"|\$?\$(?:(?:env|global|local|private|script|using):)?([A-Za-z_]\w*|\d)"
    r"(?:\[[\"'](\w+)[\"']\]|\[[^\]\n]{0,80}\])?|[%!](\w+)[%!]|%%~?(\w)|%~?(\d)"
    r"|\$?\{\{-?[ \t]*\$?(?:\w+\.)*([A-Za-z_]\w*)(?:\[[\"'](\w+)[\"']\])?[ \t]*"
    r"(?:\|[^{}\n]{0,80})?-?\}\}|\$\((\w+)\)"
    r"|\$\((?:cat[ \t]*)?(<&\d)\)|&([A-Z]\w*)|&(\w+);|#\{(\w+)\}"
    r"|%\{\w+\([\"'](?:\w+::)*(\w+)[\"']\)\}"
    r"|(\*[\w.-]++)|(?:local|var)\.(?:\w+\.)*(\w+)(?:\[\"(\w+)\"\])?"
)
"""How a value names a variable: in shells and batch files, templates, CL, XML, Hiera, Terraform;
an alias of YAML with its asterisk."""
_VARIABLE = later(rf"\\?[\"']?(?:{_FORMS})[\"']?\Z")
_PUT_IN = later(_FORMS)
_TARGET = later(r"\$\w+[ \t]*+\+?=(?!=)")
"""A variable of PowerShell, Perl or Puppet that gets a value."""
_FIELD = later(r"[\"']?\$\(?\$?\w+(?:\.(\w+)|\[[\"'](\w+)[\"']\]?)\)?[\"']?\Z")
"""A field of an object in PowerShell; a quote and a bracket at its end may be cut off."""
_REFERRED = later(rf"[\"']?(?:{_FORMS})")
"""The same where a stretch is empty."""
_CALLED = later(
    r"[\"']?(?:(?:\$?\(|`)[ \t]*([A-Za-z_][\w-]*+)|\$\{(\w+)\(\)"
    r"|([A-Z][A-Za-z]*-\w+)(?=[\"' \t]|\Z))"
)
"""A function whose output is the value."""
_CONSTANT = later(r"(?m)^[ \t]*+([A-Za-z_]\w*+) = (?=[\"'])")
_HOLE = later(r"(?<![{$%])\{(\d)(?:[:,][^{}\n]{0,20})?\}")
_FORMAT = later(r"[^\n]{0,200}?[\"'](?:[ \t]*+\))?[ \t]*+(?:-f\b|,)")
"""What comes between the place of a value in a format and the values."""
_FORMATTED_WORD = later(r"[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s,\"'()|;]+))[ \t]*(,?)")
_INDIRECT = later(r"[\"']?(?:\$\{!(\w+)\}|!%(\w+)%!)[\"']?\Z")
_ASSIGNED = later(
    r"(?<![\w.$-])\$?(?P<open>(?<=\$\{))?+(?P<name>[A-Za-z_][\w.-]*+)"
    r"(?(open):?[-=]|(?:(?:\[[^\]\n]{1,80}\])?[ \t]*+(?:\+|\?|:{1,3})?=[ \t]*+(?=[^\s=~])"
    r"|[\"']?[ \t]*+=>[ \t]*+|[\"']?:(?:[ \t]++|[ \t]*+\r?\n)|[ \t]++in[ \t]++\(?))"
)
_SET = later(
    r"(?im)(?:^[ \t]*(?:ENV|set)|\bsetenv|\b(?:set|new)-variable(?:[ \t]+-name)?"
    r"|\bCHGVAR|<!ENTITY|\s--arg)[ \t]+[&\"']?(\w++)[\"']?[ \t]+(?:-value[ \t]+)?(?=[^\s=])"
)
"""A variable before its value, with no sign between them."""
_DEFINED = later(
    r"(?m)^(?:override[ \t]+|export[ \t]+)?define[ \t]+(\w++)[ \t]*+(?:[:?+]*+=[ \t]*+)?\r?\n"
    r"((?:(?!endef)[^\n]*\n)*+)"
)
_ANCHOR = later(
    r"(?:(?<![\w.-])(?P<key>[\w.-]++)[\"']?[ \t]*:[ \t]*+|(?<=[-\[{,])[ \t]*)"
    r"&(?P<name>[\w.-]++)[ \t]*+"
)
_ITEMS = later(r"\b(?:loop|with_(?:items|list))(?=[\"']?:)")
"""The list whose entries `item` is, in a task of Ansible."""
_PAIR = later(
    r"(?i)(?:\bname[\"']?[ \t]*[:=][ \t]*[\"']?|\b(?:ENV)?VAR\(&?|\bvariable[ \t]+[\"'])"
    r"([A-Za-z_][\w.-]*+)"
)
"""The name of a variable whose value is in an entry beside it."""
_REFERENCE = later(r"\b(?:declare|local|typeset)[ \t]+-n[ \t]+(\w+)=[\"']?([A-Za-z_]\w*)")
"""A variable that is another name of one."""
_READ = later(
    r"\b(?:read|mapfile|readarray)[ \t]+([\w-]{1,60}+(?:[ \t]++[\w-]{1,60}+){0,7}+)[ \t]*+"
    r"(?:;[^<]{0,1000}?\bdone[ \t]*)?"
    r"<(?:<<[ \t]*|[ \t]*<\([ \t]*(?:echo|printf)[ \t]+|<-?[ \t]*[\"']?(\w+)[\"']?[ \t]*\r?\n)"
)
_TOKENS = later(
    r"(?i)\bfor[ \t]+/f\b[^\n%]{0,100}%%(\w)[ \t]+in[ \t]+\([ \t]*(?:\"|'echo[ \t]+)([^\"'\n]+)"
)
_TOKEN = later(r"[^\s:;,/=]+")
_READ_FROM = later(r"\bread[ \t]+((?:[\w-]{1,60}[ \t]+){1,8})(<&\d)")
_FORMATTED = later(r"\bprintf[ \t]+-v[ \t]+(\w+)[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\S+)")
_DESCRIPTOR = later(r"\bexec[ \t]+(\d)<<<[ \t]*")
_PATH = later(r"[./~\\][\w./\\-]*\Z|\d{1,5}\Z")
_LOGIN = later(r"[\w.@-]{1,80}[:/%,](?=[^\s:])")
_LOGINS = later(
    r"(?i)\bGetBytes\([ \t]*\$\{?(\w+)|\"?\$\{?(\w+)\}?\"?[ \t]*\|[ \t]*(?:openssl[ \t]+)?base64\b"
)
"""Variables that become base64, which may be a user and a password."""
_SECURE = later(
    r"(?i)\bConvertTo-SecureString\b(?:[ \t]+-\w+)*[ \t]+(\$[\w:]+)"
    r"|(\$[\w:]+)[ \t]*\|[ \t]*ConvertTo-SecureString"
)
_LITERAL = later(r"\"([^\"\n]*)\"")
_NEAR = 4_000
_FARTHEST = 200
"""Characters before a variable of a template in which that opens, and of a text with a variable."""
_MOST_WORDS = 40
"""Words after the name of a function that are arguments: a line of many calls is read for each."""
_MOST_BELOW = 2
"""How often the length of a text is searched below keys whose value is taken elsewhere: brackets
in others are not searched again, unless they were searched first."""


class _Parameter(NamedTuple):
    """A parameter of a function, by number; its name is blank except in PowerShell."""

    function: str
    number: int
    name: str


class _Output(NamedTuple):
    function: str


class _Part(NamedTuple):
    """A value that a format gets."""

    start: int
    end: int


_Source = str | _Parameter | _Output | _Part
"""Where a value comes from: a variable by its name, or one of the others."""


def of_variables(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what is put into variables that are the secret of a command or of an input."""
    flow = _Flow(text)
    names = [
        found[2]
        for found in (_READ_FROM.finditer(text) if "<&" in text else ())
        if any(map(_is_secret, found[1].split()))
    ]
    followed: set[_Source] = set()
    while spans or names:
        new = dict.fromkeys((*names, *flow.variables(spans)))
        spans = [span for name in new if name not in followed for span in flow.values(name)]
        followed.update(new)
        names = []
        yield from spans


def of_passwords(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield what is put into variables that become a secure text, or a user and a password."""
    if "securestring" in low.lines:
        secure = (found.span(1 if found[1] else 2) for found in _SECURE.finditer(text))
        yield from of_variables(text, [*secure])
    names = {*logins_in_commands(text, low)} if "$" in text or "%" in text else set()
    if "base64" in low.lines:
        names.update(found[found.lastindex or 0] for found in _LOGINS.finditer(text))
    flow = _Flow(text) if names else None
    for start, end in (span for name in sorted(names) if flow for span in flow.assigned(name)):
        login = _LOGIN.match(text, start, end)
        if login is not None and not any(sign.isspace() for sign in text[start:end]):
            yield login.end(), end


def _is_secret(name: str) -> bool:
    return judge(name) is Sign.STRONG


def _is_name(value: str) -> bool:
    """Return whether a value is the name of another variable, as for `${!NAME}`."""
    return "_" in value and value.isupper() and value.isidentifier() and _is_secret(value)


class _Flow:
    """What one text puts into its variables; each way to do it is looked for once, if at all."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._indirect: set[str] = set()
        self._below_keys = NestedValues(text)
        self._in_secrets: dict[str, set[int]] = defaultdict(set)

    def variables(self, spans: Iterable[Span]) -> Iterator[_Source]:
        """Yield what stretches are the value of, but not what is found by its own name.

        A variable that is put into a longer text is one if no other text has it.
        """
        parts: list[Span] = []
        for start, end in spans:
            if end - start <= _NEAR:
                found = [*self._variables(start, end)]
                yield from found
                piece = self._text[start : min(end, start + _FARTHEST)]
                if piece and not found and " -" not in piece:
                    parts.append((start, end))
        put_in: dict[str, set[int]] = defaultdict(set)
        done = 0
        for start, end in sorted(parts):
            if _VARIABLE.match(self._text, start, end) is None:
                for at, name in self._put_in(max(start, done), end):
                    put_in[name].add(at)
                done = max(end, done)
        for name, places in put_in.items():
            self._in_secrets[name] |= places
            if len(self._in_secrets[name]) >= len(self._uses.get(name, ())):
                yield name

    def _put_in(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the offsets and names of the variables in a text."""
        for found in _PUT_IN.finditer(self._text, start, end):
            name = found[found.lastindex or 0].rpartition(".")[2]
            is_own = name.startswith(("*", "<")) or is_digits(name)
            if not is_own and not _is_secret(name) and not tells_place(name):
                yield found.start(), name

    @cached_property
    def _uses(self) -> Mapping[str, list[int]]:
        """The offsets where each variable is used."""
        text = self._text
        places = (
            found for found in self._put_in(0, len(text)) if not _TARGET.match(text, found[0])
        )
        return grouped((name, at) for at, name in places)

    def _variables(self, start: int, end: int) -> Iterator[_Source]:
        text = self._text
        called = _CALLED.match(text, start, end if start < end else len(text))
        function = (called[called.lastindex or 0] if called is not None else "").lower()
        if self._functions.is_function(function):
            yield _Output(function)
            return
        holes = [*_HOLE.finditer(text, start, end)]
        if holes:
            for number in {int(hole[1]) for hole in holes}:
                yield from self._formatted(end, number)
            return
        end = start + len(text[start:end].rstrip())
        indirect = _match(_INDIRECT.match, text, start, end)
        if indirect is not None:
            name = indirect[1] or indirect[2]
            for value in self.values(name) if name not in self._indirect else ():
                yield text[slice(*value)].strip("\"' \t\r")
            self._indirect.add(name)
            return
        field = _FIELD.match(text, start, end)
        if field is not None and (own := field[1] or field[2]) in self._assignments:
            yield own
            return
        name = self._variable(start, end)
        if name.startswith("*"):
            yield name
        else:
            yield from self._sources_of(name, start, end)

    def _sources_of(self, name: str, start: int, end: int) -> Iterator[_Source]:
        """Yield where the value of a variable, used at `start`, may come from."""
        if not name or _is_secret(name) or tells_place(name):
            return
        if "base64" in self._text[start : in_line(self._text, end, "")]:
            return  # may be configuration
        if not is_digits(name):
            is_assigned = name in self._assignments
            yield name if is_assigned else name.rpartition(".")[2]  # a field of an object
            if name in self._references:
                yield self._references[name]
        for function, number in self._functions.parameter(start, name):
            yield _Parameter(function, number, "" if is_digits(name) else name)

    def _variable(self, start: int, end: int) -> str:
        """The name of the variable that a text is, blank if it is none."""
        text = self._text
        if start == end:
            found = _REFERRED.match(text, start)
        else:
            found = _match(_VARIABLE.match, text, start, end)
        name = found[found.lastindex or 0] if found is not None else ""
        return text[start:end] if not name and text[start:end] in self._constants else name

    @cached_property
    def _constants(self) -> frozenset[str]:
        """Variables of a language that marks none: `name = 'text'`, at the start of a line."""
        return frozenset(constant[1] for constant in _CONSTANT.finditer(self._text))

    def _formatted(self, end: int, number: int) -> Iterator[_Part]:
        """Yield the value for the place of a format that ends at `end`."""
        head = _FORMAT.match(self._text, end)
        at = head.end() if head is not None else len(self._text)
        for index in range(number + 1):
            word = _FORMATTED_WORD.match(self._text, at)
            if word is None or (index < number and not word[4]):
                return
            at = word.end()
            if index == number:
                group = next(group for group in (1, 2, 3) if word.start(group) >= 0)
                yield _Part(*word.span(group))

    def values(self, name: _Source) -> Iterator[Span]:
        """Yield the stretches that assignments, `read`, loops, `exec` and calls put into a name."""
        if isinstance(name, _Parameter):
            for call in self._functions.calls(name.function):
                yield from self._argument(call, name)
            return
        if isinstance(name, _Part):
            yield name.start, name.end
            return
        if isinstance(name, _Output):
            yield from self._functions.printed(name.function)
            return
        if name.startswith("*"):
            yield from self._anchored(name[1:])
            return
        if name == "item":
            below = NestedValues(self._text)
            for items in _ITEMS.finditer(self._text):
                yield from below.values(*items.span())
        text = self._text
        for start, end in self.assigned(name):
            # The lines after the first may be commands, but not in the brackets of a list
            value = (start, end) if text[start - 1] == "(" else first_line(text, start, end)
            words = text[slice(*value)].strip("\"' \t")
            if start == end:
                yield start, end
            elif words and not _PATH.match(words) and not is_mqsc(words) and not _is_name(words):
                yield value
        yield from self._taken.get(name, ())

    def assigned(self, name: str) -> Iterator[Span]:
        """Yield the values that are assigned to a name, all words of an array or of a loop."""
        text, done = self._text, 0
        for at, is_loop in self._assignments.get(name, ()):
            if at < done:
                continue  # in the first line of the value before
            template = text.rfind("{{", max(at - _FARTHEST, 0), at)
            if template >= 0 and "}" not in text[template:at] and "." not in text[template:at]:
                yield from self._given_in_template(at + len(name))
                continue
            span = value_after(text, at, at + len(name))
            if span is None:
                yield from self._below(at, at + len(name))
                continue
            is_plain = text[span[0] - 1] not in "\"'(\n" and not text.startswith("$", span[0])
            is_call = self._functions.is_function(text[slice(*span)].lower())
            if is_plain and not is_call and text.startswith("$", max(at - 1, 0)):
                continue  # PowerShell runs a word without quotes
            value = (span[0], in_line(text, span[0], ";)")) if is_loop else span
            done = in_line(text, value[0], "\n", value[1])
            yield value
        for at in self._pairs.get(name, ()):
            span = paired_value(text, at, at + len(name))
            if span is not None:
                yield span

    def _given_in_template(self, at: int) -> Iterator[Span]:
        """Yield the texts that a variable of a template gets, or the variable that it is."""
        text = self._text
        end = in_line(text, at, "}\n", min(at + _NEAR, len(text)))
        following = text.find("{{", at, end)
        end = following if following >= 0 else end
        literals = [*_LITERAL.finditer(text, at, end)]
        yield from (literal.span(1) for literal in literals)
        variable = text.find("$", at, end)
        if not literals and variable >= 0:
            yield variable, variable

    def _anchored(self, name: str) -> Iterator[Span]:
        """Yield the scalars of the nodes of YAML with an anchor."""
        text = self._text
        for anchor in self._anchors.get(name, ()):
            if anchor["key"] is not None:
                span = value_after(text, *anchor.span("key"))
                yield from self._below(*anchor.span("key")) if span is None else (span,)
            else:
                span = word_at(text, anchor.end())
                if span is not None:
                    yield span

    def _below(self, start: int, end: int) -> Iterator[Span]:
        """Yield the scalars below a key; what was searched for another key is not yielded again."""
        below = self._below_keys
        if below.cost <= _MOST_BELOW * len(self._text):
            yield from below.values(start, end)

    def _argument(self, call: Call, parameter: _Parameter) -> Iterator[Span]:
        text = self._text
        words = call.arguments or [*islice(words_from(text, call.end), _MOST_WORDS)]
        options = [text[slice(*word)].lower() for word in words]
        option = f"-{parameter.name.lower()}"
        at = options.index(option) + 1 if option in options else parameter.number - 1
        is_value = at < len(words) and (option in options or not options[at].startswith("-"))
        if is_value and not _is_name(text[slice(*words[at])].strip("\"'")):
            yield from unquoted(text, *words[at])

    @cached_property
    def _functions(self) -> Functions:
        from mqlint.source.secrets.functions import Functions  # here, as only scripts have them

        return Functions(self._text)

    @cached_property
    def _references(self) -> Mapping[str, str]:
        return {found[1]: found[2] for found in _REFERENCE.finditer(self._text)}

    @cached_property
    def _assignments(self) -> Mapping[str, list[tuple[int, bool]]]:
        """The offsets of the names that get a value, and whether it is that of a loop."""
        found: dict[str, list[tuple[int, bool]]] = defaultdict(list)
        for assigned in _ASSIGNED.finditer(self._text):
            if assigned["name"] not in self._references:
                is_loop = assigned[0].rstrip(" \t(").endswith((" in", "\tin"))
                is_list = is_loop and assigned[0].endswith("(")
                if is_list and self._text.startswith(("'", '"', "`"), assigned.end()):
                    continue  # the output of a command
                found[assigned["name"]].append((assigned.start("name"), is_loop))
        return found

    @cached_property
    def _anchors(self) -> Mapping[str, list[re.Match[str]]]:
        return grouped((anchor["name"], anchor) for anchor in _ANCHOR.finditer(self._text))

    @cached_property
    def _pairs(self) -> Mapping[str, list[int]]:
        """The offsets of the names whose value is in an entry beside it."""
        return grouped((pair[1], pair.start(1)) for pair in _PAIR.finditer(self._text))

    @cached_property
    def _taken(self) -> Mapping[str, list[Span]]:
        """What `read`, `for /f`, `printf -v` and descriptors take from a text, by variable."""
        found: dict[str, list[Span]] = defaultdict(list)
        text = self._text
        for taken in _READ.finditer(text):
            variables = [name for name in taken[1].split() if not name.startswith("-")]
            word = document_to(text, taken) if taken[2] else word_at(text, taken.end())
            if word is not None:
                login = _LOGIN.match(text, *word) if len(variables) > 1 and not taken[2] else None
                for name in variables:
                    found[name].append((word[0] if login is None else login.end(), word[1]))
        for loop in _TOKENS.finditer(text):
            tokens = [*_TOKEN.finditer(text, *loop.span(2))]
            for letter, token in zip(range(ord(loop[1]), ord("z") + 1), tokens, strict=False):
                found[chr(letter)].append(token.span())
        for formatted in _FORMATTED.finditer(text):
            words = [*words_from(text, formatted.end())]
            found[formatted[1]] += words[-1:]  # the others come before a colon
        for variable in _SET.finditer(text):
            word = word_at(text, variable.end())
            if word is not None:
                found[variable[1]].append(word)
        for variable in _DEFINED.finditer(text) if "endef" in text else ():
            found[variable[1]].append(variable.span(2))
        for opened in _DESCRIPTOR.finditer(text):
            word = word_at(text, opened.end())
            if word is not None:
                found[f"<&{opened[1]}"].append(word)
        return found


def _match(
    match: Callable[[str, int, int], re.Match[str] | None], text: str, start: int, end: int
) -> re.Match[str] | None:
    """Match a value at its start, or after its last colon: `db:$NAME`."""
    after_colon = text.rfind(":", start, end) + 1
    return match(text, start, end) or match(text, after_colon or end, end)
