"""From text to syntax tree, one folder a language."""
