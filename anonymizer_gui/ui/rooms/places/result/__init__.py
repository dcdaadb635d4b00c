"""The page `result` of the room of places."""
