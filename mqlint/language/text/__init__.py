"""Text that came out of another text, and what is in it before it is rendered."""
