"""The run in one process: source, syntax, validity, model, policy, finding."""
