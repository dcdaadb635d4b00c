"""What leaves: baskets, and how they are written."""
