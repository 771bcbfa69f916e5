"""`mqlint fix`: fixes of findings, each proven by the model."""
