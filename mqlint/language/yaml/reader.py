"""YAML and JSON as people keep them in repositories: several documents, templates, half a file.

`mqlint.config.reader` reads mqlint's own YAML and refuses what is doubtful. Here the file is
somebody else's. Three things are unknown instead of an error:

- Templates. A line of nothing but templates may add anything to the collections around it (`open`),
  and what is in a branch may not be there (`maybe`). If the text lands further to the right than
  the entries of a collection, or below it, only what is in that may have more (`whole`).
- What an alias of a collection stands for; an alias of a scalar has its text. A merge
  (`<<: *name`) makes its mapping `open`. Tags are passed over; nothing is constructed.
- What an error makes unreadable: the rest of its line, which counts as a template. Of a document
  with many errors, what follows the last of them is lost.

Collections that are nested deeper than `DEEPEST` are left out. Time is linear in the text.
"""

from __future__ import annotations

import yaml

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.language.yaml.events import documents, events, parsable, repaired
from mqlint.language.yaml.fault import broken_yaml
from mqlint.language.yaml.scalar import BLOCKS, QUOTES, YamlText
from mqlint.language.yaml.statements import NOWHERE, column_of
from mqlint.language.yaml.tree import Keys, Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.source.masking import is_hidden

_BRANCH = later(r"\{\{-?\s*(?:if|range|with|define|block)\b|\{%-?\s*(?:if|for|macro)\b")
_BRANCH_END = later(r"\{\{-?\s*end\b|\{%-?\s*end\w*")
_OTHER_BRANCH = later(r"\{[{%]-?\s*(?:end|el)")
"""What follows a key of another branch may be below this one too."""
_PROPERTIES = later(r"(?:[&!][^\s,\[\]{}]*[ \t\r\n]*)*")
_DASH_LINE = later(r"(?<![ \t\r])[ \t\r]*+\n[ \t]*+-[ \t\r\n]")
_SCALARS = (yaml.ScalarEvent, yaml.AliasEvent)
_MERGE = "<<"
_TAB = "\n\t"
"""An indentation that is an error, which is read as blanks."""
_DASH_BEFORE = 200
"""How far before a statement a dash is looked for that has its entry after the statement."""
_FLOW = -1
"""The column of a collection in brackets."""


_COMMENT = later(r"(?m)^(?:\{\{-?[ \t]*(?=/\*)|\{(?=#))")
_COMMENT_END = later(r"\*/[ \t]*-?\}\}|#\}")
_NOT_BREAKS = later(r"[^\r\n]+")


def _without_comments(text: str) -> str:
    """Return a text of the same length with blanks for comments of templates at the left margin.

    They may have several lines. Without the template such a line is an error, so nothing is hidden.
    """
    pieces: list[str] = []
    done = 0
    while opening := _COMMENT.search(text, done):
        closing = _COMMENT_END.search(text, opening.end())
        if closing is None:
            break
        comment = text[opening.start() : closing.end()]
        blank = _NOT_BREAKS.sub(lambda line: " " * len(line[0]), comment)
        pieces += text[done : opening.start()], blank
        done = closing.end()
    return "".join([*pieces, text[done:]])


def read_documents(
    text: str, budget: Budget | None = None, faults: list[Diagnostic] | None = None
) -> list[Node]:
    """Return the documents of a YAML or JSON text; for any text at all, without an error.

    The first error is added to `faults` if there is a list and the text certainly is not YAML.
    """
    budget = budget or Budget(len(text))
    covered = with_placeholders(_without_comments(text))
    is_broken = _TAB in text
    try:
        found = _YamlReader(text, covered, budget).read(cut=False)
    except (yaml.YAMLError, UnicodeError):
        is_broken = True
        found = _YamlReader(text, repaired(covered, budget), budget).read(cut=True)
    if is_broken and faults is not None:
        faults.extend(broken_yaml(text))
    return found


@mutable
class _Open:
    """A collection that is being filled; a list has no `pairs`. `value` is that of the last key.

    `is_partial`: the collection itself may have more entries; `is_next`: so may its next entry.
    """

    node: Node
    column: int
    pairs: Keys | None
    items: list[Node]
    is_partial: bool
    value: Node | None = None
    is_next: bool = False


