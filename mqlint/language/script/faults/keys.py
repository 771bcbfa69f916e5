"""Key repositories and keys that scripts make or copy: too weak, in no use, or without a stash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later
from mqlint.vocabulary.distance import distance

_KEYS_COPIED = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?:scp|rsync)[ \t](?=[^\n#]{0,400}[\w}]:)[^\n#*]{0,300}?"
    r"(?<=[\s\"'])(?<!:[\"'])(?P<keys>[^\s\"'*:]{1,100}\.kdb)\b[^\n#*]{0,300}$"
)
_OPENS_KEYS = later(r"(?i)\bsth\b|stash|KEYRPWD|runqmcred|\.\*|kdb\*")


def key_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script, besides weak keys."""
    if "SSLKEYR" in text and "-keydb" in text:
        yield from _unused_keys(text)
    if ".kdb" in text and _OPENS_KEYS.search(text) is None:
        for found in _KEYS_COPIED.finditer(text):
            yield diagnostic("keys-without-stash", found.span("keys"), path=found["keys"])


_WEAK_KEY = later(
    r"(?m)^[ \t]*(?:[\w/.-]{0,80}/)?openssl[ \t]+"
    r"(?:genrsa(?:[ \t]+[^\s;&|#]{1,200}){0,9}?[ \t]+(?=\d+[ \t]*(?:$|[;&|>#]|\d>))"
    r"|\w+[ \t](?:[^\n;&|#]|\\\n){0,400}?\brsa(?:_keygen_bits)?:)(512|768|1024|1536)\b"
    r"|^[ \t]*(?:[\w/.-]{0,80}/)?keytool[ \t](?=(?:[^\n;&|#]|\\\n){0,400}?-keyalg[ \t]+RSA\b)"
    r"(?:[^\n;&|#]|\\\n){0,400}?[ \t]-keysize[ \t]+(512|768|1024|1536)\b"
)
"""An RSA key of openssl or keytool with fewer bits than 2048.

`genrsa` has the number as its last word.
"""


def weak_keys(text: str) -> Iterator[Diagnostic]:
    """Yield the sizes of RSA keys that openssl or keytool makes too short (NIST SP 800-131A)."""
    for found in _WEAK_KEY.finditer(text) if "openssl" in text or "keytool" in text else ():
        group, tool = (1, "openssl") if found[1] else (2, "keytool")
        yield diagnostic("weak-key", found.span(group), bits=found[group], tool=tool)


_KEYS_FOLDER = (
    r"(?P<owner>[^\s\"'$%]{0,100}[/\\]qmgrs[/\\][^/\\\s\"'$%]{1,60}[/\\]|\$\{?\w{1,60}\}?[/\\])"
)
"""The folder of one queue manager, or one that a variable has."""
_KEYS_MADE = later(
    r"(?m)^[^#\n]{0,80}\brunmq(?:akm|ckm)[ \t](?=[^\n]{0,300}-keydb)(?=[^\n]{0,300}-create)"
    rf"[^\n]{{0,300}}?-db[ \t]+[\"']?(?P<path>{_KEYS_FOLDER}[^\s\"'$%]{{1,100}}\.(?:kdb|p12))\b"
)
_KEYS_NAMED = later(rf"\bSSLKEYR[ \t]*\([ \t]*'(?P<path>{_KEYS_FOLDER}[^\s'$%]{{1,100}})'")


def _unused_keys(text: str) -> Iterator[Diagnostic]:
    """Yield the only key repository that is created, if SSLKEYR names one that nothing makes.

    Both are in the folder of one queue manager, or in another that a variable has, if one name is a
    typo of the other. SSLKEYR may lack the ending of the file. A path without its ending elsewhere
    in the script is in use, for example by keystore.conf.
    """
    made, configured = [*_KEYS_MADE.finditer(text)], [*_KEYS_NAMED.finditer(text)]
    if len(made) != 1 or len(configured) != 1 or made[0]["owner"] != configured[0]["owner"]:
        return
    path = made[0]["path"].rpartition(".")[0]
    used = configured[0]["path"].removesuffix(".kdb").removesuffix(".p12")
    folder = made[0]["owner"]
    is_of_manager = not folder.startswith("$") or _is_of_manager(folder.strip("${}/\\"), text)
    if not is_of_manager and distance(path, used, 1) > 1:
        return
    rest = text.replace(used, "")
    is_used = rest.count(path) != rest.count(f"{path}.")
    if path != used and not is_used and text.count(f"{used}.") + text.count(f"{used}'") == 1:
        yield diagnostic("keys-unused", made[0].span("path"), path=made[0]["path"], used=used)


def _is_of_manager(variable: str, text: str) -> bool:
    """Whether all that a script sets a variable to is a folder of a queue manager."""
    values = re.findall(rf"(?m)^[ \t]*(?:\w{{1,20}}[ \t]+)?{variable}=([^\n]{{1,200}})", text)
    return bool(values) and all("/qmgrs/" in value for value in values)
