"""The scan of a whole estate: documents to findings and tables, in one process or on Spark."""
