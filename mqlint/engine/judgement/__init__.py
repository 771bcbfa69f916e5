"""Queue managers judged, and what suppresses findings."""
