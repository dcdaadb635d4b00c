"""Synthetic tables: noisy marginals of public cells, joined along a tree or around one column, and rows of them."""
