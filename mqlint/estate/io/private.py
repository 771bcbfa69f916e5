"""What a scan writes is readable by its owner alone, whatever the umask.

Files are made by Java and Arrow too, which obey the umask and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mqlint.estate.tables.batches import Batches, InputBatches, Stage

_OTHERS = 0o077


@contextmanager
def private_files() -> Iterator[None]:
    """Make folders 0700 and files 0600 in the block, and in processes that are started there."""
    before = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def privately(stage: Stage) -> Callable[[InputBatches], Batches]:
    """Return the function of a stage; it does so in the process that runs it."""

    def private(given: InputBatches) -> Batches:
        os.umask(_OTHERS)
        return stage.run(given)

    return private
