"""Names as facts: what names an object, and which names lead to nothing."""
