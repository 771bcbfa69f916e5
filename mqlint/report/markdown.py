"""The texts of a rule as Markdown, for formats that are shown on a web page."""

from __future__ import annotations

import re

from mqlint.finding import Rule
from mqlint.report.shown import visible

_CODE = re.compile(r"(`[^`\n]*`)")
_SPECIAL = re.compile(r"([\\*_<>\[\]#|~])")


def help_text(rule: Rule) -> str:
    """Return why a rule matters and what to do, as plain text."""
    parts = (rule.why.strip("\n"), rule.fix.strip("\n"), "\n".join(rule.see))
    return "\n\n".join(_lines(part) for part in parts if part.strip()) or visible(rule.summary)


def help_markdown(rule: Rule) -> str:
    """Return the same with headings and links; indented lines become blocks of code."""
    sections = [f"**{escaped(rule.summary)}**"]
    for title, text in (("Why", rule.why), ("What to do", rule.fix)):
        if text.strip():
            sections += [f"### {title}", _prose(text)]
    if rule.messages:
        sections += ["### In the logs", ", ".join(f"`{visible(one)}`" for one in rule.messages)]
    links = [one for one in rule.see if is_link(one)]
    if links:
        sections += ["### See", "\n".join(f"- <{visible(one)}>" for one in links)]
    return "\n\n".join(sections)


def is_link(text: str) -> bool:
    """Whether a reference of a rule is an address on the web."""
    return text.startswith(("https://", "http://")) and not re.search(r"[\s<>\"]", text)


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is; what stands in backticks stays code."""
    pieces = _CODE.split(visible(text))
    pieces[::2] = [_SPECIAL.sub(r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _prose(text: str) -> str:
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        is_code = line.startswith(" ") and bool(line.strip())
        if is_code and lines and lines[-1] and not lines[-1].startswith("    "):
            lines.append("")
        lines.append("    " + visible(line) if is_code else escaped(line.rstrip()))
    return "\n".join(lines)
