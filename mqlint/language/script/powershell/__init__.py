"""PowerShell."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.language.script.unread.mentions import hides_command, is_about_mq


def _is_powershell(sample: Sample) -> bool:
    text = sample.text
    return is_about_mq(text) or ".mqsc" in text or hides_command(text)


POWERSHELL = Language(
    name="powershell",
    signs=(Sign(10, {"ps1", "psm1"}, looks_like=_is_powershell, decides=True),),
    reader="mqlint.language.script.document:read",
    variables=True,
    ignores_case=True,
)
LANGUAGES = (POWERSHELL,)
