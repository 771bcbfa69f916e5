"""MQSC that the fix of a policy shows can be pasted: every command of it is understood."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Input, check
from mqlint.policy.load import PolicySource, builtin_sources, compile_sources
from tests.policy.making import analyser
from tests.policy.test_style import PENDING
from tests.shipped import shipped_rulebook, shipped_vocabulary

_MQSC = re.compile(
    r"    ((ALTER|CLEAR|DEFINE|DELETE|DISPLAY|PING|REFRESH|RESET|RESOLVE|RESUME|SET|START|STOP"
    r"|SUSPEND) [A-Z]+.*)"
)
_PLACEHOLDER = re.compile(r"\(the\.[a-z.]+\.value\)")
"""A number that the reader fills in."""

JUDGED = ("syntax", "vocabulary")
"""The groups of rules that judge a command by itself."""


def commands(source: PolicySource) -> Iterator[str]:
    """Each block of MQSC commands in the fix of a policy, one text a block."""
    (compiled,) = compile_sources([source], shipped_vocabulary())
    block: list[str] = []
    for line in [*compiled["fix"].split("\n"), ""]:
        if _MQSC.match(line) or (block and block[-1].endswith("+")):
            block.append(_PLACEHOLDER.sub("(1)", line.strip()))
        elif block:
            yield "\n".join(block)
            block = []


SHOWN = [
    (source.path, text)
    for source in builtin_sources()
    if source.group not in PENDING
    for text in commands(source)
]


def test_fixes_show_commands() -> None:
    assert len(SHOWN) > 100


@pytest.mark.parametrize(("path", "text"), SHOWN, ids=[path for path, _ in SHOWN])
def test_commands_of_a_fix_are_understood(path: str, text: str) -> None:
    pasted = Input("fix.mqsc", data=f"{text}\n".encode())
    run = check([pasted], Settings(), analyser(), shipped_rulebook())
    found = [finding for finding in run.findings if finding.rule.group in JUDGED]
    assert [(finding.rule.id, finding.message) for finding in found] == []
