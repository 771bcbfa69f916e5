r"""Programs in Python, Perl, REXX, Java, Go and the like: commands of MQ and MQSC in their strings.

    subprocess.run(["endmqm", "-w", name])
    os.system("su - mqm -c 'strmqm %s'" % name)
    print $runmqsc "DEFINE QLOCAL('$queue') MAXDEPTH(5000) REPLACE\n";

Nothing is executed. Of Python the lines around a command say whether it certainly runs when the
program does, and which commands run together in a function or branch; a variable with one string is
that string. All else is judged alone. Strings that are joined in their place are one text, and what
a program puts into a text is covered. A text of which a part may be elsewhere is listed as not
followed.

Sources: "String and Bytes literals" in the language reference of Python, "Quote and Quote-like
Operators" in perlop, "Tokens" and "Operator Characters" in the reference of TSO/E REXX.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, ClassVar

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.declaration import Declared
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
from mqlint.source.lines import Span

if TYPE_CHECKING:
    from mqlint.language.client.pymqi import Connections

_COMMANDS = ACTING | {"dmpmqcfg"}
_PROGRAMS = _COMMANDS | {"dspmq"}
_ONE_LINE = r"\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
_ESCAPE = r"\\(?P<escape>.)|(?P<twice>%%)"
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_CALLEE = later(r"([A-Za-z_][\w.:]{0,80})[ \t]*+\(?[ \t]*+\Z")
_TARGET = later(r"([A-Za-z_]\w{0,80})[ \t]*+=[ \t]*+\(?\s*+\Z")
_ADDED_TO = later(r"\b([A-Za-z_]\w{0,80})[ \t]*+(?:[+.]=|=[ \t]*+\1\b[ \t]*+(?:[+.\"']|\|\|))")
_NEXT_ITEM = later(r"\s*+,\s*+[fr]?")
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
    `brings_in` must name it. It takes a list or a text, or only words. `adds_part` finds the call
    of a function that adds a text to others of the same line, or compares it.
    """

    call: ClassVar[re.Pattern[str]]
    brings_in: ClassVar[re.Pattern[str] | None] = None
    takes_words: ClassVar[bool] = False
    token: ClassVar[re.Pattern[str]]
    groups: ClassVar[tuple[str, ...]]
    between: ClassVar[re.Pattern[str]]
    value: ClassVar[re.Pattern[str]]
    more: ClassVar[re.Pattern[str]]
    adds_part: ClassVar[re.Pattern[str]] = later(r"(?i)\bwrite\(\s*\Z")

    @cached_property
    def texts(self) -> Sequence[_Text]:
        return [*self._texts()]

    @cached_property
    def _begun(self) -> frozenset[int]:
        """The places of texts in a list whose next text goes on with the same command."""
        return frozenset(
            text.start
            for text, following in pairwise(self.texts)
            if _NEXT_ITEM.fullmatch(self.text, text.end, following.start) is not None
            if "(" in following.mapped.text and not is_mqsc(following.mapped.text)
        )

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
                yield self._block(text.mapped)
        for words, end in self._lists():
            yield self._block(self.redirected(joined(words, " "), end), plain=True)

    def _block(self, command: MappedText, *, plain: bool = False) -> Block:
        maybe, together = self.around(command.host(0))
        return Block(_fed(command), maybe, plain=plain, together=together)

    def around(self, start: int) -> tuple[bool, str]:
        """Return whether a command may not run, and a name for those that run together with it."""
        return True, f"{start}"

    def redirected(self, command: MappedText, end: int) -> MappedText:
        """Return a command with the files that its call opens for it after the offset `end`."""
        return command

    @cached_property
    def constants(self) -> Mapping[str, str]:
        """The variables that have one string, and that nothing else sets."""
        return {}

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

    def parts_with_blank(self, between: str) -> bool:
        """Return whether what is between two parts of a text puts a blank between them."""
        return False

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
            if parts and self.parts_with_blank(self.text[end : found.start()]):
                parts.append(mapped_at(" ", end, found.start()))
            parts.append(written if pattern is None else written.sub(pattern, self._shown))
            end = found.end()
            while (value := self.value.match(self.text, end)) is not None:
                known = self.constants.get(value[0].strip(" \t\r\n\\+."), PLACEHOLDER)
                known = f" {known}" if self.parts_with_blank(value[0]) else known
                parts.append(mapped_at(known, end, value.end()))
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
        if written.rstrip()[-1:] in ("+", "-") or text.start in self._begun:
            return False
        before = self.text[max(text.start - _NEAR, 0) : text.start]
        is_alone = not before.rpartition("\n")[2].strip() and _USES.search(before) is None
        if is_alone or written.count("(") != written.count(")"):
            return False
        if not written.endswith("\n") and self.adds_part.search(before) is not None:
            return False
        target, callee = _TARGET.search(before), _CALLEE.search(before)
        if target is not None and target[1] in self.added_to:
            return False
        name = callee[1].replace("::", ".").rpartition(".")[2] if callee is not None else ""
        return name in _GIVES or (SPEAKS.search(name) is None and not is_for_people(before))

    def _shown(self, found: re.Match[str]) -> str:
        """Return what an escape stands for, or a string that is put in, or its cover."""
        letter = found["escape"]
        if letter is not None:
            return _LETTERS.get(letter, letter)
        known = self.constants.get(found[0].strip("{}"), PLACEHOLDER * len(found[0]))
        return "%" if found["twice"] else known

    def _lists(self) -> Iterator[tuple[Sequence[MappedText], int]]:
        """Yield the commands that are lists of words, each with its end: `["endmqm", name]`."""
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
                    yield words, at

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
                known = self.constants.get(rest[0].strip(" \t\r\n,"), PLACEHOLDER)
                words.append(mapped_at(known, at, rest.end()))
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


