"""Sparse visits as sets of tiles and slots."""
