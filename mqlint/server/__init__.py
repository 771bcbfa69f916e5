"""A resident process that runs commands at once, for hooks and editors. Nobody needs it.

It has loaded what a command needs, and makes a copy of itself for each one: a request changes
nothing for the next. The client imports nothing but this room.
"""
