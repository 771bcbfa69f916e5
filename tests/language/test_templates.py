"""Templates are covered at the same length, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from tests.linear import is_linear_in_time

COVERED = [
    # text, what stands in it as a template
    ("A({{ b }})", ["{{ b }}"]),
    ("A({{b}}, {{ c.d | default('}') }})", ["{{b}}", "{{ c.d | default('}') }}"]),
    ("{% if a %}x{% endif %}", ["{% if a %}", "{% endif %}"]),
    ("{# remark #}", ["{# remark #}"]),
    ("A(${B}) C($(D))", ["${B}", "$(D)"]),
    ("A(#{B})", ["#{B}"]),
    ("@B@ @@C@@", ["@B@", "@@C@@"]),
    ("A(<%= b %>)", ["<%= b %>"]),
    ("A('<your host>')", ["<your host>"]),
    ("A(--your-host--) B('--ip(port)--')", ["--your-host--", "--ip(port)--"]),
]
PLAIN = [
    "%A% __A__ $A",
    "{{ a\n}}",
    "${a\n}",
    "$(a b)",
    "user@host, other@host",
    "a < b > c",
    "<1>",
    "A('--b-- and c') -- d --",
    "A(-- b --) C(----) D(--1--) E(--f)",
    "KEYRPWD('<MQI>!2!bm90aGluZw==!b2Y=')",
    "{{ ${ <% #{ {% {# @a <a $(a",
]


@pytest.mark.parametrize(("text", "templates"), COVERED)
def test_templates_are_covered(text: str, templates: list[str]) -> None:
    expected = text
    for template in templates:
        expected = expected.replace(template, PLACEHOLDER * len(template))
    assert with_placeholders(text) == expected


@pytest.mark.parametrize("before", ["", "A(B) ", "\n"])
def test_a_comment_before_a_word_renders_to_nothing(before: str) -> None:
    assert with_placeholders(f"{before}{{# why #}}MAXDEPTH(5)") == f"{before}{' ' * 9}MAXDEPTH(5)"


def test_a_comment_inside_a_word_leaves_it_unknown() -> None:
    assert with_placeholders("MAX{# why #}DEPTH(5)") == f"MAX{PLACEHOLDER * 9}DEPTH(5)"


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_template_stays(text: str) -> None:
    assert with_placeholders(text) == text


ASKED_FOR = [
    # text, the form that is asked for, what stands in it as a template
    ("A({b}) C(X{d.e}{0}) ", "braces", ["{b}", "{d.e}", "{0}"]),
    ("{} {a b} {'a'} {{f} @{h} %{i}", "braces", []),
]


@pytest.mark.parametrize(("text", "form", "templates"), ASKED_FOR)
def test_forms_that_may_be_names_count_when_asked_for(
    text: str, form: str, templates: list[str]
) -> None:
    expected = text
    for template in templates:
        expected = expected.replace(template, PLACEHOLDER * len(template))
    assert with_placeholders(text, **{form: True}) == expected
    assert with_placeholders(text) == text


@given(st.text("{}%$#@<>(a \n'", max_size=60))
def test_no_offset_moves(text: str) -> None:
    covered = with_placeholders(text)
    assert len(covered) == len(text)
    assert all(now in (PLACEHOLDER, before) for before, now in zip(text, covered, strict=True))


@pytest.mark.growth
@pytest.mark.parametrize(
    "piece", ["{", "{{", "${", "<%", "{%", "#{", "<a", "@a", "$(a", "{{ a }}", "${{{<%", "}}{{"]
)
def test_time_is_linear(piece: str) -> None:
    assert is_linear_in_time(lambda count: with_placeholders(piece * count), 20_000)


@pytest.mark.growth
@pytest.mark.parametrize("piece", ["{a", "{a}"])
def test_time_is_linear_with_braces(piece: str) -> None:
    assert is_linear_in_time(lambda count: with_placeholders(piece * count, braces=True), 20_000)
