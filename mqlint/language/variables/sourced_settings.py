"""The variables that a script gets from the files which it sources.

    . "$(dirname "$0")/../etc/mq.env"
    endmqm -w "$QMGR"

A value counts if these files set the variable once, at the beginning of a line, so not in a
function or a branch, and if the script itself does not set it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from mqlint.computed import Computed
from mqlint.grouping import settled
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.signs import is_shell
from mqlint.language.script.sourced import Names, sources_of
from mqlint.language.variables.inventory import Inventory
from mqlint.language.variables.sources import PLAIN
from mqlint.patterns import later

_SETS = later(r"(?<![\w$])([A-Za-z_]\w{0,100})\+?=")
_MAY_SET = later(r"\b(?:for|read|getopts|mapfile|readarray|select)\b([^\n;]{0,200})")
_WORD = later(r"\w+")
_MOST = 20
"""Limit of the files that one script sources, directly or not."""
_MOST_SETTINGS = 500
"""Limit of the variables of one file, as each script that sources it gets them."""


def of_sourced(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, Inventory]]:
    """Yield the variables that sourced files give, for each script whose commands need some.

    `naming` are the variables that name the queue managers of commands, by the path of the file.
    """
    scripts = [path for path in texts if is_shell(path) and naming.get(path)]
    if not scripts:
        return
    named = Names([*texts])
    settings = Computed[str, Mapping[str, str | None]](lambda file: settled(_settings(texts[file])))
    sources = Computed[str, list[str]](
        lambda path: [file for _, _, file in sources_of(path, texts[path], named)]
    )
    for path in sorted(scripts):
        files = _files(path, texts, sources)
        given = settled(pair for file in files for pair in settings[file].items())
        own = {*_set_by(texts[path])} if given else set[str]()
        values = {
            f"${name}": value
            for name, value in given.items()
            if value is not None and name not in own and PLAIN.fullmatch(value)
        }
        names = [name for name in naming[path] if name in values]
        if names:
            site = site_of(path)
            spans = () if site else ((0, len(texts[path])),)
            yield path, Inventory.of(path, "", site, path, values, values, names, spans)


def _files(path: str, texts: Mapping[str, str], sources: Computed[str, list[str]]) -> Sequence[str]:
    """The files that a script sources, and those that these source; none if they are too many."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting and len(found) <= _MOST:
        for file in sources[waiting.pop()]:
            if file in texts and file != path and file not in found:
                found[file] = None
                waiting.append(file)
    return [*found] if len(found) <= _MOST else ()


def _settings(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the first variables that a file sets; None for a value that is not sure."""
    for name, node in islice(variables_of(text), _MOST_SETTINGS):
        line = text.rfind("\n", 0, node.start) + 1
        is_sure = isinstance(node.value, str) and not text[line].isspace()
        yield name, str(node.value) if is_sure else None


def _set_by(text: str) -> Iterator[str]:
    """Yield the variables that a script sets, also by a loop, an option or its input."""
    yield from _SETS.findall(text)
    for words in _MAY_SET.findall(text):
        yield from _WORD.findall(words)