# Python keeps the backslash before any other character: "\(" is two.
_ESCAPE_OF_PYTHON = _ESCAPE.replace("<escape>.", r"<escape>[\\'\"abfnrtv0-7xNuU\n]")
_FORM = rf"{_ESCAPE_OF_PYTHON}|%(?:\(\w{{1,80}}\))?[-+0-9.]{{0,8}}[sdri]"
_IN_PYTHON = later(rf"(?s){_FORM}")
_IN_FORM = later(rf"(?s){_FORM}|\{{[^{{}}\n]{{0,200}}\}}")
_FORMATS = later(r"\s*+\.format\b")
_CONSTANT = later(
    r"(?m)^(?P<name>[A-Za-z_]\w{0,60})[ \t]*(?::[ \t]*[\w.\[\]]{1,40}[ \t]*)?=[ \t]*"
    r"[bru]{0,2}(?:\"(?P<double>[^\"\\\n]{1,200})\"|'(?P<single>[^'\\\n]{1,200})')"
    r"[ \t]*(?:\#[^\n]*)?\r?$"
)
"""A variable of the program with one string."""
_SETS = later(
    r"\b(?:for|as|global|lambda|import|del)[ \t]+(?P<other>\w{1,60})"
    r"|\bdef[ \t]+\w{1,80}\((?P<parameters>[^()]{0,400})"
    r"|(?<![\w.])(?P<name>\w{1,60})[ \t]*(?::[ \t]*[\w.\[\]]{1,40}[ \t]*)?[-+*/%|&]?:?=(?!=)"
)
"""What gives a variable, parameter or argument of a name its value."""
_LINE = later(
    r"(?m)^(?P<margin>[ \t]*)(?:async[ \t]+)?(?P<word>[A-Za-z_]\w{0,60})(?P<main>[ \t]+__name__\b)?"
)
_HEADS = frozenset("case class def elif else except finally for if match try while with".split())
_OPENS = r"open\([ \t]*[\"'](?P<file>[^\"'\\\n]{1,200})[\"']"
_STREAM = later(
    r"\b(?P<stream>stdin|stdout|input)[ \t]*=[ \t]*"
    rf"(?:(?:pathlib\.)?(?:Path\([ \t]*[\"'](?P<path>[^\"'\\\n]{{1,200}})[\"']|{_OPENS})"
    r"|(?P<name>[A-Za-z_]\w{0,60})(?![\w.(]))"
)
"""The file that a call opens for a command, or the variable that has it."""
_OPENED = later(
    rf"{_OPENS}[^()\n]{{0,80}}\)[ \t]+as[ \t]+(?P<name>[A-Za-z_]\w{{0,60}})"
    rf"|(?m:^)[ \t]*(?P<variable>[A-Za-z_]\w{{0,60}})[ \t]*=[ \t]*"
    rf"{_OPENS.replace('<file>', '<other>')}"
)


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

    @cached_property
    def constants(self) -> Mapping[str, str]:
        texts = {
            found["name"]: found["double"] or found["single"]
            for found in _CONSTANT.finditer(self.text)
        }
        times = Counter[str]()
        for found in _SETS.finditer(self.text) if texts else ():
            names = _NAMES.findall(found["parameters"] or "")
            times.update(names or [found["other"] or found["name"] or ""])
        return {name: text for name, text in texts.items() if times[name] == 1}

    @cached_property
    def _lines(self) -> Sequence[tuple[int, int]]:
        """The places of the lines of code, each with that of the head around it, -1 for none."""
        code = self.token.sub(lambda found: " " + "_" * (len(found[0]) - 1), self.text)
        lines: list[tuple[int, int]] = []
        heads: list[tuple[int, int]] = []
        for found in _LINE.finditer(code):
            depth = len(found["margin"])
            while heads and heads[-1][0] >= depth:
                heads.pop()
            around = heads[-1][1] if heads else -1
            lines.append((found.start(), around))
            if found["word"] in _HEADS:
                runs = found["main"] or found["word"] in ("try", "with")
                heads.append((depth, around if runs else found.start()))
        return lines

    def around(self, start: int) -> tuple[bool, str]:
        number = bisect_left(self._lines, (start + 1,)) - 1
        head = self._lines[number][1] if number >= 0 else -1
        return head >= 0, f"{head}" if head >= 0 else ""

    @cached_property
    def _connections(self) -> Connections | None:
        if "pymqi" not in self.text:
            return None
        from mqlint.language.client.pymqi import Connections  # few programs connect

        return Connections(self.text, self.constants)

    def declared(self) -> Iterable[Declared]:
        return () if self._connections is None else self._connections.declared()

    def secrets(self) -> Iterable[Span]:
        found = () if self._connections is None else self._connections.passwords()
        return [setting.span for setting in found]

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        yield from () if self._connections is None else self._connections.faults()

    @property
    def is_of_mq(self) -> bool:
        return super().is_of_mq or next(iter(self.declared()), None) is not None

    def redirected(self, command: MappedText, end: int) -> MappedText:
        rest = self.text[end : end + _NEAR]
        closing = _CLOSES.search(rest)
        builder = MappedTextBuilder()
        builder.add_mapped(command)
        for found in _STREAM.finditer(rest, 0, len(rest) if closing is None else closing.end()):
            file = found["path"] or found["file"] or self._opened(found["name"], end)
            if file:
                sign = ">" if found["stream"] == "stdout" else "<"
                builder.add(f" {sign} {file}", max(command.end - 1, 0), 0)
        return builder.finish(command.end)

    def _opened(self, name: str, end: int) -> str:
        """Return the file that the last `open` before an offset opens as a variable, or blank."""
        places = self._files.get(name, ())
        number = bisect_left(places, (end,)) - 1
        return places[number][1] if number >= 0 else ""

    @cached_property
    def _files(self) -> Mapping[str, Sequence[tuple[int, str]]]:
        """The files that are opened as a variable, each with its offset."""
        return grouped(
            (found["name"] or found["variable"], (found.start(), found["file"] or found["other"]))
            for found in _OPENED.finditer(self.text)
        )

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


