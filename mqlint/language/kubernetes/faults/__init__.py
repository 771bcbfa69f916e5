"""Faults of manifests."""
