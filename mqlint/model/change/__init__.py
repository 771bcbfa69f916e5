"""What a change of a queue manager takes: commands, their undo, their order, their effects."""
