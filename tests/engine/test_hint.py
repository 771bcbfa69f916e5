"""A dump lends its level and its platform where the configuration leaves them open."""

from __future__ import annotations

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.hint import hinted
from mqlint.engine.project import queue_managers
from mqlint.language.mqsc import Parser
from mqlint.vocabulary import Target
from tests.engine.conftest import settings_of
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
PARSER = Parser(VOCABULARY)
HEADER = """\
*******************************************************************************
* Script generated on 2026-01-31   at 10.00.00
* Queue manager name: QMA
* Queue manager platform: {platform}
* Queue manager command level: ({level}/{level})
* Command issued: dmpmqcfg -a -m QMA
*******************************************************************************
"""


def hint(text: str, target: Target | None = None) -> Target:
    script = PARSER.parse(text)
    return hinted(target or Target(), script.header, script.commands)


@pytest.mark.parametrize(
    ("platform", "level", "expected"),
    [
        ("UNIX", "930", Target((9, 3, 0), "unix")),
        ("WINDOWSNT", "943", Target((9, 4, 3), "windows")),
        ("Windows_NT", "1000", Target((10, 0, 0), "windows")),
        ("MVS", "940", Target((9, 4, 0), "zos")),
        ("OS400", "750", Target((7, 5, 0), "ibmi")),
        ("ELSEWHERE", "0", Target()),
        ("UNIX", "99999999999999999999", Target(None, "unix")),
    ],
)
def test_the_header(platform: str, level: str, expected: Target) -> None:
    assert hint(HEADER.format(platform=platform, level=level)) == expected


def test_the_version_says_more_than_the_command_level() -> None:
    dump = (
        HEADER.format(platform="UNIX", level="930")
        + "ALTER QMGR +\n*  VERSION(09030502) +\n  FORCE\n"
    )
    assert hint(dump).level == (9, 3, 5)
    assert hint(dump.replace("09030502", "nine")).level == (9, 3, 0)


@pytest.mark.parametrize(
    "line",
    [
        "DEFINE QLOCAL(APP.IN) +\n   REPLACE\n",
        "define qlocal('APP.IN') replace\n",
        "START CHANNEL('TO.QMB')\n",
    ],
)
def test_a_script_that_was_made_from_a_dump_has_no_level(line: str) -> None:
    dump = HEADER.format(platform="UNIX", level="900") + "DEFINE QLOCAL('APP.OUT') +\n   REPLACE\n"
    assert hint(dump) == Target((9, 0, 0), "unix")
    assert hint(dump + line) == Target(None, "unix")


def test_the_level_is_said_with_its_source() -> None:
    dump = HEADER.format(platform="UNIX", level="930")
    assert hint(dump).level_text == "9.3.0 (dump header)"
    configured = Assembly(
        settings_of("target: {level: 9.4.0, platform: linux}\n"), VOCABULARY
    ).target("a.mqsc")
    assert hint(dump, configured).level_text == "9.4.0 (configured target)"


def test_the_configuration_goes_first() -> None:
    dump = HEADER.format(platform="UNIX", level="930")
    assert hint(dump, Target((9, 4, 0), "linux")) == Target((9, 4, 0), "linux")
    assert hint(dump, Target(None, "linux")) == Target((9, 3, 0), "linux")
    assert hint(dump, Target((9, 4, 0))) == Target((9, 4, 0), "unix")


def test_a_script_is_no_dump() -> None:
    assert hint("ALTER QMGR +\n*  VERSION(09030002) +\n  FORCE\n") == Target()


def test_what_a_dump_leaves_out_is_the_default_of_its_own_platform() -> None:
    analyser = Analyser(VOCABULARY)
    seen = {}
    for platform in ("UNIX", "MVS"):
        text = HEADER.format(platform=platform, level="930") + "DEFINE QLOCAL('APP.IN')\n"
        readings = {"dump.mqsc": analyser.analyse(text, "mqsc", Target())}
        ((facts,),) = queue_managers(readings, Assembly(Settings(), VOCABULARY))
        seen[platform] = facts.manager.target
    assert seen == {"UNIX": Target((9, 3, 0), "unix"), "MVS": Target((9, 3, 0), "zos")}
