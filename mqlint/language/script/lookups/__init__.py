"""What a program looks up in a table for each site."""
