"""The program as the targets use it: loaded once, asked again and again."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Mapping
from functools import cache

from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, check
from mqlint.policy.rulebook import Rulebook
from mqlint.report import FORMATS, Report, Style, renderer
from mqlint.source.decode import decode
from tests.engine.conftest import inputs, settings_of
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
SITES = settings_of(
    "sites:\n"
    '  leeds: {role: production, paths: ["prod/**"]}\n'
    '  derby: {role: dr, paths: ["dr/**"], stands_in_for: leeds}\n'
    'queue_managers: "*/{queue_manager}/*"\n'
)
BASE = (
    b"DEFINE QLOCAL(DERBY.XMIT) USAGE(XMITQ)\n"
    b"DEFINE CHANNEL(LEEDS.DERBY) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(DERBY.XMIT)\n"
    b"DEFINE CHANNEL(C.QMA) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h(1414)')\n"
    b"SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
)

_REPORT = 256 << 10
_FINDING = 16 << 10
"""A report may have so many characters, and so many more for each finding."""


def text_of(data: bytes) -> str:
    """The text that the tool sees in the bytes."""
    return decode(data).text


def refused(error: Exception) -> None:
    """What is refused is refused in words."""
    assert str(error)


def run_of(
    files: Mapping[str, bytes], settings: Settings = SITES, rulebook: Rulebook = RULEBOOK
) -> None:
    """A run ends, its findings lie in their files, and every format can report it."""
    run = check(inputs(files), settings, ANALYSER, rulebook, profiles=PROFILES)
    assert [row.path for row in run.coverage.files] == sorted(files)
    for finding in run.findings:
        text = run.text_of(finding.location.path)
        assert text is not None
        assert finding.location.start <= finding.location.end
        assert finding.location.start.line <= text.count("\n") + text.count("\r") + 1
    assert len({finding.fingerprint for finding in run.findings}) == len(run.findings)
    reported(Report(run.findings, run.coverage, run.assumptions, run.text_of))


def reported(report: Report) -> None:
    """Every format can be read back, steers no reader and is in proportion to the findings."""
    for form in FORMATS:
        text = "".join(renderer(form)(report, Style()))
        assert len(text) <= _REPORT + _FINDING * len(report.findings), form
        steering = _steering(text)
        assert not steering, f"{form} holds {steering!r}"
        if form in ("json", "sarif"):
            json.loads(text)
        elif form == "jsonl":
            assert [type(json.loads(line)) for line in text.splitlines()].count(dict) >= len(
                report.findings
            )


def _steering(text: str) -> str:
    """The first character that steers a reader, blank for none."""
    if text.replace("\n", "").isprintable():
        return ""  # as nearly always, and quickly
    found = steering_characters().search(text)
    return found[0] if found else ""


@cache
def steering_characters() -> re.Pattern[str]:
    """Characters that steer a terminal or a viewer: none may reach a report but line ends."""
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    found = (chr(code) for code in range(sys.maxunicode + 1) if chr(code) not in "\n\r")
    steering = "".join(char for char in found if unicodedata.category(char) in kinds)
    return re.compile(f"[{re.escape(steering)}]")
