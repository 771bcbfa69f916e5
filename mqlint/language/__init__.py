"""From text to syntax tree, one module a language."""
