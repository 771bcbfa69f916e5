"""Policies: YAML files loaded, compiled and judged."""
