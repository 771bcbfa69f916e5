"""Files that the command line names: their bytes and texts, or the refusal to read them."""

from __future__ import annotations

from pathlib import Path

from mqlint.cli.common.group import Refusal
from mqlint.source.project_files import LIMIT, link_fault
from mqlint.source.read import Unreadable, read


def bytes_of(file: Path, limit: int = LIMIT) -> bytes:
    """Return the bytes of a file, at most `limit`; Refusal if it cannot be read."""
    fault = link_fault(file)
    return readable(read(file, limit=limit) if fault is None else Unreadable(fault), str(file))


def text_of(file: Path, limit: int = LIMIT) -> str:
    """Return the text of a file of at most `limit` bytes; Refusal if it cannot be read."""
    return text_in(bytes_of(file, limit), str(file))


def readable(data: bytes | Unreadable, shown: str) -> bytes:
    """Return the bytes of the file that messages show as `shown`; Refusal if there are none."""
    if isinstance(data, Unreadable):
        raise Refusal(f"cannot read {shown}: {data.reason}")
    return data


def text_in(data: bytes, shown: str) -> str:
    """Return the text of a file that messages show as `shown`; Refusal if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(f"cannot read {shown}: it is not UTF-8") from None
