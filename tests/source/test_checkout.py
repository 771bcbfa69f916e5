"""Files that a checkout lacks: many may be missing from a folder of many."""

from __future__ import annotations

from mqlint.source.checkout import Checkout
from tests.linear import is_linear_in_steps


def _asks(count: int) -> None:
    there = {f"d/a{number}.mqsc": "" for number in range(count)}
    ignored = "".join(f"b{number}\n/c{number}\n" for number in range(count))
    checkout = Checkout.of_texts({**there, ".gitignore": ignored})
    assert all(checkout.lacks(f"d/x{number}.mqsc") for number in range(count))


def test_missing_files_take_steps_in_line_with_their_number() -> None:
    assert is_linear_in_steps(lambda count: _asks(count // 10), 500)


def test_what_may_be_made_elsewhere_is_not_lacking() -> None:
    texts = {"d/a.mqsc.j2": "", ".gitignore": "local/\n*.key\n/d/made.mqsc\n", "e/b": ""}
    checkout = Checkout.of_texts(texts)
    made = ("d/a.mqsc", "d/a.key", "d/made.mqsc", "e/local/a.mqsc")
    assert [path for path in made if checkout.lacks(path)] == []
    assert [path for path in ("d/a", "d/b.mqsc", "e/made.mqsc") if checkout.lacks(path)] == [
        *("d/b.mqsc", "e/made.mqsc")
    ]
