"""Documents read, in this process or in others that may die."""
