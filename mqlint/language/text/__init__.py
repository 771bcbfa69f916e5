"""Text that came out of another text, and what stands in it before it is rendered."""
