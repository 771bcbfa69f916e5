"""Recipes of Chef: commands and scripts of `execute` and `bash`, and folders that they delete.

    bash 'create' do
      code <<-EOH
        crtmqm -lc QMA
      EOH
    end

A resource with `not_if`, `only_if` or `action :nothing` may not run. `#{ }` is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.permissions import resource_faults
from mqlint.language.script.hosts.host import Block, Host, removal
from mqlint.language.script.hosts.terraform import mqsc_in_heredocs
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import headed, later
from mqlint.source.lines import Span

_RESOURCE = later(
    r"(?m)^(?P<margin>[ \t]*)"
    r"(?P<kind>execute|bash|script|ksh|directory|(?:cookbook_)?file|template)[ \t]+"
    r"(?P<name>\"[^\"\n]{0,200}\"|'[^'\n]{0,200}')[ \t]+do[ \t]*\r?\n"
)
_COMMAND = later(
    r"(?m)^[ \t]*command[ \t(]+"
    r"(?:\"((?:[^\"\\\n]|\\.){1,2000})\"|'((?:[^'\\\n]|\\.){1,2000})')"
)
_HEREDOC = later(
    r"(?m)^[ \t]*(?:command|code)[ \t(]+<<[-~]?[\"']?([A-Za-z_]\w{0,40})[\"']?[^\n]*\r?\n"
)
_DELETES = later(r"(?m)^[ \t]*action[ \t]+:delete\b")
_PATH = later(r"(?m)^[ \t]*path[ \t]+(?:\"([^\"\n]{1,300})\"|'([^'\n]{1,300})')")
_FILES = frozenset({"directory", "file", "cookbook_file", "template"})
_OF_FILE = later(r"(?m)^[ \t]*(mode|owner)[ \t]+[\"']?([\w+=,-]{1,20})[\"']?[ \t]*$")
_MAYBE = later(r"(?m)^[ \t]*(?:not_if|only_if|action[ \t]+:nothing)\b")
_IGNORES = later(r"(?m)^[ \t]*(ignore_failure)[ \t]+(?:true|:quiet)\b")
_MATTERS = later(r"(?<![\w.-])(runmqsc|setmqaut|dmpmqcfg|rcdmqimg|rcrmqobj)(?![\w.-])")
_INSERTED = later(r"#\{[^}\n]{0,400}\}")
_ESCAPED = later(r"\\([\"'\\])")
"""What Ruby writes in a string with a backslash before it: a quote, or a backslash."""


class Recipe(Host):
    def blocks(self) -> Iterator[Block]:
        text = self.text
        for kind, name, start, end in _resources(text):
            maybe = _MAYBE.search(text, start, end) is not None
            if kind == "directory" and _DELETES.search(text, start, end) is not None:
                yield Block(removal(_covered(text, *_path(text, name, start, end))), maybe)
            if kind in _FILES:
                continue
            for found in _COMMAND.finditer(text, start, end):
                group = 1 if found[1] else 2
                written = _covered(text, *found.span(group))
                yield Block(written.sub(_ESCAPED, lambda escaped: escaped[1]), maybe)
            here = _HEREDOC.search(text, start, end)
            if here is not None:
                close = re.compile(rf"(?m)^[ \t]*{here[1]}[ \t]*\r?$").search(text, here.end(), end)
                yield Block(
                    _covered(text, here.end(), end if close is None else close.start()), maybe
                )

    def embedded(self) -> Iterator[Embedded]:
        return mqsc_in_heredocs(self.text)

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        yield from _ignored(self.text)
        for kind, name, start, end in _resources(self.text):
            if kind not in _FILES:
                continue
            settings = _OF_FILE.finditer(self.text, start, end)
            path = self.text[slice(*_path(self.text, name, start, end))]
            yield from resource_faults(
                path, ((setting[1], setting[2], setting.span(2)) for setting in settings)
            )


def _path(text: str, name: Span, start: int, end: int) -> Span:
    """The place of the path of a resource; its name if it has no other."""
    path = _PATH.search(text, start, end)
    return name if path is None else path.span(1 if path[1] else 2)


def _ignored(text: str) -> Iterator[Diagnostic]:
    """Yield where a resource ignores that a command of MQ fails."""
    for _, _, start, end in _resources(text):
        ignores, command = _IGNORES.search(text, start, end), _MATTERS.search(text, start, end)
        if ignores is not None and command is not None:
            yield diagnostic("failure-ignored", ignores.span(1), key=ignores[1], command=command[1])


def _resources(text: str) -> Iterator[tuple[str, tuple[int, int], int, int]]:
    """Yield the kinds of resources, the places of their names, and their starts and ends."""
    for match, after in headed(_RESOURCE, text):
        close = re.compile(rf"(?m)^{match['margin']}end\b").search(text, match.end(), after)
        name = match.start("name") + 1, match.end("name") - 1
        yield match["kind"], name, match.end(), after if close is None else close.start()


def _covered(text: str, start: int, end: int) -> MappedText:
    """A stretch of the recipe with what Ruby inserts covered."""
    plain = _INSERTED.sub(lambda found: PLACEHOLDER * len(found[0]), text[start:end])
    return mapped_at(plain, start, end)
