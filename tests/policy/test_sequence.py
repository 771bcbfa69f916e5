"""The kind `sequence` against its definition, step by step, and in the time it takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.config.node import Plain
from mqlint.policy.compile.logic import Truth, all_of, any_of, negate
from tests.linear import is_linear_in_steps
from tests.policy.making import flagged, policy, run

OTHER, UNDOING, JUDGED = "STOP", "START", "RESET"
CHANNELS = ("A", "B", "{{ x }}")
Steps = list[tuple[str, str]]

STEPS = st.lists(
    st.tuples(st.sampled_from((OTHER, UNDOING, JUDGED)), st.sampled_from(CHANNELS)), max_size=9
)


def sequence(side: str, word: str) -> str:
    """A policy: before or after a RESET a STOP is required or forbidden, undone by a START."""
    body: dict[str, Plain] = {
        side: {word: {"command": "STOP CHANNEL"}},
        "undone_by": {"command": "START CHANNEL"},
        "same": ["channel"],
    }
    if word == "required":
        body["within"] = "procedure"
    return policy(
        match={"object": "step", "command": "RESET CHANNEL"}, check={"sequence": body}, message="x"
    )


def alike(one: str, other: str) -> Truth:
    return None if "{{ x }}" in (one, other) else one == other


def has_come(steps: Steps, channel: str) -> Truth:
    """Whether a STOP of a channel is among the steps, and no START behind it."""
    return any_of(
        all_of(
            (
                alike(name, channel),
                *(negate(alike(e, channel)) for verb, e in steps[at + 1 :] if verb == UNDOING),
            )
        )
        for at, (_, name) in enumerate(steps)
        if steps[at][0] == OTHER
    )


def wrong(steps: Steps, side: str, word: str) -> list[str]:
    """The places that the definition says are wrong."""
    found = []
    for at, (verb, channel) in enumerate(steps):
        if verb != JUDGED or channel not in ("A", "B"):
            continue
        around = steps[:at] if side == "before" else steps[:at:-1]
        if has_come(around, channel) is (word == "forbidden"):
            found.append(f"a.mqsc:{at + 1}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("word", ["required", "forbidden"])
@given(steps=STEPS)
@settings(max_examples=60, deadline=None)
def test_one_walk_finds_what_the_definition_says(side: str, word: str, steps: Steps) -> None:
    text = "".join(f"{verb} CHANNEL({channel})\n" for verb, channel in steps)
    found = run(sequence(side, word), {"a.mqsc": text})
    assert flagged(found) == wrong(steps, side, word)


LONG = {
    "one channel": "STOP CHANNEL(A)\nRESET CHANNEL(A)\n",
    "many channels": "STOP CHANNEL(A{i})\nRESET CHANNEL(A{i})\n",
    "nothing stopped": "RESET CHANNEL(A{i})\n",
    "templates": "STOP CHANNEL({{{{ x }}}})\nRESET CHANNEL(A{i})\n",
    "all taken back": "STOP CHANNEL(A)\nSTART CHANNEL(A)\nRESET CHANNEL(A)\n",
}


@pytest.mark.growth
@pytest.mark.parametrize("name", LONG)
def test_a_long_procedure_takes_its_length(name: str) -> None:
    asked = sequence("before", "required")

    def work(count: int) -> None:
        run(asked, {"a.mqsc": "".join(LONG[name].format(i=i) for i in range(count))})

    assert is_linear_in_steps(work, 100)


@pytest.mark.growth
def test_a_long_crontab_takes_its_length() -> None:
    asked = sequence("before", "required")
    line = "0 1 * * * mqm ./other.sh; echo 'RESET CHANNEL(A)' | runmqsc QMA\n"
    assert is_linear_in_steps(lambda count: run(asked, {"cron.d/mq": line * count}), 100)
