"""The reading of one document, whatever file it came from: the unit that is parsed once."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from mqlint.config.settings import Role as SiteRole
from mqlint.dataclass import frozen, mutable
from mqlint.finding import Awaited, Diagnostic, Suppression, Unjudged
from mqlint.grouping import grouped
from mqlint.language.execution import CERTAIN, Execution
from mqlint.language.mqsc import Command, DumpHeader
from mqlint.language.mqsc.lines import Segments
from mqlint.source.lines import LineMap

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared, NamedFile
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step


Role = Literal["script", "refused", "shown"]
_FAR = sys.maxsize


MOST_LISTED = 1_000
"""Limit of the statements of one kind that are listed for one file."""


@mutable
class Part:
    """The MQSC of a document for one queue manager.

    `queue_manager` is its name, None if the document does not say it. `model` then identifies the
    texts for the same queue manager, and `entry` is the name by which other files may assign the
    text. `segments` map offsets to the file if the MQSC is inside another language. `branches` are
    stretches that a template may omit. `role` is `script` for commands that are run, `refused` for
    those that a session of runmqsc refused, `shown` for output of DISPLAY.
    """

    commands: list[Command]
    queue_manager: str | None = None
    header: DumpHeader | None = None
    segments: Segments | None = None
    execution: Execution = CERTAIN
    model: str = ""
    entry: str = ""
    role: Role = "script"
    branches: tuple[tuple[int, int], ...] = ()

    def choices(self) -> Iterator[list[Command]]:
        """Yield the commands that may not run, in groups that run together or not at all."""
        if self.role != "script":
            return
        groups: dict[int, list[Command]] = {}
        for command in self.commands if self.execution.maybe or self.branches else ():
            at = bisect_right(self.branches, (command.start, _FAR)) - 1
            inside = at >= 0 and command.start < self.branches[at][1]
            if inside or self.execution.maybe:
                groups.setdefault(at if inside else -1, []).append(command)
        yield from groups.values()


@frozen
class Reported:
    """A diagnostic and the object of its command; offsets are of the file.

    `entry` is that of the text that it is in.
    """

    diagnostic: Diagnostic
    object_type: str | None = None
    object_name: str | None = None
    queue_manager: str | None = None
    entry: str = ""


@mutable
class Reading:
    """The content of one document.

    `lines` are those of its file, `digest` is that of its bytes. `fed` are the files that its steps
    feed to a queue manager, in order, with the queue manager's name. `named_by` are the variables
    with which its steps name a queue manager. Of a script that gets it from its caller, or feeds
    files, `mentions` are the names of files, and `parameters` the variables that get a parameter,
    each with the number. `sited` are those of its script, and `stretches` its parts that are each
    for one site. `wired` are entries of ConfigMaps and Secrets, each with the queue manager that is
    created with it. `resources` is the text of manifests, without its secrets, if those of other
    files may name what they describe. `files` are those it names. `declared` are its declarations
    (data sets, parameters of a system). `calls` are the offsets of commands in a script that may do
    anything. `remote` are steps of other hosts and of containers, whose order among `steps` is not
    known. `unfollowed` are the offsets of what may have commands of MQ in a way that is not
    followed, `data_sets` are those of `Parsed`. `used_files` are the names of files that are run or
    read, each with an offset, and `awaited` their statements. `commands` and `understood` count
    MQSC commands. `suppressions` are comments that suppress findings. `limits` say what is unknown
    because the budget of the document is spent. `text` is that of the document without its secrets;
    it is not packed. `unclear` are the offsets of MQSC commands that are not understood, at most
    `MOST_LISTED`. `counts` and `unjudged` are those of its `FileCoverage`.
    """

    language: str
    lines: LineMap
    digest: str = ""
    parts: list[Part] = field(default_factory=list)
    stanzas: tuple[Stanza, ...] = ()
    steps: tuple[Step, ...] = ()
    fed: tuple[tuple[str, str], ...] = ()
    named_by: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    sited: tuple[tuple[str, SiteRole], ...] = ()
    stretches: tuple[tuple[int, int, str], ...] = ()
    wired: tuple[tuple[str, str], ...] = ()
    resources: str = ""
    files: tuple[NamedFile, ...] = ()
    calls: tuple[int, ...] = ()
    remote: tuple[Step, ...] = ()
    unfollowed: tuple[int, ...] = ()
    data_sets: tuple[tuple[str, str, int], ...] = ()
    used_files: tuple[tuple[str, int], ...] = ()
    declared: tuple[Declared, ...] = ()
    reported: list[Reported] = field(default_factory=list)
    suppressions: list[Suppression] = field(default_factory=list)
    commands: int = 0
    understood: int = 0
    text: str = ""
    limits: tuple[str, ...] = ()
    unclear: list[int] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    unjudged: tuple[Unjudged, ...] = ()
    awaited: tuple[Awaited, ...] = ()

    def parted(self) -> Iterator[tuple[str, Reading]]:
        """Yield what each of the `stretches` has with its name, and the rest with a blank one.

        In its stretch, what runs if the site is that of the stretch is certain. So is the order of
        what it sends to one host.
        """
        parts = grouped(
            (self.stretch_at(each.segments[0][1] if each.segments else 0, each.execution), each)
            for each in self.parts
        )
        steps_of, remote_of = (
            grouped((self.stretch_at(step.span[0], step.execution), step) for step in steps)
            for steps in (self.steps, self.remote)
        )
        declared = grouped((self.stretch_at(each.span[0]), each) for each in self.declared)
        calls = grouped((self.stretch_at(at), at) for at in self.calls)
        for name in dict.fromkeys(("", *(name for _, _, name in self.stretches))):
            part = copy(self)
            part.parts = [
                replace(each, execution=_alone(each.execution)) if name else each
                for each in parts.get(name, ())
            ]
            steps, remote = steps_of.get(name, []), remote_of.get(name, [])
            if name and len({step.execution.host for step in remote} - {""}) == 1:
                steps, remote = sorted((*steps, *remote), key=attrgetter("position")), []
            if name:
                steps = [replace(step, execution=_alone(step.execution)) for step in steps]
            part.steps, part.remote = tuple(steps), tuple(remote)
            part.declared = tuple(declared.get(name, ()))
            part.calls = tuple(sorted({*calls.get("", ()), *calls.get(name, ())}))
            part.stanzas = () if name else self.stanzas
            yield name, part

    def stretch_at(self, offset: int, execution: Execution | None = None) -> str:
        """The name of the stretch at an offset; of several, that of the host of an execution."""
        at = bisect_right(self.stretches, (offset, _FAR))
        start, end, name = self.stretches[at - 1] if at > 0 else (0, 0, "")
        if not start <= offset < end:
            return ""
        if at == 1 or self.stretches[at - 2][0] != start:
            return name
        host = execution.host if execution is not None else ""
        own = bisect_left(self.stretches, (start, end, host))
        return host if own < at and self.stretches[own] == (start, end, host) else ""


def _alone(execution: Execution) -> Execution:
    """The execution of what is in a stretch, but in no branch of its own."""
    return replace(execution, maybe=False, why="") if execution.block.count("/") == 1 else execution
