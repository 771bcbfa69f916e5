"""Who may do what: authority records, blocked users, labels of certificates."""
