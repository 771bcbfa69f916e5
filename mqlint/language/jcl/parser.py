"""Jobs and procedures of z/OS: the effect of their steps on MQ, and the texts in their streams.

Symbols are replaced by what SET, or the procedure of a queue manager, gives them. A value with any
other symbol, or a template, is unknown. Programs outside the vocabulary, and procedures in other
files, are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TypeVar

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared
from mqlint.language.embedding import declared_in, reported_in, script_in
from mqlint.language.execution import CERTAIN, MAYBE
from mqlint.language.jcl import OPERATOR, is_job
from mqlint.language.jcl.cards import Card, cards
from mqlint.language.jcl.cfrm import arm_faults, cfrm_faults
from mqlint.language.jcl.conditions import Conditions
from mqlint.language.jcl.csd import csd_faults
from mqlint.language.jcl.declarations import change_of, clusters, log_entry, resources
from mqlint.language.jcl.guards import Guards
from mqlint.language.jcl.job_step import (
    INITIAL,
    STARTED,
    Copies,
    DataDefinition,
    JobStep,
    StepOwner,
    bind,
    owner_signs,
    settle,
)
from mqlint.language.jcl.macros import macro_faults, macros
from mqlint.language.jcl.racdcert import racdcert_faults
from mqlint.language.jcl.racf import PROGRAMS as RACF_PROGRAMS
from mqlint.language.jcl.racf import racf_faults, tso_faults
from mqlint.language.jcl.statements import comma_joined, operands, spaced
from mqlint.language.jcl.steps import (
    exec_step,
    one_data_set_twice,
    statement_step,
    with_displays,
    without_files,
)
from mqlint.language.jcl.symbols import Symbols, exported, in_stream
from mqlint.language.script.step import Embedded, ShellScript, Step
from mqlint.language.script.unread.mentions import has_mqsc
from mqlint.language.script.unread.unfollowed import unread_mqsc
from mqlint.language.text.mapped import mapped_slice
from mqlint.language.text.templates import with_placeholders
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance, same_but_for_digits
from mqlint.vocabulary.unknown import Unknown
from mqlint.vocabulary.zos import ProgramSpec, ZosVocabulary

_Item = TypeVar("_Item", Step, Declared, Embedded)
"""What is bound to the queue manager of its job step once all steps are read."""

_ASSEMBLERS = frozenset({"ASMA90", "ASMBLR"})
_OTHER_PROGRAMS = frozenset({"CSQUDLQH", "CSQUCVX", "CSQUDEFS", "CSQUDSPM"})
"""Programs of MQ outside the vocabulary."""
_COMMENT = later(r"(?im)^//\*[^\n]*(?:REPLACE|CHANGE|TAILOR)[^\n]*")
"""A comment that tells what to write instead of a name."""


@mutable
class _Surroundings:
    """The job or procedure around a step, and the IFs that decide whether it runs.

    `tests` is COND of the job, which tests the return code of each step.
    """

    conditions: Conditions
    job: str = ""
    in_procedure: bool = False
    tests: tuple[str | Unknown, ...] = ()

    def note(self, card: Card) -> None:
        self.conditions.note(card)
        if card.operation in ("JOB", "PROC"):
            self.job, self.in_procedure = card.name, card.operation == "PROC"
            given = operands(card.operands) or ()
            self.tests = tuple(item.plain for item in given if item.key == "COND")
        elif card.operation == "PEND":
            self.in_procedure = False

    def step(self, card: Card) -> JobStep:
        """Return the step that a card begins.

        Who calls a procedure may add DD statements, except to those that an operator starts.
        """
        step = JobStep.of(card, self.job, Guards(self.tests, self.conditions.branches()))
        step.open = self.in_procedure and step.program not in STARTED
        return step


@mutable
class _JobReader:
    """Reads one text; `covered` is it with its templates covered.

    `exported` are the symbols that in-stream data may use, None if they are not known. `replaced`
    are the words of comments about what to replace, None until they are asked for. `submits`: jobs
    in its in-stream data are read too.
    """

    text: str
    covered: str
    zos: ZosVocabulary
    control: Mapping[str, ControlSpec]
    budget: Budget
    steps: list[tuple[Step, StepOwner]] = field(default_factory=list)
    declared: list[tuple[Declared, StepOwner]] = field(default_factory=list)
    embedded: list[tuple[Embedded, StepOwner]] = field(default_factory=list)
    included: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    awaited: list[tuple[str, int]] = field(default_factory=list)
    fed: list[tuple[str, StepOwner]] = field(default_factory=list)
    unfollowed: list[int] = field(default_factory=list)
    secrets: list[Span] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    copies: Copies = field(default_factory=Copies)
    submits: bool = True
    exported: frozenset[str] | None = None
    replaced: frozenset[str] | None = None

    def read(self) -> Parsed:
        """Read every step, then bind each to a queue manager."""
        owners = []
        for job in self.job_steps():
            self.job_step(job)
            settle(job)
            if job.program in self.zos.programs or job.dds:  # a text may have many other steps
                owners.append(job.owner)
        bind(owners)
        if self.submits and not (self.covered.startswith("//") or "\n//" in self.covered):
            self.diagnostics += tso_faults(self.covered)

        def bound(items: Iterable[tuple[_Item, StepOwner]]) -> tuple[_Item, ...]:
            return tuple(replace(item, queue_manager=owner.queue_manager) for item, owner in items)

        declared, steps = bound(self.declared), bound(self.steps)
        read = ((mqsc.host(0), mqsc.end) for mqsc, _ in self.embedded)
        self.unfollowed += unread_mqsc(self.covered, read)
        return Parsed(
            script=ShellScript(
                steps,
                bound(self.embedded),
                tuple(self.secrets),
                (*self.included, *self.calls),
                awaited=tuple(self.awaited),
                fed=tuple((name, owner.queue_manager or "") for name, owner in self.fed),
                unfollowed=tuple(self.unfollowed),
            ),
            declared=declared,
            data_sets=tuple(dict.fromkeys(owner_signs(owners, self.steps, self.declared))),
            diagnostics=[*self.diagnostics, *macro_faults(declared)],
        )

    def job_steps(self) -> Iterator[JobStep]:
        current: JobStep | None = None
        last: DataDefinition | None = None
        conditions = Conditions.of(self.covered)
        around, symbols = _Surroundings(conditions), Symbols(self.budget)
        for card in cards(self.covered):
            card.operands = symbols.replaced(card.operands)
            around.note(card)
            symbols.note(card)
            if card.operation in ("JOB", "PROC"):
                self.hide(card)
            elif card.operation == "EXEC":
                if current is not None:
                    yield current
                current, last = around.step(card), None
                symbols.is_started = current.program in STARTED
            elif card.operation == "EXPORT":
                self.exported = exported(card)
            elif card.operation in ("INCLUDE", "COMMAND", "XMIT"):
                self.included.append(card.span[0])
                if card.operation == "COMMAND":
                    self.operator(card)
                if current is not None:
                    current.open = True
            elif card.operation == "DD" and current is not None:
                last = current.add(card, last)
                if conditions.rendered:  # lines of a template may choose between them
                    current.repeated.clear()
                if card.data is not None and last.value("SYMBOLS") != "":
                    last.symbols.update(symbols.of(self.covered[slice(*card.data)]))
            elif card.operation == "LOOSE" and current is not None and card.data is not None:
                current.loose(card.data)
        if current is not None:
            yield current
        conditions.finish()
        self.diagnostics += conditions.faults
        if not self.included:  # a member that is included may set symbols
            self.diagnostics += (
                diagnostic("symbol-unset", span, name=name, nearest=meant)
                for name, meant, span in symbols.misspelt()
            )

    def hide(self, card: Card) -> None:
        """Keep the place of a password on a JOB statement."""
        for operand in operands(card.operands) or ():
            if operand.key == "PASSWORD":
                self.secrets.append(operand.span)

    def operator(self, card: Card) -> None:
        """Add the MQSC that an operator's command sends: `// COMMAND '!MQ7A STOP QMGR'`.

        By default the prefix of commands ends with the name of the queue manager.
        """
        found = OPERATOR.match(card.operands.text)
        if found is not None:
            owner = StepOwner("", card.span[0], found["name"])
            mqsc = Embedded.of("mqsc", card.operands.part(*found.span("mqsc")), None, maybe=False)
            self.embedded.append((replace(mqsc, platform="zos"), owner))
        elif has_mqsc(self.text[slice(*card.span)]):
            self.unfollowed.append(card.span[0])

    def job_step(self, job: JobStep) -> None:
        utility = job.as_utility(self.covered)
        if utility is not None:
            self.calls.append(job.card.span[0])
            job = utility
        spec = self.zos.programs.get(job.program) if job.program else None
        self.data_sets(job)
        for resource in resources(job):
            self.declared.append((resource, job.owner))
        self.commands_of_others(job)
        self.handler_rules(job)
        self.security_policies(job)
        for stretch in job.streams() if self.submits else ():
            self.submitted(job, stretch)
        # A procedure that is called, such as ASMACL, may be that of an assembler.
        if spec is None or job.program in _ASSEMBLERS:
            for stretch in job.streams():
                found = macros(self.covered, stretch, self.zos)
                self.declared.extend((step, job.owner) for step in found)
        if spec is None:
            self.misspelt(job)
            self.calls.append(job.card.span[0])
            return
        for name in INITIAL:  # in the order of the queue manager's start
            self.embed(job, name)
        if spec.style == "none":
            if spec.action != "nothing":
                self.steps.append((exec_step(job, spec, self.covered), job.owner))
            return
        self.statements(job, spec)

    def submitted(self, job: JobStep, stretch: Span) -> None:
        """Add what a job inside in-stream data does, which a step gives to the internal reader."""
        if not self.text.startswith("//", stretch[0]):
            return
        outer = mapped_slice(self.text, *stretch)
        if not is_job(outer.text) or not self.budget.spend(len(outer.text)):
            return
        found = _JobReader(
            outer.text,
            with_placeholders(outer.text),
            self.zos,
            self.control,
            self.budget,
            submits=False,
        ).read()
        self.diagnostics += (reported_in(fault, outer) for fault in found.diagnostics)
        self.declared += (
            (declared_in(each, outer), StepOwner("", stretch[0], each.queue_manager))
            for each in found.declared
        )
        if found.script is not None:
            script = script_in(found.script, outer, maybe=job.maybe)
            owned = [StepOwner("", stretch[0], each.queue_manager) for each in script.steps]
            self.steps += zip(script.steps, owned, strict=True)
            self.embedded += (
                (each, StepOwner("", stretch[0], each.queue_manager)) for each in script.embedded
            )
            self.secrets += script.secrets
            self.calls += script.calls
            self.awaited += script.awaited

    def data_sets(self, job: JobStep) -> None:
        """Report DD statements that are never used, and faults in names of data sets.

        Libraries of several releases of MQ in one concatenation are a fault too.
        """
        for dd in job.repeated if job.program and not job.open else ():
            self.diagnostics.append(diagnostic("dd-twice", dd.span, name=dd.name, step=job.label))
        for dd in job.dds.values():
            if (fault := dd.fault) and not self.is_to_be_replaced(dd.data_set):
                self.diagnostics.append(diagnostic("data-set-name", dd.span, fault=fault))
        others = [(dd, other, job.queue_manager or "") for dd, other in job.of_others()]
        if job.program == "CSQJU003":
            others += job.bsds_of_other(self.covered)
        self.diagnostics += (
            diagnostic("dd-of-other", dd.span, name=other, owner=owner)
            for dd, other, owner in others
        )
        steplib, spec = job.dds.get("STEPLIB"), self.zos.programs.get(job.program)
        if steplib is None:
            return
        if len(releases := steplib.releases()) > 1:
            listed = " and ".join(releases)
            self.diagnostics.append(diagnostic("mixed-releases", steplib.span, releases=listed))
        gone = steplib.lacking(spec.libraries) if spec is not None and not job.open else ()
        if gone:
            listed = " and ".join(sorted(gone))
            self.diagnostics.append(diagnostic("no-library", steplib.span, libraries=listed))

    def commands_of_others(self, job: JobStep) -> None:
        """Report faults in the input of RACF, CICS and the administrative data utility of z/OS."""
        if job.program in RACF_PROGRAMS and (stream := job.dds.get("SYSTSIN")) is not None:
            self.diagnostics += racf_faults(self.covered, *(stream.data or (0, 0)))
            self.diagnostics += racdcert_faults(self.covered, stream.data or (0, 0))
        if job.program == "IXCMIAPU" and (stream := job.dds.get("SYSIN")) is not None:
            self.diagnostics += cfrm_faults(self.covered, *(stream.data or (0, 0)))
            self.diagnostics += arm_faults(self.covered, *(stream.data or (0, 0)))
        if job.program == "DFHCSDUP" and (stream := job.dds.get("SYSIN")) is not None:
            self.diagnostics += csd_faults(self.covered, *(stream.data or (0, 0)))

    def security_policies(self, job: JobStep) -> None:
        """Add the commands of Advanced Message Security, which CSQ0UTIL reads like a shell.

        A value in double quotes goes on in the next record ("The message security policy utility
        (CSQ0UTIL)", q118900_).
        """
        stream = job.dds.get("SYSIN") if job.program == "CSQ0UTIL" else None
        if stream is None:
            return
        from mqlint.language.script.reader import parse_embedded_command  # few jobs set policies

        execution = MAYBE if job.maybe else CERTAIN
        for span in stream.parts:
            source = mapped_slice(self.covered, *span)
            found = parse_embedded_command(
                source, execution, self.control, self.budget, globs=False
            )
            self.steps += (
                (step, StepOwner("", span[0], step.queue_manager)) for step in found.steps
            )

    def handler_rules(self, job: JobStep) -> None:
        """Report faults in the rules table of the dead-letter queue handler."""
        stream = job.dds.get("SYSIN") if job.program == "CSQUDLQH" else None
        if stream is None or stream.data is None or stream.is_partial:
            return
        from mqlint.language.deadletter.rules import read_rules  # few jobs have rules

        begin, end = stream.data
        for fault in read_rules(self.text[begin:end]).diagnostics:
            shifted = replace(fault, start=fault.start + begin, end=fault.end + begin)
            self.diagnostics.append(shifted)

    def is_to_be_replaced(self, name: str | Unknown) -> bool:
        """Whether a comment names a data set, as in `REPLACE MQ_SCSQAUTH WITH YOUR SCSQAUTH`."""
        if self.replaced is None:
            lines = (line.upper() for line in _COMMENT.findall(self.text))
            words = (word.strip("'\",.;") for line in lines for word in line.split())
            self.replaced = frozenset(words)
        return isinstance(name, str) and name in self.replaced

    def misspelt(self, job: JobStep) -> None:
        """Report a program that is a typo of one of MQ; names that differ in a digit are none."""
        program = job.program
        if not program.startswith("CSQ") or program in _OTHER_PROGRAMS:
            return
        for name in self.zos.programs:
            is_near = name.startswith("CSQ") and distance(program, name, 1) == 1
            if is_near and not same_but_for_digits(program, name):
                self.diagnostics.append(
                    diagnostic("program-unknown", job.card.span, program=program, nearest=name)
                )
                return

    def statements(self, job: JobStep, spec: ProgramSpec) -> None:
        stream = job.dds.get("SYSIN")
        # A job reads what it holds; a member without a JOB statement may be included in one.
        is_whole = job.job and not job.open and spec.evidence == "document"
        wrong = without_files(job, spec, spec.needs | {"SYSIN"}) if is_whole else None
        if wrong is not None:
            self.steps.append((wrong, job.owner))
            if stream is not None and stream.is_dummy:
                return
        if stream is None or stream.is_partial:
            self.calls.append(job.card.span[0])
            if stream is not None:
                self.await_member(stream)
        if stream is None or stream.data is None:
            return
        split = spaced if spec.style == "words" else comma_joined
        found: list[Step] = []
        for source in split(self.covered, stream.data):
            step = statement_step(job, spec, source, self.secrets)
            if step is None:
                self.calls.append(source.host(0))
                continue
            found.append(step)
            if step.command == "NEWLOG":
                self.declared.append((log_entry(step), job.owner))
            elif step.action == "mqsc":
                found[-1] = self.feed(job, step)
            self.declared.extend((data, job.owner) for data in clusters(step, source))
        found = [*self.copies.noted(job, found)]
        self.steps.extend((step, job.owner) for step in found)
        if spec.name == "CSQJU003":
            self.declared.append((change_of(job, found), job.owner))
            if (wrong := one_data_set_twice(job, spec)) is not None:
                self.steps.append((wrong, job.owner))

    def feed(self, job: JobStep, step: Step) -> Step:
        """Add the MQSC that COMMAND reads; return the step with the objects that it displays."""
        option = step.option("DDNAME")
        name = option.value if option is not None else "CSQUCMD"
        if not isinstance(name, str) or not self.embed(job, name.upper()):
            self.calls.append(step.span[0])
            return step
        return with_displays(step, self.covered, job.dds[name.upper()].parts)

    def await_member(self, stream: DataDefinition) -> None:
        """Record a DD statement whose statements are not in the text: a member, or a data set."""
        member = stream.generation
        is_member = isinstance(member, str) and member[:1].isalpha()
        self.awaited.append((str(member) if is_member else "", stream.span[0]))

    def embed(self, job: JobStep, name: str) -> bool:
        """Add the stream of a DD statement as MQSC; False if it is not in the text."""
        stream = job.dds.get(name)
        if stream is None:
            return False
        if stream.is_partial:
            self.await_member(stream)
            entry = name if name in INITIAL else ""
            self.fed.extend((found.feeding, job.owner) for found in stream.members(entry))
        if not stream.parts:
            return False
        size = sum(end - start for start, end in stream.parts)
        if name in job.fed and not self.budget.spend(size):
            return False
        job.fed.add(name)
        for start, end in stream.parts:
            if not self.text[start:end].strip():
                continue
            inner = mapped_slice(self.text, start, end)
            if stream.value("SYMBOLS") not in ("", "NONE"):
                inner = in_stream(inner, self.exported, stream.symbols)
                if not self.budget.spend(len(inner.text)):
                    return False
            execution = MAYBE if job.maybe else CERTAIN
            mqsc = Embedded(
                *("mqsc", inner.text, inner.segments, end, None, execution),
                entry=name,
                platform="zos",
            )
            self.embedded.append((mqsc, job.owner))
        return True


def read(text: str, context: Context) -> Parsed:
    """Read a job, a procedure or a member with either; whatever the text, something is returned."""
    zos, control = context.vocabulary.zos, context.vocabulary.control
    return _JobReader(text, with_placeholders(text), zos, control, context.budget).read()


def read_macros(text: str, context: Context) -> Parsed:
    """Read assembler source with the macros of a queue manager's system parameters."""
    declared = tuple(macros(with_placeholders(text), (0, len(text)), context.vocabulary.zos))
    prefixes = (each.value(name) for each in declared for name in ("ARCPFX1", "ARCPFX2"))
    return Parsed(
        declared=declared,
        data_sets=tuple(
            ("", name, 0) for name in prefixes if isinstance(name, str) and "." in name
        ),
        diagnostics=[*macro_faults(declared)],
    )
