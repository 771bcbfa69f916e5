"""Commands that run another command, which is given in their words or as a text: sudo, env, find.

Sources: the manual pages of coreutils, util-linux, findutils, procps and the tools themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mqlint.config.data import rows_of
from mqlint.dataclass import frozen
from mqlint.language.script.command import Word, base_name
from mqlint.language.text.mapped import (
    MappedText,
    joined,
    mapped_at,
)
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_BUNDLE = later(r"-[A-Za-z]{2,8}")


@frozen
class Prefix:
    """How a command is given the command that it runs.

    `values` are its own options whose value is the next word, `operands` the number of its other
    words. The value of an option in `scripts` is a text that a shell runs. `joins`: the rest of the
    words belong to that text, or are the text if there is no such option.
    """

    values: frozenset[str]
    operands: int
    scripts: frozenset[str]
    joins: bool


def _prefix(words: Sequence[str]) -> Prefix:
    """Return what the words of a row of prefixes.txt say."""
    pairs = [*pairwise(("", *words))]
    options = [pair for pair in pairs if pair[0].startswith("-")]
    values = frozenset(option for option, value in options if value == "_")
    scripts = frozenset(option for option, _ in options) - values
    joins = any(word.endswith("..") for word in words)
    return Prefix(values, words.count("_") - len(values), scripts, joins)


_PREFIXES: Mapping[str, Prefix] = {
    name: _prefix(words) for name, words in rows_of("mqlint.language.script.calls", "prefixes.txt")
}


def takes_value(option: str, values: frozenset[str]) -> bool:
    """Whether the next word is the value of an option, which may be the last of a bundle (-iu)."""
    if option in values:
        return True
    if _BUNDLE.fullmatch(option) is None or f"-{option[-1]}" not in values:
        return False
    return not any(f"-{letter}" in values for letter in option[1:-1])


def own_words(words: Sequence[Word], values: frozenset[str], at: int = 0, operands: int = 0) -> int:
    """Return the number of the words that are a command's own: its options, settings, operands.

    They begin at the index `at`.
    """
    while at < len(words):
        text = words[at].text
        if text == "--":
            return min(at + 1 + operands, len(words))
        if text.startswith("-"):
            at += takes_value(text, values)
        elif "=" not in text.partition("/")[0]:
            if not operands:
                break
            operands -= 1
        at += 1
    return min(at, len(words))


def prefixed(words: Sequence[Word], at: int) -> tuple[int, Word | None] | None:
    """Return the index of the command that the one at `at` runs, or the text that it runs.

    None if it is not known to run another one.
    """
    name = base_name(words[at].text)
    if name == "ip":
        return _in_network(words, at)
    prefix = _PREFIXES.get(name)
    if prefix is None:
        return None
    after = own_words(words, prefix.values | prefix.scripts, at + 1, prefix.operands)
    if prefix.scripts:
        script = _script(words, at + 1, after, prefix)
        if script is not None:
            return after, script
    elif prefix.joins and after < len(words):
        return after, together(words[after:])
    return after, None


def _in_network(words: Sequence[Word], at: int) -> tuple[int, Word | None] | None:
    """Return the index of the command in `ip netns exec NAME COMMAND`."""
    kind = tuple(word.text for word in words[at + 1 : at + 3])
    return (at + 4, None) if kind in (("netns", "exec"), ("vrf", "exec")) else None


def _script(words: Sequence[Word], at: int, after: int, prefix: Prefix) -> Word | None:
    """Return the text that an option among the words from `at` to `after` gives to a shell."""
    for number in range(at, after):
        option, sign, _ = words[number].text.partition("=")
        begin = len(option) + 1 if sign and option in prefix.scripts else 0
        begin = begin or _joined_script(words[number].text, prefix)
        if not begin and takes_value(option, prefix.scripts):
            number += 1
            if number == after:
                break
        elif not begin:
            continue
        script = words[number : None if prefix.joins else number + 1]
        first = script[0].mapped
        first = first.part(begin, len(first.text)) if begin else first
        return _together([first, *(word.mapped for word in script[1:])], script)
    return None


def _joined_script(option: str, prefix: Prefix) -> int:
    """Return where a text begins in the word of its option, 0 for none: `-vS'strmqm QM1'`."""
    if option[:1] != "-" or option[1:2] == "-":
        return 0
    for at, letter in enumerate(option[1:], 2):
        if f"-{letter}" in prefix.scripts:
            return at if at < len(option) else 0
        if not letter.isalpha() or f"-{letter}" in prefix.values:
            return 0
    return 0


def together(words: Sequence[Word]) -> Word:
    """Return the words as the one text that a shell is given."""
    return _together([word.mapped for word in words], words)


def _together(texts: Sequence[MappedText], words: Sequence[Word]) -> Word:
    return Word(joined(texts, " "), words[0].start, words[-1].end)


# -- find and xargs --------------------------------------------------------------------------------


_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_ENDS = frozenset({";", "+"})
_XARGS = frozenset(
    "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-lines --max-procs"
    " --max-chars".split()
)
_SIGN = "{}"


def repeated(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the commands that find or xargs run, for each file or argument once.

    What they put into a command is unknown: instead of a sign, or at the end.
    """
    name = base_name(words[0].text)
    if name == "find":
        yield from _executed(words)
    elif name == "xargs":
        after = own_words(words, _XARGS, 1)
        inner = words[after:]
        sign = _replaced(words[1:after])
        if inner and sign:
            yield [_filled(word, sign) for word in inner]
        elif inner:
            end = inner[-1].end
            yield [*inner, Word(mapped_at(PLACEHOLDER, end - 1, end), end - 1, end)]


def _executed(words: Sequence[Word]) -> Iterator[list[Word]]:
    begin = 0
    for number, word in enumerate(words):
        if begin and word.text in _ENDS:
            if number > begin:
                yield [_filled(inner, _SIGN) for inner in words[begin:number]]
            begin = 0
        elif not begin and word.text in _EXEC:
            begin = number + 1


def _replaced(options: Sequence[Word]) -> str:
    """Return the sign that xargs replaces by an argument, blank if it adds them at the end."""
    for number, option in enumerate(options):
        text = option.text
        if text == "-I" and number + 1 < len(options):
            return options[number + 1].text
        if text.startswith("-I"):
            return text[2:]
        if text.startswith("--replace"):
            return text.partition("=")[2] or _SIGN
        if text.startswith("-i"):
            return text[2:] or _SIGN
    return ""


def _filled(word: Word, sign: str) -> Word:
    """Return a word with what replaces a sign in it covered."""
    if sign not in word.text:
        return word
    mapped = word.mapped.sub(re.compile(re.escape(sign)), lambda _: PLACEHOLDER)
    return Word(mapped, word.start, word.end, word.quoted)
