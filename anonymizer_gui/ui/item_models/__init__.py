"""Qt item models over engine values."""
