"""A changed text written back to its file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from mqlint.cli.common.group import Refusal
from mqlint.engine import Input
from mqlint.report.terminal import visible


def write_text(source: Input, text: str) -> None:
    """Write a file as a whole or not at all; it keeps its permissions. Refusal if that fails."""
    if source.file is None:
        return
    target = Path(os.path.realpath(source.file))
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(text.encode("utf-8"))
        shutil.copymode(target, draft)
        draft.replace(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {visible(source.path)}: {reason}") from None
    finally:
        draft.unlink(missing_ok=True)
