"""The escapes of `$'...'` in scripts of bash."""

from __future__ import annotations

import re

from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

ESCAPED = later(r"'|[^'\\]+|\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|c.|.)", re.DOTALL)
_ESCAPES = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))
"""The characters that escapes of `$'...'` produce; any other letter produces itself."""


def unescaped(piece: str) -> str:
    """Return the character of an escape in `$'...'`, a placeholder for a control character."""
    sign, digits = piece[1:2], piece[2:]
    if sign.isdigit():
        char = chr(int(piece[1:], 8) & 0xFF)
    elif digits:
        char = chr(int(digits, 16)) if sign in "xu" else PLACEHOLDER
    else:
        char = _ESCAPES.get(sign, sign)
    return char if char.isprintable() or char in "\t\n\r" else PLACEHOLDER
