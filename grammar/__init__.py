"""The grammars of mqlint, one a language; data, read through importlib.resources."""
