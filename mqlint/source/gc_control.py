"""Python's cyclic garbage collector, and when it had better wait."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_OBJECTS: Final = 50_000
"""New objects between two visits: with the models that wait for it, some 50 MB."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Let the collector wait while many objects are built that all live on and form no cycles.

    It would walk them again and again and find nothing: on a dump of 40 MB that is a third of
    the time. What it was told before holds again afterwards.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # All that was made in the meantime counts as old: else the next object that is made
            # sets off a walk over it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


@contextmanager
def gc_between() -> Iterator[Callable[[], None]]:
    """Yield what frees models that are done, to be called after each.

    All parts of a model know each other, so only the collector frees them. What was there before is
    not walked.
    """
    gc.freeze()
    try:
        yield _freed
    finally:
        gc.unfreeze()


def _freed() -> None:
    if gc.get_count()[0] >= _OBJECTS:
        gc.collect()


def gc_relaxed() -> None:
    """Let the collector come seldom from now on, and pass over what there is by now.

    For processes that build models all the time. All parts of a model know each other, and it is
    dropped whole: it needs the collector. But at the pace that Python sets, that walks all the
    rules and the vocabulary for every third queue manager, which is a fifth of the time of a scan.
    """
    gc.set_threshold(_OBJECTS)
    gc.freeze()
