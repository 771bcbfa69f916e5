"""What no source decides, and the answers that a simulation takes."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.dataclass import frozen


@frozen
class RehearsalQuestion:
    """Something that neither the files nor a source decide.

    `usual` is the answer of the calendar, the worse one for production. `setting` answers it in
    the scenario or the configuration, blank if nothing does.
    """

    key: str
    text: str
    usual: bool
    setting: str = ""


_LISTED = (
    RehearsalQuestion(
        "chlauth",
        "Do production's channel authentication records refuse the DR queue managers? "
        "The files do not prove it.",
        usual=False,
        setting="chlauth: refuses, or chlauth: admits, in the scenario",
    ),
    RehearsalQuestion(
        "host-names",
        "Do host names in the cluster-senders of DR lead to production? "
        "The files have no address for them.",
        usual=True,
        setting="connects_to: production, or connects_to: dr, of the queue manager in the scenario",
    ),
    RehearsalQuestion(
        "rebase-dr",
        "Does a restart give the copies new sequence numbers? From 9.4.0 it does (PH58212, "
        "IT43646). At 9.3 it depends on the fix, and the level may not be known.",
        usual=True,
        setting="level: of the queue manager in the scenario",
    ),
    RehearsalQuestion(
        "rebase-production",
        "Does a restart give production's queue managers new sequence numbers? From 9.4.0 it "
        "does (PH58212, IT43646). At 9.3 it depends on the fix, and the level may not be known.",
        usual=False,
        setting="target: in mqlint.yaml",
    ),
    RehearsalQuestion(
        "published-dr",
        "Are the new sequence numbers of a copy published at its start? The APAR does not say "
        "whether they are published at once, or when the records are due.",
        usual=True,
    ),
    RehearsalQuestion(
        "published-production",
        "Are the new sequence numbers of production published at the restart? The APAR does not "
        "say whether they are published at once, or when the records are due.",
        usual=False,
    ),
    RehearsalQuestion(
        "equal-number",
        "Does a record replace another one with the same sequence number? IBM's notes tell of "
        "lower and higher numbers only.",
        usual=False,
    ),
    RehearsalQuestion(
        "taken-back-production",
        "Does production's channel become the one in use again when production publishes it on "
        "its own, after 27 days? IBM's notes say that it may; ALTER CHANNEL or REFRESH CLUSTER "
        "does it.",
        usual=False,
    ),
    RehearsalQuestion(
        "taken-back-dr",
        "Does the channel of a running DR queue manager become the one in use again when DR "
        "publishes it on its own? IBM's notes call it probable.",
        usual=True,
    ),
    RehearsalQuestion(
        "in-use-again",
        "Is production's channel in use again when the record of the DR channel is removed? No "
        "source says so.",
        usual=False,
    ),
    RehearsalQuestion(
        "accepted-again",
        "Do full repositories accept a queue manager that RESET CLUSTER removed when it "
        "publishes on its own? IBM's page tells only of REFRESH CLUSTER.",
        usual=False,
    ),
)

QUESTIONS = {question.key: question for question in _LISTED}
"""All questions by key."""


class Answers:
    """The answers that one simulation takes, and which questions it met."""

    def __init__(self, given: Mapping[str, bool] | None = None) -> None:
        """Take answers that differ from the usual ones."""
        self.given = dict(given or {})
        self.asked: dict[str, bool] = {}

    def ask(self, key: str) -> bool:
        """Return the answer to a question, which the simulation has met."""
        answer = self.given.get(key, QUESTIONS[key].usual)
        self.asked[key] = answer
        return answer
