"""Text of YAML, made ready for PyYAML's parser, and the events of the parser.

libyaml parses where it is present. No offset moves: text that the parser cannot read is replaced at
equal length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import yaml

from mqlint.config.reader import LOADER, TOO_DEEP
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget

_DEEPEST_PARSED = 500
"""Nesting at which parsing stops: each token takes libyaml one step for each open bracket."""
_MOST_REPAIRS = 16
"""Limit of the errors of one document that are covered; each takes another parse."""

_DOCUMENT = later(r"(?m)^---(?=[ \t\r\n]|\Z)")
_STATEMENT = later(rf"(?m)^(?!---[ \t])[ \t-]*{PLACEHOLDER}[{PLACEHOLDER} \t-]*\r?$")
_BLANKS = later(
    r"(?m)^(?:[ \t]++(?=\r?$)|\t[ \t]*+|[ ]++\t[ \t]*+(?=#))|(?<=[]:,[{}\"'-])[ ]*+\t[ \t]*+"
)
"""Blanks that the parsers treat differently, or a tab that is an error; not before block text."""
_REFUSED = later("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def documents(text: str) -> Iterator[tuple[int, str]]:
    """Yield the documents of a text, each with the offset at which it begins."""
    starts = [0, *(match.start() for match in _DOCUMENT.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        if end > start:
            yield start, text[start:end]


def parsable(covered: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text for the parser, with its templates covered, and the places of statements.

    A statement is a line of nothing but templates. It is blank to the parser, except in JSON, where
    it is a value. Tabs become blanks, and blank lines lose theirs: those before a block scalar
    would set its indentation.
    """
    statements: list[tuple[int, int]] = []
    if covered.startswith("\ufeff"):  # libyaml does not count it
        covered = "\n" + covered[1:]
    if PLACEHOLDER in covered and covered.lstrip()[:1] not in ("{", "["):
        statements = [match.span() for match in _STATEMENT.finditer(covered)]
        covered = _STATEMENT.sub(_blank, covered)
    if "\t" in covered or " \n" in covered or " \r" in covered:
        covered = _BLANKS.sub(_blank, covered)
    return covered, statements


def _blank(match: re.Match[str]) -> str:
    """Line ends for a line of nothing but blanks or templates, blanks for other tabs."""
    is_line = match.end() == len(match.string) or match.string[match.end()] in "\r\n"
    return ("\n" if is_line else " ") * len(match[0])


class NestingError(yaml.MarkedYAMLError):
    """Collections are nested deeper than the parser follows."""


def events(text: str) -> Iterator[yaml.Event]:
    """Yield the events of a text; MarkedYAMLError at an error, NestingError if it nests too deep.

    libyaml from 0.2.6 on has a limit of its own, which it can reach before its first event.
    """
    parser, depth = LOADER(text), 0
    try:
        while not isinstance(event := parser.get_event(), yaml.StreamEndEvent | None):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > _DEEPEST_PARSED:
                    mark: Any = event.start_mark  # of libyaml or of Python: the stubs want one
                    raise NestingError(problem_mark=mark)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            yield event
    except yaml.scanner.ScannerError as error:
        if TOO_DEEP not in (error.problem or ""):
            raise
        raise NestingError(problem_mark=error.problem_mark) from None


def _never_ends(error: yaml.MarkedYAMLError, document: str) -> bool:
    """Whether the list in brackets that an error is in has lines that are not its entries.

    Entries are further to the right than the line that begins it (YAML 1.2.2, 7.4).
    """
    begin, end = error.context_mark, error.problem_mark
    if begin is None or end is None or "flow" not in (error.context or ""):
        return False
    first, *lines = document[begin.index - begin.column : end.index + 1].split("\n")
    margin = len(first) - len(first.lstrip())
    entries = (line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return any(line[: margin + 1].strip(" ]}") for line in entries)


def repaired(covered: str, budget: Budget) -> str:
    """Return a text of the same length in which the causes of errors are covered.

    That is the rest of the line, and the whole line if its indentation is wrong or if that does not
    help. So it is unknown, as a template is. A document with many errors keeps the later ones.
    """
    return "".join(_repaired(document, budget) for _, document in documents(covered))


def _repaired(document: str, budget: Budget) -> str:
    last_line = -1
    for _ in range(_MOST_REPAIRS):
        try:
            for _ in events(parsable(document)[0]):
                pass
        except yaml.MarkedYAMLError as error:
            if isinstance(error, NestingError):
                budget.enters(_DEEPEST_PARSED)
            mark = error.problem_mark
            if isinstance(error, yaml.scanner.ScannerError) or _never_ends(error, document):
                mark = error.context_mark or mark  # where the word or the list begins
            at = mark.index if mark is not None else len(document)
            line = document.rfind("\n", 0, at) + 1
            end = document.find("\n", at)
            end = end if end >= 0 else len(document)
            if line == last_line:
                at = line + len(document[line:end]) - len(document[line:end].lstrip())
            document = document[:at] + PLACEHOLDER * (end - at) + document[end:]
            last_line = line
        except (yaml.YAMLError, UnicodeError):
            document = _REFUSED.sub("\ufffd", document)
        else:
            break
    return document
