"""YAML and JSON as people keep them in repositories: several documents, templates, half a file.

PyYAML's parser (libyaml where it is present) reads the text, and a tree is built from its events:
no tag constructs anything, and what an alias stands for is unknown. `mqlint.config.reader` reads
mqlint's own YAML from the same events and refuses what is doubtful. Here the file is somebody
else's, so three things are added:

- Templates are covered before the text is parsed; each is an unknown value. A line of nothing but
  templates is blank to the parser. It may add anything to the collections around it (`open`), and
  what stands in a branch may not be there (`maybe`).
- After an error the parser begins again at the next place that may be read, and what it finds is
  added to the collection that the indentation names. Lost are the rest of the line with the error,
  the text of quotes that are never closed, and lines that belong to no open collection.
- Where collections are nested deeper than `DEEPEST`, the inner ones are left out.

Time is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from mqlint.config.reader import LOADER
from mqlint.language.text.templates import COVER, cover, is_known
from mqlint.language.yaml.scalar import NOT_AN_ESCAPE, QUOTES, Scalar, flow_scalar
from mqlint.language.yaml.tree import Kind, Node, Span
from mqlint.source.budget import Budget

_STATEMENT = re.compile(rf"^(?!---[ \t])[ \t-]*{COVER}[{COVER} \t-]*\r?$", re.MULTILINE)
_BRANCH = re.compile(r"\{\{-?\s*(?:if|range|with|define|block)\b|\{%-?\s*(?:if|for|macro)\b")
_BRANCH_END = re.compile(r"\{\{-?\s*end\b|\{%-?\s*end\w*")

_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*[ \t\r\n]*)*")
_DASH_LINE = re.compile(r"[ \t\r]*\n[ \t\r\n]*(?<=[\n \t])-[ \t\r\n]")
_INDENT = re.compile(r" *")

_FLOW = 1 << 60
"""The column of a collection in brackets: no indentation ends it."""
_DEEPEST_SKIPPED = 500
"""Nesting beyond which parsing stops: each token takes libyaml one step for each open bracket."""
_FIRST_CHUNK = 512
"""Characters read first after an error, so that many errors do not read much again."""

_INDENT_TO_REPLACE = re.compile(r"^(?:[ \t]++(?=\r?$)|\t[ \t]*+|[ ]++\t[ \t]*+(?=#))", re.MULTILINE)
_LINE_END = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
"""What YAML takes for the end of a line although editors do not."""
_REFUSED = re.compile("[^\\t\\n\\r -~\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Characters that no YAML text may hold."""
_ESCAPE = re.compile(
    r"\\(?:[0abt\tnvfre \"/\\N_LP]|\r?\n|x[0-9A-Fa-f]{2}"
    r"|u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}"
    r"|U(?!0000[dD][89A-Fa-f])00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}|)"
)


def read_documents(text: str, budget: Budget | None = None) -> list[Node]:
    """Return the documents of a YAML or JSON text; for any text at all, without an error."""
    budget = budget or Budget(len(text))
    covered = cover(text)
    try:
        return _Reader(text, covered, budget).read()
    except (yaml.reader.ReaderError, UnicodeError):
        return _Reader(text, _REFUSED.sub("\ufffd", covered), budget).read()


class _Rest:
    """What the parser reads after an error: brackets that are still open, then the text."""

    def __init__(self, brackets: str, text: str, at: int) -> None:
        self.brackets, self.text, self.at = brackets, text, at
        self.size = _FIRST_CHUNK

    def read(self, limit: int = 1 << 14) -> str:
        """Return the next characters, at most `limit`, as a file does."""
        start, self.at = self.at, self.at + min(self.size, limit - len(self.brackets))
        chunk = self.brackets + self.text[start : self.at]
        self.brackets, self.size = "", self.size * 2
        return chunk


class _TooDeepError(Exception):
    """Collections are nested too deep to be parsed."""


@dataclass(slots=True)
class _Open:
    """A collection that is being filled; `slot` is its last value, a list has no `pairs`."""

    node: Node
    column: int
    pairs: list[tuple[str, Span, Node]] | None
    items: list[Node]
    slot: Node | None = None
    has_key: bool = False