class CodeProgram(Program):
    """A program in Java, Go, C#, JavaScript or a language with the same remarks and strings."""

    call = later(r"(?!)(?P<module>)(?P<name>)")
    token = later(
        r"(?s)(?P<remark>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
        r"|\"\"\"(?P<long>(?:[^\"\\]|\\.|\"(?!\"\"))*+)(?:\"\"\"|\\?\Z)"
        rf"|`(?P<raw>[^`]*+)(?:`|\Z)|{_ONE_LINE}"
    )
    groups = ("long", "raw", "double", "single")
    adds_part = later(
        r"(?i)\b(?:append|write|print|f?printf?|writestring|concat|\w*(?:contains|equals|prefix|with)"
        r"|indexof|\w*compile|match\w*|replace\w*|split)\(\s*(?:\w+,\s*)?\Z"
    )
    between = later(r"\s*+\+\s*+")
    value = later(rf"\s*+\+\s*+[A-Za-z_][\w.]{{0,80}}{_INDEX}{{0,2}}")
    more = later(r"\s*+\+")

    def put_in(self, found: re.Match[str]) -> re.Pattern[str] | None:
        return _IN_CODE if found["raw"] is None else _IN_RAW


_IN_CODE = later(
    rf"(?s){_ESCAPE}|%[-+0-9.]{{0,8}}[a-zA-Z]|\$?\{{[^{{}}\n]{{0,200}}\}}|\$[A-Za-z_]\w{{0,80}}"
)
_IN_RAW = later(r"(?P<escape>(?!))|(?P<twice>(?!))|\$\{[^{}\n]{0,200}\}")
_SYMBOL = r"[A-Za-z_!?@#$][\w.!?@#$]{0,80}(?:\([^()\n]{0,80}\))?"
_CONTINUED = r"[ \t]*+(?:,[ \t]*+\r?\n[ \t]*+)?+"


