"""URIs of the object stores that Arrow reads and writes without Spark."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl

_SCHEMES: Final = {name: name for name in ("s3", "gs", "abfs", "abfss")} | {
    "s3a": "s3",
    "gcs": "gs",
}
"""How they begin, and what Arrow calls that."""

_SECRETS: Final = frozenset({"sig", "client_secret"})
"""Settings that are secrets: the signature of a SAS token, and a password of Azure."""


def store_address(uri: str) -> str | None:
    """Return a URI as Arrow has it, None for a path or another file system."""
    scheme, mark, rest = uri.partition("://")
    name = _SCHEMES.get(scheme.lower())
    return f"{name}{mark}{rest}" if name is not None and mark else None


def with_patience(address: str) -> str:
    """Return an address of `store_address` at which Arrow gives up after half a minute.

    It asks Google's store for a quarter of an hour if nothing else is set.
    """
    if not address.startswith("gs://") or "retry_limit_seconds=" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}retry_limit_seconds=30"


def has_secret_setting(uri: str) -> bool:
    """Whether the settings after the address in a URI have a secret."""
    return not _SECRETS.isdisjoint(name.casefold() for name in _settings(uri))


def sends_credentials_in_clear(uri: str) -> bool:
    """Whether a URI of Azure has no TLS and no anonymous access: Arrow ends the process then."""
    settings = _settings(uri)
    is_plain = settings.get("enable_tls", "true").casefold() in ("false", "0")
    return is_plain and settings.get("credential_kind") != "anonymous"


def _settings(uri: str) -> dict[str, str]:
    return dict(parse_qsl(uri.partition("?")[2], keep_blank_values=True))


def answer_of(error: Exception) -> str:
    """Why a store does not answer: the first line of what it says, without what Google repeats."""
    line = str(error).partition("\n")[0].partition(" error_info=")[0]
    return line or type(error).__name__
