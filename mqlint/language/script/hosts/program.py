r"""Programs in Python and Perl: the commands of MQ and the MQSC that are in their strings.

    subprocess.run(["endmqm", "-w", name])
    os.system("su - mqm -c 'strmqm %s'" % name)
    print $runmqsc "DEFINE QLOCAL('$queue') MAXDEPTH(5000) REPLACE\n";

Nothing is executed: whether, when and for which queue manager a program uses a string is not known,
so each is judged alone. Strings that are joined in their place are one text, and what a program
puts into a text is covered. A text of which a part may be elsewhere is listed as not followed.

Sources: "String and Bytes literals" in the language reference of Python, "Quote and Quote-like
Operators" in perlop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import ClassVar

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.mqsc.language import is_mqsc
from mqlint.language.script.command import base_name
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.hosts.unit import OPERATORS
from mqlint.language.script.step import Embedded
from mqlint.language.script.unread.mentions import ACTING
from mqlint.language.script.unread.unfollowed import SPEAKS, is_for_people, run_in
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_COMMANDS = ACTING | {"dmpmqcfg"}
_PROGRAMS = _COMMANDS | {"dspmq"}
_ONE_LINE = r"\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
_ESCAPE = r"\\(?P<escape>.)|(?P<twice>%%)"
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_CALLEE = later(r"([A-Za-z_][\w.:]{0,80})[ \t]*+\(?[ \t]*+\Z")
_TARGET = later(r"([A-Za-z_]\w{0,80})[ \t]*+=[ \t]*+\(?\s*+\Z")
_ADDED_TO = later(r"\b([A-Za-z_]\w{0,80})[ \t]*+[+.]=")
_USES = later(r"(?:[(\[{,=+.>|]|\b(?:print|say|return|yield|in|x)|\$\w{1,80})\s*+\Z")
"""What is before a string that a program uses; another one that begins a line describes it."""
_INDEX = r"(?:\([^()\n]{0,80}\)|\[[^\]\n]{0,80}\])"
_ITEM = later(rf"\s*+(?:[A-Za-z_$@%&*][\w$.>-]{{0,80}}{_INDEX}{{0,2}})?+\s*+(?:(,)\s*+|(?=[)\]]))")
"""The rest of an element of a list after a string, or one without a string, and the comma."""
_GIVES = frozenset(
    "print printf say write write_text write_bytes writelines check_call check_output".split()
)
"""Functions that may give a text to a command, although their names say that they speak."""
_RUNS = later(
    r"(?i)(?:system|exec[a-z]{0,4}|spawn[a-z]{0,6}|p?open\d?|run\w{0,20}|call|check_\w{4,6}|command)\($"
)
"""The call of a function that runs a command, before the first word."""
_IS_ARGUMENT = later(rf"[-A-Z{PLACEHOLDER}]")
"""The beginning of a word after a command in a list of its words, not in one of names."""
_SHELL = later(r"\bshell[ \t]*=|\*\*|\bexecutable[ \t]*=")
"""An argument of a call that may choose a shell."""
_CLOSES = later(r"\)[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_ENDS = later(r"[ \t\r\n]*[,)]")
_FAILS = later(r"(?:\braises|\bassertRaises\w*|\b(?:throws|dies)_ok)\b[^\n]*(?:\n[^\n]*)?\Z")
"""What is before a call that a test expects to fail, in its line or the one before."""
_OF_UNIX = later(r"\A#!|[\"'=](?:/opt/|/var/|/etc/|/usr/|/home/|/tmp/)")
_OF_WINDOWS = later(r"\bwin32\b|\bos\.name\b|\bplatform\b|[A-Za-z]:\\\\?\w")
_NAMES = later(r"\w+")
_NEAR = 200
_MOST_WORDS = 60
_WORD = later(r"[^\s\"'\\$`;&|<>(){}*?]{1,200}")


class _Text(NamedTuple):
    """A text of a program and its place; `is_whole` is false if a part may be elsewhere."""

    mapped: MappedText
    start: int
    end: int
    is_whole: bool


class Program(Host):
    """A program of one language.

    `token` finds remarks and strings, which are in one of `groups`. `between` is what is between
    two that are one text, `value` a value that is joined to one, and `more` any other rest of a
    text. `call` finds the call of a function that uses no shell; without its `module` one of
    `brings_in` must name it. It takes a list or a text, or only words.
    """

    call: ClassVar[re.Pattern[str]]
    brings_in: ClassVar[re.Pattern[str] | None] = None
    takes_words: ClassVar[bool] = False
    token: ClassVar[re.Pattern[str]]
    groups: ClassVar[tuple[str, ...]]
    between: ClassVar[re.Pattern[str]]
    value: ClassVar[re.Pattern[str]]
    more: ClassVar[re.Pattern[str]]

    @cached_property
    def texts(self) -> Sequence[_Text]:
        return [*self._texts()]

    @cached_property
    def added_to(self) -> frozenset[str]:
        """The variables to which the program adds further texts."""
        return frozenset(_ADDED_TO.findall(self.text))

    @cached_property
    def brought_in(self) -> frozenset[str]:
        """The names that the program takes from the module with the functions."""
        lists = () if self.brings_in is None else self.brings_in.findall(self.text)
        return frozenset(name for names in lists for name in _NAMES.findall(names))

    @property
    def is_of_mq(self) -> bool:
        """Whether any of its texts is read."""
        return next(chain(self._blocks(), self.embedded()), None) is not None

    def blocks(self) -> Iterable[Block]:
        """Return the texts and the lists of words that run commands of MQ."""
        return sorted(self._blocks(), key=lambda block: block.source.host(0))

    def _blocks(self) -> Iterator[Block]:
        for text in self.texts:
            written = text.mapped.text.strip()
            if " " in written and run_in(written, _COMMANDS) >= 0 and self._is_used(text):
                yield Block(_fed(text.mapped), maybe=True)
        for words in self._lists():
            yield Block(_fed(joined(words, " ")), maybe=True, plain=True)

    def embedded(self) -> Iterator[Embedded]:
        for text in self.texts:
            written = text.mapped.text
            if "(" in written and is_mqsc(written) and self._is_used(text):
                yield Embedded.of("mqsc", text.mapped, None, maybe=True, model=str(text.start))

    def faults(self) -> Iterator[Diagnostic]:
        """Yield commands that need a shell and get none; other faults are those of a shell."""
        for number, text in enumerate(self.texts):
            before = self.text[max(text.start - _NEAR, 0) : text.start]
            call = self.call.search(before)
            if call is None or (call["module"] is None and call["name"] not in self.brought_in):
                continue
            if _FAILS.search(before) is not None:
                continue
            if self.takes_words or before.rstrip().endswith("["):
                yield from self._signs(number, call["name"])
            elif self._needs_shell(text):
                fault = "takes this text as the name of a program without shell=True"
                fault = f"{call['name']} {fault}"
                yield diagnostic("program-command", (text.start, text.end), fault=fault)

    def _signs(self, number: int, call: str) -> Iterator[Diagnostic]:
        """Yield the first sign of a shell in the list of words that begins with a text."""
        words, end = self._words(number)
        first = base_name(words[0].text) if words else ""
        if first not in _PROGRAMS or self._has_shell(end):
            return
        for text in self.texts[number : number + _MOST_WORDS]:
            if text.start < end and text.mapped.text in OPERATORS:
                fault = f"{call} passes {text.mapped.text} to {first}, because it uses no shell"
                yield diagnostic("program-command", (text.start, text.end), fault=fault)
                return

    def _needs_shell(self, text: _Text) -> bool:
        """Whether a text of several words is a program for a call, on a system of Unix."""
        first, _, rest = text.mapped.text.strip().partition(" ")
        is_last = _ENDS.match(self.text, text.end) is not None
        if not (rest and text.is_whole and is_last) or base_name(first) not in _PROGRAMS:
            return False
        is_unix = _OF_UNIX.search(self.text) is not None and _OF_WINDOWS.search(self.text) is None
        return is_unix and not self._has_shell(text.end)

    def _has_shell(self, start: int) -> bool:
        """Whether the rest of a call may choose a shell."""
        rest = self.text[start : start + _NEAR]
        closing = _CLOSES.search(rest)
        return _SHELL.search(rest, 0, len(rest) if closing is None else closing.start()) is not None

    def put_in(self, found: re.Match[str]) -> re.Pattern[str] | None:
        """Return what is put into a string, None if it is as it is written."""
        raise NotImplementedError

    def _texts(self) -> Iterator[_Text]:
        """Yield the strings, those that are joined as one text."""
        parts: list[MappedText] = []
        start = end = 0
        for found in self.token.finditer(self.text):
            if found["remark"] is not None:
                continue
            if parts and self.between.fullmatch(self.text, end, found.start()) is None:
                yield self._whole(parts, start, end)
                parts = []
            start = start if parts else found.start()
            group = next(name for name in self.groups if found[name] is not None)
            written, pattern = mapped_at(found[group], found.start(group)), self.put_in(found)
            parts.append(written if pattern is None else written.sub(pattern, _shown))
            end = found.end()
            while (value := self.value.match(self.text, end)) is not None:
                parts.append(mapped_at(PLACEHOLDER, end, value.end()))
                end = value.end()
        if parts:
            yield self._whole(parts, start, end)

    def _whole(self, parts: Sequence[MappedText], start: int, end: int) -> _Text:
        return _Text(joined(parts, ""), start, end, self.more.match(self.text, end) is None)

    def _is_used(self, text: _Text) -> bool:
        """Whether the program may give a whole text to MQ. A message or a pattern is for people."""
        written = text.mapped.text
        if not text.is_whole or any(sign in written for sign in "\\`"):
            return False
        before = self.text[max(text.start - _NEAR, 0) : text.start]
        is_alone = not before.rpartition("\n")[2].strip() and _USES.search(before) is None
        if is_alone or written.count("(") != written.count(")"):
            return False
        target, callee = _TARGET.search(before), _CALLEE.search(before)
        if target is not None and target[1] in self.added_to:
            return False
        name = callee[1].replace("::", ".").rpartition(".")[2] if callee is not None else ""
        return name in _GIVES or (SPEAKS.search(name) is None and not is_for_people(before))

    def _lists(self) -> Iterator[Sequence[MappedText]]:
        """Yield the commands that are lists of words: `["endmqm", "-w", name]`."""
        at = 0
        for number, text in enumerate(self.texts):
            before = self.text[max(text.start - _NEAR, 0) : text.start].rstrip()
            is_list = before.endswith("[") or _RUNS.search(before) is not None
            if text.start >= at and is_list:
                words, at = self._words(number)
                if any(
                    base_name(word.text) in _COMMANDS and _IS_ARGUMENT.match(following.text)
                    for word, following in pairwise(words)
                ):
                    yield words

    def _words(self, number: int) -> tuple[Sequence[MappedText], int]:
        """Return the elements of a list from a string on, none without a list, and its end."""
        words: list[MappedText] = []
        at = self.texts[number].start
        while True:
            text = self.texts[number] if number < len(self.texts) else None
            if text is not None and text.start != at:
                text = None
            rest = _ITEM.match(self.text, at if text is None else text.end)
            if rest is None:
                return (), at + 1
            if text is not None and _WORD.fullmatch(text.mapped.text) is not None:
                words.append(text.mapped)
            elif rest.end() > at:
                words.append(mapped_at(PLACEHOLDER, at, rest.end()))
            if rest[1] is None or len(words) == _MOST_WORDS:
                return words, rest.end()
            number, at = number + (text is not None), rest.end()


def _fed(command: MappedText) -> MappedText:
    """Return a command; runmqsc gets an input that is not known, as the program may write to it."""
    bare = command.text.rstrip()
    if "runmqsc" not in bare or any(sign in bare for sign in ("<", "|", "\n", " -f")):
        return command
    builder = MappedTextBuilder()
    builder.add_mapped(command.part(0, len(bare)))
    builder.add(f" <{PLACEHOLDER}", max(command.end - 1, 0), 0)
    return builder.finish(command.end)


def _shown(found: re.Match[str]) -> str:
    """Return what an escape stands for, or the cover of what is put into a string."""
    letter = found["escape"]
    if letter is not None:
        return _LETTERS.get(letter, letter)
    return "%" if found["twice"] else PLACEHOLDER * len(found[0])


# Python keeps the backslash before any other character: "\(" is two.
_ESCAPE_OF_PYTHON = _ESCAPE.replace("<escape>.", r"<escape>[\\'\"abfnrtv0-7xNuU\n]")
_FORM = rf"{_ESCAPE_OF_PYTHON}|%(?:\(\w{{1,80}}\))?[-+0-9.]{{0,8}}[sdri]"
_IN_PYTHON = later(rf"(?s){_FORM}")
_IN_FORM = later(rf"(?s){_FORM}|\{{[^{{}}\n]{{0,200}}\}}")
_FORMATS = later(r"\s*+\.format\b")


class PythonProgram(Program):
    call = later(
        r"(?<![\w.])(?P<module>(?:subprocess|sp)\.)?"
        r"(?P<name>run|call|check_call|check_output|Popen)\([ \t\r\n]*\[?[ \t\r\n]*[fr]?\Z"
    )
    brings_in = later(r"\bfrom subprocess import[ \t]*(\([^()]{0,400}|[^\n#]{0,400})")
    token = later(
        r"(?s)(?P<remark>\#[^\n]*+)"
        r"|(?:(?<!\w)(?P<form>[rRbBuUfF]{1,2})(?=[\"']))?+(?:"
        r"\"\"\"(?P<long>(?:[^\"\\]|\\.|\"(?!\"\"))*+)(?:\"\"\"|\\?\Z)"
        r"|'''(?P<lines>(?:[^'\\]|\\.|'(?!''))*+)(?:'''|\\?\Z)"
        rf"|{_ONE_LINE})"
    )
    groups = ("long", "lines", "double", "single")
    between = later(r"[\s\\]*+(?:\+[\s\\]*+)?[rRbBuUfF]{0,2}")
    value = later(
        rf"[\s\\]*+\+[\s\\]*+(?![rRbBuUfF]{{1,2}}[\"'])[A-Za-z_][\w.]{{0,80}}{_INDEX}{{0,2}}"
    )
    more = later(r"[\s\\]*+\+")

    def put_in(self, found: re.Match[str]) -> re.Pattern[str] | None:
        form = (found["form"] or "").lower()
        if "r" in form:
            return None
        is_form = "f" in form or _FORMATS.match(self.text, found.end()) is not None
        return _IN_FORM if is_form else _IN_PYTHON


_OF_HASH = r"(?:(?:->)?(?:\[[^\]\n]{0,80}\]|\{[^}\n]{0,80}\})){0,4}"
_IN_PERL = later(
    rf"(?s){_ESCAPE}|%[-+0-9.]{{0,8}}[sd]|[$@]\{{[^{{}}\n]{{0,200}}\}}|\$\d"
    rf"|[$@][A-Za-z_](?:\w|::){{0,80}}{_OF_HASH}"
)


class PerlProgram(Program):
    call = later(r"(?<![\w>:$&])(?P<module>)(?P<name>system|exec)[ \t]*\([ \t]*\Z")
    takes_words = True
    token = later(
        r"(?ms)(?P<remark>(?<![$\\\w])\#[^\n]*+"
        r"|^=(?!cut\b)[a-z][^\n]*+(?:\n(?!=cut\b)[^\n]*+)*+(?:\n=cut)?)"
        r"|<<~?(?P<quote>[\"']?)(?P<mark>[A-Z_]\w{0,40})(?P=quote)[^\n]*+\n"
        r"(?P<here>(?:(?![ \t]*+(?P=mark)\s)[^\n]*+\n)*+)"
        r"|\bq(?:q|(?P<plain>(?!q)))[ \t]*+"
        r"(?:\{(?P<long>[^{}]*+)\}|\((?P<lines>(?:[^()]|\([^()]*+\))*+)\))"
        rf"|(?<!\$)(?:{_ONE_LINE}|`(?P<run>(?:[^`\\]|\\.)*+)`)"
    )
    groups = ("here", "long", "lines", "double", "single", "run")
    between = later(r"\s*+\.\s*+")
    value = later(rf"\s*+\.\s*+\$\w(?:\w|::){{0,80}}{_OF_HASH}")
    more = later(r"\s*+\.(?!\d)")

    def put_in(self, found: re.Match[str]) -> re.Pattern[str] | None:
        is_plain = found["single"] is not None or found["plain"] is not None
        return None if is_plain or found["quote"] == "'" else _IN_PERL
