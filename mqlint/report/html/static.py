"""A page without a script, in the look of the report: its body is written once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from mqlint.report.html.page import digest

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
