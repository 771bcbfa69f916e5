"""Objects and queue managers as the commands of their files leave them."""
