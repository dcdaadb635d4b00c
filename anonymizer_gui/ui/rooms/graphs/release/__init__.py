"""Pages of the room of graphs."""
