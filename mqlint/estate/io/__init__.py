"""The sources of an estate, and what is cached for the next scan."""
