"""The page `protect` of the room of places."""
