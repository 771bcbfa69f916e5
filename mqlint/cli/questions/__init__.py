"""`mqlint questions`: what only people know."""
