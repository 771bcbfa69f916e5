"""YAML and JSON: from text to a tree of values, each with its place."""
