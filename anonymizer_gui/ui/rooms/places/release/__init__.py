"""The page `release` of the room of places."""
