"""A comparison as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from mqlint.cli.diff.sides import Result, Side
from mqlint.finding import Location
from mqlint.model.comparison.difference import Difference
from mqlint.model.comparison.managers import Comparison
from mqlint.report.json import Json, fields_of
from mqlint.report.markdown import escaped, table_row
from mqlint.report.terminal import counted, listing, visible, wrap
from mqlint.source.display import listed

VERSION = 1
"""Raised when a field of the JSON form changes its meaning or goes away."""

_LONG = 60
_MANY = 12
ONLY_IN = {"only-in-a": "only in A", "only-in-b": "only in B"}


def as_json(result: Result, a: Side, b: Side) -> dict[str, Json]:
    return {
        "version": VERSION,
        "a": a.label,
        "b": b.label,
        "equal": not result.differences,
        "left_out": list[Json](result.left_out),
        "alone": [row_json(difference) for difference in result.alone],
        "queue_managers": [
            {
                "a": comparison.a.key.title,
                "b": comparison.b.key.title,
                "differences": [row_json(difference) for difference in comparison.differences],
                "notes": [{"text": text, "count": count} for text, count in comparison.notes],
            }
            for comparison in result.comparisons
        ],
        "same_files_not_understood": result.same_gaps,
    }


def row_json(found: Difference) -> dict[str, Json]:
    return {
        **fields_of(found, "state type name attribute? a b"),
        "place_a": place_json(found.place_a),
        "place_b": place_json(found.place_b),
        "why": found.why or None,
    }


def place_json(place: Location | None) -> dict[str, Json] | None:
    return None if place is None else {"path": place.path, "line": place.start.line}


def text_lines(result: Result, a: Side, b: Side, width: int) -> Iterator[str]:
    yield visible(f"A: {a.label}")
    yield visible(f"B: {b.label}")
    for difference in result.alone:
        what = ONLY_IN.get(difference.state, difference.why)
        yield from wrap(f"{difference.type} {difference.name}: {what}", width, "", "  ")
    for comparison in result.comparisons:
        if comparison.differences:
            yield ""
            yield visible(_heading(comparison))
            yield from _objects(comparison.differences, width)
    notes = list(_notes(result))
    if notes:
        yield ""
        yield from listing("given that", notes, width)
    yield ""
    yield summary(result)


def summary(result: Result) -> str:
    found = result.differences
    if not found:
        pairs = len(result.comparisons)
        return f"No differences in {counted(pairs, 'queue manager')}."
    undecided = sum(difference.state == "undecided" for difference in found)
    certain = len(found) - undecided
    more = f", {undecided:,} undecided" if undecided else ""
    return f"{counted(certain, 'difference')}{more}."


def _heading(comparison: Comparison) -> str:
    names = [comparison.a.key.title, comparison.b.key.title]
    return names[0] if names[0] == names[1] else f"{names[0]} (A) and {names[1]} (B)"


def _notes(result: Result) -> Iterator[str]:
    counts: dict[str, int] = {}
    for comparison in result.comparisons:
        for text, count in comparison.notes:
            counts[text] = counts.get(text, 0) + count
    for text, count in sorted(counts.items()):
        yield f"{text} ({counted(count, 'value')})"
    if result.left_out:
        yield f"the configuration leaves out {', '.join(result.left_out)}"
    if result.same_gaps:
        number = counted(result.same_gaps, "file")
        yield f"{number} not understood as a whole: the same bytes on both sides"


def _objects(differences: Sequence[Difference], width: int) -> Iterator[str]:
    for lines in _together(differences):
        first = lines[0]
        if not first.attribute:
            names = listed([found.name for found in lines], _MANY)
            what = ONLY_IN.get(first.state, "undecided")
            why = f" ({first.why})" if first.why else ""
            at = _at(first) if len(lines) == 1 else ""
            text = f"{first.type} {names}: {what}{why}{at}"
            yield from wrap(text, width, "  ", "    ")
            continue
        yield visible(f"  {first.type} {first.name}".rstrip())
        for found in lines:
            yield from wrap(_change(found), width, "    ", "      ")


def _together(differences: Sequence[Difference]) -> Iterator[list[Difference]]:
    """Differences of one object; whole objects of one type and reason."""
    whole = [found for found in differences if not found.attribute]
    whole.sort(key=lambda found: (found.type, found.state, found.why))
    for _, alike in groupby(whole, key=lambda found: (found.type, found.state, found.why)):
        yield list(alike)
    single = [found for found in differences if found.attribute]
    for _, alike in groupby(single, key=lambda found: (found.type, found.name)):
        yield list(alike)


def _change(found: Difference) -> str:
    mark = "" if found.state == "differs" else "? "
    why = f" ({found.why})" if found.why else ""
    return f"{mark}{attribute_text(found)}{why}{_at(found)}"


def attribute_text(found: Difference) -> str:
    """Return the attribute of a difference with both values, alone if neither is known."""
    if found.a is None and found.b is None:
        return found.attribute
    return f"{found.attribute}: {value_text(found.a)} -> {value_text(found.b)}"


def value_text(value: str | None) -> str:
    if value is None:
        return "-"
    if len(value) > _LONG:
        return value[: _LONG - 3] + "..."
    return value or "''"


def _at(found: Difference) -> str:
    places = [place for place in (found.place_a, found.place_b) if place is not None]
    shown = dict.fromkeys(place.line_text for place in places)
    return f"  [{' | '.join(shown)}]" if shown else ""


def markdown_lines(result: Result, a: Side, b: Side) -> Iterator[str]:
    yield f"**{escaped(summary(result))}**"
    yield ""
    yield f"A is {escaped(a.label)}, B is {escaped(b.label)}."
    if result.alone:
        yield ""
        for found in result.alone:
            what = ONLY_IN.get(found.state, found.why)
            yield f"- {found.type} {escaped(found.name)}: {escaped(what)}"
    for comparison in result.comparisons:
        if comparison.differences:
            yield ""
            yield f"### {escaped(_heading(comparison))}"
            yield ""
            yield from _table(comparison.differences)
    notes = list(_notes(result))
    if notes:
        yield ""
        yield from (f"- {escaped(note)}" for note in notes)


def _table(differences: Iterable[Difference]) -> Iterator[str]:
    yield "| object | attribute | A | B | |"
    yield "|---|---|---|---|---|"
    for found in differences:
        what = ONLY_IN.get(found.state, "undecided" if found.state == "undecided" else "")
        remark = "; ".join(filter(None, (what, found.why)))
        values = ("" if value is None else value_text(value) for value in (found.a, found.b))
        subject = f"{found.type} {found.name}".strip()
        yield table_row((subject, found.attribute, *values, remark))
