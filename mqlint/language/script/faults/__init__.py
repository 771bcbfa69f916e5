"""What scripts do that may go wrong."""
