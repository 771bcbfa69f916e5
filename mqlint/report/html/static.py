"""A page without a script, in the look of the report, and its markup; `safe` escapes all texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

from mqlint.report.html.page import digest
from mqlint.report.terminal import visible

_POLICY = (
    "default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def static_page(title: str, subtitle: str, body: Iterable[str], style: str) -> Iterator[str]:
    """Yield an HTML document of `body`, which is markup; `style` is added to that of reports."""
    every = f"{(files('mqlint.report.html') / 'assets' / 'page.css').read_text('utf-8')}{style}"
    policy = escape(_POLICY.format(style=digest(every)))
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{every}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main-content">Skip to content</a>\n'
        f"<header><h1>{escape(title)} <small>{escape(subtitle)}</small></h1></header>\n"
        '<main id="main-content" tabindex="-1">\n'
    )
    yield from body
    yield "</main>\n</body>\n</html>\n"


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
