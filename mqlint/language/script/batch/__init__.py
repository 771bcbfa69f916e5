"""Batch files of Windows."""
