"""A cache of judgements of queue managers, for runs on nearly the same documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from mqlint.engine.assemble import Assembly
from mqlint.engine.contribution import Contribution
from mqlint.model.core.key import QueueManagerKey
from mqlint.policy.run.judge import Judgement


class JudgementCache:
    """Judgements of earlier runs with the same settings and rules.

    A queue manager is judged alone, and others are compared by its claims. So the same documents
    give the same judgement while the relations between all documents of the project do not change.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Judgement] = {}
        self._assembly: Assembly | None = None

    def about(self, assembly: Assembly) -> None:
        """Empty the cache if the relations between documents differ from those of the last run."""
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
        """Return the judgement of a queue manager; call `judge` if the cache does not have it.

        `question` is what the judgement depends on besides the documents.
        """
        token = key, question, tuple((each.path, each.digest) for each in given)
        if token not in self._known:
            self._known[token] = judge()
        return self._known[token]
