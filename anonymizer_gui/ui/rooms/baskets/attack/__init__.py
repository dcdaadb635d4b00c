"""Attack first: who is found by a few items."""