class RexxProgram(Program):
    """A program in REXX, of which lines that follow one another in the queue are one text."""

    call = later(r"(?!)(?P<module>)(?P<name>)")
    token = later(
        r"(?s)(?P<remark>/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
        r"|\"(?P<double>(?:[^\"\n]|\"\")*+)\"|'(?P<single>(?:[^'\n]|'')*+)'"
    )
    groups = ("double", "single")
    between = later(rf"{_CONTINUED}(?:\|\|{_CONTINUED})?+")
    value = later(rf"{_CONTINUED}(?:\|\|{_CONTINUED})?+(?!(?i:then|with|else)\b){_SYMBOL}")
    more = later(rf"{_CONTINUED}\|\|")

    def parts_with_blank(self, between: str) -> bool:
        return between[:1] in (" ", "\t", ",") and "||" not in between

    def put_in(self, found: re.Match[str]) -> re.Pattern[str] | None:
        return _QUOTES_OF_REXX

    def _is_used(self, text: _Text) -> bool:
        before = self.text[max(text.start - _NEAR, 0) : text.start].rpartition("\n")[2].strip()
        if not before:  # a command of its own
            return text.is_whole
        return before.lower().split()[-1] != "say" and super()._is_used(text)

    @cached_property
    def texts(self) -> Sequence[_Text]:
        texts: list[list[_Text]] = []
        is_line = False
        for text in self._texts():
            between = self.text[texts[-1][-1].end : text.start] if is_line else ""
            before = self.text[max(text.start - _NEAR, 0) : text.start].rpartition("\n")[2]
            is_line = _ADDS_LINE.fullmatch(before) is not None
            if is_line and between.strip(" \t\r\n;") == before.strip():
                texts[-1].append(text)
            else:
                texts.append([text])
        return [_as_lines(each) for each in texts]


def _as_lines(texts: Sequence[_Text]) -> _Text:
    whole = joined((text.mapped for text in texts), "\n")
    return _Text(whole, texts[0].start, texts[-1].end, all(text.is_whole for text in texts))


_QUOTES_OF_REXX = later(r"(?P<twice>(?!))|(?P<escape>\"(?=\")|'(?='))[\"']")
_ADDS_LINE = later(r"[ \t]*(?i:queue|push|\w{1,60}\.[\w.]{1,60}[ \t]*=)[ \t]*")
"""What is before a text that is a line of an input: in the queue, or in a stem."""
