"""Edits that policies propose, and the proof that they do only that."""
