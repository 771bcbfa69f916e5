"""SHA-256 of texts and files, without what a small run need not load.

Loading hashlib loads the library of OpenSSL, which costs a start five milliseconds. Python has a
SHA-256 of its own, which is slower only where there is much to digest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_SMALL = 1 << 14
_OWN = ("_sha256", "_sha2")
"""The modules that Python has it in: until 3.11, and since."""


def hex_digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes as 64 hexadecimal digits."""
    is_small = len(data) <= _SMALL and "_hashlib" not in sys.modules
    digest: str = (_own() if is_small else _fast())(data).hexdigest()
    return digest


@cache
def _own() -> Callable[[bytes], Any]:
    for name in _OWN:
        try:
            own: Callable[[bytes], Any] = import_module(name).sha256
        except ImportError:
            continue
        return own
    return _fast()


@cache
def _fast() -> Callable[[bytes], Any]:
    from hashlib import sha256

    return sha256
