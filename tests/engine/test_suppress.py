"""Comments that suppress findings: what they bind to, what they leave, what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.engine import Analyser, Run, check
from mqlint.engine.document.pack import RECORDS, from_bytes, to_bytes
from mqlint.finding import Excuse
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Target
from tests.engine.conftest import inputs, settings_of
from tests.linear import is_linear_in_steps
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()

WORD = "unknown-attribute"
WRONG = "DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n"


def judge(
    files: Mapping[str, str],
    config: str = "",
    rules: Rulebook = RULEBOOK,
    jobs: int = 1,
    ignores: bool = True,
) -> Run:
    given = inputs(dict(files))
    return check(given, settings_of(config), ANALYSER, rules, jobs=jobs, ignores=ignores)


def places(run: Run) -> tuple[list[str], list[str]]:
    """Where findings are, and where those are that comments suppress."""
    shown, hidden = (
        sorted(f"{one.location.start.line} {one.rule.name}" for one in found)
        for found in (run.findings, run.ignored)
    )
    return shown, hidden


BINDINGS = {
    "the next command": (
        f"* mqlint: ignore[{WORD}] agreed\n{WRONG}{WRONG.replace('P.IN', 'P.OUT')}",
        [f"3 {WORD}"],
        [f"2 {WORD}"],
    ),
    "over blank lines and comments": (
        f"* mqlint: ignore[{WORD}] agreed\n\n* more words\n\n{WRONG}",
        [],
        [f"5 {WORD}"],
    ),
    "all lines of the command": (
        f"* mqlint: ignore[{WORD}] agreed\nDEFINE QLOCAL(A) +\n DESCR('a') +\n MAXDEPHT(1)\n",
        [],
        [f"4 {WORD}"],
    ),
    "inside, the next attribute only": (
        f"DEFINE QLOCAL(A) +\n* mqlint: ignore[{WORD}] agreed\n MAXDEPHT(1) +\n MAXDEPTZ(1)\n",
        [f"4 {WORD}"],
        [f"3 {WORD}"],
    ),
    "inside, on its value": (
        "DEFINE QLOCAL(A) +\n* mqlint: ignore[value-not-allowed] agreed\n DEFPSIST(MAYBE)\n",
        [],
        ["3 value-not-allowed"],
    ),
    "inside, on the command too": (
        f"* mqlint: ignore[value-not-allowed] agreed\nDEFINE QLOCAL(A) +\n"
        f"* mqlint: ignore[{WORD}, value-not-allowed] this one too\n MAXDEPHT(1) DEFPSIST(MAYBE)\n",
        ["3 ignore-unused"],
        ["4 value-not-allowed", f"4 {WORD}"],
    ),
    "several rules": (
        f"* mqlint: ignore[{WORD}, value-not-allowed] agreed\n"
        "DEFINE QLOCAL(A) MAXDEPHT(1) DEFPSIST(MAYBE)\n",
        [],
        ["2 value-not-allowed", f"2 {WORD}"],
    ),
    "several comments": (
        f"* mqlint: ignore[{WORD}] agreed\n* mqlint: ignore[value-not-allowed] agreed too\n"
        "DEFINE QLOCAL(A) MAXDEPHT(1) DEFPSIST(MAYBE)\n",
        [],
        ["3 value-not-allowed", f"3 {WORD}"],
    ),
    "another rule stays": (
        f"* mqlint: ignore[{WORD}] agreed\nDEFINE QLOCAL(A) MAXDEPHT(1) DEFPSIST(MAYBE)\n",
        ["2 value-not-allowed"],
        [f"2 {WORD}"],
    ),
    "line ends of Windows": (
        f"* mqlint: ignore[{WORD}] agreed\r\n{WRONG.strip()}\r\n",
        [],
        [f"2 {WORD}"],
    ),
    "no reason": (
        f"* mqlint: ignore[{WORD}]\n{WRONG}",
        ["1 ignore-without-reason"],
        [f"2 {WORD}"],
    ),
    "nothing after it": (
        f"{WRONG}* mqlint: ignore[{WORD}] agreed\n",
        [f"1 {WORD}", "2 ignore-unused"],
        [],
    ),
    "after the session": (
        f"END\n* mqlint: ignore[{WORD}] agreed\n{WRONG}",
        ["1 commands-behind-end"],
        [],
    ),
    "prose that only speaks of it": (f"* see mqlint: ignore\n{WRONG}", [f"2 {WORD}"], []),
}


@pytest.mark.parametrize("case", BINDINGS)
def test_comment_binds_to(case: str) -> None:
    text, shown, hidden = BINDINGS[case]
    assert places(judge({"a.mqsc": text})) == (sorted(shown), sorted(hidden))


def test_command_that_cannot_be_read() -> None:
    text = "DEFINE QLOCAL(A\n"
    (finding,) = judge({"a.mqsc": text}).findings
    run = judge({"a.mqsc": f"* mqlint: ignore[{finding.rule.id}] agreed\n{text}"})
    assert (run.findings, len(run.ignored)) == ([], 1)


SHELL = f"""\
#!/bin/sh
# mqlint: ignore[{WORD}] never of use here
strmqm QM1
runmqsc QM1 <<EOF
* mqlint: ignore[{WORD}] agreed
def ql(A) +
  maxdepht(1)
