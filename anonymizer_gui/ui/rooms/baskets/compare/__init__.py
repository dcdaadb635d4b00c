"""Releases side by side, before and after, and the tree with its cut."""
