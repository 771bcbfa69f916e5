"""The tables of a scan: their schemas, the rows that fill them, and the files that hold them."""
