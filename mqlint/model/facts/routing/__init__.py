"""Where messages go: clusters, channels and their partners, paths of queues, topics."""
