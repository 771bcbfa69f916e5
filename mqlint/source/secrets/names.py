"""Which names are followed by a secret.

A name is taken apart into its words (`MQ_ADMIN_PASSWORD`, `keyStorePassword`, `db.pass`). What
ends with a word such as FILE or NAME tells where a secret is kept, and is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final

from mqlint.config.data import rows_of
from mqlint.number import is_digits
from mqlint.patterns import later


class Sign(IntEnum):
    """How surely a name is followed by a secret."""

    NONE = 0
    WEAK = 1
    """Words with other meanings: a value that looks like a path or a number is not taken."""
    STRONG = 2


WORDS: Final[Mapping[str, frozenset[str]]] = {
    use: frozenset(words) for use, words in rows_of("mqlint.source.secrets", "words.txt")
}
"""The words of words.txt, by the use of them that it explains."""

_PARTS = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_STRONG = later(
    r"pass?w|authtok(?:_|$)|pa?s{1,2}wr?d|(?:^|_)pwo?rd(?:_|$)|client_key_data|pwd(?!_)|passphr|passcode|sslcryp|sslkeyp|keyrpwd|init(?:ial)?_?key|scy(?:_?usr)?_?da?ta|(?:hsm|user|token|so)_?pin"
    r"|(?:api|access|private|encryption|shared|account|signing|master|storage|symmetric|entitlement|subscription|hmac|vault|priv|aes|enc|crypt)_?key(?!_)"
    r"|(?:client|shared|app|oauth|jwt|webhook)_?secret|credential_?value"
    r"|sec(?:urity)?_?exit_?(?:init|(?:user_?)?data)|(?:^|_)scxi(?:_|$)|pgpass|rediscli_?auth"
    r"|saml_?(?:response|assertion)|(?:client|jwt)_?assertion(?!_)|xa_?(?:open|close)_?string"
)
_UNSPLIT = later(r"password|passwd|passphrase")
"""Words that are a name in any mixture of capitals."""
_OTHERS = frozenset({"pass", "bypass", "compass"})
OF_STANZA = later(r"[A-Z][a-z]+[A-Z]\w*[ \t]*=[ \t]*\S")
"""A line of a stanza, whose name may be that of a secret: `AuthToken:`."""


@lru_cache(maxsize=4096)
def judge(name: str) -> Sign:
    """Return how surely a value after `name` is a secret; capitals tell words apart."""
    if name.isupper():
        name = name.rpartition(".")[2]  # `TOKEN.REQUEST` is an object of MQ
    words = _words_of(name)
    while len(words) > 1 and (is_digits(words[-1]) or words[-1] == "wo"):  # Terraform: write-only
        words.pop()
    whole = "_".join(words)
    return next((sign for sign, fits in _JUDGEMENTS if fits(words, whole)), Sign.NONE)


def _is_strong(words: Sequence[str], whole: str) -> bool:
    return (
        _STRONG.search(whole) is not None
        or _UNSPLIT.fullmatch("".join(words)) is not None
        or not WORDS["strong"].isdisjoint(words)
    )


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in _PARTS.findall(name)]


_JUDGEMENTS: Final[tuple[tuple[Sign, Callable[[Sequence[str], str], bool]], ...]] = (
    (Sign.NONE, lambda words, _: not words),
    # Any value will do, also a blank (IBM MQ, "Protecting against CSRF").
    (Sign.NONE, lambda _, whole: whole.endswith("rest_csrf_token")),
    (Sign.STRONG, lambda _, whole: whole.endswith("secret_id")),
    (Sign.NONE, lambda words, _: _is_elsewhere(words[-1])),
    (
        Sign.STRONG,
        lambda words, _: (
            words[-1] in ("word", "words") and words[-2:-1] in (["pass"], ["pas"], ["keypass"])
        ),
    ),
    (Sign.NONE, lambda words, whole: "protection" in whole or words[0] in ("existing", "with")),
    (Sign.STRONG, _is_strong),
    (Sign.WEAK, lambda words, whole: whole.endswith(("basic_auth", "basicauth"))),
    (Sign.WEAK, lambda words, _: words[-1] in ("jwt", "bearer")),
    (
        Sign.NONE,
        lambda words, _: words[-1] == "key" and not WORDS["keyless"].isdisjoint(words[-2:-1]),
    ),
    (
        Sign.STRONG,
        lambda words, _: (
            words[-1].endswith(("pass", "pw", "token", "secret")) and words[-1] not in _OTHERS
        ),
    ),
    (
        Sign.WEAK,
        lambda words, _: (
            not WORDS["weak"].isdisjoint((words[0], words[-1])) or words[-1].endswith("creds")
        ),
    ),
)
"""What a name is by its words, and by these joined: the first row that fits decides."""


def tells_place(name: str) -> bool:
    """Return whether a name of several words tells what is known of a value or where it is."""
    words = _words_of(name)
    return len(words) > 1 and _is_elsewhere(words[-1])


def may_be_object(name: str) -> bool:
    """Return whether a name may be followed by that of an object: a Secret of Kubernetes."""
    words = _words_of(name)
    return words[-1:] in (["secret"], ["secrets"]) and not _STRONG.search("_".join(words))


def _is_elsewhere(last: str) -> bool:
    words = WORDS["elsewhere"]
    return last in words or last.removesuffix("s") in words or last.endswith("file")
