"""The header that dmpmqcfg writes over a dump, and the count it writes under it.

Its form differs between releases (length of the rules, trailing blanks, words after the command
level), and other lines may come before it, so it is searched for, not expected on line 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(
    r"^\*[ \t]*(?:Script )?(generated on|Queue manager name|Queue manager platform"
    r"|Queue manager command level|Command issued|Number of objects/records)\b:?[ \t]*([^\n]*)",
    re.MULTILINE,
)
_WHEN = re.compile(r"(\d{4}-\d\d-\d\d)\s+at\s+(\d\d[.:]\d\d[.:]\d\d)")
_LEVEL = re.compile(r"\((\d+)(?:/(\d+))?\)")
_ALL = re.compile(r"(?:^|\s)-a(?:\s|$)")
_EXPORT = re.compile(r"(?:^|\s)-x\s+(\w+)")
_NAME = re.compile(r"(?:^|\s)-n\s+(\S+)")
_TYPE = re.compile(r"(?:^|\s)-t\s+(\w+)")
_SEARCHED = 65536


@dataclass(frozen=True, slots=True)
class DumpHeader:
    """What a dump says of itself.

    `generated` is `yyyy-mm-dd hh.mm.ss`, None when the line is missing. `level` is the first
    number of the command level, a hint only. `all_attributes` is True for `dmpmqcfg -a`, whose
    output restores on its own. `complete` is True when the command line selects every object.
    `span` is where the name of the queue manager stands.
    """

    queue_manager: str
    platform: str | None = None
    level: int | None = None
    generated: str | None = None
    all_attributes: bool = False
    complete: bool = False
    span: tuple[int, int] = (0, 0)


def read_header(text: str) -> DumpHeader | None:
    """Return the header of a dump; None when `text` is no dump."""
    if "* Queue manager name:" not in text[:_SEARCHED]:
        return None
    lines = list(_LINE.finditer(text[:_SEARCHED]))
    found = {line[1]: line[2].strip() for line in lines}
    name = found.get("Queue manager name", "")
    if not name:
        return None
    at = next(line.start(2) for line in lines if line[1] == "Queue manager name")
    when = _WHEN.search(found.get("generated on", ""))
    level = _LEVEL.search(found.get("Queue manager command level", ""))
    command = found.get("Command issued", "")
    return DumpHeader(
        queue_manager=name,
        platform=found.get("Queue manager platform") or None,
        level=int(level[1]) if level else None,
        generated=f"{when[1]} {when[2]}" if when else None,
        all_attributes=_ALL.search(command) is not None,
        complete=_is_complete(command),
        span=(at, at + len(name)),
    )


def _is_complete(command: str) -> bool:
    """Whether a dmpmqcfg command line leaves no object out (its defaults select everything)."""
    if "dmpmqcfg" not in command:
        return False
    name, kind, export = _NAME.search(command), _TYPE.search(command), _EXPORT.search(command)
    return (
        (name is None or name[1].strip("'\"") == "*")
        and (kind is None or kind[1] == "all")
        and (export is None or export[1] == "all")
    )
