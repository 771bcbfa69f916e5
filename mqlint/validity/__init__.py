"""One command against the vocabulary."""

from mqlint.validity.validity import Validity

__all__ = ["Validity"]
