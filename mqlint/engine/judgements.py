"""Judgements of queue managers, kept for runs on nearly the same documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from mqlint.engine.assemble import Assembly
from mqlint.engine.contribution import Contribution
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.run.judge import Judgement


class Judgements:
    """Judgements of earlier runs with the same settings and rules.

    A queue manager is judged by itself (what it shares with others are its claims), so that the
    same documents give the same judgement, as long as all documents of the project say the same
    about each other.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[Hashable, Judgement] = {}
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
        question: Hashable,
        judge: Callable[[], Judgement],
    ) -> Judgement:
        """Return the judgement of a queue manager; `judge` makes it if it is not known.

        `question` is what else decides about it.
        """
        token = key, question, tuple((each.path, each.digest) for each in given)
        if token not in self._known:
            self._known[token] = judge()
        return self._known[token]
