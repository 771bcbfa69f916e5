"""The page around the data: the document, its style, its script, and a policy that admits both."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from mqlint.report.json import Json, dump

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
