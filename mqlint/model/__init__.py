"""Facts made from syntax trees: sites, queue managers, objects and their attributes."""
