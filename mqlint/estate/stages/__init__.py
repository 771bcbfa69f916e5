"""The steps of a scan, from documents to findings, as functions over batches of rows."""
