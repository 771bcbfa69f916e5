"""Channel authentication: which record wins, for one connection and for a set of addresses."""

STANDING = (
    *("never", "shadowed_by", "same_as", "crosses", "undone_by"),
    *("host", "address", "issuer", "guarded"),
)
"""What may be asked of how a record stands: the fields of `mqlint.chlauth.reachability.Standing`."""
