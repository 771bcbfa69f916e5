"""Measurements of mqlint against something, in one run: see README.md beside this file."""
