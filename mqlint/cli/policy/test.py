"""`mqlint policy test`: the cases that policies carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import click

from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo
from mqlint.cli.common.project import ProjectOptions
from mqlint.config.reader import read_yaml
from mqlint.engine import Analyser
from mqlint.engine.cases import CaseResult, judge_cases
from mqlint.policy.load import (
    builtin_sources,
    compile_sources,
    load_rulebook,
    user_sources,
)
from mqlint.policy.rulebook import Rulebook
from mqlint.report.terminal import counted, visible
from mqlint.vocabulary.load import load_vocabulary


@click.command("test", short_help="Run the cases of policies.")
@click.argument(
    "paths", metavar="[PATHS]...", nargs=-1, type=click.Path(exists=True, path_type=Path)
)
@click.option("-q", "--quiet", is_flag=True, help="Print only what failed.")
@options("cache no_cache", project=ProjectOptions)
def command(paths: tuple[Path, ...], quiet: bool, project: ProjectOptions) -> int:
    """Run the cases of policies: of the files and folders PATHS, else of those that come along.

    Exit status 1 when a case fails, 2 when a policy cannot be loaded. A policy that has the id of
    one that comes along takes its place.
    """
    cache = project.cache_folder()
    vocabulary = load_vocabulary(cache)
    rulebook = load_rulebook(vocabulary, cache)
    sources = user_sources(paths) if paths else builtin_sources()
    if paths:
        rulebook = Rulebook([*rulebook.compiled, *compile_sources(sources, vocabulary)])
    analyser = Analyser(vocabulary)
    results = [
        result
        for source in sources
        for rule in [read_yaml(source.text, source.path).require("id").string()]
        for result in judge_cases(source, rule, analyser, rulebook)
    ]
    echo("".join(f"{line}\n" for line in protocol(results, rulebook, quiet)))
    return 0 if all(result.passed for result in results) else 1


def protocol(
    results: Sequence[CaseResult], rulebook: Rulebook, quiet: bool = False
) -> Iterator[str]:
    """Yield a line a case, under the rule it belongs to, and the sum."""
    rules = 0
    for rule, group in groupby(results, key=attrgetter("rule")):
        rules += 1
        shown = [result for result in group if not (quiet and result.passed)]
        if shown:
            yield f"{rule} {visible(rulebook.rules[rule].name)}"
            for result in shown:
                yield from _lines(result)
    failed = sum(not result.passed for result in results)
    total = f"{counted(rules, 'rule')}, {counted(len(results), 'case')}"
    yield f"{total}: {failed:,} failed" if failed else f"{total}: all passed"


def _lines(result: CaseResult) -> Iterator[str]:
    name = visible(result.case.name)
    if result.passed:
        yield f"  pass  {name}"
        return
    yield f"  FAIL  {name} ({visible(result.case.place)})"
    wanted, found = Counter(result.case.flagged), Counter(result.found)
    for place in (wanted - found).elements():
        yield f"        not flagged: {visible(place)}"
    for place in (found - wanted).elements():
        yield f"        flagged, and should not be: {visible(place)}"
    for path in result.misfixed:
        yield f"        not fixed as expected: {visible(path)}"
        yield from (f"          {visible(line)}" for line in result.fixed.get(path, "").split("\n"))
