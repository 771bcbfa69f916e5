"""What one document gives, read on its own."""
