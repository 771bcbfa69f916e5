"""Each regular expression takes time in line with the text, in the ways in which it is used.

Steps of Python do not show what one search costs, so time is compared: that of the best of several
runs, and with a wide bound. A pattern that is only given short texts is in SHORT.
"""

from __future__ import annotations

import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from types import FrameType
from typing import Any

import pytest

from tests.growth.patterns import EVERY_PLACE, ONE_PLACE, Attack, attacks, is_binary, patterns

pytestmark = [
    pytest.mark.growth,
    pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a search that takes long"),
]

SIZE = 4_000
FACTOR = 4
BOUND = 9.0
"""Linear work grows by 4, quadratic work by 16."""
LEAST = 0.002
"""Seconds. Quadratic work on `SIZE` characters takes longer."""
PART = 2
"""Most searches show on a part of `SIZE`, in the square of this part of `LEAST`, that they pass."""
LONGEST = 3.0
"""Seconds after which a search is ended: one that takes so long has failed."""
SMALLER = (4, 2)
"""Work that takes long shows on these parts of `SIZE` first that it is linear."""
TRIES = 10
"""A busy machine may need several: the first in line ends them."""
SHORT = {
    "mqlint.config.profiles._NAME": "a name, from its beginning",
    "mqlint.language.cl.source._CHANGED": "the last characters of a line",
    "mqlint.language.ini._INI_NAME": "the name of a file",
    "mqlint.language.kubernetes._VALUES": "the path of a file",
    "mqlint.language.kubernetes._OF_CHART": "the path of a file",
    "mqlint.language.mqsc.diagnose._ATTRIBUTE_OF_STRING": "a window",
    "mqlint.language.mqsc.diagnose._LAST_WORD": "a window",
    "mqlint.language.mqsc.diagnose._WORD_OF_VALUE": "a window",
    "mqlint.language.mqsc.joined._LONE": "what it matches as a whole",
    "mqlint.language.script.files.path._DATA": "a path, from its beginning",
    "mqlint.language.script.files.path._LOG": "a path, from its beginning",
    "mqlint.language.script.unread.unfollowed._IN_AWK": "a window",
    "mqlint.language.unsupported._TABLE": "the name of a file",
    "mqlint.policy.language.table.NAME": "a name, from its beginning",
    "mqlint.policy.language.table.PARAMETER_NAME": "a name, from its beginning",
    "mqlint.source.secrets.values._VALUE_BEFORE": "a window",
    "mqlint.source.secrets.values._SETS_LINE": "a window",
    "mqlint.language.script.unread.unfollowed._OPENS": "a window",
}
"""Patterns that are given texts of a limited length only, and which."""

FOUND = {
    "mqlint.language.jcl._POLICY_OF_MQ": Attack("", "PGM=IXCMIAPU "),
    "mqlint.language.text.hcl._TOKEN": Attack("", '\\"'),
    "mqlint.language.script.faults.permissions._KEYS_OPEN": Attack("chmod 644 ", " "),
}
"""Texts on which a pattern took too long, and which `attacks` does not make."""

Search = Callable[[str], object]


class _TooLongError(Exception):
    pass


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    """Let the timer of `seconds` end a search."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    yield
    signal.signal(signal.SIGVTALRM, before)


def seconds(search: Search, text: str) -> float:
    """Return the processor time of a search, at most `LONGEST`."""
    start = process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
        search(text)
    except _TooLongError:
        return LONGEST
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return process_time() - start


def bound_of(part: int) -> float:
    """Return the growth on a part of `SIZE` of the work that grows by `BOUND` on all of it.

    Quadratic work is a smaller share there, so the bound is nearer to that of linear work.
    """
    share = (BOUND - FACTOR) / (FACTOR**2 - BOUND) / part
    return (FACTOR**2 * share + FACTOR) / (share + 1)


def is_linear(search: Search, attack: Attack) -> bool:
    if seconds(search, attack.text(SIZE // PART)) < LEAST / PART**2:
        return True
    for part in SMALLER:
        once = seconds(search, attack.text(SIZE // part))
        if TICK <= once < LONGEST / FACTOR**2:
            more = seconds(search, attack.text(FACTOR * SIZE // part))
            if more <= bound_of(part) * once:
                return True
    once = more = float("inf")
    for _ in range(TRIES):
        once = min(once, seconds(search, attack.text(SIZE)))
        if once < LEAST:
            return True
        more = min(more, seconds(search, attack.text(FACTOR * SIZE)))
        if more < LONGEST and more <= BOUND * max(once, TICK):
            return True
    return False


def searches(pattern: re.Pattern[Any], used: frozenset[str]) -> Iterator[Callable[[Any], object]]:
    """Yield one call for each way in which a pattern is used."""
    yield from (getattr(pattern, name) for name in used & ONE_PLACE)
    if used & EVERY_PLACE:
        yield partial(_all, pattern)


def _all(pattern: re.Pattern[Any], text: str | bytes) -> None:
    deque(pattern.finditer(text), maxlen=0)


def _of_bytes(search: Callable[[bytes], object]) -> Search:
    return lambda text: search(text.encode("latin-1", "replace"))


def slow(name: str, most: int) -> Attack | None:
    """Return a text on which a pattern takes too long."""
    pattern, used = patterns()[name]
    for attack in attacks(pattern, most):
        for search in searches(pattern, used):
            if not is_linear(_of_bytes(search) if is_binary(pattern) else search, attack):
                return attack
    return None


def slow_ones(most: int) -> dict[str, Attack]:
    names = patterns().keys() - SHORT.keys()
    return {name: found for name in names if (found := slow(name, most)) is not None}


def test_patterns_take_time_in_line_with_the_text() -> None:
    assert slow_ones(1) == {}


@pytest.mark.long
def test_patterns_take_time_in_line_with_more_texts() -> None:
    assert slow_ones(20) == {}


@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_takes_time_in_line_with_a_text_that_was_slow(name: str) -> None:
    pattern, used = patterns()[name]
    assert all(is_linear(search, FOUND[name]) for search in searches(pattern, used | {"search"}))


def test_short_texts_are_of_patterns_that_are_there() -> None:
    assert SHORT.keys() <= patterns().keys()


TICK = 0.004
"""Seconds. Some machines count processor time in ticks of this length."""
