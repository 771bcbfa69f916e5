"""Tables and lists of pages without a script; every text is escaped by `safe`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from mqlint.report.terminal import visible


def safe(text: str) -> str:
    """Return a text as markup: escaped, and without characters that steer a terminal."""
    return escape(visible(text))


def link(address: str, text: str = "") -> str:
    """Return a link to a page of the documentation, or its text if the address is none."""
    label = safe(text or address)
    is_address = address.startswith(("https://", "http://"))
    return f'<a href="{escape(address)}" rel="noreferrer">{label}</a>' if is_address else label


def table(caption: str, heads: Sequence[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield a table; its cells are markup."""
    yield f'<div class="scroll"><table>\n<caption>{safe(caption)}</caption>\n'
    yield f"<thead>{_row('th', map(safe, heads))}</thead>\n<tbody>\n"
    for cells in rows:
        yield f"{_row('td', cells)}\n"
    yield "</tbody></table></div>\n"


def listing(title: str, items: Iterable[str], level: int = 2) -> Iterator[str]:
    """Yield a section with a list; its items are markup."""
    yield f"<section>\n<h{level}>{safe(title)}</h{level}>\n<ul>\n"
    yield from (f"<li>{item}</li>\n" for item in items)
    yield "</ul>\n</section>\n"


def _row(cell: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{cell}>{text}</{cell}>' for text in cells)}</tr>"
