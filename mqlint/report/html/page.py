"""The page around data, or around markup without a script: `safe` escapes all texts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from mqlint.report.json import Json, dump
from mqlint.report.terminal import visible

SCRIPTS = (
    *("elements", "state", "prose", "pages", "charts", "summary", "findings", "matrix"),
    *("map", "managers", "coverage", "main"),
)
"""The files of the script, in order: one function around all of them is what the page runs."""

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The content security policy; no text of the page can become markup or code (trusted types)."""


def page_of(data: Mapping[str, Json]) -> Iterator[str]:
    """Yield one HTML document that shows the data."""
    style, script = _style(), _script()
    head, before_script = _document().split("<!-- data -->")
    policy = POLICY.format(script=digest(script), style=digest(style))
    head = head.replace("<!-- policy -->", policy).replace("<!-- style -->", style)
    yield head
    yield escaped(data)
    yield before_script.replace("<!-- script -->", script)


def escaped(data: Mapping[str, Json]) -> str:
    """Return JSON that no parser of HTML takes for anything else: ASCII without markup."""
    return dump(data).replace("&", "\\u0026").replace(">", "\\u003e")


def digest(text: str) -> str:
    """Return the source expression that admits an inline text (CSP 3, section 2.3.1)."""
    value = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{value}'"


@cache
def _script() -> str:
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


@cache
def _style() -> str:
    return _asset("page.css")


@cache
def _document() -> str:
    return _asset("page.html")


def _asset(name: str) -> str:
    return (files("mqlint.report.html") / "assets" / name).read_text("utf-8")


_POLICY = (
    "default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def static_page(title: str, subtitle: str, body: Iterable[str], style: str) -> Iterator[str]:
    """Yield an HTML document of `body`, which is markup; `style` is added to that of reports."""
    every = f"{_style()}{style}"
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
