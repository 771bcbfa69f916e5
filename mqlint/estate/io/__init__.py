"""Where the bytes of an estate come from, and what is kept of them for the next scan."""
