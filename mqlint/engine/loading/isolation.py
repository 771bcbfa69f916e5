"""Documents read so that none can end the run: in this process, or in another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from mqlint.config.settings import Settings, Templates
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.loading.load import (
    Input,
    Loaded,
    Opened,
    analysed,
    load_for,
    opened,
    typed,
    unreadable,
)
from mqlint.engine.loading.memory_limit import MemoryLimit
from mqlint.source.fault import why_unread
from mqlint.vocabulary import Target

if TYPE_CHECKING:
    from mqlint.engine.loading.pool import Worker

LARGE = 64 << 20
"""A document of more bytes is never read in this process: it may need all the memory there is."""


class IsolatedLoader:
    """Reads documents in this process if it is safe, and in another one if not."""

    def __init__(self, analyser: Analyser, *, apart: bool = False) -> None:
        """Read with `analyser`; another process is started when it is needed.

        With `apart` none is read in this process.
        """
        self._largest = -1 if apart else LARGE
        self._analyser = analyser
        self._limit = MemoryLimit()
        self._worker: Worker | None = None

    def load(self, document: Input, target: Target, templates: Templates) -> Loaded:
        """Return a document after reading.

        One that fails here, of whatever cause, is read again in another process, which has a memory
        and a stack of its own, and may die of it.
        """
        size = document.size()
        if size <= self._largest:
            with suppress(Exception), self._limit.of(size):
                return load_for(document, target, templates, self._analyser)
        return self._elsewhere(document, target, templates)

    def opened(self, document: Input) -> Opened | Loaded:
        """Read and recognise a document, here; one that fails cannot be read."""
        try:
            with self._limit.of(document.size()):
                return opened(document)
        except Exception as error:
            return unreadable(document.path, why_unread(error))

    def analysed(
        self, found: Opened, document: Input, target: Target, templates: Templates
    ) -> Loaded:
        with suppress(Exception), self._limit.of(document.size()):
            return analysed(found, target, templates, self._analyser)
        return self._elsewhere(document, target, templates)

    def close(self) -> None:
        """End the other process, if there is one."""
        if self._worker is not None:
            self._worker.close()

    def _elsewhere(self, document: Input, target: Target, templates: Templates) -> Loaded:
        from mqlint.engine.loading.pool import Worker  # here, as hardly any run needs one
        from mqlint.engine.loading.worker import Request

        if self._worker is None:
            self._worker = Worker(self._analyser)
        return self._worker.load(Request(document, target, templates))


def load_each(
    inputs: Iterable[Input], settings: Settings, analyser: Analyser, *, apart: bool = False
) -> Iterator[tuple[str, Loaded]]:
    """Yield each input's path and what became of it; with `apart` none is read in this process."""
    assembly = Assembly(settings, analyser.vocabulary)
    with closing(IsolatedLoader(analyser, apart=apart)) as loader:
        for document in inputs:
            target = assembly.target(document.path)
            document = typed(document, assembly)
            yield document.path, loader.load(document, target, settings.forms)
