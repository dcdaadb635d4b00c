"""The window half of the room of baskets."""
