"""Judgements of queue managers, kept for runs on nearly the same documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mqlint.engine.assemble import Assembly
from mqlint.engine.contribution import Contribution
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.run.judge import Judgement

_Token = tuple[QueueManagerKey, bool, tuple[tuple[str, str], ...]]


class Judgements:
    """Judgements of earlier runs with the same settings and rules.

    A queue manager is judged by itself (what it shares with others are its claims), so that the
    same documents give the same judgement, as long as all documents of the project say the same
    about each other.
    """

    def __init__(self) -> None:
        self._known: dict[_Token, Judgement] = {}
        self._assembly: Assembly | None = None

    def about(self, assembly: Assembly) -> None:
        """Forget everything if documents say something else about each other than before."""
        if self._assembly is None or not assembly.is_like(self._assembly):
            self._known.clear()
        self._assembly = assembly

    def of(
        self,
        key: QueueManagerKey,
        given: Sequence[Contribution],
        *,
        alone: bool,
        judge: Callable[[], Judgement],
    ) -> Judgement:
        """Return the judgement of a queue manager; `judge` makes it if it is not known."""
        token = key, alone, tuple((each.path, each.digest) for each in given)
        if token not in self._known:
            self._known[token] = judge()
        return self._known[token]
