"""Channel authentication: which record wins, for one connection and for a set of addresses."""
