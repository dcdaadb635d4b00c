"""The page `data` of the room of places."""
