"""Scans of whole estates, each a process of its own: see README.md of the folder above."""
