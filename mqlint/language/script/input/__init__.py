"""What runmqsc gets to read."""
