"""Commands that the fix of a policy shows can be pasted: each of them is understood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Input, check
from mqlint.engine.cases import run_case
from mqlint.finding import Finding, Rule
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from tests.policy.making import alone, analyser
from tests.policy.test_style import PENDING
from tests.shipped import shipped_rulebook

_MQSC = re.compile(
    r" +(ALTER|CLEAR|DEFINE|DELETE|DISPLAY|PING|REFRESH|RESET|RESOLVE|RESUME|SET|START|STOP"
    r"|SUSPEND) [A-Z]+"
)
_CONTROL = re.compile(
    r" +(addmqinf|crtmqm|dltmqm|dmpmqcfg|dspmq\w*|endmqm|migmqlog|rcdmqimg|rcrmqobj|rdqm\w+"
    r"|runmq\w+|setmqaut|strmqm)\b"
)
_PLACEHOLDER = re.compile(r"\(the\.[a-z.]+\.value\)")
"""A number that the reader fills in."""


class Shown(NamedTuple):
    """Commands that follow each other in a fix, and the file that they could be in."""

    policy: str
    file: str
    text: str


def fix_of(source: PolicySource) -> str:
    return str(shipped_rulebook().compiled_rule(Path(source.path).stem.upper())["fix"])


def commands(source: PolicySource, fix: str) -> Iterator[Shown]:
    """Each block of commands in the fix of a policy, or of a finding."""
    lines = [*fix.split("\n"), ""]
    for file, pattern in (("fix.mqsc", _MQSC), ("fix.sh", _CONTROL)):
        block: list[str] = []
        for line in lines:
            if pattern.match(line) or (block and block[-1].endswith("+")):
                block.append(_PLACEHOLDER.sub("(32768)", line.strip()))
            elif block:
                yield Shown(source.path, file, "\n".join(block))
                block = []


def judges_a_command(rule: Rule) -> bool:
    """Whether a rule is about the words of one command, and not about what is around it."""
    own = shipped_rulebook().compiled_rule(rule.id)
    return rule.group in ("syntax", "vocabulary") or own["check"] in CONTROL_CHECKS


CONTROL_CHECKS = (
    *("control-misspelt", "control-capitals", "control-option", "control-value", "control-path"),
)
SHOWN = [
    shown
    for source in builtin_sources()
    if source.group not in PENDING
    for shown in commands(source, fix_of(source))
]
NAMING = [source for source in builtin_sources() if "(the." in fix_of(source)]
"""Policies whose fix may have the name of an object."""


def test_fixes_show_commands() -> None:
    files = [shown.file for shown in SHOWN]
    assert files.count("fix.mqsc") > 100
    assert files.count("fix.sh") > 15


@pytest.mark.parametrize("shown", SHOWN, ids=[shown.policy for shown in SHOWN])
def test_commands_of_a_fix_are_understood(shown: Shown) -> None:
    assert misunderstood(shown) == []


@pytest.mark.slow
@pytest.mark.parametrize("source", NAMING, ids=[source.path for source in NAMING])
def test_commands_for_an_object_are_understood(source: PolicySource) -> None:
    """Those of each finding in the cases of a policy, with the name and the type of its object."""
    rule = Path(source.path).stem.upper()
    fixes = {
        finding.fix
        for case in cases_of(source)
        if case.flagged  # no other has a finding of the policy
        for finding in run_case(case, analyser(), alone(rule), {"production"}).findings
        if finding.rule.id == rule
    }
    wrong = [misunderstood(shown) for fix in fixes for shown in commands(source, fix)]
    assert [found for found in wrong if found] == []


NAMES = [
    ("APP.IN", "DEFINE QLOCAL('APP.IN.BACKOUT') LIKE('APP.IN')"),
    ("'app.in'", "DEFINE QLOCAL('app.in.BACKOUT') LIKE('app.in')"),
    ("A" * 41, "DEFINE QLOCAL(the.queue.BACKOUT) LIKE(the.queue)"),
]
"""Names of a queue, and how the first command of a fix begins; the last is too long for it."""


@pytest.mark.parametrize(("name", "command"), NAMES)
def test_a_fix_has_the_name_of_the_queue(name: str, command: str) -> None:
    text = f"DEFINE QLOCAL({name}) BOTHRESH(5) BOQNAME({name})\n"
    found = run(Input("a.mqsc", data=text.encode()))
    (fix,) = [finding.fix for finding in found if finding.rule.id == "QUE013"]
    assert next(line.strip() for line in fix.split("\n") if "LIKE" in line).startswith(command)


@pytest.mark.parametrize("kind", ["RCVR", "SDR", "SVRCONN"])
def test_a_fix_has_the_type_of_the_channel(kind: str) -> None:
    text = f"ALTER CHANNEL(A) CHLTYPE({kind}) SSLCIPH(TLS_RSA_WITH_RC4_128_SHA256)\n"
    found = run(Input("a.mqsc", data=text.encode()))
    (fix,) = [finding.fix for finding in found if finding.rule.id == "CHN002"]
    assert f"    ALTER CHANNEL('A') CHLTYPE({kind}) SSLCIPH(" in fix


def test_a_fix_for_a_name_that_is_not_known_is_that_of_the_rule() -> None:
    text = "DEFINE CHANNEL(${APP}.1) CHLTYPE(SVRCONN) SSLCIPH(TLS_RSA_WITH_RC4_128_SHA256)\n"
    found = run(Input("a.mqsc", data=text.encode()))
    (fix,) = [finding.fix for finding in found if finding.rule.id == "CHN002"]
    assert fix == shipped_rulebook().compiled_rule("CHN002")["fix"]


FOR_THE_READER = {
    "CHN015": "PORT(the.free.value)",
    "CHN049": "PORT(the.free.value)",
    "CHN055": "CHANNEL(the.name)",
    "CHN059": "PORT(the.free.value)",
    "CLU016": "QLOCAL(the.first.instance)",
    "CLU017": "QREMOTE(the.obsolete.queue)",
    "DR030": "LISTENER(the.twin)",
    "DR042": "QLOCAL(the.queue.of.dr)",
    "HYG024": "SERVICE(the.name)",
    "HYG026": "SERVICE(the.name)",
    "TOP023": "SUB(the.older.subscription)",
}
"""What the reader fills in.

