"""The kind `reaches`: can a connection from a place start this channel, and as whom?

`mqlint.policy.kinds.reaching` works that out; it is imported when there is a channel to judge.
"""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.dataclass import frozen
from mqlint.model.core.fact import Fact
from mqlint.model.facts.registry import Facts
from mqlint.policy.policy import Kind, Violation

USERS = ("any", "administrator")
PARTNERS = ("anyone", "stranger")
"""The partners: anyone with the right name, or only those that no record names."""

WORDS = ("reach.address", "reach.user", "reach.record", "reach.who")


@frozen
class Reaches(Kind):
    """What comes from `source` must not start the channel, or (`must`) must be able to.

    `source` is one of `PLACES` (`mqlint.policy.kinds.places`) or networks. `user` limits it to
    those that act as an administrator, `partner` to those that no record names. With `every` all
    of these must get in, from every address of the source, for it to be wrong.
    """

    source: tuple[str, ...]
    user: str
    partner: str
    every: bool
    must: bool

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        from mqlint.policy.kinds.reaching import Reaching  # here, as few files have channels

        asked = Reaching(self.source, self.user, self.partner, self.every, self.must)
        yield from asked.judge(fact, facts)

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        from mqlint.policy.kinds.reaching import Reaching  # as above

        asked = Reaching(self.source, self.user, self.partner, self.every, self.must)
        return asked.missing(fact, facts)