@dataclass(slots=True)
class _Block:
    """The block scalar that was read last, and the column of the collection around it."""

    node: Node
    start: int
    end: int
    column: int


class _Reader:
    """Builds the trees of a text from the events of a parser."""

    def __init__(self, text: str, covered: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.statements: list[Span] = []
        if COVER in covered and covered.lstrip()[:1] not in ("{", "["):  # in JSON they are values
            self.statements = [match.span() for match in _STATEMENT.finditer(covered)]
            covered = _STATEMENT.sub(_blank, covered)
        self.parsed = _parsable(covered)
        self.statements.append((len(text) + 1, 0))
        self.passed = 0
        self.next_statement = self.statements[0][0]
        self.branches = 0
        self.documents: list[Node] = []
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.too_deep = 0
        self.base = 0
        self.joins = True
        self.last_start = -1
        self.last_scalar: Node | None = None
        self.last_block: _Block | None = None

    def read(self) -> list[Node]:
        """Return the documents that hold something."""
        at = 0
        while at < len(self.text):
            at = self._parse(at)
        self._pass_statements(len(self.text))
        return [document for document in self.documents if document.kind != "empty"]

    def _parse(self, begin: int) -> int:
        """Read from `begin` to the end or an error; return where to go on."""
        brackets, again = self._open_brackets()
        self.base = begin - len(brackets)
        parser = LOADER(_Rest(brackets, self.parsed, begin) if begin else self.parsed)
        try:
            while True:
                event = parser.get_event()
                if event is None:
                    return len(self.text)
                start, end = event.start_mark, event.end_mark
                if start is None or end is None or isinstance(event, yaml.StreamEndEvent):
                    return len(self.text)  # every event has marks
                at, column = self.base + start.index, start.column
                if again and isinstance(event, yaml.NodeEvent):
                    again -= 1
                elif isinstance(event, yaml.ScalarEvent):
                    self._scalar(event, at, self.base + end.index, column)
                elif isinstance(event, yaml.CollectionEndEvent):
                    self._close(at, self.base + end.index)
                elif isinstance(event, yaml.MappingStartEvent):
                    self._open(event, at, column, "mapping")
                elif isinstance(event, yaml.SequenceStartEvent):
                    self._open(event, at, column, "list")
                elif isinstance(event, yaml.AliasEvent):
                    self._scalar(event, at, self.base + end.index, column)
                elif isinstance(event, yaml.DocumentStartEvent | yaml.DocumentEndEvent):
                    self._document(event, joins=not brackets)
        except yaml.MarkedYAMLError as error:
            return self._after(error, begin)
        except _TooDeepError:
            self.too_deep = 0
            self._leave_brackets()
            return self._next_line(self.last_start)

    def _document(
        self, event: yaml.DocumentStartEvent | yaml.DocumentEndEvent, *, joins: bool
    ) -> None:
        """At a line that begins or ends a document, everything open ends."""
        self.joins = joins or bool(event.explicit)
        if event.explicit:
            self.root = None
            self.branches = 0
            self.stack.clear()

    # -- after an error ------------------------------------------------------------------------

    def _after(self, error: yaml.MarkedYAMLError, begin: int) -> int:
        """Return where to read on after an error in what began at `begin`."""
        problem, context = error.problem_mark, error.context_mark
        self.too_deep = 0
        if problem is None:
            return len(self.text)
        at = self.base + problem.index
        is_token = isinstance(error, yaml.scanner.ScannerError) and context is not None
        if is_token and context is not None:  # from here on the text makes no token
            at = self.base + context.index
        line = self.parsed.rfind("\n", 0, at) + 1
        if self.stack and self.stack[-1].column == _FLOW:
            if is_token and context is not None and context.index != problem.index:
                return self._next_line(at)
            if not self.parsed.startswith(("---", "..."), line):
                return at if at > begin else self._next_entry(at)
        self._leave_brackets()
        block = self.last_block
        if block is not None and block.end == line and self._indent(line) > block.column >= 0:
            return self._longer_block(block)
        if self.last_scalar is not None and self.last_start >= line:
            self.last_scalar.known = False
        again = line > begin and line > self.last_start and not is_token
        return line if again else self._next_line(at)

    def _next_line(self, at: int) -> int:
        return self.parsed.find("\n", at) + 1 or len(self.text)

    def _next_entry(self, at: int) -> int:
        comma = self.parsed.find(",", at, self._next_line(at)) + 1
        return comma or self._next_line(at)

    def _indent(self, line: int) -> int:
        indent = _INDENT.match(self.parsed, line)
        return len(indent[0]) if indent is not None else 0

    def _longer_block(self, block: _Block) -> int:
        """Add lines to a block scalar that are less indented than its first one."""
        less = re.compile(rf"^ {{0,{block.column}}}[^ \r\n]", re.MULTILINE)
        found = less.search(self.parsed, block.end)
        end = found.start() if found is not None else len(self.text)
        block.node.scalar = Scalar(self.text, self.parsed, block.start, end, ">", block.column)
        block.node.end = end - 1
        self.last_block = None
        return end

    def _leave_brackets(self) -> None:
        while self.stack and self.stack[-1].column == _FLOW:
            self.stack.pop()

    def _open_brackets(self) -> tuple[str, int]:
        """What opens the collections in brackets again, and the number of its events."""
        flows = [entry for entry in self.stack if entry.column == _FLOW]
        brackets, events = "", 0
        for entry in flows:
            entry.has_key = False
            is_list, is_last = entry.node.kind == "list", entry is flows[-1]
            brackets += "[" if is_list else "{" if is_last else "{k: "
            events += 1 if is_list or is_last else 2
        return brackets, events

    # -- events --------------------------------------------------------------------------------

    def _scalar(
        self, event: yaml.ScalarEvent | yaml.AliasEvent, start: int, end: int, column: int
    ) -> None:
        """A scalar or an alias is a key or a value."""
        if self.too_deep:
            return
        self.last_start = start
        if start > self.next_statement:
            self._pass_statements(start)
        style, value, is_alias = "", "", True
        if isinstance(event, yaml.ScalarEvent):
            is_alias = False
            style, value = event.style or "", event.value
            if event.anchor or event.tag:
                start = self._without_properties(start, end)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.pairs is not None and not (top.has_key or self.joins):
            name = self.text[start:end]
            if style in QUOTES:
                name = flow_scalar(self.text, self.parsed, start + 1, end - 1, style).text
            top.slot, top.has_key = Node(end, end, maybe=self.branches > 0), True
            top.pairs.append((name, (start, end), top.slot))
            return
        slot = self._slot("scalar", column, start)
        slot.start, slot.end = start, end
        self.last_scalar = slot
        if self.branches:
            slot.maybe = True
        if start >= end:
            return
        slot.kind = "scalar"
        if style in ("|", ">"):
            column = self.stack[-1].column if self.stack else -1
            self.last_block = _Block(slot, start, end, column)
            end = self._pass_statements_inside(start, end, column)
            slot.end = max(end - 1, start + 1)
        elif style:
            self._pass_statements_inside(start, end, -1)
        elif len(value) != end - start or "\n" in value:
            dash = _DASH_LINE.search(self.parsed, start, end)
            slot.end = end = end if dash is None else dash.start()
        if style not in ("|", ">"):
            slot.known = is_known(self.parsed[start:end]) and not is_alias
        slot.scalar = Scalar(self.text, self.parsed, start, end, style, column)

    def _open(self, event: yaml.CollectionStartEvent, start: int, column: int, kind: Kind) -> None:
        self.last_start = start
        if start > self.next_statement:
            self._pass_statements(start)
        if self.too_deep:
            self.too_deep += 1
            if self.too_deep > _DEEPEST_SKIPPED:
                raise _TooDeepError
            return
        if event.anchor or event.tag:
            start = self._without_properties(start, len(self.text))
        slot = self._slot(kind, column, start)
        if not self.budget.enters(len(self.stack)):
            self.too_deep = 1
            return
        if slot.kind == "empty":
            slot.kind, slot.start, slot.end = kind, start, start
        column = _FLOW if event.flow_style else column
        if kind == "mapping":
            pairs = slot.pairs = slot.pairs if isinstance(slot.pairs, list) else []
            self.stack.append(_Open(slot, column, pairs, []))
        else:
            items = slot.items = slot.items if isinstance(slot.items, list) else []
            self.stack.append(_Open(slot, column, None, items))

    def _close(self, start: int, end: int) -> None:
        if self.too_deep:
            self.too_deep -= 1
            return
        if start > self.next_statement:
            self._pass_statements(start)
        closed = self.stack.pop()
        if closed.column == _FLOW:
            closed.node.end = end

    def _without_properties(self, start: int, end: int) -> int:
        """Return where a value begins behind its anchor and tag."""
        properties = _PROPERTIES.match(self.parsed, start, end)
        return properties.end() if properties is not None else start

    def _slot(self, kind: Kind, column: int, start: int) -> Node:
        """Return the node that a value fills."""
        if self.joins:
            self.joins = False
            return self._joined(kind, column, start)
        top = self.stack[-1]
        if top.pairs is None:
            top.slot = Node(start, start, maybe=self.branches > 0)
            top.items.append(top.slot)
        elif not top.has_key:  # a collection as a key: it and its value are left out
            top.slot, top.has_key = Node(start, start), True
            return Node(start, start)
        top.has_key = False
        return top.slot or Node(start, start)

    def _joined(self, kind: Kind, column: int, start: int) -> Node:
        """Return the node for the first value of a document, or for what follows an error.

        Its column tells the collection that it belongs to.
        """
        while self.stack and self.stack[-1].column >= column + (
            kind == "list" or self.stack[-1].pairs is not None
        ):
            self.stack.pop()
        if self.root is None:
            self.root = Node(start, start)
            self.documents.append(self.root)
        slot: Node | None = self.root
        if self.stack:
            top = self.stack[-1]
            top.has_key = False
            slot = top.slot
            if top.column == column and top.node.kind == kind:
                slot = self.stack.pop().node
        if slot is not None and (slot.kind == "empty" or slot.kind == kind != "scalar"):
            return slot
        return Node(start, start)

    # -- lines of templates --------------------------------------------------------------------

    def _pass_statements(self, before: int) -> None:
        """Take note of the lines of templates that stand before an offset."""
        while self.next_statement < before:
            self._statement(*self._next_statement())

    def _next_statement(self) -> Span:
        statement = self.statements[self.passed]
        self.passed += 1
        self.next_statement = self.statements[self.passed][0]
        return statement

    def _pass_statements_inside(self, start: int, end: int, column: int) -> int:
        """Pass the lines of templates in a scalar; return where the scalar ends without them.

        In a block only those at `column` or left of it are lines of the file, not of the scalar.
        """
        behind = end
        while self.next_statement < end:
            at, stop = self._next_statement()
            line = self.text[at:stop]
            if len(line) - len(line.lstrip()) > column:
                behind = end
                continue
            self._statement(at, stop)
            if behind == end or self.parsed[behind:at].strip():
                behind = at
        return behind if not self.parsed[behind:end].strip() else end

    def _statement(self, start: int, end: int) -> None:
        """A line of templates begins or ends a branch, or adds anything."""
        line = self.text[start:end]
        self.branches += len(_BRANCH.findall(line)) - len(_BRANCH_END.findall(line))
        self.branches = max(self.branches, 0)
        for entry in self.stack:
            entry.node.open = True


def _parsable(covered: str) -> str:
    """Return a text of the same length without what a parser refuses and people write."""
    if "\r" in covered or not covered.isascii():
        covered = _LINE_END.sub(" ", covered)
    if "\\" in covered:
        covered = _ESCAPE.sub(_defined_escape, covered)
    if "\t" in covered or " \n" in covered or " \r" in covered:
        covered = _INDENT_TO_REPLACE.sub(_blank, covered)
    return covered


def _defined_escape(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) > 1 else NOT_AN_ESCAPE


def _blank(match: re.Match[str]) -> str:
    """Line ends for a line of nothing but blanks or templates, blanks for other tabs."""
    is_line = match.end() == len(match.string) or match.string[match.end()] in "\r\n"
    return ("\n" if is_line else " ") * len(match[0])
