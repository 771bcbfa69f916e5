"""What a run found, written for people and for programs.

A new format is a function of a report and its style, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from mqlint.late import imported
from mqlint.report.report import Known, Report, Style

__all__ = ["FORMATS", "Known", "Renderer", "Report", "Style", "renderer"]

Renderer = Callable[[Report, Style], Iterator[str]]
"""Yields a report in pieces of text."""

FORMATS = {
    "text": "text:render",
    "json": "json:render",
    "jsonl": "json:render_lines",
    "csv": "sheet:render",
    "sarif": "sarif.log:render",
    "github": "github:render",
    "gitlab": "gitlab:render",
    "azure": "azure:render",
    "junit": "junit:render",
    "checkstyle": "checkstyle:render",
    "rdjson": "rdjson:render",
    "markdown": "pull_request:render",
    "concise": "text:render_concise",
    "statistics": "statistics:render",
    "html": "html.content:render",
}
"""The name of each format and the function that writes it, loaded when it is asked for."""


def renderer(name: str) -> Renderer:
    """Return what writes the format `name`; KeyError when there is no such format."""
    return cast(Renderer, imported(f"mqlint.report.{FORMATS[name]}"))
