"""Jobs of Upstart: what `exec` runs, and the scripts (Upstart Cookbook, "Process Definition")."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.script.hosts.host import BOOT, Block, Host, stretch
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_PROCESS = later(
    r"[ \t]*+(?:(?:pre|post)-(?:start|stop)[ \t]++)?(?:(?P<script>script)[ \t]*+$|exec[ \t]++)"
)
_END = later(r"[ \t]*+end[ \t]++script\b")


class Job(Host):
    def blocks(self) -> Iterator[Block]:
        return _scripts(self.text)


def _scripts(text: str) -> Iterator[Block]:
    lines = line_spans(text)
    for start, end in lines:
        found = _PROCESS.match(text, start, end)
        if found is None:
            continue
        begin, stop = found.end(), end
        if found["script"]:
            begin = stop = min(end + 1, len(text))
            for first, last in lines:
                if _END.match(text, first, last):
                    break
                stop = last
        else:
            while text.startswith("\\", stop - 1) and (following := next(lines, None)) is not None:
                stop = following[1]
        yield Block(stretch(text[begin:stop], begin), schedule=BOOT)
