"""Files of MQ that are not read, and what they are, for the coverage."""

from __future__ import annotations

import re

from mqlint.patterns import later

_BINDINGS = later(r"com\.ibm\.(?:mq|msg)\b")
_KUSTOMIZATION = later(r"kustomization\.ya?ml", re.IGNORECASE)
_TABLE = later(r"(?:amqclchl|\w*ccdt\w*)\.tab", re.IGNORECASE)
_LOOKED_AT = 65_536


def unsupported(path: str, text: str = "") -> str | None:
    """Return what a file is that is of MQ and not read; None for any other.

    `text` is blank for a file that is no text, which its name alone tells.
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    if _TABLE.fullmatch(name) is not None and not text:
        return "a binary channel table"
    if name == ".bindings" or name.endswith(".bindings"):
        return "JNDI bindings of JMS" if _BINDINGS.search(text[:_LOOKED_AT]) else None
    if _KUSTOMIZATION.fullmatch(name) is not None:
        return "a kustomization: resources are taken as they stand, without its patches"
    return None
