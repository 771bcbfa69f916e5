"""SHA-256 of texts and files, without what a small run need not load.

Loading hashlib loads the library of OpenSSL, which costs a start five milliseconds. Python has a
SHA-256 of its own, which is slower only where there is much to digest.
"""

from __future__ import annotations

import json
import sys

try:
    from _sha2 import sha256 as _own  # type: ignore[import-not-found]  # since Python 3.12
except ImportError:
    try:
        from _sha256 import sha256 as _own  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _own

_SMALL = 1 << 14


def hex_digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes as 64 hexadecimal digits."""
    if len(data) <= _SMALL and "_hashlib" not in sys.modules:
        return str(_own(data).hexdigest())
    from hashlib import sha256

    return sha256(data).hexdigest()


def json_digest(value: object) -> str:
    """Return the SHA-256 of a value that JSON has a form for, whatever the order of its keys."""
    return hex_digest(json.dumps(value, sort_keys=True).encode("utf-8", "surrogatepass"))
