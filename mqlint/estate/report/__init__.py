"""The report of a scan from its tables alone: neither the files nor Spark are needed."""
