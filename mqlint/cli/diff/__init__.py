"""`mqlint diff`: the semantic difference of two descriptions of queue managers."""
