"""The queue managers that documents give commands to, and what documents say of each other."""
