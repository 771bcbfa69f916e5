"""Commands that run others, or do in other words what commands of MQ do."""
