"""The catalogue: what could be found in a configuration, and what it takes to decide it.

`policies/catalogue.yaml` lists the rows; a policy names those it decides under `covers:`. A row is
covered, refused for a reason that it states, asked by a question of `policies/questions.yaml`, as
only people know it, or waits for what it needs.

`make docs` writes it as a page for readers to docs/catalogue.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from mqlint.config.data import data_of
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.dataclass import frozen
from mqlint.finding import Rule
from mqlint.patterns import later

LONGEST = 110
"""Characters of `finds`: one line of a list."""

NOT_STATIC = "not-static"
"""The need that nothing can meet: a row that has it must be refused."""

PLAN = "plan"
"""The need that questions meet, and no file."""

_PREFIX = later(r"[A-Z]{3,4}\Z")
_ROW_KEYS = ("id", "finds", "needs", "refused", "left", "legacy")


class Status(Enum):
    """How far a row has come."""

    COVERED = "covered"
    PARTLY = "partly covered"
    ASKED = "asked"
    REFUSED = "refused"
    WAITING = "waiting"


@frozen
class Need:
    """Something that must be read to decide a row; `open` while some row waits for it."""

    word: str
    means: str
    open: bool


@frozen
class Row:
    """One thing that could be found.

    `refused` is the reason why no policy will find it, `left` what the policies that cover it do
    not find yet; both are empty for most. `legacy` rows are about old releases only.
    """

    id: str
    finds: str
    needs: tuple[str, ...]
    refused: str
    left: str
    legacy: bool


@frozen
class CatalogueGroup:
    """The rows of one theme, numbered from 1 without a gap."""

    prefix: str
    title: str
    rows: tuple[Row, ...]


@frozen
class Catalogue:
    """All rows by group, and the needs that they may name."""

    needs: Mapping[str, Need]
    groups: tuple[CatalogueGroup, ...]

    def rows(self) -> Iterator[Row]:
        """Yield all rows in order."""
        for group in self.groups:
            yield from group.rows


class Coverage:
    """The rules and the questions for each row of the catalogue."""

    def __init__(
        self, catalogue: Catalogue, rules: Iterable[Rule], asked: Mapping[str, str] | None = None
    ) -> None:
        """Take the rules that come with mqlint, in the order in which pages name them.

        `asked` are the rows that questions ask, each with the id of its question.
        """
        self.catalogue = catalogue
        self._asked = asked or {}
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            for row in rule.covers:
                self._rules.setdefault(row, []).append(rule)

    def rules_of(self, row: Row) -> tuple[Rule, ...]:
        """Return the rules that cover `row`."""
        return tuple(self._rules.get(row.id, ()))

    def question_of(self, row: Row) -> str:
        """Return the id of the question that asks `row`, blank if none does."""
        return self._asked.get(row.id, "")

    def status(self, row: Row) -> Status:
        """Say how far `row` has come."""
        if row.refused:
            return Status.REFUSED
        if row.id not in self._rules:
            return Status.ASKED if row.id in self._asked else Status.WAITING
        return Status.PARTLY if row.left else Status.COVERED

    def waits_for(self, row: Row) -> tuple[str, ...]:
        """Return the open needs of a row that waits, whole or in part; none for the others.

        A row that is asked may still wait for what a policy could find.
        """
        if self.status(row) in (Status.COVERED, Status.REFUSED):
            return ()
        return tuple(word for word in row.needs if self.catalogue.needs[word].open)

    def faults(self) -> list[str]:
        """Return everything that is wrong between catalogue and rules; nothing when all is well."""
        return [
            *self._wrong_covers(),
            *self._wrong_questions(),
            *self._wrong_rows(),
            *self._wrong_needs(),
        ]

    def _wrong_covers(self) -> Iterator[str]:
        known = {row.id for row in self.catalogue.rows()}
        for row, rules in self._rules.items():
            if row not in known:
                yield f"{_ids(rules)}: covers {row}, which is not a row of the catalogue"

    def _wrong_questions(self) -> Iterator[str]:
        rows = {row.id: row for row in self.catalogue.rows()}
        for key, question in self._asked.items():
            row = rows.get(key)
            if row is None:
                yield f"{question}: asks {key}, which is not a row of the catalogue"
            elif row.refused or PLAN not in row.needs:
                yield f"{question}: asks {key}, which is refused or needs no {PLAN}"
        for row in rows.values():
            if self._asked and PLAN in row.needs and not row.refused and row.id not in self._asked:
                yield f"{row.id}: needs {PLAN}, and no question asks it"

    def _wrong_rows(self) -> Iterator[str]:
        for row in self.catalogue.rows():
            rules = self.rules_of(row)
            if row.refused and rules:
                yield f"{row.id}: refused, and covered by {_ids(rules)}"
            if row.left and not rules:
                yield f"{row.id}: says what is left, and no policy covers it"
            settled = row.id in self._asked or self.status(row) in (
                Status.COVERED,
                Status.REFUSED,
            )
            if not settled and not self.waits_for(row):
                yield f"{row.id}: not covered, not refused, and none of its needs is open"

    def _wrong_needs(self) -> Iterator[str]:
        waited_for = {word for row in self.catalogue.rows() for word in self.waits_for(row)}
        for need in self.catalogue.needs.values():
            if need.open and need.word not in waited_for:
                yield f"{need.word}: open, and no row waits for it"


def load_catalogue() -> Catalogue:
    """Return the catalogue that comes with mqlint; ConfigError when it is not right."""
    file = data_of("mqlint.policies") / "catalogue.yaml"
    return read_catalogue(file.read_text("utf-8"), "policies/catalogue.yaml")


def read_catalogue(text: str, path: str) -> Catalogue:
    """Return the catalogue in `text`; `path` is for messages.

    Raises ConfigError at the first thing that is wrong.
    """
    root = read_yaml(text, path)
    root.keys_allowed(("needs", "groups"))
    needs = {word: _need(word, node) for word, node in root.require("needs").mapping().items()}
    groups: dict[str, CatalogueGroup] = {}
    for node in root.require("groups").sequence():
        group = _group(node, needs)
        if group.prefix in groups:
            raise node.require("prefix").error(f"the group {group.prefix} is repeated")
        groups[group.prefix] = group
    return Catalogue(needs, tuple(groups.values()))


def _need(word: str, node: Node) -> Need:
    node.keys_allowed(("means", "open"))
    if word == NOT_STATIC and node.require("open").boolean():
        raise node.require("open").error(f"nothing can wait for {NOT_STATIC}")
    return Need(word, node.require("means").string(), node.require("open").boolean())


def _group(node: Node, needs: Mapping[str, Need]) -> CatalogueGroup:
    node.keys_allowed(("prefix", "title", "rows"))
    prefix = node.require("prefix")
    if _PREFIX.match(prefix.string()) is None:
        raise prefix.error("expected three or four capital letters")
    rows: list[Row] = []
    for row in node.require("rows").sequence():
        rows.append(_row(row, needs))
        _numbered(row.require("id"), prefix.string(), len(rows))
    return CatalogueGroup(prefix.string(), node.require("title").string(), tuple(rows))


def _numbered(node: Node, prefix: str, number: int) -> None:
    """Check that numbers have no gap and no duplicate."""
    if re.fullmatch(rf"{prefix}-0*{number}", node.string()) is None:
        raise node.error(f"row {number} of {prefix} must come here")


def _row(node: Node, needs: Mapping[str, Need]) -> Row:
    node.keys_allowed(_ROW_KEYS)
    refused, left, legacy = node.get("refused"), node.get("left"), node.get("legacy")
    row = Row(
        node.require("id").string(),
        _one_line(node.require("finds")),
        _needs(node.require("needs"), needs),
        refused.string() if refused else "",
        left.string() if left else "",
        legacy.boolean() if legacy else False,
    )
    if refused and left:
        raise left.key_error("a refused row has nothing left to find")
    if NOT_STATIC in row.needs and not refused:
        raise node.require("needs").error(f"a row that needs {NOT_STATIC} must be refused")
    return row


def _one_line(node: Node) -> str:
    text = node.string()
    if len(text) > LONGEST or "\n" in text:
        raise node.error(f"expected one line of at most {LONGEST} characters")
    return text


def _needs(node: Node, needs: Mapping[str, Need]) -> tuple[str, ...]:
    words = tuple(need.one_of(needs) for need in node.sequence())
    if not words or len(set(words)) < len(words):
        raise node.error("expected at least one need, and none of them twice")
    return words


def _ids(rules: Iterable[Rule]) -> str:
    return ", ".join(rule.id for rule in rules)


# -- the page --------------------------------------------------------------------------------------


_HEAD = """# Coverage catalogue

