"""Coming over from ARX: its project files as projects of this room."""
