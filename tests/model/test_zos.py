"""What data sets are for, and what copies of them do."""

from __future__ import annotations

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.building import describe
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.vocabulary import Target
from tests.shipped import shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
PROCEDURE = """\
//MQ7AMSTR PROC
//S        EXEC PGM=CSQYASCP
//BSDS1    DD DISP=SHR,DSN=MQ.BOOT.ONE
//CSQP0000 DD DISP=OLD,DSN=MQ.DATA.ZERO
//CSQP0004 DD DISP=OLD,DSN=MQ.DATA.FOUR
"""


def facts(*texts: str) -> Facts:
    """The facts of MQ7A in some files."""
    assembly = Assembly(Settings(), ANALYSER.vocabulary)
    given = []
    for number, text in enumerate(texts):
        path = f"{number}.jcl"
        reading = ANALYSER.analyse(text, "jcl", Target(None, None), path)
        found = dict(assembly.contributions(path, reading))
        given += [one for key, one in found.items() if key.name == "MQ7A"]
    key = assembly.key("0.jcl", "MQ7A")
    return describe(assembly, key, given)[0]


def copy_job(source: str, target: str) -> str:
    return (
        "//K EXEC PGM=CSQUTIL,PARM='MQ7A'\n//SYSIN DD *\nPAGEINFO\n/*\n"
        f"//C EXEC PGM=IDCAMS\n//F DD DISP=SHR,DSN={source}\n//T DD DISP=OLD,DSN={target}\n"
        "//SYSIN DD *\n REPRO INFILE(F) OUTFILE(T)\n/*\n"
    )


def copied(*texts: str) -> tuple[Value, ...]:
    (step,) = [fact for fact in facts(*texts).of("step") if fact.value("command") == "REPRO"]
    keys = ("what", "direction", "from.page_set", "to.page_set")
    return tuple(step.value(key) for key in keys)


COPIES = [
    ("MQ.DATA.FOUR", "MQ.SAFE.X", True, ("page-set", "backup", "4", UNKNOWN)),
    ("MQ.SAFE.X", "MQ.DATA.FOUR", True, ("page-set", "restore", UNKNOWN, "4")),
    ("MQ.DATA.FOUR", "MQ.DATA.FOUR.SAFE", True, ("page-set", "backup", "4", "4")),
    ("MQ.DATA.FOUR", "MQ.DATA.ZERO", True, ("page-set", UNKNOWN, "4", "0")),
    ("MQ.BOOT.ONE", "MQ.SAFE.X", True, ("bsds", "backup", UNKNOWN, UNKNOWN)),
    ("MQ.DATA.FOUR", "MQ.SAFE.X", False, (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)),
    ("MQ.PSID04", "MQ.PSID04.SAFE", False, ("page-set", "backup", "4", "4")),
    ("MQ.PSID04.SAFE", "MQ.PSID04", False, ("page-set", "restore", "4", "4")),
    ("MQ.LOGCOPY1.DS01", "MQ.LOGCOPY2.DS01", False, ("log", UNKNOWN, UNKNOWN, UNKNOWN)),
    ("MQ.BSDS01", "MQ.BSDS02", False, ("bsds", UNKNOWN, UNKNOWN, UNKNOWN)),
    ("MQ.APP.FILE", "MQ.APP.FILE.SAFE", False, (UNKNOWN, "backup", UNKNOWN, UNKNOWN)),
]


@pytest.mark.parametrize(("source", "target", "known", "wanted"), COPIES)
def test_what_a_copy_is_for(
    source: str, target: str, known: bool, wanted: tuple[Value, ...]
) -> None:
    job = copy_job(source, target)
    assert copied(*([job, PROCEDURE] if known else [job])) == wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("MQ.DATA.FOUR", {"0": "left-out", "4": "copied"}),
        ("MQ.OTHER", {"0": "nothing", "4": "nothing"}),
        ("&HLQ..FOUR", {"0": UNKNOWN, "4": UNKNOWN}),
    ],
)
def test_which_page_sets_are_copied(source: str, wanted: dict[str, Value]) -> None:
    found = facts(PROCEDURE, copy_job(source, "MQ.SAFE.X"))
    assert {fact.name: fact.value("copied") for fact in found.of("page_set")} == wanted


def test_the_page_sets_of_a_procedure_with_an_include_are_not_all() -> None:
    assert facts(PROCEDURE).has_all("page_set")
    assert not facts(PROCEDURE + "//         INCLUDE MEMBER=MORE\n").has_all("page_set")
    assert not facts(copy_job("A.B", "C.D")).has_all("page_set")


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("MQ.DATA.*", 2), ("MQ.**", 2), ("MQ.*", 0), ("MQ.DATA.F%%%", 1), ("MQ.DATA.ZERO", 1)],
)
def test_adrdssu_copies_by_patterns(pattern: str, count: int) -> None:
    job = (
        "//K EXEC PGM=CSQUTIL,PARM='MQ7A'\n//SYSIN DD *\nPAGEINFO\n/*\n"
        "//D EXEC PGM=ADRDSSU\n//O DD DSN=X\n//SYSIN DD *\n"
        f" DUMP DATASET(INCLUDE({pattern})) OUTDD(O)\n/*\n"
    )
    states = [fact.value("copied") for fact in facts(PROCEDURE, job).of("page_set")]
    assert states.count("copied") == count
