"""Questions about nested records, and about single entries of their lists."""
