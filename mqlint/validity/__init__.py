"""One command judged against the vocabulary."""
