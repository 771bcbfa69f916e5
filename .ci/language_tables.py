"""The tables of languages in docs/files.md, from what each language says of itself."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.language.registry import LANGUAGES
from mqlint.patterns import later

_TABLE = later(r"(<!-- languages: (.+?) -->\n)(?:.+\n)*")

_MARK = " \\*"
"""Behind the name of a language that rests on documentation, as docs/files.md explains."""


def with_tables(page: str) -> str:
    """Return a page with the table below each mark `<!-- languages: NAME NAME -->` made again.

    KeyError for a name that no language has.
    """
    return _TABLE.sub(lambda mark: mark[1] + _table(mark[2].split()), page)


def _table(names: Iterable[str]) -> str:
    rows = (
        f"| `{language.name}`{_MARK * language.documented} | {language.files} "
        f"| {language.content} |"
        for language in map(LANGUAGES.__getitem__, names)
    )
    return "".join(
        f"{line}\n" for line in ("| kind | recognised by | read as |", "|---|---|---|", *rows)
    )
