"""Calls of the administrative REST API in scripts: curl, wget or HTTPie with a body of MQSC.

curl(1): `-d`, `--data` and its variants, and `--json` take the body as a word; `@-` is the input of
curl. A body in a file (`@body.json`) is read as a file of its own. So is that of wget(1), which
takes a word after `--post-data` and `--body-data`, and of HTTPie after `--raw`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from mqlint.language.execution import Execution
from mqlint.language.objects.requests import queue_manager_in
from mqlint.language.objects.spelling import JSON
from mqlint.language.rest import AS_TEXT
from mqlint.language.script.command import Command, Word
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText
from mqlint.patterns import later

_BODY = frozenset(
    "-d --data --data-raw --data-binary --data-ascii --json --post-data --body-data --raw".split()
)
_INPUT = "@-"
_ATTACHED = later(
    r"-d(?=[{[])|--(?:data|data-raw|data-binary|data-ascii|json|post-data|body-data|raw)=(?=[{[])"
)
_FILE = later(
    r"(?:(?:-d|--(?:data|data-binary|data-ascii|json)=)?@|--(?:post|body)-file=)(?P<name>[^-]\S*)"
)
_OF_COMMANDS = later(r"qmgr/[^/\s]{1,80}/mqsc/?\Z")
"""The end of the address to which a body of MQSC is sent."""


def requests_of(
    command: Command,
    words: Sequence[Word],
    source: MappedText,
    written: Iterable[MappedText],
    execution: Execution,
) -> Iterator[Embedded]:
    """Yield the bodies with MQSC that a call sends, those in files `written` by the script too."""
    queue_manager = _queue_manager(words)
    own = (body.within(source) for body in _bodies(command, words))
    for mapped in chain(own, written):
        if AS_TEXT in mapped.text:
            yield Embedded(
                *("rest", mapped.text, mapped.segments, mapped.end, queue_manager, execution),
                spelling=JSON,
            )


def sends_commands(words: Sequence[Word]) -> bool:
    """Whether a call is to the address that takes MQSC."""
    return any(_OF_COMMANDS.search(word.text) is not None for word in words[1:])


def files_of(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Yield the files that a call sends, each with the queue manager that its address names."""
    queue_manager = _queue_manager(words)
    if queue_manager is not None:
        yield from ((file.text, queue_manager) for file in files_in(words))


def files_in(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the names of the files that a call sends."""
    for before, word in pairwise(words):
        file = _FILE.fullmatch(word.text) if word.known else None
        if file is not None and (before.text in _BODY or not word.text.startswith("@")):
            yield Word(word.mapped.part(*file.span("name")), word.start, word.end)


def _queue_manager(words: Sequence[Word]) -> str | None:
    """The queue manager that the address of a call names, None if it names none."""
    names = (queue_manager_in(word.text) for word in words[1:])
    return next((name for name in names if name is not None), None)


def _bodies(command: Command, words: Sequence[Word]) -> Iterator[MappedText]:
    """Yield the texts that a call sends, less those in files."""
    rest = iter(words[1:])
    for word in rest:
        attached = _ATTACHED.match(word.text)
        if attached is not None:
            yield word.mapped.part(attached.end(), len(word.text))
        elif word.text in _BODY:
            value = next(rest, None)
            if value is None:
                return
            if value.text != _INPUT:
                yield value.mapped
            elif command.body is not None:
                yield command.body
