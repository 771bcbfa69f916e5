"""What the settings and the target say of a text is heard when it is read."""

from __future__ import annotations

import pytest

from mqlint.engine import Run
from tests.engine.conftest import Lint, settings_of

CARD = "DEFINE QLOCAL(PAY.IN) +".ljust(72) + "change 1\n  PUT(ENABLED) GET=ENABLED\n"
SESSION = """\
Starting MQSC for queue manager LEEDSQM1.
     1 : DEFINE QLOCAL(PAY.IN) +
       :   MAXDEPHT(1)
AMQ8405I: Syntax error detected at or near end of command segment below:-
DEFINE QLOCAL(PAY.IN)   MAXDEPHT

     2 : DISPLAY QLOCAL(PAY.IN)
AMQ8409I: Display Queue details.
   QUEUE(PAY.IN)                           TYPE(QLOCAL)
One command has a syntax error.
"""


def found(run: Run) -> list[tuple[str, int]]:
    return [(one.rule.id, one.location.start.line) for one in run.findings]


@pytest.mark.parametrize(
    ("form", "value"), [("percent", "%DEPTH%"), ("double_underscore", "__DEPTH__")]
)
def test_a_template_is_one_where_the_settings_say_so(lint: Lint, form: str, value: str) -> None:
    files = {"a.mqsc": f"ALTER QLOCAL(A) MAXDEPTH({value})\n"}
    asked_for = settings_of(f"templates: {{{form}: true}}")
    assert found(lint(files)) != []
    assert found(lint(files, asked_for)) == []
    assert found(lint(files, asked_for, jobs=2)) == []


def test_a_record_of_80_columns_is_one_where_the_target_says_so(lint: Lint) -> None:
    files = {"zos/a.mqsc": CARD, "b.mqsc": "PING QMGR\n"}
    zos = settings_of('overrides: [{paths: ["zos/**"], target: {platform: zos}}]')
    assert found(lint(files)) != []
    assert found(lint(files, zos)) == []


def test_a_here_document_of_a_script_is_read_as_the_settings_say(lint: Lint) -> None:
    files = {"a.sh": "#!/bin/sh\nrunmqsc QMA <<'EOF'\nALTER QLOCAL(A) MAXDEPTH(%DEPTH%)\nEOF\n"}
    assert found(lint(files)) != []
    assert found(lint(files, settings_of("templates: {percent: true}"))) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_record_of_a_session_is_judged_by_what_was_run(lint: Lint, jobs: int) -> None:
    files = {"run.out": SESSION, "b.mqsc": "PING QMGR\n"}
    run = lint(files, jobs=jobs)
    (finding,) = run.findings
    assert finding.location.start.line == 3
    assert "MAXDEPHT" in finding.message
    assert finding.subject.queue_manager is not None
    assert "LEEDSQM1" in finding.subject.queue_manager
    row = next(row for row in run.coverage.files if row.path == "run.out")
    assert (row.language, row.commands) == ("mqsc", 2)
