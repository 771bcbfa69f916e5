"""The tables of what was found and missed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.recall.measure import Result
from tests.recall.operators import Operator


def shares(results: Iterable[Result], group: Callable[[Result], str]) -> list[tuple[str, int, int]]:
    """Return (group, mutants, found), the lowest share first."""
    mutants: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for result in results:
        mutants[group(result)] += 1
        found[group(result)] += result.found
    rows = [(name, mutants[name], found[name]) for name in mutants]
    return sorted(rows, key=lambda row: (row[2] / row[1], row[0]))


def as_markdown(title: str, rows: Sequence[tuple[str, int, int]]) -> str:
    """Return a table of shares with a line for all of them."""
    total = ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))
    lines = [f"| {title} | mutants | found | share |", "|---|---:|---:|---:|"]
    for name, mutants, found in (*sorted(rows), total):
        lines.append(f"| {name} | {mutants} | {found} | {_percent(found, mutants)} |")
    return "\n".join(lines)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def missed(results: Iterable[Result], by_id: Mapping[str, Operator], most: int = 3) -> str:
    """Return what was missed, by operator, with some of its mutants and what was found instead."""
    of: dict[str, list[Result]] = defaultdict(list)
    count: Counter[str] = Counter()
    for result in results:
        count[result.mutant.operator] += 1
        if not result.found:
            of[result.mutant.operator].append(result)
    lines = []
    for name in sorted(of, key=lambda name: (by_id[name].about, -len(of[name]), name)):
        operator = by_id[name]
        lines.append(f"{operator.about}: {name}: {len(of[name])} of {count[name]} missed")
        lines.append(f"    effect: {operator.effect}")
        lines.append(f"    source: {operator.source}")
        for result in spread(of[name], most):
            path, first, _ = result.mutant.places[0]
            instead = _instead(result)
            lines.append(
                f"    {result.mutant.project}/{path}:{first}: {result.mutant.says}{instead}"
            )
    return "\n".join(lines)


def _instead(result: Result) -> str:
    near = f"; reported there by {', '.join(result.near)}" if result.near else ""
    far = f"; elsewhere {', '.join(result.elsewhere)}" if result.elsewhere else ""
    return near + far or "; nothing is reported"


def spread(results: list[Result], most: int) -> list[Result]:
    """Return at most so many results, evenly over the list."""
    step = max(len(results) / most, 1.0)
    return [results[int(number * step)] for number in range(min(most, len(results)))]


def section(page: str, name: str, text: str) -> str:
    """Return a page with the text between its two comments of a name replaced."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the page has no place for {name!r}")
    return f"{before}{begin}\n{text}\n{end}{after}"
