"""A resident process that runs commands without a start, for hooks and editors; it is optional.

It has loaded what a command needs, and forks for each one: a request changes
nothing for the next. The client imports nothing but this room.
"""

WANTED = "MQLINT_SERVER"
"""The environment variable that says, with the value 1, that commands use the server."""
OPTION = "--server"
"""The same as the first word of a command line."""
