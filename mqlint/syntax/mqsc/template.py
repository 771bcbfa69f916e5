"""Moved: see mqlint.syntax.templates."""

from mqlint.syntax.templates import COVER, cover

__all__ = ["COVER", "cover"]