One object of several must change, or the one at fault must not, or the command is an example for
one of several attributes.
"""


@pytest.mark.slow
@pytest.mark.parametrize("rule", FOR_THE_READER)
def test_a_fix_leaves_to_the_reader_which_object_changes(rule: str) -> None:
    (source,) = [each for each in NAMING if Path(each.path).stem.upper() == rule]
    profiles = {"production", "dr-test", "cluster-review"}
    fixes = {
        finding.fix
        for case in cases_of(source)
        if case.flagged
        for finding in run_case(case, analyser(), shipped_rulebook(), profiles).findings
        if finding.rule.id == rule
    }
    assert fixes
    assert all(FOR_THE_READER[rule] in fix for fix in fixes)


def misunderstood(shown: Shown) -> list[tuple[str, str]]:
    pasted = Input(shown.file, data=f"{shown.text}\n".encode())
    found = [finding for finding in run(pasted) if judges_a_command(finding.rule)]
    return [(finding.rule.id, finding.message) for finding in found]


def run(file: Input) -> list[Finding]:
    return list(check([file], Settings(), analyser(), shipped_rulebook()).findings)


def test_every_repair_shows_files_before_and_after() -> None:
    repaired = [
        source
        for source in builtin_sources()
        if shipped_rulebook().compiled_rule(Path(source.path).stem.upper())["repair"]
    ]
    assert len(repaired) > 30
    shown = {source.path for source in repaired if any(case.fixed for case in cases_of(source))}
    assert shown == {source.path for source in repaired}
