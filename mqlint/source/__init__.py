"""Where text comes from: files found, bytes decoded, offsets turned into lines."""
