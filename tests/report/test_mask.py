"""A secret that was masked in the text is shown as such, whatever its length."""

from __future__ import annotations

from collections.abc import Callable

from mqlint.report import Report
from mqlint.source.masking import masked

Rendered = Callable[..., str]


def test_what_follows_a_secret_is_shown(render: Rendered, one: Callable[..., Report]) -> None:
    text = masked("DEFINE CHANNEL(A) PASSWORD('a)b') USERID(U)\n", [(28, 31)])
    source, mark = render("text", one(text, 1, 35, 41)).splitlines()[2:4]
    assert source == "  1 | DEFINE CHANNEL(A) PASSWORD('****') USERID(U)"
    assert mark.index("^") == source.index("USERID")


def test_a_fault_in_a_secret_marks_the_mask_and_not_its_length(
    render: Rendered, one: Callable[..., Report]
) -> None:
    text = masked("A PASSWORD('a very long secret')\n", [(12, 30)])
    source, mark = render("text", one(text, 1, 14, 16)).splitlines()[2:4]
    assert source[mark.index("^") : mark.rindex("^") + 1] == "****"
