"""The scans in a folder: their findings, and changes from one to another."""

WHOLE = "scan-"
"""How the name of a folder with a whole scan begins."""
