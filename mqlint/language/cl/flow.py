"""The commands of a CL program that run: those inside IF, DO, MONMSG and SBMJOB too.

A command in a branch, a loop or a subroutine, between a GOTO and its label, or after a RETURN may
not run; so may one that another job runs. A program that leaves early, or goes to its end after a
failure, is read as if all goes well. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import accumulate

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.cl.command import (
    ClCommand,
    ClValue,
    command_in,
    parse_command,
    values,
    variables,
)
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.cl import ClSpec, ClVocabulary
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.unknown import Unknown

_GRAMMAR = 8
"""How many times the work of copying a character it takes to read it by the grammar."""
_BRANCHES = {"IF": ("COND", "THEN"), "WHEN": ("COND", "THEN"), "ELSE": ("CMD",)}
_BRANCHES["OTHERWISE"] = ("CMD",)
_MONITOR = ("MSGID", "CMPDTA", "EXEC")
_LOOPS = frozenset({"DOWHILE", "DOUNTIL", "DOFOR", "SUBR"})
_ENDS = frozenset({"ENDDO", "ENDSELECT", "ENDSUBR"})
_PLAIN = frozenset({"ITERATE", "LEAVE", "CALLSUBR", "RTNSUBR", "ENDPGM"})
_STRING = later(r"\s*'((?:[^']|'')*+)'")
_DOUBLED = later("''")
_FIRST_WORD = later(r"\s*([A-Za-z][A-Za-z0-9]{1,9})[ \t]*\(")
_READING = frozenset({"SNDPGMMSG", "SNDMSG", "SNDBRKMSG", "DLYJOB", "DCLPRCOPT"})
"""Commands that change no variable of their parameters, besides those of the vocabulary."""


@mutable
class Leaf:
    """A command with an effect; `number` is that of its statement.

    `spec` is None for an unknown command. `schedule` is that of a job schedule entry.
    """

    command: ClCommand
    spec: ClSpec | None
    number: int
    maybe: bool
    schedule: str | None = None


@mutable
class Flow:
    """The commands of a program in order, as `leaves`; `known` are variables that never change.

    `calls` are the offsets of commands that may do anything. `scripts` are texts for a shell, each
    with whether it may not run. `secrets` are places that no report may show, and `faults` are
    typos of commands. `unfollowed` are the offsets of commands that may run one of MQ elsewhere.
    `budget` is that of the document.
    """

    vocabulary: ClVocabulary
    budget: Budget
    leaves: list[Leaf] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    scripts: list[tuple[MappedText, bool]] = field(default_factory=list)
    known: Variables = field(init=False)
    secrets: list[tuple[int, int]] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    unfollowed: list[int] = field(default_factory=list)
    _declared: dict[str, str | None] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _open: list[bool] = field(default_factory=list)
    _failed: list[bool] = field(default_factory=list)
    _labels: dict[str, int] = field(default_factory=dict)
    _jumps: list[tuple[int, str]] = field(default_factory=list)
    _number: int = 0
    _left: int | None = None

    def __post_init__(self) -> None:
        self.known = Variables(self.budget)

    def read(self, sources: Iterable[MappedText]) -> Flow:
        """Go through the commands of a text; return itself."""
        for number, source in enumerate(sources):
            self._number = number
            command = parse_command(source)
            if command is None:
                self._unknown(source)
                continue
            for label in command.labels:
                self._labels.setdefault(label, number)
            self._command(command, bool(self._open) and self._open[-1], 0)
        self._settle()
        return self

    def _unknown(self, source: MappedText) -> None:
        """Read a text that is not a command, or an unknown one."""
        found = _FIRST_WORD.match(source.text)
        before = self.leaves[-1] if self.leaves else None
        if found is not None and before is not None and before.number == self._number - 1:
            name = found[1].upper()
            if before.spec is not None and name in before.spec.parameters:
                span = (source.host(found.start(1)), source.host(found.end(1) - 1) + 1)
                self.faults.append(
                    diagnostic("cl-continuation", span, word=name, command=before.spec.name)
                )
        self.calls.append(source.host(0))
        self._changed.update(variables(source))

    def _command(
        self, command: ClCommand, maybe: bool, depth: int, schedule: str | None = None
    ) -> None:
        """Read one command; `depth` is the number of commands around it."""
        name = command.name
        self.secrets += (argument.span for argument in command.arguments if is_secret(argument.key))
        if name in _BRANCHES:
            positions = _BRANCHES[name]
            self._inside(command_in(command, positions[-1], positions), depth)
        elif name == "MONMSG":
            self._inside(command_in(command, "EXEC", _MONITOR), depth, on_error=True)
        elif name in ("DO", "SELECT") or name in _LOOPS:
            self._open.append(maybe or name in _LOOPS)
            self._failed.append(bool(self._failed) and self._failed[-1])
        elif name in _ENDS:
            del self._open[-1:], self._failed[-1:]
        elif name == "GOTO":
            self._jump(command)
        elif name in ("RETURN", "TFRCTL") and not maybe:
            self._left = self._number if self._left is None else self._left
        elif name == "DCL":
            self._declare(command)
        elif name not in _PLAIN and name != "RETURN":
            self._act(command, maybe, depth, schedule)

    def _inside(self, source: MappedText | None, depth: int, on_error: bool = False) -> None:
        if source is None or not source.text.strip():
            return
        command = self._nested(source, depth)
        if command is None:
            self._unknown(source)
        elif not (on_error and command.name == "GOTO"):
            self._command(command, True, depth + 1)
            if on_error and command.name == "DO":
                self._failed[-1] = True

    def _nested(self, source: MappedText | None, depth: int) -> ClCommand | None:
        """Return the command inside `depth` others; None if it is too deep or is none."""
        if source is None or not self.budget.enters(depth):
            return None
        within = depth == 0 or self.budget.spend(_GRAMMAR * len(source.text))
        return parse_command(source) if within else None

    def _jump(self, command: ClCommand) -> None:
        """Record a jump, except one after a failure."""
        if self._failed and self._failed[-1]:
            return
        label = _first(command, "CMDLBL", ("CMDLBL",))
        if label is not None:
            self._jumps.append((self._number, label))

    def _declare(self, command: ClCommand) -> None:
        """Keep the value of a variable that is declared with one."""
        names = list(variables(command.source))
        value = _first(command, "VALUE")
        if names:
            twice = names[0] in self._declared
            self._declared[names[0]] = None if twice or len(names) > 1 else value

    def _act(self, command: ClCommand, maybe: bool, depth: int, schedule: str | None) -> None:
        """Take a command that does something itself."""
        name = command.name
        spec = None if command.prompted else self.vocabulary.commands.get(name)
        if name == "CHGVAR":
            target = command.argument("VAR", ("VAR", "VALUE"))
            self._changed.update(() if target is None else variables(target.source))
        elif name in ("CALL", "CALLPRC"):
            self._call(command, maybe, depth)
        elif name in ("QSH", "STRQSH"):
            self._shell(command, maybe)
        elif spec is not None and spec.runs:
            self._run(command, spec, maybe, depth)
        elif spec is not None:
            self.leaves.append(Leaf(command, spec, self._number, maybe, schedule))
        elif self.vocabulary.is_quiet(name) and not command.prompted:
            if name not in _READING:
                self._changed.update(variables(command.source))
        else:
            self._misspelt(command)
            self._unknown(command.source)
            if any(self._is_of_mq(argument.source) for argument in command.arguments):
                self.unfollowed.append(command.span[0])

    def _is_of_mq(self, source: MappedText) -> bool:
        """Whether a text in quotation marks is a command of MQ, as RUNRMTCMD is given one."""
        found = _STRING.match(source.text)
        name = "" if found is None else found[1].strip().partition(" ")[0].upper()
        spec = self.vocabulary.commands.get(name)
        return spec is not None and not spec.touches and not spec.runs

    def _misspelt(self, command: ClCommand) -> None:
        """Record the name of a command that is a typo of one of MQ's, by its parameters.

        A command with a letter more may be one of the site.
        """
        for name, spec in self.vocabulary.commands.items():
            if spec.touches or "MQ" not in name or len(command.name) > len(name):
                continue
            keys = {argument.key for argument in command.arguments}
            if keys & {*spec.parameters} and distance(command.name, name, 1) <= 1:
                words = {"written": command.name, "meant": name}
                self.faults.append(diagnostic("control-misspelt", command.name_span, **words))
                return

    def _call(self, command: ClCommand, maybe: bool, depth: int) -> None:
        """Take CALL: a program of old releases, a command in QCMDEXC, or what may be anything."""
        program = _first(command, "PGM", ("PGM", "PARM")) or ""
        name = program.rpartition("/")[2]
        self._changed.update(variables(command.source))
        if name in self.vocabulary.programs:
            self.leaves.append(Leaf(command, None, self._number, maybe))
            return
        argument = command.argument("PARM", ("PGM", "PARM"))
        inner = _unquoted(argument.source) if name == "QCMDEXC" and argument is not None else None
        nested = self._nested(inner, depth)
        if nested is None:
            self.calls.append(command.span[0])
        else:
            self._command(nested, maybe, depth + 1)

    def _shell(self, command: ClCommand, maybe: bool) -> None:
        argument = command.argument("CMD", ("CMD",))
        inner = _unquoted(argument.source) if argument is not None else None
        if inner is None:
            self.calls.append(command.span[0])
        else:
            self.scripts.append((inner, maybe))

    def _run(self, command: ClCommand, spec: ClSpec, maybe: bool, depth: int) -> None:
        """Take what another job or the clock runs."""
        for key in spec.runs:
            source = command_in(command, key, spec.parameters)
            nested = self._nested(source, depth)
            if nested is None:
                if source is not None and source.text.strip() not in ("", "*SAME"):
                    self.calls.append(command.span[0])
            elif spec.schedule:
                often = _first(command, "FRQ", spec.parameters) or "*UNKNOWN"
                self._command(nested, maybe, depth + 1, often)
            else:
                self._command(nested, maybe or spec.batch, depth + 1)

    def _settle(self) -> None:
        """Decide, once all is read, which variables are known and what may not run."""
        for name, value in self._declared.items():
            if value is not None and name not in self._changed:
                self.known[name] = value
        doubtful = self._doubtful()
        for leaf in self.leaves:
            leaf.maybe |= leaf.schedule is None and doubtful[leaf.number]

    def _doubtful(self) -> Sequence[bool]:
        """Return for each statement whether it is between a GOTO and its label, or after a RETURN.

        A jump beyond the RETURN, or after all commands with an effect, leaves the program.
        """
        steps = [0] * (self._number + 2)
        left = self._number + 2 if self._left is None else self._left
        last = min(left, max((leaf.number for leaf in self.leaves), default=0))
        for number, label in self._jumps:
            target = self._labels.get(label, self._number + 1)
            if target <= last:
                first, after = sorted((number, target))
                steps[first] += 1
                steps[after] -= 1
        return [open_jumps > 0 or at > left for at, open_jumps in enumerate(accumulate(steps))]


def is_secret(key: str) -> bool:
    return "PASSW" in key or key.endswith("PWD")


def _first(command: ClCommand, key: str, positions: Sequence[str] = ()) -> str | None:
    """Return the value of a parameter that has one, None when it is not known."""
    argument = command.argument(key, positions)
    found: tuple[ClValue, ...] | Unknown = () if argument is None else values(argument)
    if isinstance(found, Unknown) or not found or not isinstance(found[0].value, str):
        return None
    return found[0].value


def _unquoted(source: MappedText) -> MappedText | None:
    """Return the first string of a text, None if the text does not begin with one."""
    found = _STRING.match(source.text)
    return None if found is None else source.part(*found.span(1)).sub(_DOUBLED, lambda _: "'")
