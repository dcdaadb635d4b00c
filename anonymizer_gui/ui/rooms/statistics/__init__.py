"""The window half of statistics."""
