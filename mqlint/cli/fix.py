"""`mqlint fix`: fixes of findings, each proven by the model."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common.difference import shown_difference
from mqlint.cli.common.documents import report_unread
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines, write_file
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.common.targets import collect
from mqlint.engine import Analyser
from mqlint.engine.fixing.fix import Fix
from mqlint.engine.fixing.repair import MOST, Proven, Repair
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.language.mqsc import Parser
from mqlint.report.terminal import counted, visible

DONE, WOULD_CHANGE = 0, 1
"""Exit statuses; 2 stands for every error."""


@click.command("fix", short_help="Fix findings; each fix is proven by the model.")
@paths_argument
@click.option("--unsafe", is_flag=True, help="Also fixes that change what a script does.")
@click.option("--diff", is_flag=True, help="Print the differences, and write nothing. Default.")
@click.option("--write", is_flag=True, help="Change the files.")
@options("config policies cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...], unsafe: bool, diff: bool, write: bool, project: ProjectOptions
) -> int:
    """Print fixes of findings as differences, or apply them with --write.

    A safe fix changes no effect. An unsafe one lets a command run that the queue manager rejects
    as it is, or changes a value. Each fix is proven: its finding is gone, no finding is new, and
    everything else is the same.

    \b
    Exit status:
      0  nothing to fix, or files changed with --write
      1  fixes are printed
      2  an error
    """  # noqa: D301 a mark for click: keep these lines
    if diff and write:
        raise click.UsageError("--diff writes nothing: omit it, or omit --write.")
    words = paths or (".",)
    session = project.session(words)
    targets = collect(session, words)
    analyser = Analyser(session.vocabulary)
    suppressing = Suppressing(waivers=waivers_of(session, complete=targets.complete))
    criteria = Criteria.of(session.settings, analyser, session.rulebook, (), suppressing)
    repair = Repair(targets.everything, criteria)
    report_unread((row.coverage for row in repair.loaded.values()), targets.everything)
    paths_of_files = {source.path for source in targets.inputs if source.file is not None}
    proven = repair.proven(paths_of_files, unsafe=unsafe)
    parser = Parser(session.vocabulary)
    for file in proven.files:
        if write and file.source.file is not None:
            write_file(file.source.file, [file.after])
        else:
            echo_lines(shown_difference(file.source.path, file.before, file.after, parser))
    if not targets.inputs:
        click.echo("mqlint: no file was found; name the files, or their folder", err=True)
    echo_lines(_summary(proven, writes=write))
    return WOULD_CHANGE if proven.files and not write else DONE


def _summary(proven: Proven, *, writes: bool) -> Iterator[str]:
    for file in proven.files:
        for fix in file.fixes:
            kind = "safe" if fix.is_safe else "unsafe"
            yield visible(f"{_described(fix)} ({kind})")
    for fix, causes, destroys in proven.refused:
        why = f"causes {', '.join(causes)}" if causes else "changes more than it should"
        if destroys:
            why = "lets a command run that cannot be undone"
        yield visible(f"{_described(fix)} (not offered: {why})")
    number = counted(sum(len(file.fixes) for file in proven.files), "fix", "fixes")
    more = [f"{number} {'applied' if writes else 'proven'}"]
    more += [f"{proven.unsafe:,} unsafe not tried (--unsafe)"] if proven.unsafe else []
    more += (
        [f"{proven.missed:,} not tried (at most {MOST} trials in a run)"] if proven.missed else []
    )
    yield "; ".join(more) + "."


def _described(fix: Fix) -> str:
    place = f"{fix.path}:{fix.finding.location.start.line}"
    return f"{place}: {fix.finding.rule.id}: {fix.description}"
