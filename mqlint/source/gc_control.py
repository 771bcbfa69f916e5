"""When Python's cyclic garbage collector runs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

_OBJECTS: Final = 50_000
"""New objects between two collections: with the models to be freed, some 50 MB."""
_OBJECTS_OF_MODELS: Final = 5_000
"""The same after finished models: memory that is used again is still in the processor's cache."""
_COLLECTIONS: Final = 10
"""Collections of new objects before older ones are traversed too, as in Python."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable the collector while many objects are built that stay alive and form no cycles.

    It would traverse them repeatedly and free nothing: on a dump of 40 MB that is a third of
    the time. Its earlier state is restored afterwards.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Move all new objects to the oldest generation: otherwise the next allocation
            # starts a collection of them.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


@contextmanager
def gc_between() -> Iterator[Callable[[], None]]:
    """Yield a function that frees what remains of finished models, to be called after each.

    Parts of a model that refer to each other are freed by the collector alone. Earlier objects are
    not traversed.
    """
    gc.freeze()
    try:
        yield _freed
    finally:
        gc.unfreeze()


def freeing(models: Iterable[T]) -> Iterator[T]:
    """Yield models, and free each finished one as `gc_between` does: it may be many for one key."""
    for model in models:
        yield model
        del model
        _freed()


def _freed() -> None:
    new, young, middle = gc.get_count()
    if new >= _OBJECTS_OF_MODELS:
        gc.collect(2 if middle >= _COLLECTIONS else 1 if young >= _COLLECTIONS else 0)


def gc_relaxed() -> None:
    """Run the collector rarely from now on, and exclude all existing objects.

    For processes that build models all the time. The parts of a model refer to each other, so it
    needs the collector. At Python's default threshold the collector traverses all the
    rules and the vocabulary for every third queue manager, a fifth of the time of a scan.
    """
    gc.set_threshold(_OBJECTS)
    gc.freeze()
