"""A summary in Markdown, for a comment on a pull request or the summary of a job.

It holds what GitHub and GitLab take: at most 60,000 characters, the worst findings first; what is
left out is counted. Texts of files are escaped, so that no name is a link, an image or a heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from mqlint.finding import Finding, Rule
from mqlint.patterns import later
from mqlint.report.markdown import escaped, help_markdown
from mqlint.report.report import Report, Style
from mqlint.report.summary import severity_counts, summary
from mqlint.report.terminal import counted, visible
from mqlint.report.uri import checkout_name

MOST = 60_000
"""Characters. A comment of GitHub holds 65,536 (docs.github.com, "Create an issue comment")."""
ROWS = 100
"""Findings in the table at most."""
_WIDE = 10_000
_HEAD = "| severity | place | finding | rule |\n|---|---|---|---|\n"


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield a heading, a table of findings, what to do about each rule, and the summary."""
    foot = "".join(f"{_inert(line)}\n\n" for line in summary(replace(report, root=""), _WIDE))
    yield f"## mqlint: {severity_counts(report.findings)}\n\n"
    room = MOST - len(foot)
    worst = sorted(report.findings, key=lambda finding: -finding.severity)
    rows = (_row(finding, report.below) for finding in worst[:ROWS])
    shown = list(_within(rows, room // 2))
    if shown:
        yield _HEAD + "".join(shown) + "\n"
    if len(shown) < len(worst):
        yield f"{counted(len(worst) - len(shown), 'more finding')}: see the log.\n\n"
    rules = {finding.rule.id: finding.rule for finding in worst[: len(shown)]}
    yield from _within(map(_advice, rules.values()), room - len(_HEAD) - sum(map(len, shown)) - 200)
    if not style.quiet:
        yield foot


def _within(pieces: Iterator[str], room: int) -> Iterator[str]:
    """Yield pieces until the next one does not fit."""
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            return
        yield piece


def _row(finding: Finding, below: str) -> str:
    where = finding.location
    cells = (
        finding.severity.word,
        _inert(f"{checkout_name(where.path, below)}:{where.start.line}"),
        _inert(finding.message),
        _inert(f"{finding.rule.id} {finding.rule.name}"),
    )
    return f"| {' | '.join(cells)} |\n"


def _inert(text: str) -> str:
    """Text that becomes no mention, link, issue or emoji where GitHub and GitLab look for them."""
    return _REFERENCE.sub(r"\g<0>&#8203;", escaped(text, cell=True))


_REFERENCE = later(r"(?i)@|:(?=//|[^\W\d])|\bwww(?=\.)")


def _advice(rule: Rule) -> str:
    title = escape(visible(f"{rule.id}: {rule.summary}"))  # in HTML, where Markdown ends
    return f"<details><summary>{title}</summary>\n\n{help_markdown(rule)}\n\n</details>\n\n"
