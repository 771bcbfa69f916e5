"""The scans in a folder: their findings, and changes from one to another."""
