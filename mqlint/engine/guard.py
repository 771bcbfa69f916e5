"""Documents read in this process as long as they can do it no harm, and in another one else."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from mqlint.config.settings import Templates
from mqlint.engine.allowance import Allowance
from mqlint.engine.analyse import Analyser
from mqlint.engine.load import Input, Loaded, Opened, analysed, load_for, opened, unreadable
from mqlint.source.fault import why_unread
from mqlint.vocabulary import Target

if TYPE_CHECKING:
    from mqlint.engine.pool import Helper

LARGE = 64 << 20
"""A document of more bytes is never read in this process: it may need all the memory there is."""


class Guard:
    """Reads documents, of which none can end the run."""

    def __init__(self, analyser: Analyser) -> None:
        """Read with `analyser`; another process is started when it is needed."""
        self._analyser = analyser
        self._allowance = Allowance()
        self._helper: Helper | None = None

    def load(self, document: Input, target: Target, templates: Templates) -> Loaded:
        """Return what became of a document.

        One that fails here, of whatever cause, is read again in another process, which has a
        memory and a stack of its own, and may die of it.
        """
        size = document.size()
        if size <= LARGE:
            with suppress(Exception), self._allowance.of(size):
                return load_for(document, target, templates, self._analyser)
        return self._elsewhere(document, target, templates)

    def opened(self, document: Input) -> Opened | Loaded:
        """Read and recognise a document, here; one that fails cannot be read."""
        try:
            with self._allowance.of(document.size()):
                return opened(document)
        except Exception as error:
            return unreadable(document.path, why_unread(error))

    def analysed(
        self, found: Opened, document: Input, target: Target, templates: Templates
    ) -> Loaded:
        """Analyse a document that was opened, as `load`."""
        with suppress(Exception), self._allowance.of(document.size()):
            return analysed(found, target, templates, self._analyser)
        return self._elsewhere(document, target, templates)

    def close(self) -> None:
        """End the other process, if there is one."""
        if self._helper is not None:
            self._helper.close()

    def _elsewhere(self, document: Input, target: Target, templates: Templates) -> Loaded:
        from mqlint.engine.pool import Helper  # here, as hardly any run needs one
        from mqlint.engine.worker import Question

        if self._helper is None:
            self._helper = Helper(self._analyser)
        return self._helper.load(Question(document, target, templates))
