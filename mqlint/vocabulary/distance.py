"""The nearest right word to a wrong one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from mqlint.patterns import later
from mqlint.vocabulary.limits import NAME

_SHORTEST = 2
_SHORTEST_TYPO = 4
"""Characters of a word for another one to be certainly a typo of it."""
_BEGINNING = 3
"""From this number of letters, the beginning of a word counts as the word."""
_DIGIT = later(r"\d")
_SEPARATOR = later(r"[-._/]")

_letters = lru_cache(maxsize=512)(frozenset[str])
"""The letters of a word: most words differ in so many that their order need not be compared."""


def distance(left: str, right: str, limit: int) -> int:
    """Return how many typos lead from `left` to `right`, or `limit` + 1 when more than `limit`.

    A typo is a letter too many, too few, wrong, or two neighbours swapped.
    """
    if abs(len(left) - len(right)) > limit or max(len(left), len(right)) > NAME:
        return limit + 1
    own, other = _letters(left), _letters(right)
    if len(own - other) > limit or len(other - own) > limit:
        return limit + 1  # a typo takes away one letter at most, and adds one
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        above, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            best = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, above[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def same_but_for_digits(word: str, other: str) -> bool:
    """Return whether two names are equal or differ in digits alone, as those of a series do."""
    return _DIGIT.sub("", word) == _DIGIT.sub("", other)


def same_but_for_tag(word: str, other: str) -> bool:
    """Return whether two names differ in digits alone, or in one part that is a tag.

    A tag has one or two letters, which differ all: `mq-a-pay` and `mq-b-pay`, `eu.mq` and `us.mq`.
    """
    parts, others = _SEPARATOR.split(word), _SEPARATOR.split(other)
    differing = [pair for pair in zip(parts, others, strict=False) if pair[0] != pair[1]]
    if len(parts) == len(others) > 1 == len(differing):
        (own, its), *_ = differing
        if len(own) == len(its) < _BEGINNING and sorted(own) != sorted(its):
            return all(letter != there for letter, there in zip(own, its, strict=True))
    return same_but_for_digits(word, other)


def is_of_series(word: str, other: str) -> bool:
    """Return whether two names are rather two of a series than one and its typo.

    They differ in digits alone (QM1 and QM2), or `word` begins or ends with a letter of its own
    (QMA and QMB, HLQ and HLQS).
    """
    own = word[1:] in (other, other[1:]) or word[:-1] in (other, other[:-1])
    return own or same_but_for_digits(word, other)


def deletions(word: str) -> Iterator[str]:
    """Return `word`, and `word` without each one of its characters.

    Words with a distance of at most 1 have one of these in common, so they find each other in an
    index of them.
    """
    return iter({word, *(word[:at] + word[at + 1 :] for at in range(len(word)))})


def typo_of(word: str, words: Collection[str]) -> str:
    """Return the word of `words` that `word` differs from by one typo; '' if it is short or one."""
    if len(word) < _SHORTEST_TYPO or word in words:
        return ""
    return next((other for other in sorted(words) if distance(word, other, 1) == 1), "")


def extended(word: str, words: Iterable[str]) -> str:
    """Return the only word of `words` that begins `word`, or begins with it; '' for none."""
    found = [
        other for other in words if (other and word.startswith(other)) or other.startswith(word)
    ]
    return found[0] if len(found) == 1 and found[0] != word else ""


def nearest_in_any_case(word: str, words: Iterable[str]) -> str:
    """Return the word of `words` that `word` is probably a typo of, whatever the case of both."""
    folded = {known.casefold(): known for known in words}
    return folded.get(nearest(word.casefold(), folded), "")


def nearest_or_short(word: str, words: Iterable[str]) -> str:
    """Return the `nearest` word, or else the only one that is the same with its parts cut short.

    `pay-cfg` is `pay-config`: a part keeps its first letter and the order of the others.
    """
    words = tuple(words)
    short = [other for other in words if _is_cut_short(word, other) or _is_cut_short(other, word)]
    return nearest(word, words) or (short[0] if len(short) == 1 else "")


def _is_cut_short(word: str, other: str) -> bool:
    parts, others = _SEPARATOR.split(word), _SEPARATOR.split(other)
    return len(parts) == len(others) and all(
        len(part) >= min(len(whole), _BEGINNING) and part[:1] == whole[:1] and _omits(part, whole)
        for part, whole in zip(parts, others, strict=True)
    )


def _omits(part: str, whole: str) -> bool:
    """Whether a part has letters of the whole in their order."""
    letters = iter(whole)
    return all(letter in letters for letter in part)


def nearest(word: str, words: Iterable[str]) -> str:
    """Return the word of `words` that `word` is probably a typo of; '' when none is near.

    One typo is allowed in words of up to four letters, two in longer ones, none in single letters;
    of equally near ones the one with the same first letter, then the first in the alphabet. A word
    cut short is nearest to the only one that begins with it: ALT to ALTUSR, not to ALL.
    """
    if len(word) >= _BEGINNING:
        words = tuple(words)
        longer = [other for other in words if other.startswith(word)]
        if len(longer) == 1:
            return longer[0]
    limit = 1 if len(word) <= 4 else 2
    if len(word) < _SHORTEST:
        return ""
    found = [(distance(word, other, limit), other[:1] != word[:1], other) for other in words]
    best = min(found, default=None)
    return best[2] if best is not None and best[0] <= limit else ""
