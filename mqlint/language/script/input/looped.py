r"""Files that a script feeds to runmqsc in a loop over a pattern, also with the name of each file.

for f in mqsc/*.mqsc; do runmqsc PAY < "$f"; done
for f in *.mqsc; do runmqsc "${f%.mqsc}" < "$f"; done
for %%f in (mqsc\*.mqsc) do runmqsc PAY < "%%f"
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mqlint.grouping import grouped
from mqlint.language.feeding import OF_STEM, is_pattern
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_LOOP = later(
    r"(?i)\bfor[ \t]+(?:(?P<name>\w{1,40})[ \t]+in[ \t]+(?P<words>[^;\n]{1,300})"
    r"|%{1,2}~?(?P<letter>\w)[ \t]+in[ \t]*\((?P<list>[^)\n]{1,300})\))"
)
_VARIABLE = later(r"[\"']?(?:\$\{?(\w{1,40})\}?|%{1,2}~?(\w))[\"']?")
_WORD = later(r"(?:\"?\$(?:\w{1,40}|\{\w{1,40}\}|\([^()\n]{1,80}\))\"?/)?([\w./\\*?-]{1,200})")
_AROUND = 400
"""The characters of a statement in which its file may have the name of the queue manager."""


def feeds_of_loops(text: str, steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of files that loops feed to a queue manager, with its name."""
    loops = grouped((loop["name"] or loop["letter"], loop) for loop in _LOOP.finditer(text))
    for step in steps if loops else ():
        reads = step.reads
        if step.action != "mqsc" or reads is None or reads.value is not UNKNOWN:
            continue
        variable = _VARIABLE.fullmatch(text, *reads.span)
        name = (variable[1] or variable[2]) if variable is not None else ""
        own = loops.get(name, ())
        at = bisect(own, reads.span[0], key=re.Match.end) - 1
        queue_manager = step.queue_manager or _of_stem(text[slice(*step.span)][:_AROUND], name)
        if at < 0 or not queue_manager:
            continue
        for word in _WORD.finditer(own[at]["words"] or own[at]["list"]):
            file = word[1].replace("\\", "/")
            is_known = word[0] == word[1] or "/" in file  # else its folder is not known
            if is_known and is_pattern(file):
                yield file, queue_manager


def _of_stem(statement: str, name: str) -> str:
    """The sign for the name of a file without its ending, blank if a statement has none."""
    names = (
        rf"\$\{{{name}%%?\.[\w*]+\}}",
        rf"basename\s+[\"']?\$\{{?{name}\}}?[\"']?\s+\.\w",
        rf"%%?~n{name}\b",
    )
    return OF_STEM if any(re.search(form, statement) for form in names) else ""
