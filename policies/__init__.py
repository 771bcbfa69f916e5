"""The rules of mqlint: one YAML file a rule, one folder a theme; read by importlib.resources."""
