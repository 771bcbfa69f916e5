"""Channel authentication: which record wins, for one connection and for a set of addresses."""

REACHABILITY = (
    *("never", "shadowed_by", "same_as", "crosses", "undone_by"),
    *("host", "address", "issuer", "guarded", "only_for", "refused"),
)
"""The fields of `mqlint.chlauth.reachability.Reachability`, which policies read of a record."""
