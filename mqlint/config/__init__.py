"""What a project says about itself, the one YAML reader, and the user's cache."""
