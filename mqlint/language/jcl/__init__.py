"""JCL of z/OS, and the macros of system parameters."""

from __future__ import annotations

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign, contains
from mqlint.patterns import later

_STATEMENT = later(
    r"//(?:[A-Z@#$&\ue000]\S{0,17})?[ ]+"
    r"(?:JOB|EXEC|PROC|DD|SET|IF|JCLLIB|INCLUDE|OUTPUT|EXPORT|COMMAND)(?![^\s])"
)
_PROGRAM = later(r"(?m)^//\S*[ ]+EXEC[ ]+(?:\S*,)?PGM=CSQ\w|^\S*[ ]+CSQ6(?:LOGP|ARVP|SYSP)[ ]")
COMMAND = later(r"(?m)^[ ]*COMMAND[ ]+(?:\w+\([^()\n]*\)[ ]*)*?DD(?:NAME)?[ ]*\(")
"""A statement that only CSQUTIL reads, whatever procedure runs it."""
_OPERATOR = (
    r"'[^\w\s'&]?(?P<name>[A-Z@#$][A-Z0-9@#$]{0,3})[ ]+(?P<mqsc>[A-Z]{2,8}[ ]+"
    r"(?:QMGR|CHINIT|CHI|CHANNEL|CHL|LISTENER|LSTR|QL|QLOCAL|QUEUE|STGCLASS|CFSTRUCT)\b[^'\n]*)'"
)
"""A command of an operator to MQ, after its prefix; the nouns are none of Db2."""
OPERATOR = later(rf"{_OPERATOR}\Z")
_OPERATED = later(rf"(?m)^//\S*[ ]+COMMAND[ ]+{_OPERATOR}")
_UTILITY = later(r"(?m)^//\S*[ ]+EXEC[ ]+(?:\S*,)?PGM=(?:IDCAMS|ADRDSSU)\b")
_POLICY_OF_MQ = later(r"(?i)\bSTRUCTURE\s+NAME\(\s*\S{4}CSQ|\bELEMENT(?:_NAME)?\(\s*SYSMQ")
"""A policy with structures of a queue-sharing group, or one that restarts queue managers."""
_CONNECTION_OF_CICS = later(r"(?im)^[ ]*(?:DEF(?:INE)?|ALTER)[ ]+MQCONN[ ]*\(")
"""A resource of CICS that connects a region to MQ."""
_OF_MQ = later(r"(?i)MQ|CSQ|PSID\d|BSDS|LOGCOPY|QMGR")
"""Signs of jobs that define or copy data sets of MQ, and none of IMS or Db2."""
RACF_CLASSES = (
    "MQADMIN|MXADMIN|MQCONN|MQCMDS|MQQUEUE|MXQUEUE|MQPROC|MXPROC|MQNLIST|MXNLIST|MXTOPIC|"
    "GMQADMIN|GMXADMIN|GMQQUEUE|GMXQUEUE|GMQPROC|GMXPROC|GMQNLIST|GMXNLIST|GMXTOPIC"
)
_RACF_OF_MQ = later(
    rf"\b(?:RDEF(?:INE)?|RALT(?:ER)?|RDEL(?:ETE)?)[ ]+(?:{RACF_CLASSES})[ ]"
    rf"|\bCLASS\([ ]*(?:{RACF_CLASSES})[ ]*\)|'ibmWebSphereMQ"
    rf"|\bSETR(?:OPTS)?[ ][^()\n]{{0,60}}\([^()\n]{{0,60}}\b(?:{RACF_CLASSES})\b"
)
"""A command of RACF for one of the classes of MQ, or for a certificate of a queue manager."""
_LISTED = later(
    rf"(?im)^[ \t]*+(?:[^\"'\n]{{0,60}}[\"'])?[ \t]*+(?:TSO[ ]+)?(?:(?:RDEF(?:INE)?|RALT(?:ER)?"
    rf"|RDEL(?:ETE)?)[ ]+(?:{RACF_CLASSES})[ \"']"
    rf"|(?:PERMIT|PE)[ \"'][^\n]{{1,120}}?\bCLASS\([ ]*(?:{RACF_CLASSES})[ ]*\))"
)
"""Such a command at the beginning of a line, or of a text in REXX."""
_HERE = later(r"<<-?[ \t]*[^\n]{1,200}\n//[A-Z@#$&\ue000$]\S{0,17}[ ]+JOB[ ]")
"""A job in a script."""
_OF_TSO = frozenset("racf rac clist rexx rex exec tso jcl cntl".split())
_MACRO = later(r"(?m)^\w*[ \t]+CSQ6(?:LOGP|ARVP|SYSP|USGP)[ \t]+(?:\w+=|\S[ \t]*\r?\n[ \t]+\w+=)")
"""A macro, whose operands may begin on the next line."""


def _is_jcl(sample: Sample) -> bool:
    """Return whether the first statement is one of JCL, and a program for MQ is run."""
    first = next((line for line in sample.lines if not line.startswith("//*")), "")
    return _STATEMENT.match(first) is not None and _runs_program(sample.text)


def is_job(text: str) -> bool:
    """Return whether a text in a script is a job in which a program for MQ is run."""
    return text.startswith("//") and _is_jcl(Sample("", text))


def holds_job(text: str) -> bool:
    """Return whether a script has a job of MQ in a here-document."""
    return " JOB " in text and _HERE.search(text) is not None and _runs_program(text)


def _runs_program(text: str) -> bool:
    if any(form.search(text) is not None for form in (_PROGRAM, COMMAND, _OPERATED)):
        return True
    if "SYSTSIN" in text and _RACF_OF_MQ.search(text) is not None:
        return True
    if "PGM=IXCMIAPU" in text and _POLICY_OF_MQ.search(text) is not None:
        return True
    if "PGM=DFHCSDUP" in text and _CONNECTION_OF_CICS.search(text) is not None:
        return True
    return _UTILITY.search(text) is not None and _OF_MQ.search(text) is not None


JCL = Language(
    name="jcl",
    signs=(
        Sign(60, {"", "jcl", "jcls", "proc", "prc", "cntl", "job", "txt"}, looks_like=_is_jcl),
        Sign(206, TEXT_ENDINGS | _OF_TSO, looks_like=contains(_LISTED)),
    ),
    reader="mqlint.language.jcl.parser:read",
    ownership="declared",
    platform="zos",
)
ZPARM = Language(
    name="zparm",
    signs=(
        Sign(
            65,
            {"", "asm", "mac", "hla", "assemble", "txt"},
            looks_like=contains(_MACRO, mark="CSQ6"),
        ),
    ),
    reader="mqlint.language.jcl.parser:read_macros",
    ownership="declared",
    platform="zos",
)
LANGUAGES = (JCL, ZPARM)
