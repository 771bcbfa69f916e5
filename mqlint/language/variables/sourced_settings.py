"""The variables that a script gets from the files which it sources.

    . "$(dirname "$0")/../etc/mq.env"
    endmqm -w "$QMGR"

A value counts if these files set the variable once, at the beginning of a line, so not in a
function or a branch, and if the script itself does not set it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from mqlint.grouping import settled
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.signs import is_shell
from mqlint.language.script.sourced import Names, sources_of
from mqlint.language.variables.inventory import Inventory
from mqlint.language.variables.sources import PLAIN

_DEEPEST = 4
"""Limit of files that source each other."""


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
    for path in sorted(scripts):
        given = settled(
            pair
            for file in dict.fromkeys(_files(path, texts, named, 0))
            for pair in _settings(texts[file])
        )
        values = {
            f"${name}": value
            for name, value in given.items()
            if value is not None and PLAIN.fullmatch(value) and not _sets(texts[path], name)
        }
        names = [name for name in naming[path] if name in values]
        if names:
            site = site_of(path)
            spans = () if site else ((0, len(texts[path])),)
            yield path, Inventory.of(path, "", site, path, values, values, names, spans)


def _files(path: str, texts: Mapping[str, str], named: Names, depth: int) -> Iterator[str]:
    """Yield the files that a script sources, and those that these source."""
    for _, _, file in sources_of(path, texts[path], named):
        if file in texts and file != path:
            yield file
            if depth < _DEEPEST:
                yield from _files(file, texts, named, depth + 1)


def _settings(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the variables that a file sets; None for a value that is not sure."""
    for name, node in variables_of(text):
        line = text.rfind("\n", 0, node.start) + 1
        is_sure = isinstance(node.value, str) and not text[line].isspace()
        yield name, str(node.value) if is_sure else None


def _sets(text: str, name: str) -> bool:
    """Whether a script sets a variable, also by a loop, an option or its input."""
    return (
        re.search(rf"(?<![\w$]){name}\+?=|\b(?:for|read|getopts)\b[^\n;]*\b{name}\b", text)
        is not None
    )
