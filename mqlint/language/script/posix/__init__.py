"""Shells of UNIX."""
