"""Files that runmqsc reads in a script that writes another file with almost the same name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.patterns import later
from mqlint.vocabulary.distance import deletions, distance, same_but_for_digits

_READ = later(
    r"(?im)^(?![ \t]*(?:#|rem\b|::))[^\n]{0,300}?\brunmqsc(?:\.exe)?\b[^\n<|&;]{0,200}(?<!<)<"
    r"[ \t]*\"?(?P<file>[^\s\"'<>|;&]{1,200})"
)
_WRITTEN = later(r"(?<![0-9&])>{1,2}[ \t]*\"?([^\s\"'<>|;&()]{1,200})")
_NAME = later(r"[\w.-]+")
_SHORTEST = 4
"""Characters of a name without its ending, so that another letter is not another name."""


def misspelt_inputs(text: str) -> Iterator[Diagnostic]:
    """Yield each file that nothing else names, if a file that nothing reads has a similar name."""
    reads = [*_READ.finditer(text)] if ">" in text else []
    if not reads:
        return
    read = {found["file"] for found in reads}
    written = {found[1] for found in _WRITTEN.finditer(text)} - read
    similar = grouped((key, file) for file in written for key in _keys(file))
    names = Counter(found[0] for found in _NAME.finditer(text)) if similar else Counter[str]()
    for found in reads:
        file = found["file"]
        name = _parts(file)[1]
        if names[name] != 1 or len(name.partition(".")[0]) < _SHORTEST:
            continue
        near = {other for key in _keys(file) for other in similar.get(key, ())}
        near = {other for other in near if distance(name, _parts(other)[1], 1) == 1}
        if len(near) != 1:
            continue
        other = _parts(meant := near.pop())[1]
        stem = other.partition(".")[0]
        is_queue_manager = names[stem] > 0 and not stem.islower()
        if not is_queue_manager and not same_but_for_digits(name, other):
            yield diagnostic(
                "named-file-missing",
                found.span("file"),
                word=file,
                file=file,
                hint=f", and the script writes {meant}",
            )


def _parts(file: str) -> tuple[str, str]:
    """The folder of a file and its name."""
    folder, _, name = file.replace("\\", "/").rpartition("/")
    return folder.removeprefix("./"), name


def _keys(file: str) -> Iterator[tuple[str, str]]:
    folder, name = _parts(file)
    return ((folder, key) for key in deletions(name))
