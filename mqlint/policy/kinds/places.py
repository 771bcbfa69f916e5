"""Where a connection may come from: the words of the kind `reaches`."""

from __future__ import annotations

from mqlint.config.settings import ROLES

ANY, OUTSIDE, OWN = "any", "outside", "own"
PLACES = (*ROLES, ANY, OUTSIDE, OWN)
"""The networks of the sites of a role, anywhere, anywhere but this site's networks, or those
networks."""
