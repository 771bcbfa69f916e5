"""`mqlint fix`: fixes of findings, each proven by the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from mqlint.cli.common.difference import shown_difference
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines, write_file
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.dataclass import frozen
from mqlint.engine import Analyser, Input
from mqlint.engine.assemble import Assembly
from mqlint.engine.load import Loaded, opened, typed
from mqlint.engine.repair import Fix, Repair, applied
from mqlint.engine.run import grading_of
from mqlint.language.mqsc import Parser
from mqlint.report.terminal import counted, visible

DONE, WOULD_CHANGE = 0, 1
"""Exit statuses; 2 stands for every error."""

_LANGUAGES = ("mqsc", "ini")
_MOST = 60
"""The most fixes that are proven in one run: each costs a check of the project."""


@frozen
class Fixed:
    """A file with the fixes that are proven, and what it is after them."""

    source: Input
    before: str
    fixes: list[Fix]

    @property
    def after(self) -> str:
        """The text with all fixes."""
        return applied(self.before, (fix.edit for fix in self.fixes))


@click.command("fix", short_help="Fix findings; each fix is proven by the model.")
@paths_argument
@click.option("--unsafe", is_flag=True, help="Also fixes that change what a script does.")
@click.option("--write", is_flag=True, help="Change the files. Default: print the differences.")
@options("config policies cache no_cache", project=ProjectOptions)
def command(paths: tuple[str, ...], unsafe: bool, write: bool, project: ProjectOptions) -> int:
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
    words = paths or (".",)
    session = project.session(words)
    proven, left, missed = _proven(session, words, unsafe=unsafe)
    parser = Parser(session.vocabulary)
    for file in proven:
        if write and file.source.file is not None:
            write_file(file.source.file, [file.after])
        else:
            echo_lines(shown_difference(file.source.path, file.before, file.after, parser))
    echo_lines(_summary(proven, left, missed, writes=write))
    return WOULD_CHANGE if proven and not write else DONE


def _proven(
    session: Session, words: Sequence[str], *, unsafe: bool
) -> tuple[list[Fixed], int, int]:
    """The files with proven fixes; how many unsafe fixes were left out, how many not tried."""
    targets = collect(session, words)
    repair = Repair(
        targets.everything,
        session.settings,
        Analyser(session.vocabulary),
        session.rulebook,
        grading_of(session.settings),
    )
    found: list[Fixed] = []
    left = missed = tried = 0
    for source, text in _texts(session, targets.inputs):
        chosen: list[Fix] = []
        for fix in repair.proposals(source.path, text):
            if not (fix.is_safe or unsafe):
                left += 1
            elif tried >= _MOST:
                missed += 1
            else:
                tried += 1
                if repair.is_proven([fix], source, text):
                    chosen.append(fix)
        if chosen and (len(chosen) == 1 or repair.is_proven(chosen, source, text)):
            found.append(Fixed(source, text, chosen))
        elif chosen:
            found.append(Fixed(source, text, chosen[:1]))
    return found, left, missed


def _texts(session: Session, inputs: Sequence[Input]) -> Iterator[tuple[Input, str]]:
    assembly = Assembly(session.settings, session.vocabulary)
    for source in inputs:
        document = opened(typed(source, assembly))
        if isinstance(document, Loaded) or document.language not in _LANGUAGES:
            continue
        decoded = document.document.decoded
        if decoded.encoding == "utf-8" and decoded.line_ends == "lf" and source.file is not None:
            yield source, document.document.text


def _summary(proven: Sequence[Fixed], left: int, missed: int, *, writes: bool) -> Iterator[str]:
    for file in proven:
        for fix in file.fixes:
            kind = "safe" if fix.is_safe else "unsafe"
            yield visible(f"{fix.path}:{fix.line}: {fix.rule}: {fix.says} ({kind})")
    number = counted(sum(len(file.fixes) for file in proven), "fix", "fixes")
    done = "applied" if writes else "proven"
    more = [f"{left:,} unsafe not tried (--unsafe)"] if left else []
    more += [f"{missed:,} not tried (at most {_MOST} in a run)"] if missed else []
    yield "; ".join([f"{number} {done}", *more]) + "."
