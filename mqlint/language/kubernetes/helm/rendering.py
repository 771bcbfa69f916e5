"""Templates of a chart as its values render them.

An action that cannot be decided stays as it is, and so does a block with what is in it. What stays
in a loop is marked with the element, so that its rounds do not count as the same.

A chart that is beyond its budget, or nested too deeply, is undecided: a part of it lacks objects.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.dataclass import NamedTuple
from mqlint.language.kubernetes.helm.actions import Action, Block, Node, nodes_of
from mqlint.language.kubernetes.helm.pipelines import Key, KnownValues, Operand, Pipeline, Scope
from mqlint.language.kubernetes.merge import Undecided
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.patterns import later
from mqlint.source.budget import DEEPEST, Budget
from mqlint.source.lines import Span

_ASSIGNED = later(r"(?s)(\$\w{1,60})\s*(:?)=(?!=)(.*)")
_RANGED = later(r"(?s)(?:(?:(\$\w{1,60})\s*,\s*)?(\$\w{1,60})\s*:=)?(.*)")
_TEMPLATE = later(r"(?s)\Atemplate\s+\"([^\"]{1,200})\"\s*(.*)")
_NAMED = later(r"(?s)\"([^\"]{1,200})\"\s*(.*)")
_ELSE = later(r"(?s)(?:(if|with)(?![\w.]))?\s*(.*)")
_SOLE = later(r"\$?(?:\.\w+)+")
_LOCAL = later(r"(?<![\w.)$])\.|\$\w")
"""What may be different in each round of a loop."""
_DEEPEST = 12
"""Limit of named templates in one another."""
_MOST = 200
"""Limit of the rounds of a loop."""
_ROOT = "$"
_NOT_CLOSED = -1, 0

_Variables = ChainMap[str, Operand]


class _Round(NamedTuple):
    """What a block is rendered with once: a label, `.`, and the variables that it declares."""

    label: str
    dot: Operand
    declared: dict[str, Operand]


class Renderer:
    """Renders stretches of one text; raises Undecided if they are too large or too deep.

    `is_changed` is set if an action is decided. `included` are the stretches of which named
    templates are rendered.
    """

    def __init__(
        self, text: str, values: KnownValues, files: Iterable[Span], budget: Budget
    ) -> None:
        self._text = text
        self._values = values
        self._budget = budget
        self._files = {file: nodes_of(text, *file) for file in files}
        self._named = {
            name: (file, nodes) for file in self._files for name, nodes in _named(self._files[file])
        }
        self._depth = self._blocks = self._undecided = 0
        self._round = ""
        self._closing = _NOT_CLOSED
        """The place of a quotation mark after a value, and that of the end of the value."""
        self.included: set[Span] = set()
        self.is_changed = False

    def render(self, file: Span, builder: MappedTextBuilder) -> None:
        self._render(self._files[file], (), ChainMap({_ROOT: ()}), builder)

    def _render(
        self, nodes: Iterable[Node], dot: Operand, variables: _Variables, builder: MappedTextBuilder
    ) -> None:
        for node in nodes:
            if isinstance(node, Block):
                self._render_block(node, dot, variables, builder)
            elif isinstance(node, Action):
                self._render_action(node, dot, variables, builder)
            else:
                self._spend(0)
                self._add_text(*node, builder)

    def _render_action(
        self, action: Action, dot: Operand, variables: _Variables, builder: MappedTextBuilder
    ) -> None:
        if action.rest.startswith("/*"):
            return
        rest = _TEMPLATE.sub(r'include "\1" (\2)', action.rest)
        assigned = _ASSIGNED.fullmatch(rest)
        value = "" if action.word else assigned[3] if assigned is not None else rest
        found = self._value(value, dot, variables, action)
        if assigned is not None:
            name, inner = assigned[1], assigned[2]
            declaring = (each for each in variables.maps if name in each and not inner)
            next(declaring, variables.maps[0])[name] = found
        is_blank = isinstance(found, MappedText) and not found.text and _SOLE.fullmatch(rest)
        if isinstance(found, MappedText) and not is_blank:
            self._spend(len(found.text))
            self.is_changed = True
            if assigned is None:
                self._add_value(found, action, builder)
        elif found is None or assigned is None:
            self._keep(action, found, builder)

    def _add_text(self, start: int, end: int, builder: MappedTextBuilder) -> None:
        """Add a text of the template; a mark that closes a value belongs to that."""
        closed, host = self._closing
        if closed == start:
            builder.add(self._text[start : start + 1], host, 0)
            start += 1
            self._closing = _NOT_CLOSED
        builder.add(self._text[start:end], start)

    def _add_value(self, value: MappedText, action: Action, builder: MappedTextBuilder) -> None:
        """Add a value; quotation marks around it have its place, so that all of it has one."""
        mark = self._text[action.start - 1 : action.start]
        if value.text and mark in ('"', "'") and self._text.startswith(mark, action.end):
            builder.move_last(value.host(0))
            self._closing = action.end, value.end
        builder.add_mapped(value)

    def _render_block(
        self, block: Block, dot: Operand, variables: _Variables, builder: MappedTextBuilder
    ) -> None:
        if self._blocks == DEEPEST:
            raise Undecided("its templates are nested too deeply")
        self._blocks += 1
        self._render_branches(block, dot, variables, builder)
        self._blocks -= 1

    def _render_branches(
        self, block: Block, dot: Operand, variables: _Variables, builder: MappedTextBuilder
    ) -> None:
        for branch in block.branches:
            rounds = self._rounds(branch.action, dot, variables)
            if rounds is None:
                self._keep_block(block, dot, variables, builder)
                return
            outer = self._round
            for label, own, declared in rounds:
                self._spend(0)
                self._round = f"{outer}{label}"
                self._render(branch.nodes, own, variables.new_child(declared), builder)
            self._round = outer
            if rounds:
                break
        self.is_changed |= block.branches[0].action.word != "define"

    def _rounds(
        self, action: Action, dot: Operand, variables: _Variables
    ) -> Sequence[_Round] | None:
        """How often what follows an action is rendered, and with what; None if it is not known."""
        word, condition = action.word, action.rest
        if word == "else":
            found = _ELSE.fullmatch(condition)
            word, condition = (found[1] or "", found[2]) if found is not None else ("", condition)
            if not condition:
                return [_Round("", dot, {})]
        if word == "define":
            return ()
        if word == "block":
            named = _NAMED.fullmatch(condition)
            own = self._value(named[2], dot, variables, action) if named is not None else None
            return None if own is None else [_Round("", own, {})]
        names = _RANGED.fullmatch(condition)
        first, second, condition = names.groups() if names is not None else (None, None, condition)
        value = self._value(condition, dot, variables, action)
        if word == "range":
            elements = self._values.elements(value) if isinstance(value, tuple) else None
            if elements is None or len(elements) > _MOST:
                return None
            return [self._element(*each, first, second, action) for each in elements]
        verdict = self._values.is_true(value)
        declared = {second: value} if second else {}
        own = value if word == "with" else dot
        return None if verdict is None else [_Round("", own, declared)] if verdict else ()

    def _element(
        self, name: str, path: Key, first: str | None, second: str | None, action: Action
    ) -> _Round:
        """The round of a loop for an element, with its index or key in the variable `first`."""
        value = self._values.of(path)
        declared = {second: value} if second else {}
        if first:
            declared[first] = MappedText(name, ((0, action.start),), action.start + 1)
        return _Round(f"#{name}", value, declared)

    def _keep_block(
        self, block: Block, dot: Operand, variables: _Variables, builder: MappedTextBuilder
    ) -> None:
        """Add a block with all its branches; what is assigned in it is unknown after it."""
        self._undecided += 1
        self._spend(0, len(variables))
        inside = ChainMap(dict(variables))
        for branch in block.branches:
            self._keep(branch.action, None, builder)
            own = None if branch.action.word in ("range", "with") else dot
            names = _RANGED.fullmatch(branch.action.rest)
            loop = [name for name in names.groups()[:2] if name] if names is not None else []
            self._render(branch.nodes, own, inside.new_child(dict.fromkeys(loop)), builder)
        self._keep(block.end, None, builder)
        for declared in variables.maps:
            changed = [name for name in declared if inside[name] is not variables[name]]
            declared.update(dict.fromkeys(changed))

    def _keep(self, action: Action, found: Operand, builder: MappedTextBuilder) -> None:
        """Add an action as it is written; a path is written from the root, a round is marked."""
        first, last = action.outer
        builder.add(self._text[first : action.start], first)
        written = self._text[action.start : action.end]
        if isinstance(found, tuple) and _SOLE.fullmatch(action.rest) is not None:
            written = f"{{{{ .{'.'.join(found)} }}}}"
        elif self._round and _LOCAL.search(action.rest) is not None:
            written = f"{written[:-2].rstrip()} {self._round} }}}}"
        builder.add(written, action.start, action.end - action.start)
        builder.add(self._text[action.end : last], action.end)

    def _value(
        self, text: str, dot: Operand, variables: Mapping[str, Operand], action: Action
    ) -> Operand:
        scope = Scope(dot, variables, action.start)
        return Pipeline(text, self._values, scope, self._included, self._spend).value()

    def _spend(self, characters: int, pieces: int = 1) -> None:
        if not self._budget.spend(characters, pieces):
            raise Undecided("its templates make too long a text")

    def _included(self, name: str, dot: Operand) -> Operand:
        """The text of a named template; None if a block in it is not decided."""
        if name not in self._named or dot is None or self._depth == _DEEPEST:
            return None
        self._spend(0)
        builder, before = MappedTextBuilder(), self._undecided
        file, nodes = self._named[name]
        self._depth += 1
        self._render(nodes, dot, ChainMap({_ROOT: dot}), builder)
        self._depth -= 1
        if self._undecided > before:
            return None
        self.included.add(file)
        begin, host = builder.segments[-1] if builder.segments else (0, 0)
        return builder.finish(host + builder.length - begin)


def _named(nodes: Iterable[Node]) -> Iterator[tuple[str, list[Node]]]:
    """Yield the named templates by their names."""
    for node in nodes:
        action = node.branches[0].action if isinstance(node, Block) else None
        if isinstance(node, Block) and action is not None and action.word in ("define", "block"):
            named = _NAMED.fullmatch(action.rest)
            if named is not None:
                yield named[1], node.branches[0].nodes