class _YamlReader:
    """Builds the trees of a text from the events of a parser."""

    def __init__(self, text: str, covered: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.parsed, self.statements = parsable(covered)
        self.file = YamlText(text, self.parsed)
        self.statements.append((len(text) + 1, 0))
        self.passed = 0
        self.next_statement = self.statements[0][0]
        self.branches = 0
        self.roots: list[Node] = []
        self.names: dict[str, str] = {}
        self.stack: list[_Open] = []
        self.anchors: dict[str, Node] = {}
        self.too_deep = 0

    def read(self, *, cut: bool) -> list[Node]:
        """Return the documents that hold something.

        An error is raised, or with `cut` ends its document.
        """
        for base, document in documents(self.parsed):
            try:
                self._document(base, document)
            except (yaml.YAMLError, UnicodeError):
                if not cut:
                    raise
            self._pass_statements(base + len(document))
        return [root for root in self.roots if root.kind != "empty"]

    def _document(self, base: int, document: str) -> None:
        self.stack.clear()
        self.anchors.clear()
        self.too_deep = self.branches = 0
        for event in events(document):
            first, last = event.start_mark, event.end_mark
            if first is None or last is None:
                continue  # no event is without
            start, end = base + first.index, base + last.index
            if start > self.next_statement:
                self._pass_statements(start)
            if isinstance(event, _SCALARS):
                if not self.too_deep:
                    self._scalar(event, start, end)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._open(event, start, first.column)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(end)

    def _scalar(self, event: yaml.ScalarEvent | yaml.AliasEvent, start: int, end: int) -> None:
        style, is_alias = "", True
        if isinstance(event, yaml.ScalarEvent):
            style, is_alias = event.style or "", False
            if event.anchor or event.tag:
                start = self._without_properties(start, end)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.pairs is not None and top.value is None:
            self._key(top.pairs, top, (start, end), style)
            return
        node = self._value(start)
        node.span = start, end
        if start >= end:
            return
        node.maybe = node.maybe or self.branches > 0
        node.become("scalar", self.file)
        if event.anchor and not is_alias:
            self.anchors[event.anchor] = node
        if is_alias and self._is_scalar_of_anchor(node, event.anchor):
            return
        if style in BLOCKS:
            node.column = top.column if top is not None else -1
            node.span = start, self._pass_statements_inside(end, node.column)
        else:
            self._flow_scalar(node, style, is_alias=is_alias)

    def _key(self, pairs: Keys, top: _Open, span: Span, style: str) -> None:
        """Add a key to the open mapping; its value is to come."""
        name = self.file.scalar(*span).text if style in QUOTES else self.text[slice(*span)]
        name = self.names.setdefault(name, name)
        top.value = Node(span[1], span[1], maybe=self.branches > 0)
        pairs.append(name, span, top.value)
        if name == _MERGE and not style:
            top.node.open = top.is_partial = True
        if PLACEHOLDER in self.parsed[slice(*span)]:
            top.is_partial = True

    def _flow_scalar(self, node: Node, style: str, *, is_alias: bool) -> None:
        """Find out whether the text of a plain or quoted scalar is known, and where it ends."""
        start, end = node.span
        parsed = self.parsed[start:end]
        if is_alias or self.next_statement < end or not is_known(parsed):
            # A template may stand for a collection, a secret that was replaced does not.
            node.known, node.open = False, not style and not is_hidden(parsed)
            written = self.text[start:end]
            if not style and "nindent" in written and "{{" in written:
                self._add_at(column_of(written[written.find("{{") :]))
        if style:
            self._pass_statements_inside(end, -1)
        elif "\n" in parsed and (dash := _DASH_LINE.search(parsed)) is not None:
            node.span = start, start + dash.start()

    def _is_scalar_of_anchor(self, node: Node, anchor: str | None) -> bool:
        """Give a node the text of the scalar with an anchor, at its place there, if it is one."""
        source = self.anchors.get(anchor or "")
        if source is None or not self.budget.spend(source.end - source.start):
            return False
        node.span, node.column = source.span, source.column
        node.known, node.open = source.known, source.open
        return True

    def _open(self, event: yaml.CollectionStartEvent, start: int, column: int) -> None:
        if self.too_deep:
            self.too_deep += 1
            return
        if event.anchor or event.tag:
            start = self._without_properties(start, len(self.text))
            self.anchors.pop(event.anchor or "", None)
        node = self._value(start)
        if not self.budget.enters(len(self.stack)):
            self.too_deep = 1
            return
        node.span = start, start
        column = _FLOW if event.flow_style else column
        is_partial = node.open or bool(event.anchor or event.tag)  # which have another column
        items: list[Node] = []
        if isinstance(event, yaml.MappingStartEvent):
            pairs = Keys()
            node.become("mapping", pairs)
            self.stack.append(_Open(node, column, pairs, items, is_partial))
        else:
            node.become("list", items)
            self.stack.append(_Open(node, column, None, items, is_partial))

    def _close(self, end: int) -> None:
        if self.too_deep:
            self.too_deep -= 1
            return
        closed = self.stack.pop()
        closed.node.whole = closed.node.open and not closed.is_partial
        if closed.pairs is not None:
            closed.pairs.trim()
        else:
            closed.node.become("list", tuple(closed.items))
        if closed.column == _FLOW:
            closed.node.span = closed.node.start, end

    def _without_properties(self, start: int, end: int) -> int:
        """Return the offset of a value after its anchor and tag."""
        properties = _PROPERTIES.match(self.parsed, start, end)
        return properties.end() if properties is not None else start

    def _value(self, start: int) -> Node:
        """Return the node for the next value, in the place that it has in the tree."""
        if not self.stack:
            node = Node(start, start)
            self.roots.append(node)
            return node
        top = self.stack[-1]
        if top.pairs is None:
            node = Node(start, start, maybe=self.branches > 0, open=top.is_next)
            top.is_partial, top.is_next = top.is_partial or self.branches > 0, False
            top.items.append(node)
        elif top.value is None:  # a collection as a key: it and its value are left out
            top.value = node = Node(start, start)
        else:
            node, top.value = top.value, None
        return node

    # -- statements: lines of templates ----------------------------------------------------------

    def _pass_statements(self, before: int) -> None:
        while self.next_statement < before:
            self._statement(*self._next_statement())

    def _next_statement(self) -> Span:
        statement = self.statements[self.passed]
        self.passed += 1
        self.next_statement = self.statements[self.passed][0]
        return statement

    def _pass_statements_inside(self, end: int, column: int) -> int:
        """Pass the statements in a scalar; return the end of the scalar before the last of them.

        In a block only those at `column` or left of it are lines of the file, not of the scalar.
        """
        after = end
        while self.next_statement < end:
            at, stop = self._next_statement()
            line = self.text[at:stop]
            if len(line) - len(line.lstrip()) > column:
                after = end
                continue
            self._statement(at, stop)
            if after == end or self.parsed[after:at].strip():
                after = at
        return after if not self.parsed[after:end].strip() else end

    def _statement(self, start: int, end: int) -> None:
        """A statement begins or ends a branch, or adds anything."""
        line = self.text[start:end]
        self.branches += len(_BRANCH.findall(line)) - len(_BRANCH_END.findall(line))
        self.branches = max(self.branches, 0)
        for entry in self.stack:
            entry.node.open = True
        column = column_of(line)
        self._add_at(column)
        if self.stack and (column != NOWHERE or _OTHER_BRANCH.search(line) is not None):
            self._add_to_last(self.stack[-1], start)

    def _add_at(self, column: int) -> None:
        """Mark collections to which a text may add entries that is not left of a column."""
        for entry in self.stack:
            if entry.column == _FLOW or entry.column >= column:
                entry.node.open = entry.is_partial = True

    def _add_to_last(self, top: _Open, at: int) -> None:
        """Mark the value of a key or dash before a statement, whose entries may follow that."""
        last = top.value or (top.items[-1] if top.items else None)
        if top.pairs is not None and last is None:
            last = top.pairs.newest()
        if last is not None and last.kind == "empty":
            last.open = True
        before = self.parsed[max(at - _DASH_BEFORE, 0) : at]
        top.is_next = top.pairs is None and before.rstrip().endswith("-")
