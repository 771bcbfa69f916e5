"""A resident process that runs commands at once, for hooks and editors. Nobody needs it.

It has loaded what a command needs, and makes a copy of itself for each one: a request changes
nothing for the next. The client imports nothing but this room.
"""

WANTED = "MQLINT_SERVER"
"""The environment variable that says, with the value 1, that commands use the server."""
OPTION = "--server"
"""The same as the first word of a command line."""
