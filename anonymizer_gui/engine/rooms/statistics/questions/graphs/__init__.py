"""Questions about graphs, and about the single ties in them."""
