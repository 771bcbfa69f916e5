"""CL of IBM i: programs that work with queue managers."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.patterns import later

_ENDINGS = frozenset({"clle", "clp", "cl"})
_MEMBER_ENDINGS = frozenset({"", "mbr", "src", "txt"})
_MENTION = later(
    r"(?i)(?<![\w.])[A-Z]{3,5}MQM[A-Z]{0,6}(?![\w.-])|\bAMQ[A-Z]?(?:JRN|\d{3,6}\b|\d{0,6}\*)"
    r"|/QIBM/UserData/mqm|\bQMQM(?:DATA|PROC)?\b"
)
_BEGINS = later(r"(?im)^[ \t\d.]*+(?:[^\W\d]\w*+:[ \t]*+)?PGM(?![\w.=])")
_ENDS = later(r"endpgm\b(?<!\wendpgm)")


def _is_cl(sample: Sample) -> bool:
    """Return whether a source member of CL names a command, a journal or the files of MQ."""
    is_named = sample.ending in _ENDINGS or (
        sample.ending == "txt" and sample.stem.endswith((".clle", ".clp", ".cl"))
    )
    if not is_named and _ENDS.search(sample.text.lower()) is None:
        return False
    if not is_named and _BEGINS.search(sample.head) is None:
        return False
    return _MENTION.search(sample.text) is not None


CL = Language(
    name="cl",
    signs=(Sign(110, _ENDINGS | _MEMBER_ENDINGS, looks_like=_is_cl),),
    reader="mqlint.language.cl.parser:read",
    ownership="program",
    platform="ibmi",
)
LANGUAGES = (CL,)
