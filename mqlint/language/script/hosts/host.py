"""Files that hold scripts: units, Dockerfiles, Jenkinsfiles, Makefiles, Terraform, CI, Ansible.

Each stretch of shell in them is read as a script of its own, with its characters at their places in
the file. Text that a tool inserts before the script runs (`{{ }}`, `%i`) is covered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.client.signs import names_connection
from mqlint.language.declaration import Declared, NamedFile
from mqlint.language.embedding import reported_in
from mqlint.language.execution import Execution
from mqlint.language.script.calls.resources import read_resources
from mqlint.language.script.document import faults_of_part, faults_of_windows
from mqlint.language.script.faults.comments import outside_comments
from mqlint.language.script.faults.environment import (
    environment_faults,
    lost_setmqenv,
)
from mqlint.language.script.faults.expansion import expansion_faults
from mqlint.language.script.faults.members import member_faults
from mqlint.language.script.faults.mounts import mount_faults
from mqlint.language.script.reader import parse_embedded_command, scanned_in
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.script.unread.unfollowed import acting, unread_mqsc, unread_runs
from mqlint.language.script.unread.unseen import is_blank
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.variables.given import NOTHING_GIVEN, Given
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

_all_of = chain.from_iterable
_PROGRAM = later(
    r"\s*+#![ \t]*\S*/(?:env[ \t]+(?:-\S+[ \t]+)*)?"
    r"(?:python|perl|ruby|node|php|tclsh|expect)[\d.]*\b"
)
BOOT = "boot"
"""The schedule of what runs when a host starts."""


@mutable
class Block:
    """A stretch of shell; `maybe` is true if a condition decides whether it runs.

    `is_looped`: that is only a loop over a list. `is_alone`: its shell runs nothing else.

    `border` is an offset at which another host or another time begins, so that anything may happen
    there; -1 for none. `plain` is true if no shell reads it: the program gets the words as they
    are. `language` is `shell`, `cmd` or `powershell`. `schedule` is when it runs, None for once,
    and `run` the span of all that runs with it, None for itself. `stdin` is the input that the file
    gives to it. `given` are the variables that its job gives to it. `ends_on_fault`: its shell gets
    the option -e; with `may_end_on_fault` it may get that or pipefail. Those
    of the same name in `together` run one after the other, or not at all.
    """

    source: MappedText
    maybe: bool = False
    border: int = -1
    plain: bool = False
    language: str = "shell"
    schedule: str | None = None
    stdin: MappedText | None = None
    run: Span | None = None
    is_looped: bool = False
    given: Given = NOTHING_GIVEN
    is_alone: bool = False
    ends_on_fault: bool = False
    may_end_on_fault: bool = False
    together: str = ""


class Host:
    """A file that holds scripts; each of these languages has a class of this kind.

    `shares_files` is true if one of its scripts may read what another wrote, `of_containers` if its
    variables are those of containers, of which one replaces the other.
    """

    shares_files = False
    of_containers = False

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget

    def blocks(self) -> Iterable[Block]:
        """Return the scripts, in the order in which they run; for any text."""
        raise NotImplementedError

    def embedded(self) -> Iterable[Embedded]:
        """Return the documents that the file holds besides its scripts."""
        return ()

    def declared(self) -> Iterable[Declared]:
        """Return the queue managers of the containers that the file describes."""
        return ()

    def resources(self) -> Iterable[MappedText]:
        """Return the resources of Kubernetes, and values of charts, that the file holds as YAML."""
        return ()

    def given_names(self) -> Collection[str]:
        """Return the variables that its jobs give to its scripts, with a known value or not."""
        return ()

    def sets_all_variables(self) -> bool:
        """Return whether no setting of a project may give variables to its scripts."""
        return True

    def fed(self) -> Iterable[tuple[str, str]]:
        """Return files of requests, each with its queue manager."""
        return ()

    def files(self) -> Iterable[NamedFile]:
        """Return other files that it names."""
        return ()

    def secrets(self) -> Iterable[Span]:
        """Return places that no report may show, besides those in commands."""
        return ()

    def awaited(self) -> Iterator[tuple[str, int]]:
        """Yield files that are run or read besides commands, as of `ShellScript`."""
        yield from ()

    def unseen(self) -> Iterator[int]:
        """Yield places at which anything may happen, besides the borders of blocks."""
        yield from ()

    @classmethod
    def read(cls, text: str, context: Context) -> Parsed:
        """Read a file: its scripts, the other documents in it, and its faults."""
        host, commands = cls(text, context.budget), context.vocabulary.control
        resources = [
            read_resources(found, host.budget, maybe=False)
            for found in host.resources()
            if host.budget.spend(len(found.text), len(found.segments))
        ]
        documents = [*host.embedded(), *_all_of(resource.embedded for resource in resources)]
        script = read_scripts(
            text, host.blocks(), documents, commands, host.budget, shares_files=host.shares_files
        )
        script = replace(script, embedded=tuple(uncovered(each, text) for each in script.embedded))
        more = ShellScript(
            steps=(),
            embedded=tuple(documents),
            calls=tuple(host.unseen()),
            awaited=tuple(host.awaited()),
            secrets=tuple(host.secrets()),
            declared=(*host.declared(), *_all_of(resource.declared for resource in resources)),
            diagnostics=tuple(_all_of(resource.diagnostics for resource in resources)),
            wired=tuple(_all_of(resource.wired for resource in resources)),
        )
        return Parsed(
            script=ShellScript.merged((script, more)),
            fed=tuple(host.fed()),
            files=tuple(host.files()),
            diagnostics=[*outside_comments(text, host.faults())],
            joins=host.joins(),
        )

    def joins(self) -> bool:
        """Return whether other files may need its text."""
        return self.of_containers and names_connection(self.text)

    def faults(self) -> Iterator[Diagnostic]:
        """Yield what is wrong in the file, besides what is wrong with its commands."""
        yield from environment_faults(self.text)
        yield from mount_faults(self.text)
        yield from member_faults(self.text)
        names, are_all = self.given_names(), self.sets_all_variables()
        yield from expansion_faults(self.text, names, are_all=are_all)


def _judged(blocks: Iterable[Block], faults: list[Diagnostic]) -> Iterator[Block]:
    """Yield blocks, and collect the faults of their text.

    What a shell of UNIX changes in it is found in the text of the whole file.
    """
    for block in blocks:
        text, found = block.source.text, list[Diagnostic]()
        if block.language != "shell" and not block.plain:
            found += faults_of_windows(text, block.language)
        elif not block.plain:
            found += faults_of_part(
                text, is_ended_by_faults=block.ends_on_fault or block.may_end_on_fault
            )
            found += lost_setmqenv(text) if block.is_alone else ()
        faults += (reported_in(fault, block.source) for fault in found)
        yield block


def read_scripts(
    text: str,
    blocks: Iterable[Block],
    documents: Iterable[Embedded | MappedText],
    commands: Mapping[str, ControlSpec],
    budget: Budget,
    *,
    shares_files: bool = False,
) -> ShellScript:
    """Read the scripts of a file, and note the commands of MQ and MQSC that no reader gets.

    `documents` are the other texts in the file that are read.
    """
    places: list[Span] = []
    blanks: list[tuple[str, int]] = []
    faults: list[Diagnostic] = []
    noted = _noted(_judged(blocks, faults), places, blanks)
    script = read_blocks(noted, commands, budget, shares_files=shares_files)
    places += ((inner.host(0), inner.end) for inner in (*script.embedded, *documents))
    unread = (*unread_runs(text, places, acting(commands)), *unread_mqsc(text, places))
    return replace(
        script,
        diagnostics=(*script.diagnostics, *outside_comments(text, faults)),
        unfollowed=(*script.unfollowed, *unread),
        awaited=(*script.awaited, *blanks),
    )


def _noted(
    blocks: Iterable[Block], places: list[Span], blanks: list[tuple[str, int]]
) -> Iterator[Block]:
    """Yield blocks, and note the place of each, and those of which nothing is known.

    A program of another language, which its first line names, is no script.
    """
    for block in blocks:
        if _PROGRAM.match(block.source.text) is not None:
            continue
        if is_blank(block.source.text):
            blanks.append(("", block.source.host(0)))
        places.append((block.source.host(0), block.source.end))
        yield block


def read_blocks(
    blocks: Iterable[Block],
    commands: Mapping[str, ControlSpec],
    budget: Budget,
    *,
    shares_files: bool = False,
) -> ShellScript:
    """Read blocks one after the other: each is freed before the next one is asked for."""
    executions: dict[tuple[bool, str | None, Span | None, bool, str], Execution] = {}
    borders: list[int] = []

    def scripts() -> Iterator[ShellScript]:
        for block in blocks:
            if block.border >= 0:
                borders.append(block.border)
            when = block.maybe, block.schedule, block.run, block.is_looped, block.together
            if when not in executions:
                executions[when] = Execution(
                    block.maybe,
                    "loop" if block.is_looped else "",
                    schedule=block.schedule,
                    run=block.run,
                    block=block.together,
                )
            yield parse_embedded_command(
                block.source,
                executions[when],
                commands,
                budget,
                block.stdin,
                globs=not block.plain and block.language == "shell",
                scanned=scanned_in(block.language, block.source.text, budget),
                shared=shares_files,
                given=block.given.values,
                job=block.given.job,
                ends_on_fault=block.ends_on_fault,
            )

    return ShellScript.merged(scripts(), borders)


_TEMPLATE = later(r"\$?\{\{[^\n]{0,400}?\}\}|\{%[^\n]{0,400}?%\}")


def covered(text: str) -> str:
    """The text with what a tool puts in covered, at the same length."""
    return _TEMPLATE.sub(lambda match: PLACEHOLDER * len(match.group()), text)


_VARIABLES = later(r"(?:\$?\{\{-? *[A-Za-z_][\w.-]{0,100} *(?:\| *upper *)?-?\}\})+")
_COVERED = later(f"{PLACEHOLDER}++")


def uncovered(inner: Embedded, text: str) -> Embedded:
    """MQSC with the variables that the text of its host has where it is covered."""
    if inner.language != "mqsc" or inner.encoded or PLACEHOLDER not in inner.text:
        return inner

    def written(found: re.Match[str]) -> str:
        variables = text[inner.host(found.start()) : inner.host(found.end() - 1) + 1]
        is_whole = len(variables) == len(found[0]) and _VARIABLES.fullmatch(variables) is not None
        return variables if is_whole else found[0]

    return replace(inner, text=_COVERED.sub(written, inner.text))


def removal(path: MappedText) -> MappedText:
    """Return the command that does what a tool does to make a path absent."""
    return _with_path("rm -rf ", path)


def written(path: MappedText) -> MappedText:
    """Return the command that does what a tool does to make a file of a text."""
    return _with_path("cat > ", path)


def _with_path(command: str, path: MappedText) -> MappedText:
    builder = MappedTextBuilder()
    builder.add(command, path.host(0), 0)
    builder.add_mapped(path)
    return builder.finish(path.end)
