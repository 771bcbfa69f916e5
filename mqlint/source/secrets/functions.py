"""Functions of scripts, their parameters, and the arguments of their calls.

They are those of shells, of PowerShell and Groovy, variables of make that `call` names, and labels
of batch files. What `set --` gives a shell is the call of a function without a name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, zip_longest

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.commands import unquoted
from mqlint.source.secrets.words import closing, document_to

_PARAMETERS = r"\(((?:[^()\n]|\([^()\n]*\))*+)\)"
_FUNCTION = later(
    rf"(?im)^[ \t]*(?:(?:function|def|void)[ \t]+([\w-]++)[ \t]*+(?:{_PARAMETERS})?"
    rf"|([A-Za-z_][\w-]*+)[ \t]*\([ \t]*\))\s*\{{(?:\s*param[ \t]*{_PARAMETERS})?"
    r"|^[ \t]*:([A-Za-z_]\w*)"
)
"""The name of a function of a shell, one of PowerShell with its parameters, or a label."""
_OF_MAKE = later(
    r"(?m)^(?:define[ \t]+([\w-]++)[^\n]*+\n(?:(?!endef)[^\n]*+\n)*+"
    r"|([A-Za-z_][\w-]*+)[ \t]*+[:?]*+=[^\n]*)"
)
_CALL_OF_MAKE = later(r"\$[({]call[ \t]+([\w-]++),")
_ARGUMENT_OF_MAKE = later(
    r"((?:[^,(){}\n]|[({](?:[^\n(){}]|[({][^\n(){}]{0,200}+[)}]){0,200}+[)}])*+)(,?)"
)
_CLOSES = later(r"\n[ \t]*\}")
_PARAMETER = later(r"(?<!\w)(\w++)[ \t]*(?:=[^,]*)?(?:,|\Z)")
_PRINTED = later(
    r"(?m)(?:\b(?:echo|printf|print|return|Write-Output)\b(?:[ \t]+-\w+)*"
    r"(?:[ \t]+[\"']?%s[^\s\"']*[\"']?)?"
    r"|^|[{;])[ \t]*+(?P<text>\"[^\"\n]*+\"|'[^'\n]*+'|(?<=[ \t])(?!>)[^\s{};|&<>]++)"
    r"(?=[ \t]*(?:[;|}\r\n]|\Z))|<<[-~]?[ \t]*[\"'\\]?(?P<tag>\w++)[\"']?[^\n]{0,200}\n"
)
"""A text that a function prints, returns, or has as its last value; or the word that ends one."""
_CALL = later(
    r"(?im)(?:^|[;&|{}(=]|\b(?:then|do|else|if|while|until)\b)[ \t]*+"
    r"(?=(?P<set>set[ \t]+--)[ \t]|(?:call[ \t]+:)?(?P<name>[A-Za-z_][\w-]*+)[ \t(])"
)
_SHIFT = later(r"(?<![\w$.-])(?:shift(?:[ \t]+(?P<words>[^\s;&|}]+))?(?=[\s;&|}]|\Z)|done\b)")
_ARGUMENT = later(r"[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^,\"'\n]+)[ \t]*(?:,|\Z)")


class _Function(NamedTuple):
    """A function: its name in lower case, its parameters, and the stretch of its body."""

    name: str
    parameters: Sequence[str]
    start: int
    end: int


class Call(NamedTuple):
    """A call: the offset after its name, and its arguments if they are in parentheses."""

    end: int
    arguments: Sequence[Span] = ()


class Functions:
    def __init__(self, text: str) -> None:
        self._text = text
        self._all = [*_functions(text)]
        self._starts = [function.start for function in self._all]

    def parameter(self, at: int, name: str) -> Iterator[tuple[str, int]]:
        """Yield the function around an offset and the number of its parameter `name`, if it is one.

        `shift` counts if it is certain how often it runs.
        """
        number = bisect_right(self._starts, at) - 1
        function = self._all[number] if number >= 0 and at < self._all[number].end else None
        own = whole_number(name)
        if own is None:
            if function is not None and name in function.parameters:
                yield function.name, function.parameters.index(name) + 1
            return
        shifted = self._shifted(0 if function is None else function.start, at)
        if shifted is not None and own:
            yield "" if function is None else function.name, own + shifted

    def is_function(self, name: str) -> bool:
        """Return whether the text has a function with this name, in lower case."""
        return name in self._by_name

    def printed(self, name: str) -> Iterator[Span]:
        """Yield the texts that a function prints or returns, those of functions in it only once."""
        prints, starts, waiting = self._prints
        for function in self._by_name[name]:
            first, last = (bisect_left(starts, at) for at in (function.start - 1, function.end))
            while (first := waiting.find(1, first, last)) >= 0:
                waiting[first] = 0
                if prints[first]["tag"] is not None:
                    yield document_to(self._text, prints[first])
                else:
                    yield from unquoted(self._text, *prints[first].span("text"))

    def calls(self, function: str) -> Sequence[Call]:
        return self._calls.get(function, ())

    @cached_property
    def _by_name(self) -> Mapping[str, list[_Function]]:
        return grouped((function.name, function) for function in self._all)

    @cached_property
    def _prints(self) -> tuple[Sequence[re.Match[str]], Sequence[int], bytearray]:
        """All texts that are printed, their offsets, and 1 for each that was not yielded."""
        found = [*_PRINTED.finditer(self._text)]
        return found, [printed.start() for printed in found], bytearray(b"\1") * len(found)

    @cached_property
    def _calls(self) -> Mapping[str, list[Call]]:
        found: dict[str, list[Call]] = defaultdict(list)
        for call in _CALL.finditer(self._text):
            name = (call["name"] or "").lower()
            if call["set"]:
                found[""].append(Call(call.end("set")))
            elif name in self._by_name:
                found[name].append(self._call(call.end("name")))
        for call in _CALL_OF_MAKE.finditer(self._text) if "call " in self._text else ():
            if call[1].lower() in self._by_name:
                found[call[1].lower()].append(Call(call.end(), [*self._words_of_make(call.end())]))
        return found

    def _words_of_make(self, at: int) -> Iterator[Span]:
        """Yield the arguments of a call of make."""
        while argument := _ARGUMENT_OF_MAKE.match(self._text, at):
            yield argument.span(1)
            at = argument.end()
            if not argument[2]:
                return

    def _call(self, end: int) -> Call:
        if not self._text.startswith("(", end):
            return Call(end)
        stop = closing(self._text, end + 1)
        arguments = _ARGUMENT.finditer(self._text, end + 1, stop)
        return Call(end, [argument.span(1) for argument in arguments])

    def _shifted(self, start: int, end: int) -> int | None:
        """Return by how many words `shift` moves the arguments between two offsets."""
        offsets, words, doubts, loops = self._shifts
        first, last = bisect_left(offsets, start), bisect_left(offsets, end)
        if doubts[last] > doubts[first] or (
            words[last] > words[first] and loops[last] > loops[first]
        ):
            return None
        return words[last] - words[first]

    @cached_property
    def _shifts(self) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]:
        """The offsets of `shift` and of the ends of loops, and sums of what is before each.

        They are the words that are shifted, those with an unknown number, and the ends of loops.
        """
        found = [*_SHIFT.finditer(self._text)]
        numbers = [whole_number(shift["words"] or "1") for shift in found]
        loops = [shift[0] == "done" for shift in found]
        is_known = [number is not None for number in numbers]
        moved = [0 if loop else number or 0 for number, loop in zip(numbers, loops, strict=True)]
        return (
            [shift.start() for shift in found],
            [*accumulate(moved, initial=0)],
            [*accumulate((not known for known in is_known), initial=0)],
            [*accumulate(loops, initial=0)],
        )


def _functions(text: str) -> Iterator[_Function]:
    found = [*_functions_of_scripts(text)]
    if "call " in text and _CALL_OF_MAKE.search(text) is not None:
        variables = _OF_MAKE.finditer(text)
        found += [_Function((own[1] or own[2]).lower(), (), *own.span()) for own in variables]
        found.sort(key=lambda function: function.start)
    return iter(found)


def _functions_of_scripts(text: str) -> Iterator[_Function]:
    """Yield functions and labels; a body ends where its line closes it, or a later line."""
    heads = [*_FUNCTION.finditer(text)]
    closes: dict[int, list[int]] = defaultdict(list)
    for close in _CLOSES.finditer(text) if heads else ():
        closes[len(close[0])].append(close.end())
    for head, following in zip_longest(heads, heads[1:]):
        name = head[1] or head[3] or head[5]
        line = text.find("\n", head.end())
        line = line if line >= 0 else len(text)
        if head[5]:
            end = len(text) if following is None else following.start()
        elif text.count("{", head.start(), line) == text.count("}", head.start(), line):
            end = line
        else:
            indent = len(head[0]) - len(head[0].lstrip(" \t"))
            ends = closes[indent + len("\n}")]
            number = bisect_right(ends, head.end())
            end = ends[number] if number < len(ends) else len(text)
        parameters = _PARAMETER.findall(head[2] or head[4] or "")
        yield _Function(name.lower(), parameters, head.end(), end)
