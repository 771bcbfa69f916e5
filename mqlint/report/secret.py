"""Which words are followed by a secret, also when they are misspelt."""

from __future__ import annotations

from functools import lru_cache

from mqlint.vocabulary.distance import distance

SECRET_WORDS = (
    *("PASSWORD", "PASSWD", "PASSPHRASE"),
    *("INITKEY", "KEYRPWD", "LDAPPWD", "SSLCRYP", "SSLKEYP", "SHARED-SECRET"),
)
"""Words whose value is secret; they are also recognised with two letters wrong."""

_HARMLESS = frozenset({"SSLKEYR"})
"""Attributes that only look like one of them."""

_STEMS = ("PASSW", "PASWO", "PWD", "PASSPHR")
_SLIPS = 2


@lru_cache(maxsize=4096)
def looks_secret(word: str) -> bool:
    """Whether a value after `word` must be covered: a secret attribute, or nearly one."""
    word = word.upper()
    if word in SECRET_WORDS or any(stem in word for stem in _STEMS):
        return True
    if len(word) < 6 or word in _HARMLESS:
        return False
    return any(distance(word, secret, _SLIPS) <= _SLIPS for secret in SECRET_WORDS)
