"""What follows from the objects and files of a queue manager, as facts for policies."""
