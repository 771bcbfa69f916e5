"""Commands that copy, move or remove the files of queue managers."""
