"""Host names in TLS (SNI) that name channels: which channel a host name asks for.

Source: "How IBM MQ provides multiple certificates capability" (q135250_, 9.2): upper-case letters
are written in lower case, digits as they are, every other character (lower-case letters too) as two
hexadecimal digits and a hyphen, with `.chl.mq.ibm.com` after.
"""

from __future__ import annotations

from typing import Final

from mqlint.patterns import later
from mqlint.vocabulary.limits import CHANNEL_NAME

SUFFIX: Final = ".chl.mq.ibm.com"
"""The end of host names for channels."""

_LABEL = later(r"(?:[0-9a-f]{2}-|[a-z0-9])+")
_PART = later(r"([0-9a-f]{2})-|([a-z0-9])")
_ENCODED = frozenset("abcdefghijklmnopqrstuvwxyz%./_-")


def channel_of_host(host: str) -> str | None:
    """Return the channel that a host name asks for; None if it asks for none.

    No client ever asks for a host name of which None comes back though it ends in `SUFFIX`.
    """
    label = host.removesuffix(SUFFIX)
    if label == host or len(label) > 3 * CHANNEL_NAME or _LABEL.fullmatch(label) is None:
        return None
    name = []
    for code, plain in _PART.findall(label):
        character = chr(int(code, 16)) if code else plain.upper()
        if code and character not in _ENCODED:
            return None
        name.append(character)
    return "".join(name) if len(name) <= CHANNEL_NAME else None
