"""Output of commands that was kept in a file, and configuration that RDQM generates."""
