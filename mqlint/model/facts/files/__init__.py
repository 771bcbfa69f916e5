"""What files and captures show besides objects: stanzas, declarations, status, ports."""
