"""Questions about tables."""
