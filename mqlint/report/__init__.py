"""What a run found, written for people and for programs: one module a format.

A new format is a module with `render`, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from mqlint.report.report import Known, Report, Style

__all__ = ["FORMATS", "Known", "Renderer", "Report", "Style", "renderer"]

Renderer = Callable[[Report, Style], Iterator[str]]
"""Yields a report in pieces of text."""

FORMATS = {
    "text": "mqlint.report.text",
    "json": "mqlint.report.json",
    "jsonl": "mqlint.report.jsonl",
    "csv": "mqlint.report.sheet",
    "sarif": "mqlint.report.sarif",
    "github": "mqlint.report.github",
    "gitlab": "mqlint.report.gitlab",
    "azure": "mqlint.report.azure",
    "junit": "mqlint.report.junit",
    "checkstyle": "mqlint.report.checkstyle",
    "rdjson": "mqlint.report.rdjson",
    "markdown": "mqlint.report.pull_request",
    "concise": "mqlint.report.concise",
    "statistics": "mqlint.report.statistics",
    "html": "mqlint.report.html",
}
"""The name of each format and the module that writes it, loaded when it is asked for."""


def renderer(name: str) -> Renderer:
    """Return what writes the format `name`; KeyError when there is no such format."""
    return cast(Renderer, import_module(FORMATS[name]).render)
