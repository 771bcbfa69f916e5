"""The words of the kind `reaches`: where a connection may come from, and from whom."""

from __future__ import annotations

from mqlint.config.settings import ROLES

ANY, OUTSIDE, OWN = "any", "outside", "own"
PLACES = (*ROLES, ANY, OUTSIDE, OWN)
"""The networks of the sites of a role, anywhere, anywhere but this site's networks, or those
networks."""

USERS = ("any", "administrator")
PARTNERS = ("anyone", "stranger")
"""The partners: anyone with the right name, or only those that no record names."""
REPORTED = ("reach.address", "reach.user", "reach.record", "reach.who")
"""What its messages may name."""
