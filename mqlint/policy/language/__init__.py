"""The language of policies: its words, the strict loading of a file, the JSON Schema."""
