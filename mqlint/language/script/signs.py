"""What tells scripts that run MQ, its containers or its clients from other scripts."""

from __future__ import annotations

from mqlint.language.client.signs import names_connection
from mqlint.language.script.hosts.mq_image import SETS_MQ
from mqlint.language.script.mentions import names_command_in_any_case
from mqlint.patterns import later

_CLUSTERED = later(
    r"(?i)\b(?:pcs[ \t]+resource[ \t]+create|crm[ \t]+configure[ \t]+primitive)[ \t]"
    r"[^\n]{0,400}?(?<![a-z])(?:websphere)?(?:mq|qmname)"
)
"""A resource of Pacemaker that is called after MQ."""


def is_about_mq(text: str) -> bool:
    """Tell whether a script of any shell has a command of MQ, or a variable that only MQ has."""
    if names_command_in_any_case(text) or SETS_MQ.search(text) is not None:
        return True
    return names_connection(text) or _CLUSTERED.search(text) is not None