# mqlint: ignore[{WORD}] no comment in MQSC
EOF
"""


def test_mqsc_in_a_shell_script_has_its_own_comments() -> None:
    shown, hidden = places(judge({"a.sh": SHELL}))
    assert "2 ignore-unused" in shown
    assert hidden == [f"7 {WORD}"]
    assert not [one for one in shown if one.startswith("8 ignore")]


def test_line_of_an_ini_file() -> None:
    text = "Log:\n   LogType LINEAR\n"
    (name,) = {finding.rule.name for finding in judge({"QMA/qm.ini": text}).findings}
    text = f"Log:\n   ; mqlint: ignore[{name}] read by a program of ours\n   LogType LINEAR\n"
    assert places(judge({"QMA/qm.ini": text})) == ([], [f"3 {name}"])


def test_statement_of_a_script_goes_over_lines() -> None:
    text = "# mqlint: ignore[X] agreed\nstrmqm \\\n   -x \\\n   QM1\n\nendmqm QM1\n"
    (one,) = ANALYSER.analyse(text, "shell", Target()).suppressions
    assert (one.since.line, one.until.line) == (2, 4)


CONFIG = """
queue_managers: "{site}/{queue_manager}/*"
sites:
  leeds: {role: production, paths: ["leeds/**"]}
  derby: {role: dr, paths: ["derby/**"]}
