"""The pages of docs/policies, from the same texts as `mqlint explain`; `make docs` writes them."""

from __future__ import annotations

from pathlib import Path

from mqlint.cli.policy.explain import as_example
from mqlint.policy.catalogue import Catalogue
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.report import rule_pages
from mqlint.report.guide import guide
from mqlint.report.rule_pages import RulePage


def pages(book: Rulebook, catalogue: Catalogue) -> dict[str, str]:
    """Return the text of each page by its file name; `book` has the tool's own rules."""
    finds = {row.id: row.finds for row in catalogue.rows()}
    sources = builtin_sources()
    return rule_pages.pages(_entry(source, book, finds) for source in sources)


def write(texts: dict[str, str], folder: Path) -> None:
    """Write pages into `folder`, created if needed; pages of removed rules are deleted."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _entry(source: PolicySource, book: Rulebook, finds: dict[str, str]) -> RulePage:
    rule = book.rules[Path(source.path).stem.upper()]
    examples = [as_example(case) for case in cases_of(source)]
    rows = [(row, finds[row]) for row in rule.covers]
    return RulePage(guide(rule, examples, book.parameters(rule.id), rows), source.path)
