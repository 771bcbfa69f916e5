"""The results of reading a script and all scripts inside it, collected on the way."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from mqlint.config.settings import Role
from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Parsed
from mqlint.language.declaration import Declared, NamedFile
from mqlint.language.embedding import reported_in
from mqlint.language.execution import Execution
from mqlint.language.feeding import CONFIGURATION_ENDINGS
from mqlint.language.mqsc.lines import stored
from mqlint.language.script.binding import Binder
from mqlint.language.script.calls.resources import files_of_holder, in_job, in_resources
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.files.path import queue_manager_path
from mqlint.language.script.here_document import HereText
from mqlint.language.script.input.written import Input, WrittenFiles
from mqlint.language.script.step import PARTS, Embedded, ShellScript, Step, Typo
from mqlint.language.script.unread.unfollowed import acting
from mqlint.language.text.mapped import MappedText
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

if TYPE_CHECKING:
    from mqlint.language.script.calls.containers import Published

_BY_PLACE = attrgetter("span")


@mutable
class ScriptResults:
    """The parts of a `ShellScript`, and what all scripts inside the script share.

    `commands` are the control commands to look for. `files` are the files that the script writes.
    `at` is the offset of the script in its file. With `shared`, other scripts of the file run in
    the same place, so that their queue managers without a known name can be the same. `default` is
    the crtmqm -q that made the default queue manager of the host. `images` are the Dockerfiles of
    images that the script builds, by the name of the image. `ports` are the containers that publish
    them, by address and number. `aliases` are those of commands of MQ.
    `of_windows` is true if a shell of Windows reads the script.
    `here` are the here-documents of the file itself, by their starts. `read_job` reads
    a job of z/OS in a here-document, None if these are not read. `jobs` are the offsets of those
    read. `sourced` are the variables of the files that it sources, None if these are not known.
    `given` are variables that the job of a pipeline gives to the script, and `job` its offset:
    other scripts of the job get the same variables. `managers` are the queue managers of control
    commands, each by its name or its `model`.
    """

    commands: Mapping[str, ControlSpec]
    files: WrittenFiles
    at: int = 0
    shared: bool = False
    steps: list[Step] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    typos: list[Typo] = field(default_factory=list)
    declared: list[Declared] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    remote: list[Step] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)
    wired: list[tuple[str, str]] = field(default_factory=list)
    unfollowed: dict[int, None] = field(default_factory=dict)
    awaited: list[tuple[str, int]] = field(default_factory=list)
    runs: list[NamedFile] = field(default_factory=list)
    sited: list[tuple[str, Role]] = field(default_factory=list)
    read_job: Callable[[str], Parsed] | None = None
    jobs: set[int] = field(default_factory=set)
    default: Step | None = None
    images: dict[str, str] = field(default_factory=dict)
    ports: dict[tuple[str, str], Published] = field(default_factory=dict)
    aliases: set[str] = field(default_factory=set)
    of_windows: bool = False
    here: dict[int, HereText] = field(default_factory=dict)
    checks: dict[Span, Diagnostic] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    sourced: Mapping[str, str | None] | None = None
    job: int = -1
    managers: set[str] = field(default_factory=set)
    _acting: frozenset[str] = frozenset()

    @property
    def acting(self) -> frozenset[str]:
        """The control commands that do something."""
        if not self._acting:
            self._acting = acting(self.commands)
        return self._acting

    @property
    def budget(self) -> Budget:
        return self.files.budget

    def script(self) -> ShellScript:
        self._settle_creations()
        return ShellScript(**{part: tuple(getattr(self, part)) for part in PARTS})

    def _settle_creations(self) -> None:
        """Make the first command for a queue manager a step of its host, if it alone creates it.

        Hosts may have queue managers of one name, each created in its own way.
        """
        known = [step for step in self.remote if step.action == "create" and step.execution.host]
        if not known:
            return
        every = (*self.steps, *self.remote)
        made = Counter(step.queue_manager for step in every if step.action == "create")
        first = {step.queue_manager: step for step in sorted(every, key=_BY_PLACE, reverse=True)}
        settled = {
            id(step)
            for step in known
            if step.queue_manager is not None
            and made[step.queue_manager] == 1
            and first[step.queue_manager] is step
        }
        own = deque(step for step in sorted(known, key=_BY_PLACE) if id(step) in settled)
        self.remote = [step for step in self.remote if id(step) not in settled]
        steps, self.steps = self.steps, []
        for step in steps:
            while own and own[0].span < step.span:
                self.steps.append(own.popleft())
            self.steps.append(step)
        self.steps += own

    def add_here(self, command: Command, *, is_script: bool = False) -> None:
        """Add the here-document of a command of the file itself."""
        here, body = command.here, command.body
        if here is not None and body is not None and body.text:
            start = body.host(0)
            self.here[start] = HereText(start, body.end, here.expands, is_script)

    def add_resources(self, command: Command, source: MappedText, *, maybe: bool) -> None:
        found = in_resources(command, source, self.budget, maybe=maybe)
        if found is None and self.read_job is not None:
            found = in_job(command, source, self.read_job, self.budget, maybe=maybe)
            if found is not None and command.body is not None:
                self.jobs.add(source.host(command.body.host(0)))
        if found is not None:
            self._add_job(found.script)
            self.embedded.extend(found.embedded)
            self.declared.extend(found.declared)
            self.diagnostics.extend(found.diagnostics)
            self.wired.extend(found.wired)

    def _add_job(self, job: ShellScript | None) -> None:
        """Add what a job does and holds."""
        if job is not None:
            self.steps += job.steps
            self.embedded += job.embedded
            self.secrets += job.secrets
            self.calls += job.calls
            self.unfollowed.update(dict.fromkeys(job.unfollowed))
            self.awaited += job.awaited

    def add_container(self, words: Sequence[Word], binder: Binder, *, maybe: bool) -> None:
        """Add the queue manager of a container that a command starts, and the files it gets."""
        from mqlint.language.script.calls import containers  # few scripts start any

        if not containers.keeps_containers(words):  # it may end some, or lead to another host
            self.ports.clear()
        ports = None if maybe else containers.published(words)
        if ports is not None:
            self._add_ports(ports, binder)
        build = containers.image_build(words)
        if build is not None:
            self.images.setdefault(*build)
        found = containers.container_run(words, binder)
        if found is None:
            return
        declared = found.declared
        if found.image in self.images:  # its Dockerfile decides of the release
            fields = (each for each in declared.fields if each.name != "image.tag")
            declared = replace(declared, fields=tuple(fields))
        self.declared.append(declared)
        self.diagnostics.extend(found.faults)
        files = [*found.files, *filter(None, [self.images.get(found.image)])]
        owner = found.declared.queue_manager
        self.fed += [(file, owner) for file in files if owner is not None]
        place = binder.span(words)[0]
        self.awaited += [
            (base_name(file), place) for file in files if file.endswith(CONFIGURATION_ENDINGS)
        ]

    def _add_ports(self, found: Published, binder: Binder) -> None:
        """Add the ports of a container, and report one that another container has too."""
        for address, number, word in found.ports:
            other = self.ports.setdefault((address, number), found)
            if other is not found and other.name != found.name and (found.is_mq or other.is_mq):
                container = f"container {other.name[:60]}" if other.name else "another container"
                self.diagnostics.append(
                    diagnostic("port-again", binder.span([word]), port=number, other=container)
                )

    def add_holder(self, words: Sequence[Word]) -> None:
        """Add the files of which a command makes a ConfigMap or Secret."""
        self.fed += files_of_holder(words)

    def add_rules(self, command: Command, source: MappedText) -> None:
        """Add the faults of the rules that a here-document gives to the dead-letter handler."""
        from mqlint.language.deadletter.rules import read_rules  # few scripts have rules

        if command.body is not None:
            mapped = command.body.within(source)
            found = read_rules(mapped.text).diagnostics
            self.diagnostics.extend(reported_in(fault, mapped) for fault in found)

    def add_requests(
        self, command: Command, words: Sequence[Word], source: MappedText, execution: Execution
    ) -> Sequence[str] | None:
        """Add the MQSC that a call of the administrative REST API sends.

        Return the files with it, or None if it sends MQSC that is not known.
        """
        from mqlint.language.script.calls.rest_calls import (  # few have such calls
            files_in,
            files_of,
            requests_of,
            sends_commands,
        )

        self.fed += files_of(words)
        files = [*files_in(words)]
        inputs = [self.files.read(file, source) for file in files]
        written = [input.text for input in inputs if input is not None and input.text is not None]
        requests = [*requests_of(command, words, source, written, execution)]
        self.embedded += requests
        if requests or not sends_commands(words):
            return ()
        return [file.text for file in files] or None

    def model(self, written: str) -> str:
        """Return the `model` of a queue manager, of which a text is known in this script."""
        at = "" if self.shared else self.at
        changes = written.rpartition("|")[2].split(",")
        if self.job >= 0 and all(change.endswith("0") for change in changes):
            at = self.job  # the script changes none of the variables
        return f"{at}:{written}" if written else ""

    def embed(
        self,
        content: Input,
        execution: Execution,
        queue_manager: str | None = None,
        *,
        place: int | None = None,
        model: str = "",
        spelling: str = "",
    ) -> None:
        """Add the MQSC that a command reads, at the index `place` of `embedded` or as the last.

        Text without a queue manager and without a `model` is for a queue manager of its own.
        """
        text = content.text
        if text is None or not text.text:
            return
        own = model or f"{self.at}:{len(self.embedded)}"
        last = text.segments[-1][1]
        end = text.end if last <= text.end else last + 1  # make defines variables after use too
        found = Embedded(
            *("mqsc", text.text, stored(text.segments), end, queue_manager, execution),
            model=own if queue_manager is None else "",
            verbatim=content.verbatim,
            spelling=spelling,
        )
        self.embedded.insert(len(self.embedded) if place is None else place, found)

    def embed_stanzas(self, name: str, content: Input) -> None:
        """Add the stanzas that the script writes into the file `name`, if they are certain."""
        if content.text is not None and not content.maybe:
            self.embedded.extend(stanzas_of(name, content.text, f"{self.at}:{name}"))


def stanzas_of(name: str, text: MappedText, model: str) -> Iterator[Embedded]:
    """Yield the stanzas that are written into the file `name`; a text without characters has none.

    They are of `model` if the path of the file names no queue manager.
    """
    path = queue_manager_path(name)
    manager = path.queue_manager if path is not None else None
    if text.text:
        model = "" if manager else model
        yield Embedded.of("ini", text, manager, maybe=False, model=model, file=name)
