"""The check kinds of policies, one module a kind."""
