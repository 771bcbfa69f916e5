"""Messages of stages to the driver and to each other, besides the tables that they write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.engine.document.pack import pack_finding
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import (
    Batches,
    InputBatches,
    batch_stage,
    batches,
    records,
    schema_of,
)
from mqlint.estate.tables.writer import TaskFiles
from mqlint.finding import Finding


class Message(NamedTuple):
    """A result of judging; `kind` says what it is.

    - `finding`: packed in `payload`; in `key` its file. Of a comparison `order` is the digest of
      the claims that were compared, as of `open`.
    - `absent`: such a finding about a queue manager that is in the register only.
    - `ignores`: in `payload` the comments of the file `key` that suppress findings.
    - `claims`: the cache has the claims of a queue manager under `key`.
    - `waiting`: in `payload` the ids of rules that need `key` in the configuration.
    - `end`: in `payload` an end of a message channel of the pair `key`; in `order` 1 if it sends.
    - `count`: of what is in `key`, how many in `order`.
    - `fault`: in `payload` the reason why the file `key`, or the queue manager that it describes,
      is not judged.
    - `open`: a claim of the rule `policy` that a comparison leaves open, for want of `key`; in
      `payload` whose it is.
    - `part`: a file of a table that a task has written: its name in `key`, its rows in `order`.
    - `index`: a file for the next scan, likewise.
    """

    kind: str
    policy: str = ""
    key: str = ""
    order: int = 0
    repository: str = ""
    payload: str | None = None


MESSAGES: Final = schema_of(Message)


def finding_message(finding: Finding, repository: str) -> Message:
    """Return what tells the driver of a finding that the rules of a repository make."""
    path = finding.location.path
    return Message("finding", key=path, repository=repository, payload=pack_finding(finding))


def parts_written(parts: Iterable[tuple[str, int]], kind: str = "part") -> Batches:
    """Report the files that a task has written, by their names and rows."""
    return batches((Message(kind, key=name, order=rows) for name, rows in parts), MESSAGES)


def counted(numbers: Mapping[str, int]) -> Batches:
    """Report how many there are of something, by its name."""
    messages = (Message("count", key=name, order=number) for name, number in numbers.items())
    return batches(messages, MESSAGES)


def files_of(frame: Frame, folder: Path) -> list[str]:
    """Write the rows of a frame where they are; return the names of the files in `folder`."""
    written = records(frame.through(_to_files(folder)).batches(), Message)
    return [message.key.rpartition("/")[2] for message in written]


@batch_stage(MESSAGES)
def _to_files(given: InputBatches, folder: Path) -> Batches:
    """Rows of any schema to messages of kind `part`: the files in `folder` with them."""
    with closing(TaskFiles(folder.parent)) as files:
        for batch in given:
            files.add(folder.name, batch)
        yield from parts_written(files.finish())
