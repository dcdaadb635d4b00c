"""Questions about baskets, and about the single items in them."""
