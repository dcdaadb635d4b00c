"""The page `attack` of the room of places."""
