"""Scans that are there: what they found, and what changed from one to another."""
