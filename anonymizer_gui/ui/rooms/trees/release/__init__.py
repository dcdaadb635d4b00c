"""What the Release page shows of the room."""
