"""Kustomize: what an overlay makes of its bases."""
