"""Recipes of Makefiles: a script for each target, with the variables of make put in.

    MQSC = docker exec -i qm1 runmqsc $(QM)
    define QUEUES
    DEFINE QLOCAL(PAY.IN) REPLACE
    endef
    export QUEUES
    queues:
            echo "$$QUEUES" | $(MQSC)

A variable that is set once, outside conditions and without a function of make, is known. Another
one stays a variable to the shell that reads the recipe. Make gives each line of a recipe to a shell
of its own. Here one script holds all of them, so what a line sets is known in the next (GNU make
manual, "Recipe Execution" and "Defining Multi-Line Variables").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from posixpath import basename

from mqlint.dataclass import NamedTuple, mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.embedding import reported_in
from mqlint.language.script.faults.environment import lost_setmqenv
from mqlint.language.script.faults.expansion import expansion_fault
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.lookups.branches import SET_FOR_TARGET
from mqlint.language.script.scanner import set_once
from mqlint.language.script.unread.mentions import names_command
from mqlint.language.text.mapped import MappedTextBuilder, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import DEEPEST, Budget
from mqlint.source.lines import Span, line_spans

_SET = later(
    r" *+(?:(?:export|override|private)[ \t]++)*+([\w.-]{1,80})[ \t]*+(\+=|:{0,3}[?!]?=)[ \t]*+"
)
_SET_FOR_TARGET = later(
    r"[^\s:=#][^:=#]{0,400}:[ \t]*+(?:export[ \t]++)?([\w.-]{1,80})[ \t]*+[:?+]?="
)
_DEFINE = later(r" *+(?:(?:export|override)[ \t]++)*+define[ \t]++([\w.-]{1,80})[ \t]*+\S{0,2}$")
_ENDEF = later(r"[ \t]*+endef\b")
_CONDITION = later(r"[ \t]*+ifn?(?:eq|def)\b")
_ENDIF = later(r"[ \t]*+endif\b")
_PREFIX = later(r"[ \t]*+[-@+]{0,3}[ \t]*+")
_MAY_FAIL = later(
    r"(?i)\b(?:dltmqm|endmqm|delete\w*|drop|clean\w*|remove\w*|undo|teardown"
    r"|check\w*|dis(?:play)?|show|status|verify\w*|ping)\b"
)
"""A word of a recipe that takes away what may not exist, or that asks."""
_SIGN = later(r"(?s)\$(?:\$(?:([A-Za-z_]\w{0,80})|\{([A-Za-z_]\w{0,80})\})?|[({]|.)")
_NAME = later(r"[\w.-]{1,80}")
_COMMENT = later(r"(?<![ \t])(?:(?<!\\)|[ \t])[ \t]++#")
_MEANS_MORE = later(r"[\"`\\]|\$\$")
"""Characters with a meaning for a shell between double quotation marks."""
_EVAL = later(r"\$[({]eval[ \t]++\$[({](?!call\b|foreach\b)")
"""Rules of make that a command or variable makes; templates after `call` are in the file."""
_INCLUDED = later(r"(?m)^[ ]*+-?s?include[ \t]++([^\n#]{1,400})")
_BRACKET = later(r"[(){}]")
_ONE_LETTER = later(r"(?<!\$)(?:\$\$)*+\$([A-Za-z_]\w{0,60})")
_SET_BY_SHELL = later(r"\bfor[ \t]+(\w{1,61})[ \t]+in\b|(?:^|[\s;&|(])(\w{1,61})=")
_ONE_SHELL = ".ONESHELL"
"""The target by which one shell reads all lines of a recipe."""


@mutable
class _Recipe:
    """The lines of a recipe; `maybe` is true if a condition of make decides on some of them."""

    lines: list[Span] = field(default_factory=list)
    maybe: bool = False


class _Variable(NamedTuple):
    """A variable: the places of the lines of its value, and whether it is surely set to them."""

    name: str
    lines: list[Span]
    is_certain: bool = True


class Makefile(Host):
    """Two passes over a Makefile: for its variables, and for its recipes, one at a time.

    `values` are the places of the values of variables that are known, a stretch for each line.
    """

    shares_files = True

    def joins(self) -> bool:
        return super().joins() or SET_FOR_TARGET.search(self.text) is not None

    def __init__(self, text: str, budget: Budget) -> None:
        super().__init__(text, budget)
        names: list[str] = []
        values: dict[str, list[Span]] = {}
        for part in self.parts():
            if isinstance(part, _Variable):
                names += [part.name] if part.is_certain else [part.name, part.name]
                values[part.name] = part.lines
        known = set_once(names)
        self.names = frozenset(names)
        self.has_one_shell = _ONE_SHELL in text
        self.values = {name: lines for name, lines in values.items() if name in known}

    def parts(self) -> Iterator[_Recipe | _Variable]:
        """Yield the variables, and each recipe after its last line."""
        depth = 0
        recipe: _Recipe | None = None
        lines = line_spans(self.text)
        for start, end in lines:
            line = self.text[start:end]
            continued = recipe is not None and bool(recipe.lines) and self.continues(recipe.lines)
            if recipe is not None and (line.startswith("\t") or continued):
                recipe.lines.append((start, end))
                recipe.maybe |= depth > 0
            elif _CONDITION.match(line):
                depth += 1
            elif _ENDIF.match(line):
                depth = max(depth - 1, 0)
            elif (found := _DEFINE.match(line)) is not None:
                yield _Variable(found[1], self.body(lines), not depth)
            elif (found := _SET.match(line)) is not None:
                spans = self.value(start + found.end(), end, lines)
                yield _Variable(found[1], spans, not depth and found[2] != "+=")
            elif (found := _SET_FOR_TARGET.match(line)) is not None:
                yield _Variable(found[1], [], is_certain=False)
            elif ":" in line and not line.startswith("#"):
                if recipe is not None:
                    yield recipe
                recipe = _Recipe()
        if recipe is not None:
            yield recipe

    def continues(self, lines: Sequence[Span]) -> bool:
        """Whether a backslash joins the next line to the last one."""
        return self.text.startswith("\\", lines[-1][1] - 1) and lines[-1][0] < lines[-1][1]

    def body(self, lines: Iterator[Span]) -> list[Span]:
        """Return the lines up to `endef`."""
        found = []
        for start, end in lines:
            if _ENDEF.match(self.text, start, end):
                break
            found.append((start, end))
        return found

    def value(self, start: int, end: int, lines: Iterator[Span]) -> list[Span]:
        """Return the place of the value that begins at `start`, with its continued lines."""
        remark = _COMMENT.search(self.text, start, end)
        if remark is not None:
            return [(start, remark.start())]
        found = [(start, end)]
        while self.continues(found):
            found[-1] = (found[-1][0], found[-1][1] - 1)
            following = next(lines, None)
            if following is None:
                break
            found.append(following)
        return found

    def awaited(self) -> Iterator[tuple[str, int]]:
        for found in _EVAL.finditer(self.text):
            yield "", found.start()
        for found in _INCLUDED.finditer(self.text):
            for name in found[1].split():
                is_known = not {"$", "*", ")"} & {*name}
                yield basename(name) if is_known else "", found.start(1)

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        for recipe in self.parts():
            if isinstance(recipe, _Recipe):
                yield from self.faults_of(recipe)

    def faults_of(self, recipe: _Recipe) -> Iterator[Diagnostic]:
        """Yield variables of which make reads one letter, and setmqenv in a line of its own.

        Source: "Reference" and "Recipe Execution" in the manual of GNU make.
        """
        written = self.text[recipe.lines[0][0] : recipe.lines[-1][1]] if recipe.lines else ""
        if not names_command(written):
            return
        may_fail = _MAY_FAIL.search(written) is not None
        of_shell = {found[1] or found[2] for found in _SET_BY_SHELL.finditer(written)}
        begins = True
        for start, end in recipe.lines:
            prefix = _PREFIX.match(self.text, start, end)
            line = mapped_slice(self.text, start if prefix is None else prefix.end(), end)
            if begins and prefix is not None and "-" in prefix[0]:
                from mqlint.language.script.hosts.ansible import mattering  # few lines have it

                command = mattering(line.text, 0, len(line.text))
                if command is not None and not may_fail:
                    at = prefix.start() + prefix[0].index("-")
                    yield diagnostic(
                        "failure-ignored", (at, at + 1), key="a dash", command=command[1]
                    )
            ends = not self.continues([(start, end)])
            if begins and ends and not self.has_one_shell:
                yield from (reported_in(fault, line) for fault in lost_setmqenv(line.text))
            begins = ends
            for found in _ONE_LETTER.finditer(self.text, start, end):
                name, at = found[1], found.start(1) - 1
                is_known = name in of_shell or (len(name) > 1 and name in self.names)
                if is_known and name[0] not in self.names:
                    meant = f"$${name}" if name in of_shell else f"$({name})"
                    lost = f"make takes only ${name[0]} as the variable, so write {meant}"
                    yield expansion_fault(at, f"${name}", lost)

    def blocks(self) -> Iterator[Block]:
        border = -1
        for recipe in self.parts():
            if isinstance(recipe, _Variable):
                continue
            builder = MappedTextBuilder()
            starts = True
            for start, end in recipe.lines:
                prefix = _PREFIX.match(self.text, start, end) if starts else None
                begin = start + self.text.startswith("\t", start)
                self.expand(builder, prefix.end() if prefix is not None else begin, end, 0)
                builder.add("\n", end)
                starts = not self.continues([(start, end)])
            if recipe.lines:
                yield Block(builder.finish(recipe.lines[-1][1]), recipe.maybe, border)
                border = recipe.lines[-1][1]

    def expand(self, builder: MappedTextBuilder, start: int, end: int, depth: int) -> None:
        """Add a stretch of the file as make writes it for the shell."""
        at = start
        while (sign := _SIGN.search(self.text, at, end)) is not None:
            builder.add(self.text[at : sign.start()], at)
            name = sign[1] or sign[2]
            if sign[0].startswith("$$"):
                at = sign.end()
                if not (name and self.is_quoted(sign) and self.put(builder, name, depth)):
                    builder.add(sign[0][1:], sign.start() + 1)
            elif sign[0] in ("$(", "${"):
                at = self.closing(sign.end(), end)
                self.refer(builder, sign.start(), at, depth)
            else:
                at = sign.end()
                builder.add(PLACEHOLDER * 2, sign.start())
        builder.add(self.text[at:end], at)

    def is_quoted(self, sign: re.Match[str]) -> bool:
        """Return whether a variable of the shell is all text between double quotation marks."""
        return self.text[sign.start() - 1] == '"' == self.text[sign.end() : sign.end() + 1]

    def put(self, builder: MappedTextBuilder, name: str, depth: int) -> bool:
        """Add the value of a variable that make exports to the shell, which takes it as it is."""
        lines = self.values.get(name, ())
        if not lines or any(_MEANS_MORE.search(self.text, *line) for line in lines):
            return False
        return self.put_lines(builder, lines, depth)

    def refer(self, builder: MappedTextBuilder, start: int, end: int, depth: int) -> None:
        """Add the text for `$(NAME)`: its value, a variable of the shell, or a placeholder."""
        name = self.text[start + 2 : end - 1]
        if _NAME.fullmatch(name) is None or self.text[end - 1] not in ")}":
            builder.add(PLACEHOLDER, start, end - start)
        elif not self.put_value(builder, name, (start, end), depth):
            is_variable = name.isidentifier() and name.isascii()
            builder.add("${" + name + "}" if is_variable else PLACEHOLDER, start, end - start)

    def put_lines(self, builder: MappedTextBuilder, lines: Sequence[Span], depth: int) -> bool:
        """Add the lines of a value; False if there are none, or the budget does not allow it."""
        size = sum(end - start for start, end in lines)
        if not lines or depth >= DEEPEST or not self.budget.spend(size, len(lines)):
            return False
        for number, (start, end) in enumerate(lines):
            if number:
                joined = self.text.startswith("\\", lines[number - 1][1])
                builder.add(" " if joined else "\n", start - 1)
            self.expand(builder, start, end, depth + 1)
        return True

    def put_value(self, builder: MappedTextBuilder, name: str, place: Span, depth: int) -> bool:
        """Add a value: one of several lines at its place, another one where it is named."""
        lines = self.values.get(name, ())
        if len(lines) != 1:
            return self.put_lines(builder, lines, depth)
        inner = MappedTextBuilder()
        if not self.put_lines(inner, lines, depth):
            return False
        builder.add(inner.finish(0).text, place[0], place[1] - place[0])
        return True

    def closing(self, start: int, end: int) -> int:
        """Return the end of a reference that opened before `start`; `end` if it has none."""
        depth = 1
        for sign in _BRACKET.finditer(self.text, start, end):
            depth += 1 if sign[0] in "({" else -1
            if depth == 0:
                return sign.end()
        return end