"""
RECEIVER = "DEFINE CHANNEL(C.QMA) CHLTYPE(CLUSRCVR) CLUSTER(C) TRPTYPE(TCP) CONNAME('{}.example')\n"


def test_suppressed_member_of_a_group_is_still_a_claim() -> None:
    comment = "* mqlint: ignore[DR001] the network is cut before a test\n"
    files = {
        "leeds/QMA/c.mqsc": comment + RECEIVER.format("leeds"),
        "derby/QMB/c.mqsc": RECEIVER.format("derby"),
    }
    run = judge(files, CONFIG)
    paths = [finding.location.path for finding in run.findings if finding.rule.id == "DR001"]
    assert paths == ["derby/QMB/c.mqsc"]
    (hidden,) = run.ignored
    assert hidden.location.path == "leeds/QMA/c.mqsc"
    assert hidden.ignored == Excuse("the network is cut before a test")


def test_fingerprints_are_the_same_with_comments_and_without() -> None:
    text = f"{WRONG}* mqlint: ignore[{WORD}] agreed\n{WRONG}{WRONG}"
    run, plain = judge({"a.mqsc": text}), judge({"a.mqsc": text}, ignores=False)
    assert len(run.ignored) == 1
    marks = {finding.fingerprint for finding in (*run.findings, *run.ignored)}
    assert marks == {finding.fingerprint for finding in plain.findings}
    assert plain.ignored == []


def test_rule_that_may_not_be_ignored() -> None:
    strict = Rulebook(
        {**compiled, "ignorable": compiled["name"] != WORD} for compiled in RULEBOOK.compiled
    )
    run = judge({"a.mqsc": f"* mqlint: ignore[{WORD}] agreed\n{WRONG}"}, rules=strict)
    assert places(run) == (["1 ignore-unused", f"2 {WORD}"], [])
    assert run.findings[0].message == f"rule {WORD} cannot be ignored"


def test_rule_that_does_not_run_is_not_unused() -> None:
    text = f"* mqlint: ignore[{WORD}] agreed\nDEFINE QLOCAL(A)\n"
    assert places(judge({"a.mqsc": text}))[0] == ["1 ignore-unused"]
    assert places(judge({"a.mqsc": text}, "severity: {VOC002: off}")) == ([], [])


def test_unknown_rule_is_told_the_nearest() -> None:
    run = judge({"a.mqsc": "* mqlint: ignore[unknown-atribute] agreed\nDEFINE QLOCAL(A)\n"})
    (finding,) = run.findings
    assert finding.message == "rule unknown-atribute does not exist (did you mean VOC002?)"


@pytest.mark.slow
def test_processes_make_no_difference() -> None:
    files = {f"q{n}/a.mqsc": f"* mqlint: ignore[{WORD}] agreed\n{WRONG}" for n in range(20)}
    alone, together = judge(files), judge(files, jobs=2)
    assert [finding.ignored for finding in together.ignored] == [Excuse("agreed")] * 20
    assert together.ignored == alone.ignored


LINES = (
    f"* mqlint: ignore[{WORD}] agreed\n",
    "# mqlint: ignore[INI001] agreed\n",
    "* mqlint: ignore[\n",
    "DEFINE QLOCAL(A) +\n",
    " MAXDEPHT(1) -\n",
    WRONG,
    "EOF\n",
    "runmqsc QM1 <<EOF\n",
    "END\n",
    "'\n",
    "\r\n",
)
NAMES = {"mqsc": "a.mqsc", "shell": "a.sh", "ini": "qm.ini", "crontab": "crontab"}


@settings(deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(sorted(NAMES)))
def test_any_order_of_lines(lines: list[str], language: str) -> None:
    text = "".join(lines)
    reading = ANALYSER.analyse(text, language, Target())
    again = from_bytes(to_bytes(reading), ANALYSER.parser)
    assert again.suppressions == reading.suppressions
    assert RECORDS.unpacked(RECORDS.packed(again.suppressions)) == tuple(reading.suppressions)
    for suppression in reading.suppressions:
        assert suppression.start < suppression.end
        assert suppression.since <= suppression.until
        assert suppression.until.line <= text.count("\n") + 1
    run, plain = (judge({NAMES[language]: text}, ignores=flag) for flag in (True, False))
    kept = [finding for finding in run.findings if finding.rule.group != "suppression"]
    assert len(kept) + len(run.ignored) == len(plain.findings)


IGNORE = f"* mqlint: ignore[{WORD}] agreed\n"
HOSTILE: dict[str, Callable[[int], str]] = {
    "comments only": lambda n: IGNORE * n,
    "comments in a command": lambda n: (
        "DEFINE QLOCAL(A) +\n" + f"{IGNORE} MAXDEPHT(1) +\n" * n + " DESCR(A)\n"
    ),
    "comments before one of many commands": lambda n: IGNORE * n + WRONG * n,
    "words in brackets": lambda n: "* mqlint: ignore[" + "abcdefgh, " * n + "] x\n" + WRONG,
    "blanks in a reason": lambda n: "* mqlint: ignore[A] a" + " " * 40 * n + "b\n" + WRONG,
}


@pytest.mark.growth
@pytest.mark.parametrize("case", HOSTILE)
def test_time_is_linear(case: str) -> None:
    make = HOSTILE[case]
    assert is_linear_in_steps(lambda n: judge({"a.mqsc": make(n)}), 100)
