"""The plan of a change: commands, their undo, their order, their effects."""
