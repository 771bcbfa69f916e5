"""Where secrets are in a text of any language, by signs that need no vocabulary.

Readers know more of their own language and add to it. What is found here is found in every text,
also beside a syntax error, in a comment, and in a part that no parser reads.
"""

from __future__ import annotations

from mqlint.source.masking import masked
from mqlint.source.secrets.signs import in_encoded, secret_spans

__all__ = ["in_encoded", "secret_spans", "without_secrets"]


def without_secrets(text: str) -> str:
    """Return `text`, of the same length, without the secrets that signs tell."""
    return masked(text, secret_spans(text), variables=True)
