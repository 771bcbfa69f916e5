"""Data sets of z/OS and what copies of them do."""
