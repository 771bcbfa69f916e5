"""JCL of z/OS, and the macros of system parameters."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.patterns import later

_STATEMENT = later(
    r"//(?:[A-Z@#$&\ue000]\S{0,17})?[ ]+"
    r"(?:JOB|EXEC|PROC|DD|SET|IF|JCLLIB|INCLUDE|OUTPUT|EXPORT)(?![^\s])"
)
_PROGRAM = later(
    r"(?m)^//\S*[ ]+EXEC[ ]+(?:\S*,)?PGM=(?:CSQ\w+|IDCAMS|ADRDSSU)\b"
    r"|^\S*[ ]+CSQ6(?:LOGP|ARVP|SYSP)[ ]"
)
_MACRO = later(r"(?m)^\w*[ \t]+CSQ6(?:LOGP|ARVP|SYSP|USGP)[ \t]+\w+=")


def _is_jcl(sample: Sample) -> bool:
    """Tell whether the first statement is one of JCL, and a program that MQ needs is run."""
    statements = (line for line in sample.lines if not line.startswith("//*"))
    first = next(statements, "")
    if not first.startswith("//") or _STATEMENT.match(first) is None:
        return False
    return _PROGRAM.search(sample.text) is not None


def _has_macro(sample: Sample) -> bool:
    return "CSQ6" in sample.text and _MACRO.search(sample.text) is not None


JCL = Language(
    name="jcl",
    files="`*.jcl`, `*.proc`, `*.cntl`, or no ending, when the first statement is one of "
    "JCL and a program runs that MQ needs (`CSQ...`, IDCAMS, ADRDSSU)",
    content="[jobs and procedures of z/OS](#zos)",
    signs=(
        Sign(
            60,
            frozenset({"", "jcl", "jcls", "proc", "prc", "cntl", "job", "txt"}),
            looks_like=_is_jcl,
        ),
    ),
    reader="mqlint.language.jcl.parser:read",
    ownership="declared",
    platform="zos",
    variables=False,
)
ZPARM = Language(
    name="zparm",
    files="`*.asm`, `*.mac` or no ending, with a macro `CSQ6LOGP`, `CSQ6ARVP`, "
    "`CSQ6SYSP` or `CSQ6USGP`",
    content="the system parameters of a queue manager",
    signs=(
        Sign(
            65,
            frozenset({"", "asm", "mac", "hla", "assemble", "txt"}),
            looks_like=_has_macro,
        ),
    ),
    reader="mqlint.language.jcl.parser:read_macros",
    ownership="declared",
    platform="zos",
    variables=False,
)
LANGUAGES = (JCL, ZPARM)
