"""Judging: the index of policies, findings of one queue manager, claims across several."""
