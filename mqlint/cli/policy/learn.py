"""`mqlint policy learn`: policies for what the objects of an estate have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mqlint.cli.common.documents import project_of
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines, make_folder
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.cli.policy.new import write
from mqlint.config.errors import ConfigError
from mqlint.engine import Analyser
from mqlint.engine.cases import judge_cases
from mqlint.engine.convention_policy import deviation, label, policy_of
from mqlint.engine.learn import Convention, conventions
from mqlint.policy.language.table import is_id
from mqlint.policy.load import PolicySource, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.report.terminal import counted, visible

_MOST_SHOWN = 3
"""Limit of the deviating objects that are printed for a convention."""


@click.command("learn", short_help="Propose policies for what your objects have in common.")
@paths_argument
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each convention as a policy to this folder, which must be new or empty.",
)
@click.option(
    "--objects",
    metavar="N",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    help="Minimum number of objects that a convention needs.",
)
@click.option(
    "--certainty",
    metavar="SHARE",
    type=click.FloatRange(0.5, 1),
    default=0.7,
    show_default=True,
    help="Minimum certainty: the lower bound (95 %) of the share of objects that follow it.",
)
@click.option(
    "--prefix", metavar="LETTERS", default="LRN", show_default=True, help="Letters of the ids."
)
@options("config policies cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    out: Path | None,
    objects: int,
    certainty: float,
    prefix: str,
    project: ProjectOptions,
) -> None:
    """Print conventions: what nearly all objects in PATHS have in common, without MQ defaults.

    With --out, write each convention as a policy with cases. Read the policies and delete those
    that are only a coincidence. They run when `policies:` in mqlint.yaml lists the folder.
    """
    words = paths or (".",)
    session = project.session(words)
    if not is_id(f"{prefix}001"):
        raise Refusal(f"{visible(prefix)!r} cannot begin an id: write two to four letters")
    if out is not None:
        _require_unused(out, session)
    targets = collect(session, words)
    analyser = session.analyser
    managers = project_of(session, targets.everything).managers()
    found = conventions(managers, session.vocabulary, objects, certainty)
    proposed = list(_proposed(found, prefix, session, analyser))
    echo_lines(_report(proposed))
    if out is not None and proposed:
        make_folder(out)
        for rule, text, _ in proposed:
            write(out / f"{rule}.yaml", text)
        shown = visible(str(out))
        echo_lines([f"wrote {counted(len(proposed), 'policy', 'policies')} to {shown}"])
        echo_lines([f"next: read them, then mqlint check --policies {shown}"])


def _require_unused(out: Path, session: Session) -> None:
    """Refuse a folder that has files, or whose policies already run."""
    if out.exists() and any(out.iterdir()):
        raise Refusal(f"{out} is not empty; nothing was written")
    if any(folder.resolve() == out.resolve() for folder in session.policy_folders):
        raise Refusal(f"mqlint.yaml already lists {out} under policies: name another folder")


def _proposed(
    found: Sequence[Convention], prefix: str, session: Session, analyser: Analyser
) -> Iterator[tuple[str, str, Convention]]:
    """Yield the policies that load and pass their cases, with their ids."""
    taken = session.rulebook.rules
    number = 0
    for convention in found:
        number += 1
        while f"{prefix}{number:03}" in taken:
            number += 1
        rule = f"{prefix}{number:03}"
        source = PolicySource(f"{rule}.yaml", "own", policy_of(convention, rule))
        if number < 1_000 and _passes(source, rule, analyser):
            yield rule, source.text, convention
        else:
            number -= 1


def _passes(source: PolicySource, rule: str, analyser: Analyser) -> bool:
    """Whether a policy loads and passes: some values cannot be written in a policy."""
    try:
        rulebook = Rulebook(compile_sources([source], analyser.vocabulary))
        return all(result.passed for result in judge_cases(source, rule, analyser, rulebook))
    except ConfigError:
        return False


def _report(proposed: Sequence[tuple[str, str, Convention]]) -> Iterator[str]:
    for rule, _, convention in proposed:
        share = f"{convention.followed:,} of {convention.number:,}"
        yield visible(
            f"{rule} {convention.certainty:.2f}  {label(convention.group)}: "
            f"{convention.description} ({share})"
        )
        for found in convention.deviants[:_MOST_SHOWN]:
            yield visible(f"    deviates: {deviation(found, convention.key)}")
        if len(convention.deviants) > _MOST_SHOWN:
            yield f"    and {len(convention.deviants) - _MOST_SHOWN:,} more"
    yield f"{counted(len(proposed), 'convention')} found."
