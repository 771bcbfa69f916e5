"""`python -m tests.recall`: plant mistakes into clean configurations, and count what is found."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.recall.measure import Result, findings_of, measure, mutants_of
from tests.recall.operators import Operator, operators
from tests.recall.project import Project, projects
from tests.recall.table import as_markdown, missed, section, shares

PAGE = Path(__file__).parents[2] / "docs" / "quality.md"


def main() -> int:
    """Measure and print; status 1 when a clean configuration or a legal change has a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.recall", description=__doc__)
    parser.add_argument("--held", action="store_true", help="what is kept aside, and nothing else")
    parser.add_argument("--operator", action="append", help="this one alone; may be repeated")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rules", action="store_true", help="which rules report each operator")
    parser.add_argument("--page", action="store_true", help="write the table to docs/quality.md")
    options = parser.parse_args()
    chosen = [row for row in operators() if not options.operator or row.id in options.operator]
    by_id = {operator.id: operator for operator in chosen}
    on = [project for project in projects() if options.held or not project.held]
    loud = _print_clean(on)
    mutants = [
        mutant
        for project in on
        for mutant in mutants_of(chosen, [project])
        if options.held == (project.held or by_id[mutant.operator].held)
    ]
    results = measure(mutants, options.processes)
    planted = [result for result in results if not by_id[result.mutant.operator].legal]
    legal = [result for result in results if by_id[result.mutant.operator].legal]
    if options.rules:
        _print_rules(planted)
    print(missed(planted, by_id))
    by_class = as_markdown("class", shares(planted, lambda row: by_id[row.mutant.operator].about))
    by_kind = as_markdown("change", shares(planted, lambda row: by_id[row.mutant.operator].kind))
    print(f"\n{by_class}\n\n{by_kind}\n")
    loud += _print_legal(legal, by_id)
    if options.page:
        made_by = len({mutant.operator for mutant in mutants})
        text = (
            f"{len(mutants):,} mutants of {made_by} operators on {len(on)} configurations. "
            f"Of {len(legal):,} legal changes {_silent(legal):,} have no finding.\n\n{by_class}"
        )
        name = "held" if options.held else "open"
        PAGE.write_text(section(PAGE.read_text("utf-8"), name, text), encoding="utf-8")
    return 1 if loud else 0


def _silent(results: Sequence[Result]) -> int:
    return sum(result.silent for result in results)


def _print_clean(on: Sequence[Project]) -> int:
    """Print the findings of clean configurations, in two profiles; return their number."""
    count = 0
    for project in on:
        for profile in ("", "production"):
            for finding in findings_of(project.name, profile=profile):
                count += 1
                place = f"{finding.location.path}:{finding.location.start.line}"
                print(f"clean {project.name}/{place}: {finding.rule.id} {finding.message}")
    return count


def _print_legal(results: Sequence[Result], by_id: Mapping[str, Operator]) -> int:
    """Print the legal changes that have a finding; return their number."""
    loud = [result for result in results if not result.silent]
    print(f"legal changes: {len(results)}, with a finding: {len(loud)}")
    for result in loud:
        path, first, _ = result.mutant.places[0]
        rules = ", ".join((*result.near, *result.elsewhere))
        where = f"{result.mutant.project}/{path}:{first}"
        print(f"    {result.mutant.operator}: {where}: {result.mutant.says}: {rules}")
    return len(loud)


def _print_rules(results: Sequence[Result]) -> None:
    near: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        near[result.mutant.operator].update(result.near or ("(nothing)",))
    for name, rules in near.items():
        print(name, dict(rules))


if __name__ == "__main__":
    sys.exit(main())
