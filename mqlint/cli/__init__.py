"""The command line: one module a command; the only room that prints, reads the environment or exits."""