<!-- Generated by `make docs` from policies/catalogue.yaml and the policies. Do not edit. -->

Each row is something that goes wrong with queue managers. Rows marked *legacy* are about old
releases only. To cover a row, write a policy, name the row under its `covers:`, and run
`make docs`.

| status | meaning |
|---|---|
| covered | the policies named with it find it |
| partly covered | the policies named with it leave something, as the row says |
| asked | only people know the answer: `mqlint questions` asks for it |
| refused | for the reason given |
| waiting | for what it needs to be read, and for a policy |
"""
_STATUSES = (
    Status.COVERED,
    Status.PARTLY,
    Status.ASKED,
    Status.REFUSED,
    Status.WAITING,
)


def page(coverage: Coverage) -> str:
    """Return the page in Markdown: figures, needs, and the rows by group."""
    parts = [_HEAD, *_figures(coverage), *_page_needs(coverage)]
    for group in coverage.catalogue.groups:
        parts += [f"\n## {group.prefix}: {group.title}\n", *_rows(coverage, group)]
    return "\n".join(parts) + "\n"


def _figures(coverage: Coverage) -> Iterator[str]:
    yield _line("group", "rows", *(status.value for status in _STATUSES))
    yield "|---|--:|--:|--:|--:|--:|--:|"
    groups = coverage.catalogue.groups
    for group in groups:
        link = f"[{group.prefix}](#{_anchor(group)}) {group.title}"
        yield _line(link, *_counts(coverage, group.rows))
    yield _line("all", *_counts(coverage, tuple(coverage.catalogue.rows())))


def _counts(coverage: Coverage, rows: tuple[Row, ...]) -> tuple[str, ...]:
    found = [coverage.status(row) for row in rows]
    return str(len(rows)), *(str(found.count(status)) for status in _STATUSES)


def _anchor(group: CatalogueGroup) -> str:
    """The name that a heading gets in rendered Markdown."""
    anchor = "".join(char for char in group.title.lower() if char.isalnum() or char in " -")
    return f"{group.prefix.lower()}-{anchor.replace(' ', '-')}"


def _page_needs(coverage: Coverage) -> Iterator[str]:
    yield "\n## What rows need\n"
    yield "A row that needs several things is counted with each of them.\n"
    yield _line("need", "what is read", "rows", "waiting")
    yield "|---|---|--:|--:|"
    for need in coverage.catalogue.needs.values():
        yield _line(f"`{need.word}`", need.means, *_need_counts(coverage, need))


def _need_counts(coverage: Coverage, need: Need) -> tuple[str, str]:
    rows = [row for row in coverage.catalogue.rows() if need.word in row.needs]
    waiting = sum(need.word in coverage.waits_for(row) for row in rows)
    return str(len(rows)), str(waiting)


def _rows(coverage: Coverage, group: CatalogueGroup) -> Iterator[str]:
    yield _line("row", "what is found", "needs", "standing")
    yield "|---|---|---|---|"
    for row in group.rows:
        finds = f"{row.finds} (legacy)" if row.legacy else row.finds
        yield _line(row.id, finds, ", ".join(row.needs), _status(coverage, row))


def _status(coverage: Coverage, row: Row) -> str:
    status = coverage.status(row)
    rules = " ".join(_link(rule) for rule in coverage.rules_of(row))
    asked = coverage.question_of(row)
    question = f"asked: [{asked}](../policies/questions.yaml)" if asked else ""
    waits = ", ".join(coverage.waits_for(row))
    if status is Status.REFUSED:
        return f"refused: {row.refused}"
    if status is Status.PARTLY:
        return "; ".join(filter(None, (rules, f"left: {row.left}", question)))
    if status is Status.ASKED:
        return "; ".join(filter(None, (question, waits and f"waits for {waits}")))
    if status is Status.COVERED:
        return "; ".join(filter(None, (rules, question)))
    return f"waits for {waits}"


def _link(rule: Rule) -> str:
    return f"[{rule.id}](policies/{rule.id}.md)"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
