"""The queue manager as a whole: its log, its folders, how it was made, and its limits."""
