"""Questions to the tables of a scan by DuckDB: one SELECT, nothing but those tables."""
