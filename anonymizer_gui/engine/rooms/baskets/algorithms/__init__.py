"""The ways to make baskets anonymous, one file each."""
